"""The same comparison for libraries whose batches tell what their records have in common, without a `Record` for each.

Such an adapter's decode function is `Batchwise`. What a library says of a whole batch is compared once a batch,
and the rows are what any user reads. Where batches and runs are not one to one, as in message sets, and where the quick
look sees a difference, rows become records after all.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from typing import Any

from batchwise import Batchwise, Row
from python_adapter import Record
from shared_answers import LAST_SEQUENCE, STATE, Answers, Compare

_NO_STATE: Any = (0,) * (1 + len(STATE))
_NO_ROW: Any = ((0,),)

_Item = tuple[Any, list[Row]]


def reader(decode: Batchwise) -> Callable[[bytes], list[_Item]]:
    """Return what reads batches, each run with a list of its rows."""
    read = decode.read
    return lambda data: [(state, list(rows)) for state, rows in read(data)]


def records(decode: Batchwise, items: Sequence[_Item]) -> list[Record]:
    """Make records of runs."""
    return [decode.record(row, state) for state, rows in items for row in rows]


def comparison(decode: Batchwise, by_records: Compare) -> Compare:
    """Return what compares runs; `by_records` does it for records."""

    def agree(due: Answers, start: int, end: int, ends: Sequence[int], items: Sequence[_Item]) -> bool:
        upto = [0, *accumulate([len(rows) for _, rows in items])]
        if ends == list(range(1, end - start + 1)):
            if due.have_counts(start, end, upto[1:]) and _agree(due, start, end, items):
                return True
            if end - start > 1:
                return False  # they will come one by one
        return by_records(due, start, end, [upto[last] for last in ends], records(decode, items))

    return agree


def _agree(due: Answers, start: int, end: int, items: Sequence[_Item]) -> bool:
    """True if these are the answers; False if they differ, or cannot be told like this."""
    states, rows = zip(*items, strict=True)
    try:
        if not due.have_states(start, end, _states(states, rows)):
            return False
        return due.have_rows(start, end, tuple(zip(*chain.from_iterable(rows), strict=True)))
    except (TypeError, ValueError, OverflowError, AttributeError):
        return False


def _states(states: Sequence[Sequence[int]], rows: Sequence[list[Row]]) -> Sequence[Sequence[int]]:
    """Put what the first record of each run has of `STATE` into columns; zeros where there is none."""
    if not all(rows):
        pairs = [pair if pair[1] else (_NO_STATE, _NO_ROW) for pair in zip(states, rows, strict=True)]
        states, rows = zip(*pairs, strict=True)
    producer_id, producer_epoch, base_sequence, base_offset, transactional, control, codec = zip(*states, strict=True)
    sequence = [
        -1 if base < 0 else (base + row[0][0] - offset) & LAST_SEQUENCE
        for base, row, offset in zip(base_sequence, rows, base_offset, strict=True)
    ]
    return producer_id, producer_epoch, sequence, transactional, control, codec
