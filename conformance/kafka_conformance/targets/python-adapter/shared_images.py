"""What is due for a block in shared memory: batch by batch, as `marshal` writes what a library gives of it.

One call of C turns all that a library gave for a batch into bytes, and one comparison of memory tells whether that is
due: no column is made, and nothing is kept from batch to batch. An image that differs proves nothing, since a value may
be written in more than one way. Such a batch is answered, and judged like any answer.

The block, in integers of 8 bytes in the order of the machine:

- how many batches;
- by batch, and one more for the end: where in the block its bytes and where its image begin, 2 columns;
- the bytes of batches; the images.

All batches are sound: none may be refused.

The image of a v2 batch is `marshal.dumps(..., 2)` of the runs that a `Batchwise` reads of it: a list of one tuple, of
what the batch tells (a tuple of `kafka_python_family.State`, with 0 for a codec that is not declared) and a list of
rows; headers are a list of tuples of text and bytes. Version 2 of the format writes no references, so that equal values
of these types are equal bytes.
"""

import marshal
from array import array
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from batchwise import Batchwise, Row, Run
from python_adapter import Record
from shared_answers import WORD

VERSION = 2

_PROBE = (True, -1, 1 << 31, [(b"\0", None, "\u20ac")])
_PROBE_IMAGE = b"(\4\0\0\0Ti\xff\xff\xff\xffl\3\0\0\0\0\0\0\0\2\0[\1\0\0\0(\3\0\0\0s\1\0\0\0\0Nu\3\0\0\0\xe2\x82\xac"

_COLUMNS = 2

Runs = list[tuple[Any, list[Row]]]


class Images:
    """The batches of a block, and what is due for them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        (batches,) = _integers(data, 0, 1)
        places = _integers(data, WORD, (batches + 1) * _COLUMNS)
        self._inputs, self._images = places[: batches + 1], places[batches + 1 :]

    def __len__(self) -> int:
        """How many batches."""
        return len(self._inputs) - 1

    def inputs(self, start: int, end: int) -> list[bytes]:
        """The bytes of the batches `start` to `end - 1`."""
        data = self._data
        return [data[first:last] for first, last in pairwise(self._inputs[start : end + 1])]

    def each(self, start: int, left_out: frozenset[int] = frozenset()) -> Iterable[tuple[int, bytes, bytes]]:
        """The batches from `start` on, but for some: place, bytes, and the image that is due."""
        due = [self._data[first:last] for first, last in pairwise(self._images[start:])]
        found = zip(range(start, len(self)), self.inputs(start, len(self)), due, strict=True)
        return (one for one in found if one[0] not in left_out) if left_out else found


class Imaging(NamedTuple):
    """How a library's batches become images: `marshal.dumps(runs, VERSION)`.

    Attributes:
        read: gives what a batch tells and its rows, which become `Runs`; raises whatever the library raises.
        records: makes records of runs.
    """

    read: Callable[[bytes], Iterable[Run]]
    records: Callable[[Runs], list[Record]]


def possible() -> bool:
    """True if this Python writes values as images have them."""
    return marshal.dumps(_PROBE, VERSION) == _PROBE_IMAGE


def imaging(decode: Batchwise) -> Imaging:
    """Return how what a decode function gives becomes images."""
    record = decode.record

    def records(runs: Runs) -> list[Record]:
        return [record(row, state) for state, rows in runs for row in rows]

    return Imaging(decode.read, records)


def _integers(data: bytes, at: int, count: int) -> list[int]:
    found = array("q")
    found.frombytes(data[at : at + count * WORD])
    return found.tolist()
