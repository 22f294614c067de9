"""A block in shared memory, and the comparison of what was decoded with what is due.

What is due lies there in columns, each field of all records together, and keys and values one after another. So what a
library gave is put in columns too, for some hundred records at a time, and compared as memory: no object is looked at
alone. Only a group that differs is taken apart.

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
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any

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

ROW = ("offset", "timestamp", "timestamp_type", "key", "value", "headers")
"""What each has its own of."""

LAST_SEQUENCE = 2**31 - 1
"""After it comes 0 (DefaultRecordBatch.incrementSequence of Apache Kafka)."""

_LENGTHS = ("key", "value", "headers")
_SIZES = 8
_BOUNDS = 7
_WORD = 8

MUST_REFUSE = 1

GROUP_RECORDS = 400
"""Records that are compared at a time: enough that the work for each group does not count, few enough that they are
still in the processor's cache."""

GROUP_BATCHES = 64


class Answers:
    """The batches of a block, and what is due for them.

    Attributes:
        inputs: the bytes of each batch.
        records: where the records of each begin, and where the last ones end.
        verdicts: for each 0 if the answer is due, `MUST_REFUSE` if it must be refused, 2 for either.
    """

    def __init__(self, data: bytes, fields: Sequence[str]) -> None:
        self._fields = fields
        sizes = _integers(data, 0, _SIZES)
        batches, records, headers = sizes[:3]
        at = _SIZES * _WORD
        bounds = []
        for _ in range(_BOUNDS):
            bounds.append(_integers(data, at, batches + 1))
            at += (batches + 1) * _WORD
        inputs, self.records, self._headers, *self._contents = bounds
        self.verdicts = _integers(data, at, batches)
        at += batches * _WORD
        self._states = []
        for _ in range(1 + len(STATE)):
            self._states.append(data[at : at + batches * _WORD])
            at += batches * _WORD
        self._uniform = self._states.pop(0)
        self._columns = {}
        for name in (*NUMBERS, *_LENGTHS):
            self._columns[name] = data[at : at + records * _WORD]
            at += records * _WORD
        self._header_columns = []
        for _ in range(2):
            self._header_columns.append(data[at : at + headers * _WORD])
            at += headers * _WORD
        self.inputs = [data[at + first : at + last] for first, last in pairwise(inputs)]
        at += sizes[3]
        self._bytes = []
        for size in sizes[4:]:
            self._bytes.append(data[at : at + size])
            at += size

    def agree(self, start: int, end: int, ends: Sequence[int], columns: Sequence[Sequence[Any]]) -> bool:
        """True if these are the answers of the batches `start` to `end - 1`; False if they differ, or cannot be told.

        Args:
            start: the first batch.
            end: the one after the last.
            ends: how many records there are up to and with each batch.
            columns: a column for each field.
        """
        if not self.have_counts(start, end, ends):
            return False
        try:
            return all(map(self._same, self._fields, columns, [start] * len(columns), [end] * len(columns)))
        except (TypeError, ValueError, OverflowError):
            return False

    def have_counts(self, start: int, end: int, ends: Sequence[int]) -> bool:
        """True if answers are due, or may be given, with so many records up to and with each batch."""
        if MUST_REFUSE in self.verdicts[start:end]:
            return False
        first = self.records[start]
        return [first + count for count in ends] == self.records[start + 1 : end + 1].tolist()

    def have_states(self, start: int, end: int, states: Sequence[Sequence[int]]) -> bool:
        """True if these are, in columns, `STATE` of the first records, and all others have the same."""
        first, last = start * _WORD, end * _WORD
        if self._uniform[first:last] != _packed([1] * (end - start)):
            return False
        pairs = zip(STATE, states, self._states, strict=True)
        return all(name not in self._fields or _packed(column) == due[first:last] for name, column, due in pairs)

    def have_rows(self, start: int, end: int, columns: Sequence[Sequence[Any]]) -> bool:
        """True if these are the columns that every record has its own of; they may lack if there are no records."""
        pairs = zip(ROW, columns, strict=bool(columns))
        return all(name not in self._fields or self._same(name, column, start, end) for name, column in pairs)

    def _same(self, field: str, column: Sequence[Any], start: int, end: int) -> bool:
        first, last = self.records[start] * _WORD, self.records[end] * _WORD
        due = self._columns[field][first:last]
        if field == "headers":
            pairs = list(chain.from_iterable(column))
            return _packed(map(len, column)) == due and self._same_headers(pairs, start, end)
        if field in _LENGTHS:
            return _lengths(column) == due and self._same_bytes(_LENGTHS.index(field), column, start, end)
        return _packed(column) == due

    def _same_headers(self, pairs: Sequence[Any], start: int, end: int) -> bool:
        if not pairs:
            return True
        keys, values = zip(*pairs, strict=True)
        if type(keys[0]) is str:
            keys = tuple(map(str.encode, keys))
        first, last = self._headers[start] * _WORD, self._headers[end] * _WORD
        lengths = (_packed(map(len, keys)), _lengths(values))
        return (
            all(one == due[first:last] for one, due in zip(lengths, self._header_columns, strict=True))
            and self._same_bytes(2, keys, start, end)
            and self._same_bytes(3, values, start, end)
        )

    def _same_bytes(self, kind: int, contents: Sequence[Any], start: int, end: int) -> bool:
        bounds = self._contents[kind]
        return b"".join(filter(None, contents)) == self._bytes[kind][bounds[start] : bounds[end]]


Compare = Callable[[Answers, int, int, Sequence[int], Sequence[Any]], bool]
"""Compares batches, from one up to another, given how many items came up to and with each, and the items."""


class Group:
    """Consecutive batches that were decoded and are not compared yet."""

    def __init__(self, due: Answers, compare: Compare, start: int) -> None:
        self._due = due
        self._compare = compare
        self.clear(start)

    def clear(self, start: int) -> None:
        """Forget all; the next batch is the one at `start`."""
        self._start = start
        self._items: list[Any] = []
        self._ends: list[int] = []

    def add(self, items: list[Any]) -> bool:
        """Add what was decoded of the next batch; True if it is time to compare."""
        self._items += items
        self._ends.append(len(self._items))
        return len(self._items) >= GROUP_RECORDS or len(self._ends) >= GROUP_BATCHES

    def differing(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield the places of the batches that are not proven right, and what was decoded of them."""
        return self._differing(0, len(self._ends))

    def _differing(self, first: int, last: int) -> Iterator[tuple[int, list[Any]]]:
        """Halve what differs, until it is one batch."""
        before = self._ends[first - 1] if first else 0
        if first == last or self._agree(first, last, before):
            return
        if last - first == 1:
            yield self._start + first, self._items[before : self._ends[first]]
            return
        middle = (first + last) // 2
        yield from self._differing(first, middle)
        yield from self._differing(middle, last)

    def _agree(self, first: int, last: int, before: int) -> bool:
        ends = [end - before for end in self._ends[first:last]]
        items = self._items[before : self._ends[last - 1]]
        try:
            return self._compare(self._due, self._start + first, self._start + last, ends, items)
        except Exception:  # noqa: BLE001 - the library's own objects: told by whoever takes them apart
            return False


def by_columns(columns: Callable[[Sequence[Any]], Sequence[Sequence[Any]]]) -> Compare:
    """Return what compares records, given what puts some of them into columns, one for each declared field."""

    def agree(due: Answers, start: int, end: int, ends: Sequence[int], items: Sequence[Any]) -> bool:
        return due.agree(start, end, ends, columns(items) if items else ())

    return agree


def _integers(data: bytes, at: int, count: int) -> "array[int]":
    found = array("q")
    found.frombytes(data[at : at + count * _WORD])
    return found


def _packed(numbers: Any) -> bytes:  # noqa: ANN401 - whatever the library gave
    return array("q", numbers).tobytes()


def _lengths(contents: Sequence[Any]) -> bytes:
    return _packed([-1 if content is None else len(content) for content in contents])
