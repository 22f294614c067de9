"""`deadly` as an adapter that reads batch by batch: what it gives is compared as images, many at a time.

Batches of which DEADLY says `when compared: ...` do that only then.
"""

import marshal
from collections.abc import Iterator
from typing import Any

import deadly
from batchwise import Batchwise, Run
from kafka_python_family import answer
from python_adapter import serve
from wholes import HELLO, run_of

COMPARED = "when compared: "

_dumps = marshal.dumps
_doing: dict[str, str] = {}
"""Offset and timestamp of the first record, as text, to what is done when they are written."""


def read(data: bytes) -> Iterator[Run]:
    state, rows = run_of(data)
    deed = deadly.DEEDS.get(data, "")
    if deed.startswith(COMPARED):
        _doing[str(rows[0][:2])] = deed.removeprefix(COMPARED)
    else:
        deadly.decode(data)
    yield state, rows


def dumps(value: Any, version: int) -> bytes:
    for runs in value if _doing and version == 2 else ():
        for _, rows in runs if isinstance(runs, list) else ():
            deadly.do(_doing.get(str(rows[0][:2]), "nothing"))
    return _dumps(value, version)


if __name__ == "__main__":
    marshal.dumps = dumps
    serve(HELLO, Batchwise(read, answer))
