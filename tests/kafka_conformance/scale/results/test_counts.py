"""Counts add up in any order of rows, lost chunks are named, and nothing grows with the run."""

import tracemalloc
from collections.abc import Iterable
from dataclasses import replace

import pytest
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale import plan
from kafka_conformance.scale.plan import Chunk, RunSettings
from kafka_conformance.scale.results import counts
from kafka_conformance.scale.results.counts import Counts
from kafka_conformance.scale.results.rows import Done, TallyRow

HELLO = Hello("toy", "1", "Python", ("v2",), ("none",), ("offset",), checks_crc=True)
SETTINGS = RunSettings(("one", "two"), 25, 7, "mixed", 10)
CHUNKS = plan.chunks(SETTINGS)
PASSED = TallyRow("v2", "none", "passed", "", 4, -1)
WRONG = TallyRow("v2", "gzip", "wrong-answer", "records[*].key", 3, 17)
REFUSED = TallyRow("v1", "gzip", "refused-valid", "Error", 2, 5)
UNDECLARED = TallyRow("v0", "none", "unsupported", "", 1, 2)


def done(target: str, chunk: Chunk, *tally: TallyRow, **fields: object) -> Done:
    plain = Done(
        target, chunk.number, chunk.start, chunk.count, 0, 0, 0, tally, 1.0, 0.5, 2.0, 1 << 20, "h", 3, "", ("n",)
    )
    return replace(plain, **fields)


def counted(rows: Iterable[Done], settings: RunSettings = SETTINGS) -> Counts:
    tally = Counts(settings)
    for row in rows:
        tally.add(row)
    return tally


def both(chunk: Chunk) -> list[Done]:
    return [done(target, chunk, PASSED) for target in SETTINGS.targets]


WHOLE = [row for chunk in CHUNKS for row in both(chunk)]


@pytest.mark.parametrize("order", [1, -1])
def test_counts_are_summed_over_chunks(order: int) -> None:
    rows = [done("one", CHUNKS[0], PASSED, WRONG, REFUSED), done("one", CHUNKS[1], PASSED, UNDECLARED)]
    target = counted(rows[::order]).of_target("one", HELLO)
    assert target.outcomes == {"passed": 8, "wrong-answer": 3, "refused-valid": 2, "unsupported": 1}
    assert (target.compared, target.findings, target.given_up, target.seconds) == (13, 5, 6, 2.0)
    assert target.cells["v2", "none", Outcome.PASSED] == 8
    assert target.notes == ("n",)


def test_rows_of_other_targets_do_not_count() -> None:
    assert counted([done("two", CHUNKS[0], PASSED)]).of_target("one", HELLO).outcomes == {}


@pytest.mark.parametrize("order", [1, -1])
def test_findings_of_one_symptom_are_one_line_with_their_first_index(order: int) -> None:
    later = TallyRow("v2", "none", "wrong-answer", "records[*].key", 5, 19, "v2/b", "r")
    rows = [done("one", CHUNKS[1], later), done("one", CHUNKS[0], PASSED, WRONG, REFUSED)]
    found = counted(rows[::order]).of_target("one", HELLO).symptoms
    assert [(symptom.symptom, symptom.batches, symptom.first) for symptom in found] == [
        ("records[*].key", 8, 17),
        ("Error", 2, 5),
    ]
    assert (found[0].formats, found[0].codecs, found[0].faults) == (("v2",), ("gzip", "none"), ("v2/b",))


def test_what_is_left_are_the_chunks_that_are_not_done() -> None:
    assert counted(both(CHUNKS[1])).remaining() == (CHUNKS[0], CHUNKS[2])
    assert counted([]).remaining() == CHUNKS
    assert counted(WHOLE).remaining() == ()


def test_lost_doubled_and_strange_chunks_are_named() -> None:
    assert counted(WHOLE).gaps() == []
    assert counted(WHOLE[1:]).gaps() == ["chunk 0 of one: missing"]
    assert counted([*WHOLE, WHOLE[3]]).gaps() == ["chunk 1 of two: there more than once"]
    assert counted(WHOLE * 300).gaps() == [
        "chunk 0 of one, 0 of two, 1 of one, 1 of two, 2 of one and 1 more: there more than once"
    ]
    short = replace(WHOLE[0], count=9)
    assert counted([short, *WHOLE[1:]]).gaps() == ["chunk 0 of one: missing", "chunk 0 of one: not of this run"]


@pytest.mark.parametrize(
    "row", [done("three", CHUNKS[0]), done("one", Chunk(3, 30, 10)), done("one", Chunk(-1, 0, 10))]
)
def test_rows_of_another_run_are_named_and_do_not_count(row: Done) -> None:
    found = counted([*WHOLE, row])
    assert found.gaps() == [f"chunk {row.chunk} of {row.target}: not of this run"]
    assert found.of_target("one", HELLO) == counted(WHOLE).of_target("one", HELLO)


def test_many_lost_chunks_fill_no_screen() -> None:
    [line] = counted([], RunSettings(("one",), 1000, 7, "mixed", 10)).gaps()
    assert line == "chunk 0 of one, 1 of one, 2 of one, 3 of one, 4 of one and 95 more: missing"


def test_target_that_says_something_new_each_time_fills_no_memory() -> None:
    settings = RunSettings(("one",), 4000, 7, "mixed", 1)
    texts = (f"error {number}" for number in range(4000))
    rows = (
        done("one", chunk, replace(REFUSED, symptom=text, batches=1), notes=(text,), problem=text)
        for chunk, text in zip(plan.chunks(settings), texts, strict=True)
    )
    target = counted(rows, settings).of_target("one", HELLO)
    assert (target.findings, len(target.symptoms), target.symptoms[0].symptom) == (4000, counts.SYMPTOMS + 1, "(other)")
    assert len(target.notes) == len(target.problems) == counts.NOTES


def test_rows_are_not_kept() -> None:
    """A row of the profile `hostile` has hundreds of tallies: a billion batches would fill any
    memory with them."""
    settings = RunSettings(("one",), 500, 7, "hostile", 10)
    tally = [replace(PASSED, fault=f"fault {number}", rule="r") for number in range(300)]
    found = Counts(settings)
    found.add(done("one", plan.chunks(settings)[0], *tally))
    tracemalloc.start()
    try:
        for chunk in plan.chunks(settings)[1:]:
            found.add(done("one", chunk, *(replace(item, batches=chunk.number) for item in tally)))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 100_000
