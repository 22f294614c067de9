"""What is due for a block in shared memory: batch by batch, as `marshal` writes what a library gives of it.

One call of C turns all that a library gave for some batches into bytes, and one comparison of memory tells whether that
is due: no column is made. An image that differs proves nothing, since a value may be written in more than one way. Such
a batch is answered, and judged like any answer.

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
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from batchwise import Batchwise, Row, Run
from python_adapter import Record
from shared_answers import WORD

VERSION = 2

_PROBE = (True, -1, 1 << 31, [(b"\0", None, "\u20ac")])
_PROBE_IMAGE = b"(\4\0\0\0Ti\xff\xff\xff\xffl\3\0\0\0\0\0\0\0\2\0[\1\0\0\0(\3\0\0\0s\1\0\0\0\0Nu\3\0\0\0\xe2\x82\xac"

_COLUMNS = 2

_LIST = 5
"""Bytes before the items of a list: its tag, and how many there are."""

GROUP_BATCHES = 32
GROUP_BYTES = 1 << 15
"""Batches, and bytes of images, that are compared at a time: enough that the call hardly counts, few enough that
little is decoded again when one of them kills the child."""

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

    @property
    def verdicts(self) -> bytes:
        """0 for each: the answer is due."""
        return bytes(len(self))

    def inputs(self, start: int, end: int) -> list[bytes]:
        """The bytes of the batches `start` to `end - 1`."""
        data = self._data
        return [data[first:last] for first, last in pairwise(self._inputs[start : end + 1])]

    def group_end(self, start: int) -> int:
        """Say up to which batch they are compared together, from `start` on; one at least."""
        images, most = self._images, min(start + GROUP_BATCHES, len(self))
        return max(start + 1, bisect_right(images, images[start] + GROUP_BYTES, start + 1, most + 1) - 1)

    def image(self, start: int, end: int) -> bytes:
        """The images of the batches `start` to `end - 1`, one after the other."""
        return self._data[self._images[start] : self._images[end]]


class Imaging(NamedTuple):
    """How a library's batches become images: `marshal.dumps(runs, VERSION)`.

    Attributes:
        read: gives what a batch tells and its rows, which become `Runs`; raises whatever the library raises.
        records: makes records of runs.
    """

    read: Callable[[bytes], Iterable[Run]]
    records: Callable[[Runs], list[Record]]


class Taken:
    """What a library gave for some batches, one after another.

    Attributes:
        runs: of each batch.
        take: decodes the next batch; raises whatever the library raises. Not a method, which takes longer to call.
    """

    def __init__(self, imaging: Imaging) -> None:
        """Begin with none."""
        self.runs: list[Runs] = []
        self.take = _taking(imaging.read, self.runs)
        self._records = imaging.records

    def drop(self) -> None:
        """Forget what was taken of a batch until the library raised: nothing is kept until all of it is read."""

    def records(self, batch: int) -> list[Record]:
        """Give the records of a batch; raises whatever comes of values that make no record."""
        return self._records(self.runs[batch])


def _taking(read: Callable[[bytes], Iterable[Run]], taken: list[Runs]) -> Callable[[bytes], None]:
    def take(data: bytes) -> None:
        runs = []
        for state, rows in read(data):
            runs.append((state, list(rows)))
        taken.append(runs)

    return take


class ImageGroup:
    """Batches that were decoded, and what is due for them; see `Group`.

    Attributes:
        places: where in the block they lie. Not all between the first and the last need be there.
        records: gives the records of a batch, by its number in the group.
    """

    def __init__(self, due: Images, taken: Taken, places: Sequence[int]) -> None:
        """Take batches that were decoded from the beginning."""
        self.places = places
        self.records = taken.records
        self._due = due
        self._runs = taken.runs

    def differing(self) -> Iterator[int]:
        """Yield the batches that are not proven right, by their number in the group."""
        places = self.places
        if not places:
            return
        written, due = _written(self._runs), self._due.image(places[0], places[-1] + 1)
        if written is None or len(written) != _LIST + len(due) or not written.endswith(due):
            yield from self._searched(written)

    def _searched(self, written: bytes | None) -> Iterator[int]:
        """Look at one after the other. No image begins with another: what follows is always told before it comes."""
        at = _LIST
        for batch, place in enumerate(self.places):
            due = self._due.image(place, place + 1)
            if written is not None and written.startswith(due, at):
                at += len(due)
                continue
            alone = _written(self._runs[batch])
            if alone != due:
                yield batch
            at += len(alone or b"")


def _written(decoded: list[Any]) -> bytes | None:
    """Make an image; None if there are values of other types than images have, or no memory is left for it."""
    try:
        return marshal.dumps(decoded, VERSION)
    except (ValueError, MemoryError):
        return None


def possible() -> bool:
    """True if this Python writes values as images have them."""
    return marshal.dumps(_PROBE, VERSION) == _PROBE_IMAGE


def imaging(decode: Batchwise) -> Imaging:
    """Return how what a decode function gives becomes images."""
    record = decode.record

    def records(runs: Runs) -> list[Record]:
        return [record(row, state) for state, rows in runs for row in rows]

    return Imaging(decode.read, records)


def _integers(data: bytes, at: int, count: int) -> "array[int]":
    found = array("q")
    found.frombytes(data[at : at + count * WORD])
    return found
