"""Targets with one fault each: the reduced batch shows the fault and nothing else."""

from pathlib import Path

import pytest
from kafka_conformance.launch import Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.reduction.asking import Asker, vector_of
from kafka_conformance.scale.reduction.reducing import Batch, Reduced, reduce
from kafka_conformance.targets import resolve
from kafka_format import records, sampler

SEED = 7


@pytest.fixture(autouse=True)
def _in_this_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parent)


def asker(name: str, seconds: float = 10) -> Asker:
    found = resolve.contestant(f"python:faulty:{name}")
    assert found.command is not None
    return Asker(found.name, found.command, Limits(seconds=seconds))


def reduced(name: str, profile: str = "mixed", limit: float = 10, least: int = 500) -> Reduced:
    """Reduce the first batch of some size that the target fails on."""
    with asker(name, limit) as target:
        for index in range(2000):
            block = sampler.one(SEED, index, profile)
            vector = vector_of(block.input(0), block.format_of(0), (block.codec_of(0),))
            if len(vector.data) >= least and target.ask(vector).outcome.is_finding:
                return reduce(Batch(f"python:faulty:{name}", SEED, index, profile), target, 120)
    raise AssertionError("no batch fails")


@pytest.mark.parametrize(
    ("name", "profile", "outcome", "matters"),
    [
        ("null_header_value", "mixed", Outcome.REFUSED_VALID, ["records[0].headers[0].value = null"]),
        ("large_delta", "mixed", Outcome.WRONG_ANSWER, ["records[1].timestamp_delta = 2147483649"]),
        ("gzip_values", "compressed", Outcome.WRONG_ANSWER, ["attributes = 1"]),
        ("crash_at_seven", "tiny", Outcome.CRASHED, []),
    ],
)
def test_nothing_is_left_but_the_fault(name: str, profile: str, outcome: Outcome, matters: list[str]) -> None:
    found = reduced(name, profile, least=100 if profile == "tiny" else 500)
    assert found.outcome == outcome
    assert found.finished
    assert list(found.telling) == matters
    assert found.reduced_size < 90 < found.size


def test_a_hang_costs_less_time_while_it_is_reduced() -> None:
    found = reduced("hang_on_headers", "tiny", limit=0.3, least=100)
    assert found.outcome == Outcome.HUNG
    assert found.reduced_size < 75


def test_another_fault_of_the_target_is_not_taken_for_this_one() -> None:
    found = reduced("two_faults")
    assert found.path == "records[0].key"
    assert found.reduced_size > 200


def test_what_does_not_happen_again_is_told() -> None:
    with asker("broken_once") as target:
        found = reduce(Batch("python:faulty:broken_once", SEED, 0, "mixed"), target, 10)
    assert not found.is_finding
    assert found.outcome == Outcome.PASSED


def test_without_time_the_batch_stays_as_it_is() -> None:
    with asker("null_header_value") as target:
        index = next(filter(_has_null_header_value, range(500)))
        found = reduce(Batch("python:faulty:null_header_value", SEED, index, "mixed"), target, 0)
    assert found.is_finding
    assert not found.finished
    assert found.hex == sampler.one(SEED, index).input(0).hex()


def _has_null_header_value(index: int) -> bool:
    found = records.decode(sampler.one(SEED, index).input(0))
    return any(value is None for record in found for _, value in record.headers)


def test_the_fault_of_a_hostile_batch_stays_and_the_rest_goes() -> None:
    found = reduced("checks_nothing", "hostile", least=300)
    assert found.outcome == Outcome.ACCEPTED_INVALID
    assert found.reduced_size < 120 < found.size
    assert vector_of(found.data, found.format, tuple(found.codec.split())).fault is not None
