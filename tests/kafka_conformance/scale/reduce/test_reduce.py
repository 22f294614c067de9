"""Targets with one fault each: the reduced batch shows the fault and nothing else."""

from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from kafka_conformance.child import clock, process
from kafka_conformance.child.clock import Scheduled
from kafka_conformance.child.launch import Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reduction import tree
from kafka_conformance.reduction.asker import Asker
from kafka_conformance.reduction.judged_bytes import judged
from kafka_conformance.scale.reduce import run
from kafka_conformance.scale.reduce.run import reduce
from kafka_conformance.scale.results.causes import groups
from kafka_conformance.scale.results.reductions import GeneratedBatch, Reduced
from kafka_conformance.targets import resolve
from kafka_format import records, sampler
from kafka_format.errors import FormatError

from tests.kafka_conformance.miniature_targets import QUICK, command
from tests.kafka_conformance.scale.reduce.scripted import Scripted

SEED = 7
AMPLE = 3600.0
"""Seconds for a reduction that ends by itself."""


@pytest.fixture(autouse=True)
def _in_this_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent)


def asker(name: str) -> Asker:
    candidate = resolve.candidate(f"python:faulty:{name}")
    assert candidate.command is not None
    return Asker(candidate.name, candidate.command, Limits())


def reduced(name: str, profile: str = "mixed", least: int = 500) -> Reduced:
    """Reduce the first batch of some size that the target fails on."""
    with asker(name) as target:
        for index in range(2000):
            block = sampler.single(SEED, index, profile)
            vector = judged(block.input(0), block.format_of(0), (block.codec_of(0),))
            if len(vector.data) >= least and target.ask(vector).outcome.is_finding:
                return reduce(GeneratedBatch(f"python:faulty:{name}", SEED, index, profile), target, AMPLE)
    raise AssertionError("no batch fails")


@pytest.mark.parametrize(
    ("name", "profile", "outcome", "matters"),
    [
        ("null_header_value", "mixed", Outcome.REFUSED_VALID, ["records[0].headers[0].value = null"]),
        ("large_delta", "mixed", Outcome.WRONG_ANSWER, ["records[1].timestamp_delta = 2147483649"]),
        ("gzip_values", "compressed", Outcome.WRONG_ANSWER, ["attributes.codec = gzip", "record_count = 1"]),
    ],
)
def test_nothing_is_left_but_the_fault(name: str, profile: str, outcome: Outcome, matters: list[str]) -> None:
    reduction = reduced(name, profile)
    assert reduction.outcome == outcome
    assert reduction.effort.finished
    assert list(reduction.minimal.parts) == list(reduction.cause.parts) == matters
    assert reduction.cause.proven
    assert reduction.minimal.size < 90 < reduction.batch.size


def test_two_symptoms_have_one_cause() -> None:
    indices = [next(index for index in range(900) if _is_null_header(index, keys=keys)) for keys in (True, False)]
    with asker("two_symptoms") as target:
        reduction = [reduce(GeneratedBatch("t", SEED, index, "mixed"), target, AMPLE) for index in indices]
    causes = groups(reduction)
    assert len(causes) == 1
    assert causes[0].main.outcome == Outcome.REFUSED_VALID
    assert {finding.outcome for _, finding in causes[0].findings} == {Outcome.REFUSED_VALID, Outcome.WRONG_ANSWER}
    for _, finding in causes[0].findings:
        assert finding.cause.parts == ("records[0].headers[0].value = null",)
        assert any("key" in part for part in finding.minimal.parts) == (finding.outcome == Outcome.WRONG_ANSWER)


@pytest.mark.parametrize(("name", "outcome"), [("crashes", Outcome.CRASHED), ("hangs", Outcome.HUNG)])
def test_who_dies_of_it_is_started_again(name: str, outcome: Outcome) -> None:
    """It dies of the byte 7, refuses all else, and so is never right: what is left is the cause."""
    reported: list[str] = []
    with Asker(name, command(name), replace(QUICK, seconds=0.2)) as target:
        reduction = reduce(GeneratedBatch(name, SEED, 46, "tiny"), target, AMPLE, reported.append)
    assert (reduction.outcome, reduction.batch.size, reduction.effort.finished, reduction.cause.proven) == (
        outcome,
        92,
        True,
        False,
    )
    assert 7 in reduction.minimal.data
    assert reduction.minimal.size < 75
    assert reduction.cause.parts == reduction.minimal.parts
    assert reported[-1].startswith(
        f"{reduction.effort.questions - (outcome == Outcome.HUNG)} questions, "
        f"{reduction.minimal.size} of 92 bytes left, "
    )


def test_without_time_it_is_asked_once_and_of_a_hang_once_more() -> None:
    for outcome, calls in ((Outcome.CRASHED, 1), (Outcome.HUNG, 2)):
        target = Scripted(lambda *_, outcome=outcome: outcome)
        reduction = reduce(GeneratedBatch("t", SEED, 0, "hostile"), target, 0)
        assert (reduction.effort.finished, reduction.cause.parts, target.calls) == (False, (), calls)
        assert reduction.minimal.parts


def test_a_hang_that_was_but_slow_is_not_reduced() -> None:
    target = Scripted(lambda data, seconds: Outcome.HUNG if len(data) > 80 or seconds < 10 else Outcome.PASSED)
    reduction = reduce(GeneratedBatch("t", SEED, 46, "tiny"), target, AMPLE)
    assert (reduction.minimal.size, reduction.effort.finished, reduction.cause.parts) == (92, False, ())


def test_a_target_without_a_processor_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers after more than twice its limit, and the system says that it was in the queue for
    a processor."""
    monkeypatch.setattr(process, "threads", lambda pid: {pid: Scheduled(0.0, monotonic())})
    monkeypatch.setattr(clock, "SLOWEST", 1000)
    vector = judged(sampler.single(SEED, 46, "tiny").input(0), "v2", ("none",))
    assert 7 in vector.data
    with Asker("late", command("answers_late"), replace(QUICK, seconds=0.5)) as target:
        assert target.ask(vector).outcome is Outcome.REFUSED_VALID


def test_a_target_that_loads_with_its_first_question_does_not_hang_on_candidates() -> None:
    """The limit for candidates is shorter than its first question takes, after each restart."""
    vectors = [judged(sampler.single(SEED, index, "tiny").input(0), "v2", ("none",)) for index in range(46, 50)]
    poisoned = [7 in vector.data for vector in vectors]
    with Asker("loading", command("loads_late"), replace(QUICK, seconds=5)) as target:
        target.seconds = 0.3
        outcomes = [target.ask(vector).outcome for vector in vectors]
    assert poisoned[0]
    assert not all(poisoned)
    assert [outcome is Outcome.HUNG for outcome in outcomes] == poisoned


def test_a_reduction_that_needs_too_many_questions_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CALLS", 5)
    target = Scripted(lambda *_: Outcome.CRASHED)
    target.calls = 1000
    reduction = reduce(GeneratedBatch("t", SEED, 0, "mixed"), target, AMPLE)
    assert (reduction.effort.questions, reduction.effort.finished) == (6, False)


def _index_of(fault: str) -> int:
    block = sampler.block(SEED, 0, 2000, "hostile")
    return next(index for index in range(2000) if block.fault_of(index).name == fault)


def _attributes(data: bytes) -> list[int]:
    try:
        return [one["attributes"] for entry in tree.parse(data, "v2") for one in entry["records"]]
    except FormatError:
        return []


def test_a_fault_that_leaves_a_valid_batch_is_reduced_like_any_field() -> None:
    target = Scripted(lambda data, _: Outcome.CRASHED if any(_attributes(data)) else Outcome.PASSED)
    reduction = reduce(GeneratedBatch("t", SEED, _index_of("v2/record-attributes"), "hostile"), target, AMPLE)
    assert (reduction.minimal.fault, reduction.minimal.twin, len(reduction.cause.parts)) == ("", "", 1)
    assert reduction.cause.parts[0].startswith("records[0].attributes.bit_")


def test_a_fault_that_has_nothing_to_do_with_it_is_left_out() -> None:
    target = Scripted(lambda *_: Outcome.CRASHED)
    reduction = reduce(GeneratedBatch("t", SEED, _index_of("v2/crc"), "hostile"), target, AMPLE)
    assert (reduction.minimal.fault, reduction.minimal.twin, reduction.minimal.size) == ("", "", 61)


def test_a_fault_that_does_not_show_elsewhere_leaves_the_batch_as_it_is() -> None:
    index = _index_of("v2/burst")
    only = sampler.single(SEED, index, "hostile").input(0)
    target = Scripted(lambda data, _: Outcome.CRASHED if data == only else Outcome.PASSED)
    reduction = reduce(GeneratedBatch("t", SEED, index, "hostile"), target, AMPLE)
    assert (reduction.minimal.data, reduction.minimal.redone, reduction.effort.finished, reduction.cause.parts) == (
        only,
        False,
        True,
        ("v2/burst",),
    )
    assert reduction.minimal.twin == sampler.twin(SEED, index, "hostile").hex()


def test_another_fault_of_the_target_is_not_taken_for_this_one() -> None:
    reduction = reduced("two_faults")
    assert reduction.failure.path == "records[0].key"
    assert reduction.minimal.size > 200


def test_what_does_not_happen_again_is_told() -> None:
    with asker("broken_once") as target:
        reduction = reduce(GeneratedBatch("python:faulty:broken_once", SEED, 0, "mixed"), target, AMPLE)
    assert not reduction.is_finding
    assert reduction.outcome == Outcome.PASSED


def test_without_time_the_batch_stays_as_it_is() -> None:
    with asker("null_header_value") as target:
        index = next(index for index in range(500) if _is_null_header(index, keys=True))
        reduction = reduce(GeneratedBatch("python:faulty:null_header_value", SEED, index, "mixed"), target, 0)
    assert reduction.is_finding
    assert not reduction.effort.finished
    assert reduction.minimal.hex == sampler.single(SEED, index).input(0).hex()


def test_without_time_the_fault_stays_as_well() -> None:
    index = _index_of("v2/crc")
    reduction = reduce(GeneratedBatch("t", SEED, index, "hostile"), Scripted(lambda *_: Outcome.CRASHED), 0)
    assert (reduction.minimal.fault, reduction.minimal.twin) == ("v2/crc", sampler.twin(SEED, index, "hostile").hex())
    assert reduction.minimal.hex == sampler.single(SEED, index, "hostile").input(0).hex()


def _is_null_header(index: int, *, keys: bool) -> bool:
    """Tell a batch that has a header without a value, and keys or none."""
    decoded = records.decode(sampler.single(SEED, index).input(0))
    has_key = any(record.key for record in decoded)
    return any(value is None for record in decoded for _, value in record.headers) and has_key == keys


def test_the_fault_of_a_hostile_batch_stays_and_the_rest_goes() -> None:
    reduction = reduced("checks_nothing", "hostile", least=300)
    assert reduction.outcome == Outcome.ACCEPTED_INVALID
    assert reduction.minimal.size < 120 < reduction.batch.size
    assert (
        judged(reduction.minimal.data, reduction.minimal.format, tuple(reduction.minimal.codec.split())).fault
        is not None
    )
    assert reduction.cause.parts == (reduction.minimal.fault,)
    assert reduction.cause.proven
    assert judged(bytes.fromhex(reduction.minimal.twin), reduction.minimal.format, ()).fault is None
