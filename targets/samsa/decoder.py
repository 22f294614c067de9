"""samsa, a client of Kafka 0.7, behind the adapter protocol: what `Client.fetch` does with a set.

samsa was written for Python 2.7. Its modules run as they are, but for two `except` and two `print`
that Python 3 spells otherwise. They find what Python 3 has under another name: `Queue`,
`itertools.imap`, `buffer` (a copy here), and a `crc32` that is signed as it was. The offset of a
message in 0.7's own consumer is where the next one begins, which samsa calls `next_offset`. It
hands a compressed message over as it is, so no codec is declared.
"""

import itertools
import queue
import sys
from importlib.metadata import version

import python2
from python_adapter import Record, serve


def _buffer(data: bytes, offset: int = 0, size: int = sys.maxsize) -> bytes:
    return bytes(memoryview(data)[offset : offset + size])


sys.modules["Queue"] = queue
itertools.imap = map  # type: ignore[attr-defined]  # its name in Python 2
python2.load("samsa.handlers", {"except Exception, e:": "except Exception as e:"})
python2.load("samsa.utils.structuredio", {"print ''.join(": "(''.join)(", "print '  '.join(": "('  '.join)("})
_client = python2.load("samsa.client", {"InvalidVersionError, ex:": "InvalidVersionError as ex:"}, buffer=_buffer)
_client.crc32 = python2.crc32  # type: ignore[attr-defined]  # its module has no types


def decode(data: bytes) -> list[Record]:
    """Read a message set; raises whatever the library raises."""
    return [Record(message.next_offset, value=message.payload) for message in _client.decode_messages(data, 0)]


if __name__ == "__main__":
    hello = {
        "name": "samsa",
        "version": version("samsa"),
        "language": "Python 2",
        "formats": ["v07"],
        "codecs": ["none"],
        "fields": ["offset", "value"],
        "checks_crc": True,
        "url": "https://github.com/getsamsa/samsa",
    }
    serve(hello, decode)
