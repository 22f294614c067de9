"""librdkafka's mock cluster: what it makes of the bytes of a vector, sent over a plain socket.

The argument is a file with what a producer sends. The library is the one that was unpacked for the
target.
"""

import socket
import struct
import sys
from ctypes import c_char_p, c_int, c_size_t, c_void_p, create_string_buffer
from pathlib import Path

import librdkafka

TOPIC = b"\x00\x05topic"
PRODUCE, FETCH, METADATA = 0, 1, 3
PRODUCER_ID = 43  # where a batch has it


def main(file: str) -> None:
    """Start the cluster, send the file with Produce 7, and show the header that Fetch 4 gives.

    A batch with a producer id is sent once more, as a producer does that got no answer.
    """
    library = librdkafka.load(Path(sys.executable).parents[2] / "library")
    library.rd_kafka_conf_new.restype = library.rd_kafka_new.restype = c_void_p
    library.rd_kafka_new.argtypes = [c_int, c_void_p, c_char_p, c_size_t]
    library.rd_kafka_mock_cluster_new.restype = c_void_p
    library.rd_kafka_mock_cluster_new.argtypes = [c_void_p, c_int]
    library.rd_kafka_mock_cluster_bootstraps.restype = c_char_p
    library.rd_kafka_mock_cluster_bootstraps.argtypes = [c_void_p]
    words = create_string_buffer(512)
    client = library.rd_kafka_new(0, library.rd_kafka_conf_new(), words, len(words))
    cluster = library.rd_kafka_mock_cluster_new(client, 1)
    host, port = library.rd_kafka_mock_cluster_bootstraps(cluster).decode().split(":")
    connection = socket.create_connection((host, int(port)))
    data = Path(file).read_bytes()
    ask(connection, METADATA, 4, struct.pack(">i", 1) + TOPIC + b"\x01")
    body_of_produce = struct.pack(">hhii", -1, 1, 5000, 1) + TOPIC + struct.pack(">iii", 1, 0, len(data)) + data
    answer = ask(connection, PRODUCE, 7, body_of_produce)
    error, offset = struct.unpack_from(">hq", answer, 4 + len(TOPIC) + 8)
    if error:
        print(f"Produce 7: error {error}")
        return
    body = struct.pack(">iiiibi", -1, 100, 1, 1 << 20, 0, 1) + TOPIC + struct.pack(">iiqi", 1, 0, offset, 1 << 20)
    stored = ask(connection, FETCH, 4, body)[-len(data) :]
    epoch, magic, crc = struct.unpack_from(">ibI", stored, 12)
    print(f"Produce 7: appended, partition_leader_epoch={epoch} magic={magic} crc={crc:08x}")
    if struct.unpack_from(">q", stored, PRODUCER_ID)[0] < 0:
        return
    error, again = struct.unpack_from(">hq", ask(connection, PRODUCE, 7, body_of_produce), 4 + len(TOPIC) + 8)
    print(f"sent again: {f'error {error}' if error else f'appended at offset {again}, after {offset}'}")


def ask(connection: socket.socket, api: int, version: int, body: bytes) -> bytes:
    """Return the body of a response."""
    request = struct.pack(">hhih", api, version, 1, -1) + body
    connection.sendall(struct.pack(">i", len(request)) + request)
    stream = connection.makefile("rb")
    return stream.read(struct.unpack(">i", stream.read(4))[0])[4:]


if __name__ == "__main__":
    main(sys.argv[1])
