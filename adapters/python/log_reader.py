"""A reader of Kafka's log directories behind adapter protocol 1: copy this file.

A frame is an int32 length and that many bytes; the first byte is its kind. `H` is answered with
HELLO, which declares in `logs` which parts of the answers the reader gives; only those are asked
for and compared. `F` brings questions as JSON. Call your reader where it says so.
"""

import json
import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Answer = dict[str, Any]
"""An object of JSON."""

HELLO = {
    "protocol": 1,
    "name": "my-reader",
    "version": "1.0",
    "language": "Python",
    "logs": ["records", "offsets", "times", "segments", "epochs", "breaks", "values"],
    "formats": ["v2"],  # of batches: v0, v1, v2
    "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
    "fields": [],
    "checks_crc": True,
    "directions": [],  # it decodes no records by themselves
}


def open_log(folder: Path, start_offset: int, offsets: list[int], times: list[int]) -> Answer:
    """Read a partition after a clean stop.

    records: [offset, timestamp, key, value] of each from `start_offset` on; bytes in hex, or None.
    offsets: [offset, base offset of the segment, position of the batch] of each that is asked for;
    [offset, "OffsetOutOfRangeException"] where there is none, the end of the log for the end.
    times: [time, timestamp, offset, leader epoch] of the first record at or after each; or [time].
    """
    raise NotImplementedError("call your reader here")


def recover(folder: Path, start_offset: int, index_interval: int) -> Answer:
    """Start on a partition after a crash; the files may be changed.

    segments: [base offset, size] of each that is left. epochs: [leader epoch, start offset].
    """
    raise NotImplementedError("call your reader here")


def verify(folder: Path) -> Answer:
    """Check a data directory: `breaks` has the ids of all rules that are broken, sorted."""
    raise NotImplementedError("call your reader here")


def read(file: Path) -> Answer:
    """Read a file by itself; its name says what it is. `values` is a row an entry."""
    raise NotImplementedError("call your reader here")


def answer(question: Answer) -> Answer:
    """Answer a question; any exception but NotImplementedError is a refusal."""
    if question["ask"] == "read":
        return read(Path(question["file"]))
    folder = Path(question["folder"])
    if question["ask"] == "open":
        return open_log(folder, question["start_offset"], question["offsets"], question["times"])
    if question["ask"] == "recover":
        return recover(folder, question["start_offset"], question["index_interval"])
    return verify(folder)


def _result(respond: Callable[[Answer], Answer], question: Answer) -> tuple[int, bytes]:
    """Answer a question: status 0 and JSON; 1 refuses the files; 2 does not support that."""
    try:
        return 0, json.dumps(respond(question)).encode()
    except NotImplementedError as gap:
        return 2, str(gap).encode()
    except Exception as error:
        return 1, f"{type(error).__name__}: {error}".encode("utf-8", "backslashreplace")


def serve(hello: Answer, respond: Callable[[Answer], Answer]) -> None:
    """Answer requests until the end of input; what is printed meanwhile goes to standard error."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while len(size := sys.stdin.buffer.read(4)) == 4:
        request = sys.stdin.buffer.read(int.from_bytes(size, "big"))
        reply = b"H" + json.dumps(hello).encode()
        if request[:1] == b"F":
            results = [_result(respond, json.loads(question)) for question in _questions(request)]
            parts = [struct.pack(">bi", status, len(content)) + content for status, content in results]
            reply = request[:5] + struct.pack(">i", len(parts)) + b"".join(parts)
        replies.write(struct.pack(">i", len(reply)) + reply)
        replies.flush()


def _questions(request: bytes) -> list[bytes]:
    """Return the questions of a block: behind its kind and id a count, then bytes with sizes."""
    at, found = 9, []
    for _ in range(int.from_bytes(request[5:9], "big")):
        end = at + 4 + int.from_bytes(request[at : at + 4], "big")
        found.append(request[at + 4 : end])
        at = end
    return found


if __name__ == "__main__":
    serve(HELLO, answer)
