"""A reader of Kafka's log directories behind `kafka-conformance log-judge`: copy this file.

A question is a line of JSON, and so is an answer. Call your reader where it says so, and declare in
HELLO which parts of the answers it gives; only those are asked for and compared.
"""

import json
import sys
from pathlib import Path
from typing import Any

Answer = dict[str, Any]
"""An object of JSON."""

HELLO = {
    "name": "my-reader",
    "version": "1.0",
    "language": "Python",
    "parts": ["records", "offsets", "times", "segments", "epochs", "breaks", "values"],
    "formats": ["v2"],  # of batches: v0, v1, v2
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
    """Answer a question; an exception is a refusal, and NotImplementedError a gap."""
    if question["ask"] == "hello":
        return HELLO
    try:
        if question["ask"] == "read":
            return read(Path(question["file"]))
        folder = Path(question["folder"])
        if question["ask"] == "open":
            return open_log(folder, question["start_offset"], question["offsets"], question["times"])
        if question["ask"] == "recover":
            return recover(folder, question["start_offset"], question["index_interval"])
        return verify(folder)
    except NotImplementedError as gap:
        return {"unsupported": str(gap)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
