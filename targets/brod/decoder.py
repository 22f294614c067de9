"""brod, a client of Kafka 0.7, behind the adapter protocol: what `fetch` does with a message set.

brod was written for Python 2.6. Its decoder, brod/base.py, runs unchanged; what it finds is
`cStringIO.StringIO`, now `io.BytesIO`, and a `binascii.crc32` that is signed as it was. It counts
the offset of a message from its first byte, and Kafka's own consumer from the byte after it, so
offset is not declared. It works out every checksum and logs what does not fit; whether it delivers
that is for the suite to find.
"""

import sys
from collections.abc import Iterator
from importlib.metadata import version
from io import BytesIO
from types import SimpleNamespace

import python2
from python_adapter import Record, serve

_ERROR_CODE = bytes(2)

sys.modules["cStringIO"] = SimpleNamespace(StringIO=BytesIO)  # type: ignore[assignment]  # a module of Python 2
_base = python2.load("brod.base", {})
_base.binascii = SimpleNamespace(crc32=python2.crc32)  # type: ignore[attr-defined]  # its module has no types


def decode(data: bytes) -> Iterator[Record]:
    """Read a message set; raises whatever the library raises."""
    response = BytesIO(_ERROR_CODE + data)
    response.seek(len(_ERROR_CODE))
    for offset, payload in _base.BaseKafka()._read_fetch_response(None, 0, False, response):  # noqa: SLF001, FBT003 - the library's own reader
        yield Record(offset, value=payload)


if __name__ == "__main__":
    hello = {
        "name": "brod",
        "version": version("brod"),
        "language": "Python 2",
        "formats": ["v07"],
        "codecs": ["none"],
        "fields": ["value"],
        "checks_crc": True,
        "url": "https://github.com/DataDog/brod",
    }
    serve(hello, decode)
