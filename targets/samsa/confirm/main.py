"""samsa: what `decode_messages` gives, by which `Client.fetch` reads.

Arguments: an address, a topic (unused), a file.

It is a library for Python 2, so it runs as it does for the suite: python2.py says what is put in.
"""

import itertools
import queue
import sys
from pathlib import Path

import python2
from lines import show, show_error


def _buffer(data: bytes, offset: int = 0, size: int = sys.maxsize) -> bytes:
    return bytes(memoryview(data)[offset : offset + size])


sys.modules["Queue"] = queue
itertools.imap = map  # type: ignore[attr-defined]  # its name in Python 2
python2.load("samsa.handlers", {"except Exception, e:": "except Exception as e:"})
python2.load("samsa.utils.structuredio", {"print ''.join(": "(''.join)(", "print '  '.join(": "('  '.join)("})
client = python2.load("samsa.client", {"InvalidVersionError, ex:": "InvalidVersionError as ex:"}, buffer=_buffer)
client.crc32 = python2.crc32  # type: ignore[attr-defined]  # its module has no types
try:
    for message in client.decode_messages(Path(sys.argv[3]).read_bytes(), 0):
        show(offset=message.next_offset, value=bytes(message.payload))
except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
    show_error(error)
