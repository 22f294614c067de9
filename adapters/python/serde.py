"""A reader of keys and values behind adapter protocol 1: copy this file.

A frame is an int32 length and that many bytes; the first byte is its kind. `H` is answered with a
hello, which declares in `serdes` what kinds of content the reader reads, and which parts of the
answer it gives of each; only those are asked for and compared. `F` brings questions as JSON. Call
your reader where it says so.
"""

import json
import os
import struct
import sys
from collections.abc import Callable
from typing import Any, NamedTuple


class Question(NamedTuple):
    """A value to be read: the kind of its content, its bytes or None, the headers of its record.

    The schema is that of the payload, in Avro, for readers that do not give the payload itself.
    """

    content: str
    data: bytes | None
    headers: list[tuple[str, bytes | None]]
    schema: str


Answer = dict[str, Any]
"""Parts by name: schema_id, guid (hex), indexes, payload (hex), value."""

Read = Callable[[Question], Answer]

SERDES = {
    "confluent": ["schema_id", "payload"],
    "confluent-protobuf": ["schema_id", "indexes", "payload"],
    "long": ["value"],
}
"""What is read, and what is given of it: docs/contents.md has all kinds."""


def read(question: Question) -> Answer:
    """Read a value; any exception but NotImplementedError is a refusal."""
    raise NotImplementedError("call your reader here")


def serve(name: str, version: str, serdes: dict[str, list[str]], read: Read) -> None:
    """Answer requests until the end of input; what is printed meanwhile goes to standard error."""
    hello: dict[str, Any] = {"protocol": 1, "name": name, "version": version, "language": "Python", "serdes": serdes}
    hello |= {"formats": [], "codecs": [], "fields": [], "directions": [], "checks_crc": True}
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while len(size := sys.stdin.buffer.read(4)) == 4:
        request = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        reply = b"H" + json.dumps(hello).encode()
        if request[:1] == b"F":
            results = [_result(read, _question(asked)) for asked in _inputs(request)]
            parts = [struct.pack(">bi", status, len(content)) + content for status, content in results]
            reply = request[:5] + struct.pack(">i", len(parts)) + b"".join(parts)
        replies.write(struct.pack(">i", len(reply)) + reply)
        replies.flush()


def _result(read: Read, question: Question) -> tuple[int, bytes]:
    """Answer a question: status 0 and JSON; 1 refuses the value; 2 does not support that."""
    try:
        return 0, json.dumps(read(question)).encode()
    except NotImplementedError as gap:
        return 2, str(gap).encode()
    except Exception as error:
        return 1, f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")


def _question(asked: bytes) -> Question:
    document = json.loads(asked)
    headers = [(name, _bytes(value)) for name, value in document["headers"]]
    return Question(document["content"], _bytes(document["data"]), headers, document["schema"])


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else bytes.fromhex(text)


def _inputs(request: bytes) -> list[bytes]:
    """Return the questions of a block: behind its kind and id a count, then bytes with sizes."""
    at, found = 9, []
    for _ in range(int.from_bytes(request[5:9], "big")):
        end = at + 4 + int.from_bytes(request[at : at + 4], "big")
        found.append(request[at + 4 : end])
        at = end
    return found


if __name__ == "__main__":
    serve("my-reader", "1.0", SERDES, read)
