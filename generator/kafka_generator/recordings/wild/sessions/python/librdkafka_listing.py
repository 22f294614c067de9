"""Ask for all topics with a release of librdkafka, as `kcat -L` does.

The arguments are the address of the broker and the folder that the library was unpacked to.
"""

import sys
from ctypes import byref, c_char_p, c_int, c_void_p, create_string_buffer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[6] / "targets" / "common" / "python"))

import librdkafka

PRODUCER, MILLISECONDS = 0, 10_000


def main(address: str, folder: str) -> None:
    library = librdkafka.load(Path(folder))
    error = create_string_buffer(512)
    settings = library.rd_kafka_conf_new()
    for name, value in ((b"bootstrap.servers", address.encode()), (b"api.version.request", b"true")):
        library.rd_kafka_conf_set(settings, c_char_p(name), c_char_p(value), error, len(error))
    client = library.rd_kafka_new(PRODUCER, settings, error, len(error))
    metadata = c_void_p()
    status = library.rd_kafka_metadata(c_void_p(client), 1, None, byref(metadata), c_int(MILLISECONDS))
    print("topics listed" if status == 0 else f"error {status}")


main(*sys.argv[1:])
