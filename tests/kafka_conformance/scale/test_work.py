"""A task without Spark: rows that add up, findings within bounds, blocks of a good size."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import plan, tally, work
from kafka_conformance.scale.ask.checker import Commands
from kafka_conformance.scale.plan import RunSettings
from kafka_conformance.scale.results.fate import fate
from kafka_conformance.scale.results.rows import Done
from kafka_conformance.scale.work import ChunkRows
from kafka_conformance.targets import resolve

from tests.kafka_conformance.miniature_targets import PATIENT
from tests.kafka_conformance.scale.miniature_batches import MiniatureBlock, generating, job


def rows(name: str, *poisoned: int, batches: int = 1000, chunk: int = 300) -> list[ChunkRows]:
    asked = job(name, batches=batches, chunk=chunk)
    return list(work.run(asked, plan.chunks(asked.settings), generating(*poisoned)))


def check_sums(done: Done) -> None:
    assert sum(row.batches for row in done.tally) + done.given_up == done.count
    assert done.compared + done.given_up == done.count - _sum(done, Outcome.UNSUPPORTED)
    assert done.findings == sum(row.batches for row in done.tally if fate(row.outcome).is_finding)


def _sum(done: Done, outcome: Outcome) -> int:
    return sum(row.batches for row in done.tally if row.outcome == outcome)


def test_every_chunk_has_a_row_and_every_finding_its_index() -> None:
    listed = rows("wrong_offset", 0, 299, 300, 955)
    assert [(confirmation.start, confirmation.count, confirmation.findings) for [confirmation], _ in listed] == [
        (0, 300, 2),
        (300, 300, 1),
        (600, 300, 0),
        (900, 100, 1),
    ]
    findings = [finding for _, kept in listed for finding in kept]
    assert [finding.index for finding in findings] == [0, 299, 300, 955]
    assert {
        (finding.seed, finding.profile, finding.format, finding.codec, finding.hex, finding.size)
        for finding in findings
    } == {(7, "toy", "v2", "none", "07", 1)}
    for [chunk_row], _ in listed:
        check_sums(chunk_row)


def test_rows_do_not_depend_on_how_chunks_are_shared_out() -> None:
    """Blocks start small in every task; what is in them must not."""
    asked = job("wrong_offset", batches=1000, chunk=200)
    generate = generating(5, 433, 999)
    together = list(work.run(asked, plan.chunks(asked.settings), generate))
    apart = [question for chunk in plan.chunks(asked.settings) for question in work.run(asked, [chunk], generate)]
    assert [kept for _, kept in together] == [kept for _, kept in apart]
    assert [chunk_row.tally for [chunk_row], _ in together] == [chunk_row.tally for [chunk_row], _ in apart]


def test_flood_of_findings_is_counted_and_not_kept() -> None:
    [([done], findings)] = rows("refuses_everything", batches=300)
    assert (done.findings, done.kept, len(findings)) == (300, tally.KEPT_A_SYMPTOM, tally.KEPT_A_SYMPTOM)
    [row] = done.tally
    assert (row.batches, row.first, row.outcome, row.symptom) == (300, 0, "refused-valid", "ToyError: no")
    check_sums(done)


def test_target_that_is_given_up_leaves_its_reason_and_no_false_pass() -> None:
    listed = [done for [done], _ in rows("never_starts", batches=600)]
    assert [(done.compared, done.given_up, done.tally) for done in listed] == [(0, 300, ()), (0, 300, ())]
    assert all("did not come up" in done.problem for done in listed)


def test_what_is_not_declared_is_counted_apart() -> None:
    asked = job("serve", batches=300)
    [([done], findings)] = work.run(asked, plan.chunks(asked.settings), generating(version="v1"))
    assert (done.compared, done.findings, findings) == (0, 0, [])
    assert _sum(done, Outcome.UNSUPPORTED) == 300
    check_sums(done)


def test_targets_share_the_generated_batches() -> None:
    made: list[tuple[int, int]] = []
    generate = generating(7)

    def counting(seed: int, start: int, count: int, profile: str) -> MiniatureBlock:
        made.append((start, count))
        block = generate(seed, start, count, profile)
        assert isinstance(block, MiniatureBlock)
        return block

    asked = job("serve", "wrong_offset", batches=300)
    [(done, _)] = work.run(asked, plan.chunks(asked.settings), counting)
    assert [(confirmation.target, confirmation.findings) for confirmation in done] == [
        ("serve", 0),
        ("wrong_offset", 1),
    ]
    assert sum(count for _, count in made) == 300


@given(st.integers(1, work.ISOLATED.batches), st.integers(0, 1 << 40), st.sampled_from([work.PIPED, work.ISOLATED]))
def test_block_is_never_empty_nor_larger_than_is_good(count: int, size: int, room: work.BlockLimits) -> None:
    following = work.next_size(count, size, room)
    assert 1 <= following <= room.batches
    assert following == 1 or following * size <= room.bytes * count


@pytest.fixture
def _nothing_kept() -> Iterator[None]:
    yield
    while work._kept:
        work._kept.pop().close()


@pytest.mark.usefixtures("_nothing_kept")
def test_targets_outlive_a_task_but_not_their_job_nor_a_break() -> None:
    """With the real sampler: `run_kept` knows no other."""
    candidate = resolve.candidate("reference")
    assert candidate.command is not None
    commands = Commands(candidate.command, candidate.isolated)
    one = work.Job(RunSettings(("reference",), 40, 7, "tiny", 20), (commands,), PATIENT)
    parts = plan.chunks(one.settings)
    assert [row.done[0].compared for row in work.run_kept(one, parts[:1])] == [20]
    [first] = work._kept
    assert [row.done[0].compared for row in work.run_kept(one, parts[1:])] == [20]
    assert work._kept == [first]

    other = replace(one, limits=replace(PATIENT, seconds=5))
    assert [row.done[0].compared for row in work.run_kept(other, parts)] == [20, 20]
    assert work._kept[0] is not first

    broken = replace(other, settings=replace(other.settings, profile="no-such-profile"))
    with pytest.raises(ValueError, match="no profile is called"):
        list(work.run_kept(broken, parts))
    assert work._kept == []
