"""Batches with faults: each result is checked against the verdict, in both ways to ask."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.ask import isolation_page
from kafka_conformance.scale.ask.checker import Checker, Commands
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.plan import Endurance
from kafka_conformance.targets import resolve
from kafka_format import sampler

HERE = Path(__file__).parent
LIMITS = Limits(seconds=60, start_seconds=60, memory=300 << 20)
COUNT = 600

Putting = Callable[[str], Checked]


@pytest.fixture(scope="module")
def block() -> Batches:
    return Batches(0, sampler.block(60, 0, COUNT, "hostile"))


@contextmanager
def _target(way: str, name: str) -> Iterator[Checker]:
    command = resolve.candidate(name).command
    assert command is not None
    command = replace(command, folder=HERE)
    commands = Commands(command, command if way == "isolated" else None)
    with closing(Checker(name, commands, LIMITS, Endurance())) as checker:
        yield checker


@pytest.fixture(params=["piped", "isolated"])
def put(request: pytest.FixtureRequest, block: Batches) -> Putting:
    if request.param == "isolated" and not isolation_page.possible():
        pytest.skip("decoders are isolated on Linux only")

    def put(name: str) -> Checked:
        with _target(request.param, name) as target:
            target.send(block)
            checked = target.next_results()
            assert (target.problem, checked.skipped, checked.not_put) == ("", set(), set())
        return checked

    return put


def verdicts(block: Batches, *wanted: str, records: bool | None = None) -> set[int]:
    """Batches of v0 to v2 with these verdicts; with `records`, those whose answer has some, or
    none."""
    found = {number for number in range(COUNT) if block.block.fault_of(number).verdict in wanted}
    if records is not None:
        found = {number for number in found if bool(block.expected_records(number)) == records}
    return {number for number in found if block.sort(number)[0] != "v07"}


def outcomes(checked: Checked) -> dict[Outcome, set[int]]:
    by_outcome: dict[Outcome, set[int]] = {}
    for number, result in checked.results.items():
        by_outcome.setdefault(result.outcome, set()).add(number)
    by_outcome.pop(Outcome.UNSUPPORTED, None)  # 0.7, which no Python function reads
    return by_outcome


def test_a_sound_target_passes(put: Putting) -> None:
    assert put("reference") == Checked({}, set(), set())


@pytest.mark.parametrize("name", ["strict", "as_kafka"])
def test_who_is_strict_and_who_does_as_kafka_pass(put: Putting, name: str) -> None:
    assert outcomes(put(f"python:decoders_of_faulty_batches:{name}")) == {}


def test_each_wrong_accept_is_found_also_where_no_record_comes_of_it(put: Putting, block: Batches) -> None:
    checked = put("python:decoders_of_faulty_batches:accepts_all")
    assert outcomes(checked) == {
        Outcome.ACCEPTED_INVALID: verdicts(block, "invalid"),
        Outcome.WRONG_ANSWER: verdicts(block, "lenient", records=True),
    }
    number = min(verdicts(block, "invalid"))
    result = checked.results[number]
    assert result.expected == f"refused, because of {block.block.fault_of(number).rule}"
    assert result.detail == block.block.fault_of(number).doc


def test_who_refuses_all_is_wrong_where_something_is_valid(put: Putting, block: Batches) -> None:
    assert outcomes(put("python:decoders_of_faulty_batches:refuses_all")) == {
        Outcome.REFUSED_VALID: verdicts(block, "valid")
    }


def test_who_does_not_check_checksums_is_not_asked(put: Putting, block: Batches) -> None:
    checked = put("python:decoders_of_faulty_batches:without_checksums")
    assert outcomes(checked) == {}
    gaps = Counter(result.detail for result in checked.results.values() if result.outcome is Outcome.UNSUPPORTED)
    wrong = [number for number in range(COUNT) if "crc" in block.sort(number)[3] and block.block.verdicts[number]]
    old = [number for number in range(COUNT) if block.sort(number)[0] == "v07"]
    assert gaps["does not check checksums"] == len(set(wrong) - set(old)) > 50
    assert gaps["does not declare format v07"] == len(old)
