"""The same for libraries whose batches tell what their records have in common, without a `Record` for each.

Such an adapter's decode function is `Batchwise`. What a library says of a whole batch is compared once a batch,
and the rows are what any user reads. Where batches and runs are not one to one, as in message sets, and where the quick
look sees a difference, rows become records after all.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import chain, pairwise
from typing import Any

from batchwise import FIELDS, Batchwise
from python_adapter import Record
from shared_answers import ALIKE, BY_BATCH, LAST_SEQUENCE, STATE, WORD
from shared_columns import Columns, contents, numbers, of_records, packed
from shared_groups import Form, Values, from_zero

_WIDTH = len(FIELDS)
_ONE = (1).to_bytes(WORD, "little")
_NO_STATE = (0,) * (1 + len(STATE))


class Rows:
    """Runs as a `Batchwise` reads them; see `shared_groups.Decoded`.

    The fields of all rows stand in one list, one after another: rows themselves would only take memory.
    """

    def __init__(self, decode: Batchwise, fields: Collection[str], values: Values) -> None:
        """Begin with no batch; `fields` are declared, and `values` puts records of theirs into columns."""
        self._record = decode.record
        self._fields = fields
        self._values = values
        self._flat: list[Any] = []
        self._states: list[Sequence[Any]] = []
        self._ends = [0]
        """Rows up to and with each run."""

        self._runs = [0]
        """Runs up to and with each batch."""

        self.take = self._taker(decode)

    @property
    def forms(self) -> Sequence[Form]:
        """How they are put into columns. No attribute: with it, an object would hold itself and not be freed."""
        return self._by_rows, self._by_records

    def _taker(self, decode: Batchwise) -> Callable[[bytes], None]:
        """Return what takes a batch, without a look at any attribute: small batches take no longer than that."""
        read, flat, states, fields_of = decode.read, self._flat, self._states, chain.from_iterable
        extend, add_state, add_end, add_runs = flat.extend, states.append, self._ends.append, self._runs.append

        def take(data: bytes) -> None:
            for state, rows in read(data):
                extend(fields_of(rows))
                add_state(state)
                add_end(len(flat) // _WIDTH)
            add_runs(len(states))

        return take

    def drop(self) -> None:
        """Forget what was taken of a batch until the library raised."""
        runs = self._runs[-1]
        del self._states[runs:], self._ends[runs + 1 :]
        del self._flat[self._ends[-1] * _WIDTH :]

    def records(self, first: int, last: int) -> list[Record]:
        """Make records of batches."""
        made = []
        for run in range(self._runs[first], self._runs[last]):
            for row in range(self._ends[run], self._ends[run + 1]):
                fields = tuple(self._flat[row * _WIDTH : (row + 1) * _WIDTH])
                made.append(self._record(fields, self._states[run]))
        return made

    def _by_records(self, first: int, last: int) -> Columns:
        ends = from_zero([self._ends[run] for run in self._runs[first : last + 1]])
        return of_records(self._values(self.records(first, last)), ends)

    def _by_rows(self, first: int, last: int) -> Columns:
        begin, end = self._runs[first], self._runs[last]
        if self._runs[first : last + 1] != list(range(begin, begin + last - first + 1)):
            raise ValueError("batches and runs are not one to one")
        rows = self._ends[begin : end + 1]
        start, stop = rows[0] * _WIDTH, rows[-1] * _WIDTH
        own = {field: self._flat[start + place : stop : _WIDTH] for place, field in enumerate(FIELDS)}
        ends = from_zero(rows)
        named = {ALIKE: _ONE * (last - first)}
        for field, column in _common(self._states[begin:end], own["offset"], ends).items():
            if field in self._fields:
                named[BY_BATCH[field]] = packed(column)
        declared = {field: column for field, column in own.items() if field in self._fields}
        return Columns(named | numbers(declared) | contents(declared), ends)


def _common(states: Sequence[Sequence[int]], offsets: Sequence[int], ends: Sequence[int]) -> dict[str, Sequence[int]]:
    """Tell what the first record of each run has of `STATE`, in columns; zeros where there is none."""
    if len(set(ends)) == len(ends):
        firsts = [offsets[start] for start in ends[:-1]]
    else:
        firsts = [offsets[start] if start < end else 0 for start, end in pairwise(ends)]
        bounds = pairwise(ends)
        states = [state if start < end else _NO_STATE for state, (start, end) in zip(states, bounds, strict=True)]
    producer_id, producer_epoch, base_sequence, base_offset, transactional, control, codec = zip(*states, strict=True)
    sequence = [
        -1 if base < 0 else (base + first - offset) & LAST_SEQUENCE
        for base, first, offset in zip(base_sequence, firsts, base_offset, strict=True)
    ]
    return dict(zip(STATE, (producer_id, producer_epoch, sequence, transactional, control, codec), strict=True))
