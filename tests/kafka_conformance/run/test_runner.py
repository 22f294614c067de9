"""A run from end to end: every fault has its outcome, for exactly the vectors that show it."""

from collections import Counter
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from kafka_conformance.child.deaths import DeathLimits
from kafka_conformance.judging.difference import Difference
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder import kind as decoder_kind
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import retry, runner
from kafka_conformance.run.known_failures import KnownFailure, KnownFailures
from kafka_conformance.run.run import Run
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.run.target import Standing
from kafka_conformance.run.target_run import RunEvents
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Vector

from tests.kafka_conformance.miniature_targets import PATIENT, candidate, invalid, lenient, limits, record, valid

GOOD = valid(b"\x01\x02\x03")
POISONED = valid(b"\x01\x07\x03")
BAD = invalid(b"\xff")
BAD_CHECKSUM = invalid(b"\xfe", stage="checksum")
LENIENT = lenient(b"\x04", answer=b"\x04")
ALL = (GOOD, POISONED, BAD, BAD_CHECKSUM, LENIENT)


def run(*names: str, vectors: tuple[Vector, ...] = ALL, options: RunOptions | None = None) -> Run:
    chosen = replace(options or RunOptions(), limits=limits(*names))
    return runner.run([candidate(name) for name in names], vectors, chosen)


def outcomes(done: Run) -> dict[str, Outcome]:
    return {result.vector: result.outcome for result in done.results}


def findings(done: Run) -> dict[str, Outcome]:
    return {result.vector: result.outcome for result in done.findings}


def test_sound_target_passes_everything() -> None:
    done = run("serve")
    assert outcomes(done) == dict.fromkeys([vector.id for vector in ALL], Outcome.PASSED)
    assert done.findings == ()
    assert done.targets[0].hello is not None
    assert done.targets[0].problem == ""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("wrong_offset", {POISONED.id: Outcome.WRONG_ANSWER}),
        ("loses_the_last_record", {POISONED.id: Outcome.WRONG_ANSWER}),
        ("refuses_everything", {GOOD.id: Outcome.REFUSED_VALID, POISONED.id: Outcome.REFUSED_VALID}),
        ("accepts_everything", {BAD.id: Outcome.ACCEPTED_INVALID, BAD_CHECKSUM.id: Outcome.ACCEPTED_INVALID}),
        ("checks_no_checksums", {BAD.id: Outcome.ACCEPTED_INVALID}),
        ("crashes", {POISONED.id: Outcome.CRASHED}),
        ("exits_with_0_half_way", {POISONED.id: Outcome.CRASHED}),
        ("hangs", {POISONED.id: Outcome.HUNG}),
        ("eats_memory", {POISONED.id: Outcome.OUT_OF_MEMORY}),
        ("logs_on_poison", {POISONED.id: Outcome.BROKEN_PROTOCOL}),
        ("prints_rubbish", {POISONED.id: Outcome.BROKEN_PROTOCOL}),
        ("claims_2_gib", {POISONED.id: Outcome.BROKEN_PROTOCOL}),
        ("replies_without_end", {POISONED.id: Outcome.BROKEN_PROTOCOL}),
        ("one_reply_without_end", {POISONED.id: Outcome.HUNG}),
        ("spins", {POISONED.id: Outcome.HUNG}),
        ("changes_its_mind", {POISONED.id: Outcome.FLAKY}),
        ("refuses_in_other_words", {POISONED.id: Outcome.REFUSED_VALID}),
        ("gives_records_before_an_error", {POISONED.id: Outcome.PARTIAL_ANSWER}),
        ("gives_wrong_records_before_an_error", {POISONED.id: Outcome.WRONG_ANSWER}),
        ("supports_nothing", {}),
    ],
)
def test_fault_is_found_in_the_vectors_that_show_it(name: str, expected: dict[str, Outcome]) -> None:
    done = run(name)
    assert findings(done) == expected
    assert len(done.results) == len(ALL)


def test_target_that_never_answers_did_not_come_up() -> None:
    done = runner.run([candidate("silent")], ALL, RunOptions(limits=replace(PATIENT, start_seconds=0.3)))
    assert done.targets[0].standing is Standing.DID_NOT_COME_UP
    assert done.targets[0].problem == "it gave no reply for 0.3 s"


def test_target_that_answers_twice_breaks_the_protocol_again_and_again() -> None:
    done = run("answers_twice", vectors=tuple(valid(bytes([1, number])) for number in range(3)))
    assert {result.outcome for result in done.results} <= {Outcome.BROKEN_PROTOCOL, Outcome.PASSED, Outcome.FLAKY}
    told = [*(result.detail for result in done.findings), *done.targets[0].notes]
    assert any("was not asked or was already answered" in words or "no request asked" in words for words in told)


def test_crash_that_does_not_come_again_is_flaky(tmp_path: Path) -> None:
    """One vector, so that the crash is pinned on it; the file lets the miniature die but once."""
    done = runner.run([candidate("crashes_twice", str(tmp_path / "seen"))], (POISONED,), RunOptions(limits=PATIENT))
    [result] = done.findings
    assert result.outcome is Outcome.FLAKY
    assert "it crashed (was killed by SIGABRT" in result.detail
    assert result.detail.endswith(", then it passed")


def test_wrong_in_the_same_field_with_another_value_is_not_flaky() -> None:
    [finding] = run("counts_up", vectors=(POISONED,)).findings
    assert (finding.outcome, finding.path, finding.got) == (Outcome.WRONG_ANSWER, "records[0].offset", "2")
    assert finding.detail.endswith("(and 3 when it was asked again)")


@pytest.mark.parametrize(
    ("second", "is_flaky"),
    [
        ((".records[0].max_timestamp", 1), False),
        ((".records[1].max_timestamp", 0), True),
        ((".acks", 0), True),
    ],
)
def test_in_which_of_its_requests_a_producer_is_wrong_is_not_flaky(second: tuple[str, int], *, is_flaky: bool) -> None:
    places = ((".records[0].max_timestamp", 0), second)
    unlike = [Difference(path, "1", path, request=request) for path, request in places]
    looks = [Result("v", "t", Outcome.PASSED).differing(Outcome.WRONG_ANSWER, each, "") for each in unlike]
    assert looks[0].path == "produce[0].records[0].max_timestamp"
    assert (retry.settle(*looks).outcome is Outcome.FLAKY) is is_flaky


@pytest.mark.parametrize("outcome", [Outcome.CRASHED, Outcome.OUT_OF_MEMORY, Outcome.ACCEPTED_INVALID])
def test_target_that_was_slow_once_did_what_it_did_in_time(outcome: Outcome) -> None:
    slow, fast = Result("v", "t", Outcome.HUNG, detail="no reply"), Result("v", "t", outcome, detail="because")
    for looks in ((slow, fast), (fast, slow)):
        assert retry.settle(*looks) == replace(fast, detail="because (the other time it hung)")


def test_target_that_was_slow_once_and_right_the_other_time_is_flaky() -> None:
    looks = [Result("v", "t", outcome) for outcome in (Outcome.HUNG, Outcome.PASSED)]
    assert retry.settle(*looks).outcome is Outcome.FLAKY


@pytest.mark.parametrize(
    ("third", "due"),
    [
        (Outcome.PASSED, Outcome.PASSED),
        (Outcome.WRONG_ANSWER, Outcome.WRONG_ANSWER),
        (Outcome.CRASHED, Outcome.FLAKY),
    ],
)
def test_a_third_look_decides_what_two_looks_differ_on(third: Outcome, due: Outcome) -> None:
    first, second, last = (Result("v", "t", outcome) for outcome in (Outcome.WRONG_ANSWER, Outcome.PASSED, third))
    assert retry.settle_dispute(first, second, last).outcome is due


@pytest.mark.parametrize("outcomes", [*permutations([Outcome.CRASHED, Outcome.OUT_OF_MEMORY])])
def test_target_that_died_in_two_ways_crashed(outcomes: tuple[Outcome, Outcome]) -> None:
    looks = [Result("v", "t", outcome) for outcome in outcomes]
    assert retry.settle(*looks).outcome is Outcome.CRASHED


def test_only_some_of_many_losses_are_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "LOSSES", 1)
    done = run("crashes", vectors=tuple(valid(bytes([number, 7])) for number in range(3)))
    assert Counter(result.outcome for result in done.results) == {Outcome.CRASHED: 3}
    assert [result.detail.endswith("(again in a fresh process)") for result in done.results].count(True) == 1
    assert done.targets[0].notes == ("2 of the 3 vectors that it was lost on were put only once",)


def test_only_some_of_many_hangs_are_looked_at_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "HANGS", 1)
    done = run("hangs", vectors=tuple(valid(bytes([number, 7])) for number in range(2)))
    assert Counter(result.outcome for result in done.results) == {Outcome.HUNG: 2}
    assert done.targets[0].notes == ("1 of the 2 vectors that it was lost on were put only once",)


def test_two_looks_at_a_flaky_vector_are_both_told() -> None:
    [finding] = run("changes_its_mind").findings
    assert finding.detail == "it refused what is valid (ToyError: not today), then it passed"


def test_result_carries_the_whole_answer() -> None:
    results = {result.vector: result for result in run("wrong_offset").results}
    assert results[POISONED.id].answer == (record(1), record(8), record(3))
    assert results[GOOD.id].answer == (record(1), record(2), record(3))
    assert results[BAD.id].answer is None


def test_records_before_an_error_are_told_from_a_clean_refusal() -> None:
    other = invalid(b"\x01\x02\x07\xff")
    done = run("gives_records_before_an_error", vectors=(POISONED, other, invalid(b"\x07\xff"), BAD))
    [found] = done.findings
    assert (found.expected, found.got) == ("3 records", "1 record, then an error")
    assert found.answer == (record(1),)
    details = {result.vector: result.detail for result in done.results}
    assert details[other.id] == "2 records, then: ToyError: poison"
    assert details[BAD.id] == "ToyError: high bit"


def test_answers_that_cannot_be_read_break_the_protocol() -> None:
    done = run("answer_cut_short")
    assert findings(done)[GOOD.id] is Outcome.BROKEN_PROTOCOL
    assert "gave an answer that cannot be read" in done.findings[0].detail


def test_wrong_answer_says_where_and_what() -> None:
    [finding] = run("wrong_offset").findings
    assert (finding.path, finding.expected, finding.got) == ("records[1].offset", "7", "8")


def test_lost_record_says_how_many_came() -> None:
    [finding] = run("loses_the_last_record").findings
    assert (finding.path, finding.expected, finding.got) == ("records", "3 records", "2 records")


def test_what_is_not_declared_is_a_gap_and_never_put() -> None:
    other = (valid(b"\x01", formats=("v1",)), valid(b"\x07", codecs=("lz4",)))
    done = run("crashes", vectors=other)
    assert outcomes(done) == dict.fromkeys([vector.id for vector in other], Outcome.UNSUPPORTED)
    assert [result.detail for result in done.results] == ["does not declare format v1", "does not declare codec lz4"]


def test_a_target_that_hangs_in_a_row_is_not_asked_the_rest_of_the_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what else it reads there is an answer all the same, and what it hung on are findings."""
    monkeypatch.setattr(decoder_kind, "DEATHS", DeathLimits(hangs_in_a_row=2, hangs=20))
    poisoned = [valid(bytes([7, number])) for number in range(10, 16)]
    other = valid(b"\x01", formats=("v1", "v2"))
    done = run("hangs", vectors=(*poisoned, other, BAD))
    by_vector = outcomes(done)
    counts = Counter(by_vector[vector.id] for vector in poisoned)
    assert counts == {Outcome.HUNG: 2, Outcome.NOT_ASKED: 4}
    assert (by_vector[BAD.id], by_vector[other.id]) == (Outcome.PASSED, Outcome.UNSUPPORTED)
    details = {result.detail for result in done.results if result.outcome is Outcome.NOT_ASKED}
    assert details == {"not asked: it hung 2 times in a row at v2 with none where nothing is wrong"}
    assert len(done.findings) == 2


def test_checksums_are_a_gap_of_a_target_that_never_looks_at_them() -> None:
    done = run("checks_no_checksums", vectors=(BAD_CHECKSUM,))
    assert outcomes(done) == {BAD_CHECKSUM.id: Outcome.UNSUPPORTED}


def test_control_records_are_expected_only_of_those_who_return_them() -> None:
    shown = json_answers.to_json([record(1), record(2, control=True), record(3)])
    hidden = replace(valid(b"\x01\x03"), answer=tuple(shown))
    assert findings(run("hides_control_records", vectors=(hidden,))) == {}
    assert findings(run("serve", vectors=(hidden,))) == {hidden.id: Outcome.WRONG_ANSWER}


def test_lenient_vector_accepted_with_another_answer_is_wrong() -> None:
    other = lenient(b"\x04", answer=b"\x05")
    assert findings(run("serve", vectors=(other,))) == {other.id: Outcome.WRONG_ANSWER}
    assert findings(run("refuses_everything", vectors=(other,))) == {}


def test_target_that_does_not_come_up_is_a_problem_and_not_a_result() -> None:
    done = run("never_starts")
    assert done.results == ()
    assert done.targets[0].standing is Standing.DID_NOT_COME_UP
    assert "it exited with status 4" in done.targets[0].problem


def test_target_that_is_not_ready_takes_part_without_results() -> None:
    absent = Candidate("absent", None, problem="java is not on the PATH; install a JDK")
    done = runner.run([absent, candidate("serve")], ALL, RunOptions(limits=PATIENT))
    assert [target.problem for target in done.targets] == [absent.problem, ""]
    assert [target.standing for target in done.targets] == [Standing.NOT_READY, Standing.RAN]
    assert {result.target for result in done.results} == {"serve"}


def test_target_that_is_given_up_keeps_the_results_it_has() -> None:
    vectors = tuple(valid(bytes([1, number])) for number in range(100))
    done = run("crashes_on_everything", vectors=vectors)
    assert len(done.results) == 100
    assert Counter(result.outcome for result in done.results).keys() == {Outcome.CRASHED, Outcome.NOT_ASKED}
    assert done.targets[0].standing is Standing.GIVEN_UP
    assert "given up" in done.targets[0].problem


def test_two_targets_at_a_time_give_the_same_as_one_after_another() -> None:
    names = ("serve", "wrong_offset", "crashes")
    apart, together = run(*names), run(*names, options=RunOptions(jobs=2))
    keys = [(result.target, result.vector, result.outcome) for result in apart.results]
    assert keys == [(result.target, result.vector, result.outcome) for result in together.results]


def test_progress_is_told_of_every_result() -> None:
    reported: list[Result] = []
    done = runner.run([candidate("crashes")], ALL, RunOptions(limits=PATIENT), RunEvents(on_result=reported.append))
    assert sorted(reported, key=lambda result: result.vector) == sorted(done.results, key=lambda result: result.vector)


def test_interrupt_leaves_a_sound_partial_run() -> None:
    """The interrupt comes with the first result, before the target is put anything that hangs it
    for a minute."""
    unread = valid(b"\x01", formats=("v1",))

    def interrupt(_: Result) -> None:
        raise KeyboardInterrupt

    done = runner.run(
        [candidate("hangs")], (unread, GOOD, POISONED), RunOptions(limits=PATIENT), RunEvents(on_result=interrupt)
    )
    assert done.footer.interrupted
    assert done.targets[0].standing is Standing.STOPPED
    assert outcomes(done) == {unread.id: Outcome.UNSUPPORTED}


def test_known_failure_is_no_finding_and_a_stale_entry_is_told() -> None:
    explained = KnownFailure("wrong*", (POISONED.id,), Outcome.WRONG_ANSWER, reason="why", url="https://example.com/1")
    stale = replace(explained, vectors=(GOOD.id,), place="known.yaml: failures[1]")
    done = run("wrong_offset", options=RunOptions(known=KnownFailures((explained, stale))))
    assert done.findings == ()
    assert [result.known for result in done.results if result.is_finding] == ["why https://example.com/1"]
    [problem] = done.known_problems
    assert problem.startswith(f"known.yaml: failures[1]: stale: {GOOD.id} passed")


def test_known_failures_of_a_target_that_did_not_run_to_the_end_are_not_judged() -> None:
    entry = KnownFailure("never*", ("nothing/*",), Outcome.CRASHED, reason="why", url="https://example.com/1")
    assert run("never_starts", options=RunOptions(known=KnownFailures((entry,)), whole=True)).known_problems == ()
