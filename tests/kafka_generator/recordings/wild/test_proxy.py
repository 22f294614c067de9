"""The proxy between a client and a broker."""

import socket
import threading

from kafka_generator.recordings.wild.proxy import Frame, Proxy

API_VERSIONS_3 = bytes.fromhex("0012000300000007")


def _answer(listening: socket.socket) -> None:
    connection, _ = listening.accept()
    with connection, connection.makefile("rb") as stream:
        size = int.from_bytes(stream.read(4), "big")
        connection.sendall(b"\0\0\0\2" + stream.read(size)[:2])


def test_both_sides_are_passed_on_and_kept() -> None:
    proxy = Proxy()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_answer, args=(listening,), daemon=True).start()
        proxy.serve(listening.getsockname())
        with socket.create_connection(("127.0.0.1", proxy.port), timeout=10) as client:
            client.sendall(len(API_VERSIONS_3).to_bytes(4, "big") + API_VERSIONS_3)
            with client.makefile("rb") as stream:
                assert stream.read(6) == b"\0\0\0\2\0\x12"
    assert proxy.frames == [Frame("request", 18, 3, API_VERSIONS_3), Frame("response", 18, 3, b"\0\x12")]
