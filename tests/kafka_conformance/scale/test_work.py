"""A task, without Spark: rows that add up, findings that are kept within bounds, blocks of a good size."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import plan, work
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.plan import Settings
from kafka_conformance.scale.rows import DETAIL_LENGTH, HEX_BYTES, Done, symptom
from kafka_conformance.scale.work import ChunkRows
from kafka_conformance.targets import resolve

from tests.kafka_conformance.scale.toybatches import ToyBlock, generating, job, settings, toy_batches
from tests.kafka_conformance.toys import QUICK


def rows(name: str, *poisoned: int, batches: int = 1000, chunk: int = 300) -> list[ChunkRows]:
    asked = job(name, batches=batches, chunk=chunk)
    return list(work.run(asked, plan.chunks(asked.settings), generating(*poisoned)))


def check_sums(done: Done) -> None:
    assert sum(tally.batches for tally in done.tally) + done.given_up == done.count
    assert done.compared + done.given_up == done.count - _sum(done, Outcome.UNSUPPORTED)
    assert done.findings == sum(tally.batches for tally in done.tally if Outcome(tally.outcome).is_finding)


def logged(results: dict[int, Result]) -> work._Log:
    log = work._Log()
    log.add(settings("t"), "t", toy_batches(300), Checked(results, set()))
    return log


def _sum(done: Done, outcome: Outcome) -> int:
    return sum(tally.batches for tally in done.tally if tally.outcome == outcome)


def test_every_chunk_has_a_row_and_every_finding_its_index() -> None:
    found = rows("wrong_offset", 0, 299, 300, 955)
    assert [(one.start, one.count, one.findings) for [one], _ in found] == [
        (0, 300, 2),
        (300, 300, 1),
        (600, 300, 0),
        (900, 100, 1),
    ]
    findings = [finding for _, kept in found for finding in kept]
    assert [finding.index for finding in findings] == [0, 299, 300, 955]
    assert {(one.seed, one.profile, one.format, one.codec, one.hex, one.size) for one in findings} == {
        (7, "toy", "v2", "none", "07", 1)
    }
    for [one], _ in found:
        check_sums(one)


def test_rows_do_not_depend_on_how_chunks_are_shared_out() -> None:
    """Blocks start small in every task; what is in them must not."""
    asked = job("wrong_offset", batches=1000, chunk=200)
    generate = generating(5, 433, 999)
    together = list(work.run(asked, plan.chunks(asked.settings), generate))
    apart = [one for chunk in plan.chunks(asked.settings) for one in work.run(asked, [chunk], generate)]
    assert [kept for _, kept in together] == [kept for _, kept in apart]
    assert [one.tally for [one], _ in together] == [one.tally for [one], _ in apart]


def test_flood_of_findings_is_counted_and_not_kept() -> None:
    [([done], findings)] = rows("refuses_everything", batches=300)
    assert (done.findings, done.kept, len(findings)) == (300, work.KEPT_A_SYMPTOM, work.KEPT_A_SYMPTOM)
    [tally] = done.tally
    assert (tally.batches, tally.first, tally.outcome, tally.symptom) == (300, 0, "refused-valid", "ToyError: no")
    check_sums(done)


def test_rare_finding_is_kept_in_a_flood_of_another() -> None:
    results = {number: Result(str(number), "t", Outcome.REFUSED_VALID, detail="no") for number in range(300)}
    log = logged({**results, 150: Result("150", "t", Outcome.CRASHED, detail="was killed")})
    assert [(finding.index, finding.outcome) for finding in log.findings][-1] == (150, "crashed")
    assert len(log.findings) == work.KEPT_A_SYMPTOM + 1
    assert {tally.outcome: tally.batches for tally in log.rows()} == {"refused-valid": 299, "crashed": 1}


def test_target_that_puts_something_new_into_every_error_fills_no_table() -> None:
    words = ["".join(chr(ord("a") + number // 17**place % 17) for place in range(3)) for number in range(300)]
    log = logged({n: Result(str(n), "t", Outcome.REFUSED_VALID, detail=word) for n, word in enumerate(words)})
    assert len(log.findings) == work.KEPT_A_CHUNK
    assert len(log.rows()) == work.SYMPTOMS_A_CHUNK + 1
    assert sum(tally.batches for tally in log.rows()) == 300


def test_long_texts_and_batches_are_cut_in_what_is_kept() -> None:
    batches = Batches(0, ToyBlock(b"x" * 10_000, [0, 10_000], b"", [0, 0], "v2"))
    log = work._Log()
    checked = Checked({0: Result("0", "t", Outcome.CRASHED, detail="y" * 10_000)}, set())
    log.add(settings("t"), "t", batches, checked)
    [finding] = log.findings
    assert (len(finding.hex), finding.size, len(finding.detail)) == (2 * HEX_BYTES, 10_000, DETAIL_LENGTH)


def test_target_that_is_given_up_leaves_its_reason_and_no_false_pass() -> None:
    found = [done for [done], _ in rows("never_starts", batches=600)]
    assert [(done.compared, done.given_up, done.tally) for done in found] == [(0, 300, ()), (0, 300, ())]
    assert all("did not come up" in done.problem for done in found)


def test_what_is_not_declared_is_counted_apart() -> None:
    asked = job("serve", batches=300)
    [([done], findings)] = work.run(asked, plan.chunks(asked.settings), generating(version="v1"))
    assert (done.compared, done.findings, findings) == (0, 0, [])
    assert _sum(done, Outcome.UNSUPPORTED) == 300
    check_sums(done)


def test_targets_share_the_generated_batches() -> None:
    made: list[tuple[int, int]] = []
    generate = generating(7)

    def counting(seed: int, start: int, count: int, profile: str) -> ToyBlock:
        made.append((start, count))
        block = generate(seed, start, count, profile)
        assert isinstance(block, ToyBlock)
        return block

    asked = job("serve", "wrong_offset", batches=300)
    [(done, _)] = work.run(asked, plan.chunks(asked.settings), counting)
    assert [(one.target, one.findings) for one in done] == [("serve", 0), ("wrong_offset", 1)]
    assert sum(count for _, count in made) == 300


@given(st.integers(1, work.SHARED.batches), st.integers(0, 1 << 40), st.sampled_from([work.PUT, work.SHARED]))
def test_block_is_never_empty_nor_larger_than_is_good(count: int, size: int, room: work.Room) -> None:
    following = work.next_size(count, size, room)
    assert 1 <= following <= room.batches
    assert following == 1 or following * size <= room.bytes * count


@pytest.mark.parametrize(
    ("outcome", "text", "common"),
    [
        (Outcome.WRONG_ANSWER, "records[12].headers[0].key", "records[*].headers[*].key"),
        (Outcome.REFUSED_VALID, "Bad byte 0xfF at 17 of 'a\\b'", "Bad byte * at * of *"),
        (Outcome.REFUSED_VALID, "first line\nsecond", "first line"),
        (Outcome.PASSED, "whatever", ""),
        (Outcome.UNSUPPORTED, "whatever", ""),
    ],
)
def test_symptom_leaves_out_what_changes(outcome: Outcome, text: str, common: str) -> None:
    assert symptom(Result("1", "t", outcome, path=text, detail=text)) == common


@pytest.fixture
def _nothing_kept() -> Iterator[None]:
    yield
    while work._kept:
        work._kept.pop().close()


@pytest.mark.usefixtures("_nothing_kept")
def test_targets_outlive_a_task_but_not_their_job_nor_a_break() -> None:
    """With the real sampler: `run_kept` knows no other."""
    command = resolve.contestant("reference").command
    assert command is not None
    one = work.Job(Settings(("reference",), 40, 7, "tiny", 20), (command,), QUICK)
    parts = plan.chunks(one.settings)
    assert [row.done[0].compared for row in work.run_kept(one, parts[:1])] == [20]
    [first] = work._kept
    assert [row.done[0].compared for row in work.run_kept(one, parts[1:])] == [20]
    assert work._kept == [first]

    other = replace(one, limits=replace(QUICK, seconds=5))
    assert [row.done[0].compared for row in work.run_kept(other, parts)] == [20, 20]
    assert work._kept[0] is not first

    broken = replace(other, settings=replace(other.settings, profile="no-such-profile"))
    with pytest.raises(ValueError, match="no profile is called"):
        list(work.run_kept(broken, parts))
    assert work._kept == []
