"""Targets in isolation, for tests of what becomes of the batches of a block."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.ask.checker import Checker, Commands
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.plan import Endurance
from kafka_conformance.serving.isolated_loop import FOLDER
from kafka_conformance.targets import resolve
from kafka_conformance.targets.folders import ADAPTERS
from kafka_format import sampler

HERE = Path(__file__).parent
SEED = 11
LIMITS = Limits(seconds=3, start_seconds=60, memory=150 << 20)
"""Who hangs is waited for; who eats memory has eaten enough by then, on a slow machine too."""
NOT_PIPED = Command(("nothing must start this",))


@contextmanager
def function(
    target: str, limits: Limits = LIMITS, endurance: Endurance | None = None, **environment: str
) -> Iterator[Checker]:
    """The reference, or `python:module:function` with a module of this folder."""
    command = resolve.candidate(target).isolated
    assert command is not None
    command = replace(command, folder=HERE, environment=environment)
    with closing(Checker(target, Commands(NOT_PIPED, command), limits, endurance or Endurance())) as checker:
        yield checker


@contextmanager
def adapter(file: Path, limits: Limits = LIMITS) -> Iterator[Checker]:
    """An adapter in Python, which may import what the adapters of targets do."""
    path = ":".join(map(str, (ADAPTERS / "python", FOLDER)))
    arguments = (sys.executable, str(FOLDER / "isolated.py"), str(file))
    command = Command(arguments, file.parent, environment={"PYTHONPATH": path})
    with closing(Checker(file.stem, Commands(NOT_PIPED, command), limits, Endurance())) as checker:
        yield checker


def batches(count: int, profile: str = "tiny", start: int = 0) -> Batches:
    return Batches(start, sampler.block(SEED, start, count, profile))


def check(checker: Checker, block: Batches) -> Checked:
    checker.send(block)
    return checker.next_results()


def passed() -> Checked:
    return Checked({}, set(), set())


def details(checked: Checked) -> dict[int, tuple[Outcome, str]]:
    return {number: (result.outcome, result.detail) for number, result in sorted(checked.results.items())}


def outcomes(checked: Checked) -> dict[int, Outcome]:
    """What became of batches, but for those that the target does not declare."""
    results = {number: result.outcome for number, result in sorted(checked.results.items())}
    return {number: outcome for number, outcome in results.items() if outcome is not Outcome.UNSUPPORTED}
