"""Starts librdkafka's mock cluster of one broker: `start.py FOLDER`, where its wheel was unpacked.

`HOST:PORT` on standard output says where it listens; it ends with the end of standard input.
"""

import sys
from ctypes import c_char_p, c_int, c_size_t, c_void_p, create_string_buffer
from pathlib import Path

import librdkafka

_PRODUCER = 0
_ERROR_BYTES = 512


def main(folder: str) -> int:
    """Start it, and wait for the end of the input; 1 if the client that it needs cannot be made."""
    library = librdkafka.load(Path(folder))
    library.rd_kafka_conf_new.restype = c_void_p
    library.rd_kafka_new.restype = c_void_p
    library.rd_kafka_new.argtypes = [c_int, c_void_p, c_char_p, c_size_t]
    library.rd_kafka_mock_cluster_new.restype = c_void_p
    library.rd_kafka_mock_cluster_new.argtypes = [c_void_p, c_int]
    library.rd_kafka_mock_cluster_bootstraps.restype = c_char_p
    library.rd_kafka_mock_cluster_bootstraps.argtypes = [c_void_p]
    words = create_string_buffer(_ERROR_BYTES)
    client = library.rd_kafka_new(_PRODUCER, library.rd_kafka_conf_new(), words, _ERROR_BYTES)
    if not client:
        sys.stderr.write(words.value.decode())
        return 1
    cluster = library.rd_kafka_mock_cluster_new(client, 1)
    sys.stdout.write(library.rd_kafka_mock_cluster_bootstraps(cluster).decode() + "\n")
    sys.stdout.flush()
    while sys.stdin.buffer.read(1):
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
