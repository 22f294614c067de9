"""What is due for a block in shared memory: batch by batch, as `marshal` writes what a library gives of it.

One call of C turns all that a library gave for a batch into bytes, and one comparison of memory tells whether that is
due: no column is made, and nothing is kept from batch to batch. An image that differs proves nothing, since a value may
be written in more than one way. Such a batch is answered, and judged like any answer.

The block, in integers of 8 bytes in the order of the machine:

- 2 sizes: batches, bytes of batches;
- by batch, and one more for the end: where its bytes and where its image begin, 2 columns;
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

from batchwise import Batchwise, Row
from python_adapter import Record
from shared_answers import WORD

VERSION = 2

_PROBE = (True, -1, 1 << 31, [(b"\0", None, "\u20ac")])
_PROBE_IMAGE = b"(\4\0\0\0Ti\xff\xff\xff\xffl\3\0\0\0\0\0\0\0\2\0[\1\0\0\0(\3\0\0\0s\1\0\0\0\0Nu\3\0\0\0\xe2\x82\xac"

_SIZES = 2
_COLUMNS = 2

Runs = list[tuple[Any, list[Row]]]


class Images:
    """The batches of a block, and what is due for them."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        batches, size = _integers(data, 0, _SIZES)
        at = _SIZES * WORD
        columns = _integers(data, at, (batches + 1) * _COLUMNS)
        at += (batches + 1) * _COLUMNS * WORD
        self._inputs = [at + bound for bound in columns[: batches + 1]]
        self._images = [at + size + bound for bound in columns[batches + 1 :]]

    def __len__(self) -> int:
        """How many batches."""
        return len(self._inputs) - 1

    def inputs(self, start: int, end: int) -> list[bytes]:
        """The bytes of the batches `start` to `end - 1`."""
        data = self._data
        return [data[first:last] for first, last in pairwise(self._inputs[start : end + 1])]

    def each(self, start: int) -> Iterable[tuple[int, bytes, bytes]]:
        """The batches from `start` on: place, bytes, and the image that is due."""
        data, images = self._data, self._images[start:]
        due = (data[first:last] for first, last in pairwise(images))
        return zip(range(start, len(self)), self.inputs(start, len(self)), due, strict=True)


class Imaging(NamedTuple):
    """How a library's batches become images.

    Attributes:
        take: decodes a batch; raises whatever the library raises.
        image: makes the image of what it gave; empty if there is none.
        records: makes records of it.
    """

    take: Callable[[bytes], Runs]
    image: Callable[[Runs], bytes]
    records: Callable[[Runs], list[Record]]


def possible() -> bool:
    """True if this Python writes values as images have them."""
    return marshal.dumps(_PROBE, VERSION) == _PROBE_IMAGE


def imaging(decode: Batchwise) -> Imaging:
    """Return how what a decode function gives becomes images."""
    read, record = decode.read, decode.record

    def take(data: bytes) -> Runs:
        return [(state, list(rows)) for state, rows in read(data)]

    def records(runs: Runs) -> list[Record]:
        return [record(row, state) for state, rows in runs for row in rows]

    return Imaging(take, image, records)


def image(runs: Runs) -> bytes:
    """Make the image of a batch; empty if there are values of other types in it."""
    try:
        return marshal.dumps(runs, VERSION)
    except ValueError:
        return b""


def _integers(data: bytes, at: int, count: int) -> "array[int]":
    found = array("q")
    found.frombytes(data[at : at + count * WORD])
    return found
