"""What is due for a block in shared memory: in columns, each field of all records together.

Whatever a library gave is put in columns too (shared_columns.py), for some hundred records at a time, and compared as
memory: no object is looked at alone.

The block, in integers of 8 bytes in the order of the machine:

- 8 sizes: batches, records, headers, then the bytes of batches, keys, values, header keys, header values;
- by batch, and one more for the end: where its bytes, records, headers, keys, values, header keys and header values
  begin, 7 columns;
- by batch: 0 if the answer is due, 1 if it must be refused, 2 for either;
- by batch: 1 if its records differ in none of `STATE`, but for sequences that count up with the offsets, else 0; then
  what its first record has of them (0 if there is none), 7 columns;
- by record: offset, timestamp, timestamp type, producer id, producer epoch, sequence, transactional, control, codec,
  then the length of the key and of the value (-1 for null), then the number of headers, 12 columns;
- by header: the length of the key and of the value;
- the bytes of batches, keys, values, header keys, header values.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

NUMBERS = (
    "offset",
    "timestamp",
    "timestamp_type",
    "producer_id",
    "producer_epoch",
    "sequence",
    "transactional",
    "control",
    "codec",
)
STATE = NUMBERS[3:]
"""What the records of a v2 batch have in common."""

LAST_SEQUENCE = 2**31 - 1
"""After it comes 0 (DefaultRecordBatch.incrementSequence of Apache Kafka)."""

WORD = 8
MUST_REFUSE = 1

GROUP_RECORDS = 400
"""Records that are compared at a time: enough that the work for each group hardly counts, few enough that they are
still in the processor's cache."""

GROUP_BATCHES = 256


class Column(NamedTuple):
    """What a column has its values for, and the bytes of one of them."""

    level: str
    width: int = WORD


ALIKE = "alike"
"""The column that tells whether the records of a batch differ in none of `STATE`."""

BY_BATCH: Mapping[str, str] = {field: f"first {field}" for field in STATE}
"""The columns of what the first record has of `STATE`."""

CONTENTS: Mapping[str, Sequence[str]] = {
    "key": ("key length", "key"),
    "value": ("value length", "value"),
    "headers": ("header count", "header key length", "header value length", "header key", "header value"),
}
"""The columns of each field that is no number."""

_LEVELS = ("records", "headers", "key", "value", "header key", "header value")

COLUMNS: Mapping[str, Column] = {
    **dict.fromkeys((ALIKE, *BY_BATCH.values()), Column("batches")),
    **dict.fromkeys((*NUMBERS, "key length", "value length", "header count"), Column("records")),
    **dict.fromkeys(("header key length", "header value length"), Column("headers")),
    **{level: Column(level, 1) for level in _LEVELS[2:]},
}
"""All columns, in the order in which they lie in a block, but for the bytes of batches before those of keys."""

_SIZES = 8


class _Place(NamedTuple):
    at: int
    width: int
    bounds: Sequence[int]


class Answers:
    """The batches of a block, and what is due for them.

    Attributes:
        verdicts: for each 0 if the answer is due, `MUST_REFUSE` if it must be refused, 2 for either.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        sizes = _integers(data, 0, _SIZES)
        batches, records, headers, inputs_size, *content_sizes = sizes
        at = _SIZES * WORD
        self._bounds: dict[str, Sequence[int]] = {"batches": range(batches + 1)}
        for level in ("inputs", *_LEVELS):
            self._bounds[level] = _integers(data, at, batches + 1)
            at += (batches + 1) * WORD
        self.verdicts = bytes(_integers(data, at, batches).tolist())
        at += batches * WORD
        counts = {"batches": batches, "records": records, "headers": headers}
        counts |= dict(zip(_LEVELS[2:], content_sizes, strict=True))
        self._places = {}
        for name, (level, width) in COLUMNS.items():
            if name == _LEVELS[2]:
                self._inputs, at = at, at + inputs_size
            self._places[name] = _Place(at, width, self._bounds[level])
            at += counts[level] * width

    def __len__(self) -> int:
        """How many batches."""
        return len(self.verdicts)

    def inputs(self, start: int, end: int) -> list[bytes]:
        """The bytes of the batches `start` to `end - 1`."""
        data, base = self._data, self._inputs
        return [data[base + first : base + last] for first, last in pairwise(self._bounds["inputs"][start : end + 1])]

    def group_end(self, start: int) -> int:
        """Say up to which batch they are compared together, from `start` on; one at least."""
        records = self._bounds["records"]
        enough = bisect_right(records, records[start] + GROUP_RECORDS, start + 1, len(records))
        return max(start + 1, min(start + GROUP_BATCHES, enough - 1))

    def must_refuse(self, runs: Iterable[tuple[int, int]]) -> bool:
        """True if a batch of these runs, first and one after the last, must be refused."""
        return any(MUST_REFUSE in self.verdicts[start:end] for start, end in runs)

    def ends(self, runs: Iterable[tuple[int, int]]) -> list[int]:
        """How many records are due up to and with each batch of these runs; 0 before them."""
        found, records = [0], self._bounds["records"]
        for start, end in runs:
            before = found[-1] - records[start]
            found += [before + upto for upto in records[start + 1 : end + 1]]
        return found

    def agree(self, columns: Mapping[str, bytes], runs: Sequence[tuple[int, int]]) -> bool:
        """True if these are the columns of the batches of these runs."""
        data, places = self._data, self._places
        if len(runs) > 1:
            return all(column == self._joined(places[name], runs) for name, column in columns.items())
        ((start, end),) = runs
        for name, column in columns.items():
            at, width, bounds = places[name]
            first, last = width * bounds[start], width * bounds[end]
            # Compared where it lies: cut out first, it would be copied.
            if len(column) != last - first or not data.startswith(column, at + first):
                return False
        return True

    def _joined(self, place: _Place, runs: Iterable[tuple[int, int]]) -> bytes:
        at, width, bounds = place
        return b"".join([self._data[at + width * bounds[start] : at + width * bounds[end]] for start, end in runs])


def _integers(data: bytes, at: int, count: int) -> "array[int]":
    found = array("q")
    found.frombytes(data[at : at + count * WORD])
    return found
