"""Rows and what batches tell of them, held against what is due: right is right, and every lie is seen."""

import importlib
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from kafka_conformance import answers, sharing
from kafka_conformance.scale import columns
from kafka_format import records, sampler

Run = tuple[list[int], list[list[Any]]]

_OFFSET, _TIMESTAMP, _TYPE, _KEY, _VALUE, _HEADERS = range(6)
_BASE_SEQUENCE, _BASE_OFFSET = 2, 3

LIES: dict[str, Callable[[Run], object]] = {
    "offset": lambda run: run[1][-1].__setitem__(_OFFSET, run[1][-1][_OFFSET] ^ 1),
    "huge offset": lambda run: run[1][0].__setitem__(_OFFSET, 1 << 63),
    "timestamp": lambda run: run[1][-1].__setitem__(_TIMESTAMP, None),
    "timestamp type": lambda run: run[1][0].__setitem__(_TYPE, run[1][0][_TYPE] ^ 1),
    "null for empty": lambda run: run[1][0].__setitem__(_KEY, b"" if run[1][0][_KEY] is None else None),
    "value": lambda run: run[1][-1].__setitem__(_VALUE, (run[1][-1][_VALUE] or b"") + b"!"),
    "header": lambda run: run[1][-1][_HEADERS].append(("k", None)),
    "producer": lambda run: run[0].__setitem__(0, run[0][0] + 1),
    "first sequence": lambda run: run[0].__setitem__(_BASE_SEQUENCE, 5 if run[0][_BASE_SEQUENCE] != 5 else 6),
    "control": lambda run: run[0].__setitem__(5, not run[0][5]),
    "codec": lambda run: run[0].__setitem__(6, 4),
    "record lost": lambda run: run[1].pop(),
    "record twice": lambda run: run[1].append(run[1][-1]),
}


class Shared(NamedTuple):
    """The modules under test."""

    answers: ModuleType
    rows: ModuleType
    adapter: ModuleType
    batchwise: ModuleType
    family: ModuleType


@pytest.fixture(scope="module")
def shared() -> Iterator[Shared]:
    sys.path.insert(0, str(sharing.FOLDER))
    names = ("shared_answers", "shared_rows", "python_adapter", "batchwise", "kafka_python_family")
    yield Shared(*map(importlib.import_module, names))
    sys.path.remove(str(sharing.FOLDER))


def run_of(data: bytes) -> Run:
    """Read a v2 batch as a library tells it: plain fields, header names as text."""
    found = records.decode(data)
    rows = [[*one[:5], [(name.decode(), value) for name, value in one.headers]] for one in found]
    if not found:
        return [7, 7, 7, 7, 1, 1, 0], []
    first = found[0]
    base = int.from_bytes(data[:8], "big")
    back = -1 if first.sequence < 0 else (first.sequence - (first.offset - base)) % (1 << 31)
    return [first.producer_id, first.producer_epoch, back, base, first.transactional, first.control, first.codec], rows


def compared(shared: Shared, block: sampler.Block, runs: list[Run]) -> list[int]:
    """Return the places that differ."""
    due = shared.answers.Answers(b"".join(columns.sections(block, hide_control=False)), answers.FIELDS)

    def by_fields(found: list[Any]) -> list[tuple[Any, ...]]:
        every = tuple(zip(*found, strict=True))
        return [every[shared.adapter.Record._fields.index(name)] for name in answers.FIELDS]

    made = shared.batchwise.Batchwise(None, shared.family.answer)
    compare = shared.rows.comparison(made, shared.answers.by_columns(by_fields))
    group = shared.answers.Group(due, compare, 0)
    for state, rows in runs:
        group.add([(tuple(state), [tuple(row) for row in rows])])
    return [place for place, _ in group.differing()]


@pytest.mark.parametrize("profile", ["tiny", "mixed", "compressed"])
def test_right_runs_agree(shared: Shared, profile: str) -> None:
    block = sampler.block(3, 0, 200, profile)
    assert compared(shared, block, [run_of(block.input(place)) for place in range(200)]) == []


@pytest.mark.parametrize("lie", LIES)
def test_every_lie_is_found_where_it_is(shared: Shared, lie: str) -> None:
    block = sampler.block(3, 0, 64, "mixed")
    runs = [run_of(block.input(place)) for place in range(64)]
    told = [place for place in (7, 31, 32, 63) if runs[place][1]]
    for place in told:
        LIES[lie](runs[place])
    assert compared(shared, block, runs) == told


def test_several_runs_for_a_batch_are_compared_as_records(shared: Shared) -> None:
    block = sampler.block(3, 0, 40, "mixed")
    due = shared.answers.Answers(b"".join(columns.sections(block, hide_control=False)), answers.FIELDS)
    made = shared.batchwise.Batchwise(None, shared.family.answer)
    compare = shared.rows.comparison(made, shared.answers.by_columns(lambda found: list(zip(*found, strict=True))))
    group = shared.answers.Group(due, compare, 0)
    for place in range(40):
        state, rows = run_of(block.input(place))
        group.add([(tuple(state), [tuple(row)]) for row in rows])
    assert list(group.differing()) == []


def test_batch_whose_records_differ_in_more_than_rows_is_not_alike(shared: Shared) -> None:
    block = sampler.block(3, 0, 50, "mixed")
    place = next(place for place in range(50) if len(records.decode(block.input(place))) > 2)
    at = int(block.columns.groups.firsts[place]) + 1
    block.columns.numbers["producer_id"][at] += 1
    runs = [run_of(block.input(number)) for number in range(50)]
    assert compared(shared, block, runs) == [place]
