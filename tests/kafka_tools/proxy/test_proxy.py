"""The proxy: every frame passes and is judged; bad input ends its connection only."""

import io
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from kafka_format import capture, protocol
from kafka_tools.proxy.addresses import apis_with_addresses, replaced
from kafka_tools.proxy.capture_file import CaptureFile
from kafka_tools.server import BrokerSettings, Topics, running

API_VERSIONS = {"client_software_name": "a", "client_software_version": "1"}


def place(_: str, port: int) -> tuple[str, int]:
    return "127.0.0.1", port + 10_000


class Running:
    """A proxy that runs: where it listens, and what it said once it ended."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "kafka_tools", "proxy", "--listen", "127.0.0.1:0", *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stderr is not None
        found = re.search(r"([\d.]+):(\d+)", self.process.stderr.readline())
        assert found is not None
        self.address = found[1], int(found[2])
        self.out = self.err = ""

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        self.out, self.err = self.process.communicate(timeout=60)
        return self.process.returncode


@contextmanager
def proxy(*arguments: str) -> Iterator[Running]:
    run = Running(*arguments)
    try:
        yield run
    finally:
        if run.process.poll() is None:
            run.end()


@pytest.fixture
def broker() -> Iterator[str]:
    with running(Topics([]), BrokerSettings(creates_topics=True)) as started:
        yield started.address


def ask(connection: socket.socket, api: str, version: int, body: dict[str, Any], number: int) -> Any:
    data = protocol.encode_request(api, version, body, correlation_id=number, client_id="me")
    connection.sendall(len(data).to_bytes(4, "big") + data)
    file = connection.makefile("rb")
    return protocol.decode_response(file.read(int.from_bytes(file.read(4), "big")), api, version).body


@pytest.mark.parametrize("data", [b"GET / HTTP/1.1\r\n\r\n", b"\0\0\0\x08" + b"\x7f" * 8])
def test_what_is_no_request_ends_its_connection_only(broker: str, data: bytes) -> None:
    with proxy("--upstream", broker) as run:
        with socket.create_connection(run.address) as wrong:
            wrong.sendall(data)
            wrong.settimeout(30)
            with _anything():
                wrong.recv(100)
        with socket.create_connection(run.address) as right:
            assert ask(right, "api_versions", 3, API_VERSIONS, 1).error_code == 0
        run.end()
    assert "Traceback" not in run.err


@contextmanager
def _anything() -> Iterator[None]:
    try:
        yield
    except OSError:
        return


def test_a_broker_that_is_not_there_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nowhere = taken.getsockname()[1]
    with proxy("--upstream", f"127.0.0.1:{nowhere}") as run:
        with socket.create_connection(run.address) as client:
            assert client.recv(10) == b""
        run.end()
    assert f"127.0.0.1:{nowhere} cannot be reached" in run.out
    assert "1 of them not taken by a broker" in run.err


def test_frames_pass_are_listed_counted_and_written(broker: str, tmp_path: Path) -> None:
    file = tmp_path / "session.pcap"
    with proxy("--upstream", broker, "--write", str(file), "--summary") as run:
        with socket.create_connection(run.address) as client:
            assert ask(client, "api_versions", 3, API_VERSIONS, 1).error_code == 0
            found = ask(client, "metadata", 9, {"topics": [{"name": "orders"}]}, 2)
        assert [(one.host, one.port) for one in found.brokers] == [run.address]
        status = run.end()
    assert status == 0
    assert "4 frames, none broke a rule" in run.err
    assert [line.split()[3:6] for line in run.out.splitlines()[1:5]] == [
        [kind, api, version]
        for api, version in (("api_versions", "3"), ("metadata", "9"))
        for kind in ("request", "response")
    ]
    assert "me      metadata             1        1       0" in run.out
    written = list(capture.read(io.BytesIO(file.read_bytes())))
    assert [(one.kind, one.api, one.correlation_id) for one in written] == [
        ("request", 18, 1), ("response", 18, 1), ("request", 3, 2), ("response", 3, 2),
    ]  # fmt: skip
    told = protocol.decode_response(written[-1].data[4:], "metadata", 9).body
    assert f"{told.brokers[0].host}:{told.brokers[0].port}" == broker.replace("localhost", "127.0.0.1")


def test_a_frame_that_breaks_a_rule_is_status_1(broker: str) -> None:
    wrong = protocol.encode_request("metadata", 1, {"topics": [{"name": "x"}]}, client_id="me") + b"\0"
    with proxy("--upstream", broker) as run:
        with socket.create_connection(run.address) as client:
            client.sendall(len(wrong).to_bytes(4, "big") + wrong)
            client.settimeout(30)
            with _anything():
                client.recv(10)
        status = run.end()
    assert (status, "protocol.body.exact" in run.out) == (1, True)


def test_a_response_is_written_again_with_all_that_is_in_it() -> None:
    node = {"node_id": 1, "host": "kafka-1", "port": 9092, "rack": "a", "unknown_tagged_fields": [(7, b"x")]}
    body = {"brokers": [node], "topics": [{"name": "orders"}], "unknown_tagged_fields": [(9, b"y")]}
    data = protocol.encode_response("metadata", 9, body, correlation_id=5, tagged=[(3, b"z")])
    changed = protocol.decode_response(replaced(data, 3, 9, place, frozenset()), "metadata", 9)
    expected = {**body, "brokers": [{**node, "host": "127.0.0.1", "port": 19092}]}
    again = protocol.encode_response("metadata", 9, expected, correlation_id=5, tagged=[(3, b"z")])
    assert replaced(data, 3, 9, place, frozenset()) == again
    assert changed.body.brokers[0].rack == "a"


@pytest.mark.parametrize("data", [b"", b"\0", b"\0" * 9, b"\xff" * 60])
def test_a_wrong_response_passes_as_it_is(data: bytes) -> None:
    for api in apis_with_addresses():
        assert replaced(data, api, 0, place, frozenset()) == data


def test_the_apis_that_tell_addresses() -> None:
    assert {
        protocol.api_number(name) for name in ("metadata", "find_coordinator", "describe_cluster", "fetch", "produce")
    } <= (apis_with_addresses())


def test_a_capture_of_long_frames_and_both_versions_of_ip() -> None:
    data = protocol.encode_request("metadata", 1, {"topics": [{"name": "t" * 30_000}] * 5}, client_id="me")
    for address in ("192.0.2.1", "2001:db8::1"):
        file = io.BytesIO()
        written, ends = CaptureFile(file), (capture.Endpoint(address, 50_000), capture.Endpoint(address, 9092))
        written.open(1.5, *ends)
        written.write(2.25, *ends, len(data).to_bytes(4, "big") + data)
        written.close(3.0, *ends)
        [found] = capture.read(io.BytesIO(file.getvalue()))
        assert (found.data[4:], found.time, found.client) == (data, 2.25, ends[0])


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl to make a certificate")
def test_tls_to_the_broker_is_its_own_connection(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    answer = protocol.encode_response("heartbeat", 0, {"error_code": 0}, correlation_id=7)
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with context.wrap_socket(listening.accept()[0], server_side=True) as one:
                one.recv(1000)
                one.sendall(len(answer).to_bytes(4, "big") + answer)
                one.recv(1000)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        port = listening.getsockname()[1]
        with proxy("--upstream", f"127.0.0.1:{port}", "--tls", "--tls-any") as run:
            with socket.create_connection(run.address) as client:
                assert ask(client, "heartbeat", 0, {}, 7).error_code == 0
            thread.join(30)
            run.end()
    assert "response heartbeat 0" in run.out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--upstream", "nothing"), "is not HOST:PORT"),
        (("--upstream", "a:1", "--tls-any"), "go with --tls"),
        (("--upstream", "a:1", "--api", "fetsh"), "Did you mean"),
        (("--upstream", "a:1", "--tls", "--tls-ca", "/none"), "certificates cannot be read"),
        (("--upstream", "a:1", "--write", "/none/x"), "cannot write /none/x"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], text: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kafka_tools", "proxy", *arguments], capture_output=True, text=True, check=False
    )
    assert (done.returncode, text in done.stderr) == (2, True)
