"""What was decoded of a group of batches, held against what is due: right is right, and every lie is seen at its place.

Each test is done with rows, as `Batchwise` adapters give them, and with plain records.
"""

import importlib
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.scale import columns
from kafka_conformance.serving import sharing
from kafka_format import records, sampler

from tests.kafka_conformance.scale.lies import (
    BASE_OFFSET,
    HEADERS,
    KEY,
    LIES,
    OFFSET,
    OTHER_TYPES,
    TIMESTAMP,
    TYPE,
    VALUE,
    Run,
)

Batch = list[Run]


class Shared(NamedTuple):
    """The modules under test."""

    share: ModuleType
    answers: ModuleType
    groups: ModuleType
    rows: ModuleType
    batchwise: ModuleType
    family: ModuleType


@pytest.fixture(scope="module")
def shared() -> Iterator[Shared]:
    sys.path.insert(0, str(sharing.FOLDER))
    names = ("share", "shared_answers", "shared_groups", "shared_rows", "batchwise", "kafka_python_family")
    yield Shared(*map(importlib.import_module, names))
    sys.path.remove(str(sharing.FOLDER))


class RefusedError(Exception):
    """In place of a run: the library refuses the batch here."""


class Comparison:
    """Compares batches, given as runs, with what is due for a block."""

    def __init__(self, shared: Shared, form: str, block: sampler.Block) -> None:
        self._shared = shared
        self._form = form
        self.due = shared.answers.Answers(b"".join(columns.sections(block, hide_control=False)))

    def differing(self, batches: Sequence[Iterable[Any]], left_out: Collection[int] = ()) -> list[int]:
        """Return the places that differ."""
        decoded, places = self._decoded(batches), []
        for place in range(len(batches)):
            if place in left_out:
                continue
            try:
                decoded.take(place.to_bytes(4))
            except RefusedError:
                decoded.drop()
            else:
                places.append(place)
        group = self._shared.groups.Group(self.due, decoded, places)
        return [group.places[batch] for batch in group.differing()]

    def _decoded(self, batches: Sequence[Iterable[Any]]) -> Any:
        def read(data: bytes) -> Iterator[Any]:
            for run in batches[int.from_bytes(data)]:
                if run is RefusedError:
                    raise RefusedError
                state, rows = run
                yield tuple(state), map(tuple, rows)

        decode = self._shared.batchwise.Batchwise(read, self._shared.family.answer)
        values = self._shared.share.values_of(FIELDS)
        if self._form == "rows":
            return self._shared.rows.Rows(decode, FIELDS, values)
        return self._shared.groups.Records(decode, values)


@pytest.fixture(params=["rows", "records"])
def compare(shared: Shared, request: pytest.FixtureRequest) -> Callable[[sampler.Block], Comparison]:
    return lambda block: Comparison(shared, request.param, block)


Compare = Callable[[sampler.Block], Comparison]


def batches_of(block: sampler.Block) -> list[Batch]:
    return [[run_of(block.input(place))] for place in range(len(block))]


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


@pytest.mark.parametrize("profile", ["tiny", "mixed", "compressed"])
def test_right_batches_agree(compare: Compare, profile: str) -> None:
    block = sampler.block(3, 0, 200, profile)
    assert compare(block).differing(batches_of(block)) == []


@pytest.mark.parametrize("lie", LIES)
def test_every_lie_is_found_where_it_is(compare: Compare, lie: str) -> None:
    block = sampler.block(3, 0, 64, "mixed")
    batches = batches_of(block)
    told = [place for place in (0, 7, 31, 32, 63) if batches[place][0][1]]
    for place in told:
        LIES[lie](batches[place][0])
    assert compare(block).differing(batches) == told


@pytest.mark.parametrize("lie", LIES)
def test_every_lie_is_found_next_to_batches_that_are_refused_or_left_out(compare: Compare, lie: str) -> None:
    block = sampler.block(4, 0, 60, "tiny")
    batches: list[Any] = batches_of(block)
    for place in (9, 11, 12, 40, 59):
        LIES[lie](batches[place][0])
    refused = (0, 10, 13, 30)
    for place in refused:
        batches[place] = [([0] * 7, [[1 << 70, 0, 0, b"k", b"v", []]]), RefusedError]
    assert compare(block).differing(batches, left_out=(41, 58)) == [9, 11, 12, 40, 59]


def test_all_differ(compare: Compare) -> None:
    block = sampler.block(5, 0, 33, "tiny")
    batches = batches_of(block)
    for place, batch in enumerate(batches):
        list(LIES.values())[place % len(LIES)](batch[0])
    assert compare(block).differing(batches) == list(range(33))


@pytest.mark.parametrize("other", OTHER_TYPES)
def test_values_of_other_types_differ_even_if_they_are_equal(compare: Compare, other: str) -> None:
    block = sampler.block(6, 0, 50, "tiny")
    batches = batches_of(block)
    field, make = OTHER_TYPES[other]
    for place in (3, 49):
        row = batches[place][0][1][0]
        row[field] = make(row[field])
    assert compare(block).differing(batches) == [3, 49]


@pytest.mark.parametrize("headers", [5, [("k", b"v", b"w")], [("k",)], [(None, b"v")], [(b"k", b"v")]])
def test_headers_that_make_no_record_differ(shared: Shared, headers: object) -> None:
    block = sampler.block(6, 0, 50, "tiny")
    batches = batches_of(block)
    for place in (3, 49):
        batches[place][0][1][0][HEADERS] = headers
    assert Comparison(shared, "rows", block).differing(batches) == [3, 49]


def test_empty_text_is_no_empty_value(compare: Compare) -> None:
    block = sampler.block(6, 0, 400, "tiny")
    batches = batches_of(block)
    empty = [place for place, [(_, [row])] in enumerate(batches) if row[VALUE] == b""]
    assert empty
    for place in empty:
        batches[place][0][1][0][VALUE] = ""
    assert compare(block).differing(batches) == empty


def filled(block: sampler.Block, field: int) -> list[int]:
    """Places of batches that come one after another, each with some bytes in that field of its first record."""
    rows = [run_of(block.input(place))[1] for place in range(len(block))]
    return next([at, at + 1] for at in range(len(rows) - 1) if all(row and row[0][field] for row in rows[at : at + 2]))


@pytest.mark.parametrize("field", [KEY, VALUE])
def test_bytes_that_moved_to_the_neighbour_are_missed_in_both(compare: Compare, field: int) -> None:
    block = sampler.block(7, 0, 60, "tiny")
    batches = batches_of(block)
    left, right = filled(block, field)
    one, other = batches[left][0][1][0], batches[right][0][1][0]
    one[field], other[field] = one[field][:-1], one[field][-1:] + other[field]
    assert compare(block).differing(batches) == [left, right]


def test_record_that_moved_to_the_neighbour_is_missed_in_both(compare: Compare) -> None:
    """All columns but the ends of batches are as they should be."""
    block = sampler.block(8, 0, 60, "mixed")
    for column in ("producer_id", "producer_epoch", "sequence", "flags", "codec"):
        block.columns.numbers[column][:] = 0
    batches = [[([0, 0, 0, 0, 0, 0, 0], run_of(block.input(place))[1])] for place in range(60)]
    for [(state, rows)] in batches:
        state[BASE_OFFSET] = rows[0][OFFSET] if rows else 0
    place = next(place for place in range(59) if len(batches[place][0][1]) > 1)
    batches[place + 1][0][1].insert(0, batches[place][0][1].pop())
    differing = compare(block).differing(batches)
    assert {place, place + 1} <= set(differing)


def test_key_that_moved_into_the_value_is_missed(compare: Compare) -> None:
    block = sampler.block(7, 0, 60, "tiny")
    batches = batches_of(block)
    place = filled(block, KEY)[0]
    row = batches[place][0][1][0]
    row[KEY], row[VALUE] = row[KEY][:-1], row[KEY][-1:] + (row[VALUE] or b"")
    assert compare(block).differing(batches) == [place]


def test_null_timestamps_are_as_good_as_none(compare: Compare) -> None:
    """Libraries give them for message format v0."""
    block = sampler.block(9, 0, 40, "tiny")
    batches, none = batches_of(block), block.columns.numbers
    for place in (5, 6, 39):
        none["timestamp"][place] = none["timestamp_type"][place] = -1
        batches[place][0][1][0][TIMESTAMP] = batches[place][0][1][0][TYPE] = None
    batches[20][0][1][0][TIMESTAMP] = None
    assert compare(block).differing(batches) == [20]


def test_several_runs_for_a_batch_are_compared_as_records(compare: Compare) -> None:
    block = sampler.block(3, 0, 40, "mixed")
    batches: list[Batch] = [[(state, [row]) for row in rows] for [(state, rows)] in batches_of(block)]
    assert compare(block).differing(batches) == []
    told = [place for place in (2, 17, 39) if len(batches[place]) > 1]
    assert told
    for place in told:
        batches[place][1], batches[place][0] = batches[place][0], batches[place][1]
    assert compare(block).differing(batches) == told


def test_run_that_moved_to_the_neighbour_is_missed_in_both(compare: Compare) -> None:
    """Then there are as many runs as batches, and every one is right but not in its place."""
    block = sampler.block(3, 0, 20, "tiny")
    batches = batches_of(block)
    batches[4], batches[5] = [], [*batches[4], *batches[5]]
    assert compare(block).differing(batches) == [4, 5]


def test_batch_whose_records_differ_in_more_than_rows_is_not_alike(compare: Compare) -> None:
    block = sampler.block(3, 0, 50, "mixed")
    place = next(place for place in range(50) if len(records.decode(block.input(place))) > 2)
    at = int(block.columns.groups.firsts[place]) + 1
    block.columns.numbers["producer_id"][at] += 1
    assert compare(block).differing(batches_of(block)) == [place]


def test_batch_that_must_be_refused_differs_though_it_gives_what_was_meant(compare: Compare) -> None:
    block = sampler.block(3, 0, 50, "tiny")
    comparison = compare(block)
    assert comparison.differing(batches_of(block)) == []
    verdicts = bytearray(50)
    verdicts[0] = verdicts[30] = comparison.due.verdicts[0] + 1
    comparison.due.verdicts = bytes(verdicts)
    assert comparison.differing(batches_of(block)) == [0, 30]
    assert comparison.differing(batches_of(block), left_out=(30, 31)) == [0]


@pytest.mark.parametrize("profile", ["tiny", "mixed", "large"])
def test_groups_follow_one_another_to_the_end(shared: Shared, profile: str) -> None:
    block = sampler.block(3, 0, 700, profile)
    due = shared.answers.Answers(b"".join(columns.sections(block, hide_control=False)))
    counts, start = block.columns.groups.counts, 0
    while start < 700:
        end = due.group_end(start)
        assert start < end <= min(700, start + shared.answers.GROUP_BATCHES)
        assert end == start + 1 or counts[start:end].sum() <= shared.answers.GROUP_RECORDS
        start = end


def test_inputs_are_the_batches(shared: Shared) -> None:
    block = sampler.block(3, 0, 20, "mixed")
    due = shared.answers.Answers(b"".join(columns.sections(block, hide_control=False)))
    assert due.inputs(0, 20) == [block.input(place) for place in range(20)]
    assert due.inputs(7, 8) == [block.input(7)]
