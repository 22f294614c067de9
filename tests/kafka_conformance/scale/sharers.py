"""Targets that take blocks out of shared memory, for tests of what becomes of the blocks."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.batches import Batches, Checked
from kafka_conformance.scale.sharer import Sharer
from kafka_conformance.scale.slots import Slots
from kafka_conformance.serving.sharing import PROGRAM
from kafka_conformance.targets import resolve
from kafka_format import sampler

HERE = Path(__file__).parent
SEED = 11
LIMITS = Limits(seconds=0.8, start_seconds=20, memory=150 << 20)


@contextmanager
def sharing(target: str, limits: Limits = LIMITS, **environment: str) -> Iterator[Sharer]:
    command = resolve.contestant(target).command
    assert command is not None
    with sharing_slots() as shared:
        sharer = Sharer(target, replace(command, folder=HERE, environment=environment), limits, shared)
        try:
            yield sharer
        finally:
            sharer.close()


@contextmanager
def sharing_rows(adapter: Path, limits: Limits = LIMITS, **environment: str) -> Iterator[Sharer]:
    """Share blocks with an adapter of its own, which may import what is in this folder."""
    arguments = (sys.executable, str(PROGRAM), str(adapter))
    with sharing_slots() as shared:
        environment = {"PYTHONPATH": str(HERE), **environment}
        command = Command(arguments, adapter.parent, environment=environment, sharing=arguments)
        sharer = Sharer("rows", command, limits, shared)
        try:
            yield sharer
        finally:
            sharer.close()


@contextmanager
def sharing_slots() -> Iterator[Slots]:
    """Memory for blocks."""
    shared = Slots()
    try:
        yield shared
    finally:
        shared.close()


def batches(count: int, profile: str = "tiny", start: int = 0) -> Batches:
    return Batches(start, sampler.block(SEED, start, count, profile))


def check(sharer: Sharer, block: Batches) -> Checked:
    sharer.put(block)
    return sharer.take()


def told(checked: Checked) -> dict[int, tuple[Outcome, str]]:
    return {number: (result.outcome, result.detail) for number, result in sorted(checked.results.items())}


def outcomes(checked: Checked) -> dict[int, Outcome]:
    """What became of batches, but for those that the target does not declare."""
    found = {number: result.outcome for number, result in sorted(checked.results.items())}
    return {number: outcome for number, outcome in found.items() if outcome is not Outcome.UNSUPPORTED}
