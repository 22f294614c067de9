"""What is due for a block, as shared_answers.py of the Python adapters wants it in shared memory: in columns."""

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from kafka_format.columnar import byte_moves
from kafka_format.columnar.arrays import bounds
from numpy.typing import NDArray

if TYPE_CHECKING:
    from kafka_format.columnar.arrays import Groups
    from kafka_format.sampler.answers import Answers
    from kafka_format.sampler.pool import Contents

    from kafka_conformance.scale.batches import Block

Integers = NDArray[np.int64]

_TRANSACTIONAL, _CONTROL = 1, 2
_LAST_SEQUENCE = (1 << 31) - 1
_OF_RECORDS = ("offset", "timestamp", "timestamp_type")


def sections(block: "Block", *, hide_control: bool) -> list[memoryview]:
    """Write a block; its parts belong one after the other.

    Args:
        block: batches and what is due for them.
        hide_control: leave control records out of what is due, for targets that never show them.
    """
    due = _without_control(block.columns) if hide_control else block.columns
    records = bounds(due.groups.counts)
    headers = bounds(due.headers.counts)[records]
    of_records = [_joined(contents) for contents in (due.key, due.value)]
    of_headers = [_joined(contents) for contents in (due.header_key, due.header_value)]
    begins = [places[records] for _, places in of_records] + [places[headers] for _, places in of_headers]
    texts = [memoryview(block.data), *(text for text, _ in chain(of_records, of_headers))]
    numbers = _numbers(due)
    sizes = [due.groups.counts.size, records[-1], headers[-1], *map(len, texts)]
    columns = [
        *(block.bounds, records, headers, *begins),
        np.frombuffer(block.verdicts, np.uint8),
        *_states(due.groups, numbers),
        *numbers.values(),
        *(due.key.lengths, due.value.lengths, due.headers.counts),
        *(due.header_key.lengths, due.header_value.lengths),
    ]
    return [*map(raw, (np.array(sizes), *columns)), *texts]


def _numbers(due: "Answers") -> dict[str, Integers]:
    """The columns of numbers, by name, in their order."""
    flags = due.numbers["flags"]
    bits = {"transactional": flags & _TRANSACTIONAL, "control": (flags & _CONTROL) >> 1}
    names = (*_OF_RECORDS, "producer_id", "producer_epoch", "sequence", *bits, "codec")
    return {name: bits[name] if name in bits else due.numbers[name] for name in names}


def _states(groups: "Groups", numbers: Mapping[str, Integers]) -> list[Integers]:
    """By batch: 1 if its records have the rest in common, sequences counting up with the offsets; then the first's."""
    shared = {name: column for name, column in numbers.items() if name not in _OF_RECORDS}
    own = groups.counts > 0
    firsts = groups.firsts[own]
    differs = _other_than_before(shared, numbers["offset"])
    differs[firsts] = 0  # what is before them is of another batch
    states = []
    for column in shared.values():
        state = np.zeros(groups.counts.size, np.int64)
        state[own] = column[firsts]
        states.append(state)
    return [(groups.sums(differs) == 0).astype(np.int64), *states]


def _other_than_before(shared: Mapping[str, Integers], offsets: Integers) -> Integers:
    """By record: 1 if it does not follow from the one before it."""
    differs = np.zeros(offsets.size, bool)
    for name, column in shared.items():
        due = column[:-1]
        if name == "sequence":
            due = np.where(due < 0, due, (due + np.diff(offsets)) & _LAST_SEQUENCE)
        differs[1:] |= column[1:] != due
    return differs.astype(np.int64)


def _without_control(due: "Answers") -> "Answers":
    shown = due.numbers["flags"] & _CONTROL == 0
    return due if shown.all() else due.of_records(shown)


def _joined(contents: "Contents") -> tuple[memoryview, Integers]:
    """Contents one after another, and where each begins and the last ends."""
    text, places = byte_moves.joined(*contents)
    return text.data, places


def raw(column: Integers) -> memoryview:
    """The bytes of integers, in the order of the machine."""
    return np.ascontiguousarray(column, np.int64).view(np.uint8).data
