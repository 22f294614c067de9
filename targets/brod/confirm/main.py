"""brod: what `Kafka.fetch` does with a response. Arguments: an address, a topic (unused), a file.

It is a library for Python 2, so it runs as it does for the suite: python2.py says what is put in.
"""

import sys
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace

import python2
from lines import show, show_error

sys.modules["cStringIO"] = SimpleNamespace(StringIO=BytesIO)  # type: ignore[assignment]  # a module of Python 2
base = python2.load("brod.base", {})
base.binascii = SimpleNamespace(crc32=python2.crc32)  # type: ignore[attr-defined]  # its module has no types
response = BytesIO(bytes(2) + Path(sys.argv[3]).read_bytes())
response.seek(2)
try:
    for offset, payload in base.BaseKafka()._read_fetch_response(None, 0, False, response):  # noqa: FBT003, SLF001 - the library's own reader
        show(offset=offset, value=payload)
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(error)
