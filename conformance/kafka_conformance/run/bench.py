"""How fast targets are, beside one another, apart from whether they are right.

All targets are alive at once and take turns, round by round, so that a slow moment of the machine
meets all of them. Each turn is one block, large enough that the way through the pipe is small
beside the work, and timed from its first byte written to the last byte read. The result is a
ratio: how many times as fast as the yardstick, the median of the rounds. The block carries answers,
so writing them is part of what is measured, for every target alike.

A target is only timed at what it gets right: the first reply is looked at.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median

from kafka_tools.errors import UsageError

from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import NotTimedError, TargetLostError
from kafka_conformance.run.header import RunHeader, header
from kafka_conformance.run.timed_target import TimedTarget
from kafka_conformance.run.workloads import Workload
from kafka_conformance.targets.candidate import Candidate

ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Measurement:
    """One target at one workload.

    Attributes:
        ratio: times as fast as the yardstick, the median of the rounds; None if it was not timed.
        low: the same in its slowest round.
        high: the same in its fastest round.
        why: why it was not timed, in words; empty if it was.
    """

    target: str
    workload: str
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Bench:
    """One measurement.

    Attributes:
        header: when, where and with what.
        yardstick: the target that counts as 1.0.
        targets: name and version of those that came up.
        problems: name of the others, and why.
        measurements: every target at every workload.
        is_incomplete: True if a target that is ready did not come up.
    """

    header: RunHeader
    yardstick: str
    targets: Mapping[str, str]
    problems: Mapping[str, str]
    measurements: Sequence[Measurement]
    is_incomplete: bool = False


def measure(candidates: Sequence[Candidate], works: Iterable[Workload], limits: Limits, command: str) -> Bench:
    """Start the targets, time them at the workloads, and end them.

    Args:
        candidates: the targets; those that do not come up are among the problems.
        works: what they are timed at, for example all of `workloads.workloads()`.
        limits: time and memory that a target may take.
        command: the command line, for the header.

    Raises:
        UsageError: no target came up.
    """
    problems: dict[str, str] = {}
    with ExitStack() as stack:
        targets = [target for candidate in candidates if (target := _start(candidate, limits, problems))]
        for target in targets:
            stack.callback(target.close)
        if not targets:
            raise UsageError("\n".join(f"{name}: {words}" for name, words in problems.items()))
        return Bench(
            header=header(command),
            yardstick=yardstick([target.name for target in targets]),
            targets={target.name: target.version for target in targets},
            problems=problems,
            measurements=list(compare(targets, works)),
            is_incomplete=any(candidate.command and candidate.name in problems for candidate in candidates),
        )


def _start(candidate: Candidate, limits: Limits, problems: dict[str, str]) -> TimedTarget | None:
    """Start a target; None if it does not come up, which joins the problems."""
    if candidate.command is None:
        problems[candidate.name] = f"not ready: {candidate.problem}"
        return None
    try:
        return TimedTarget(candidate.name, candidate.command, limits)
    except TargetLostError as lost:
        problems[candidate.name] = f"did not come up: it {lost.detail}"
        return None


def yardstick(names: Sequence[str]) -> str:
    """Choose what counts as 1.0: Kafka's own classes, else the reference, else the first."""
    return next((name for name in ("kafka-clients", "reference") if name in names), names[0])


def compare(targets: Sequence[TimedTarget], works: Iterable[Workload]) -> Iterator[Measurement]:
    """Time all targets at all workloads, one workload after another."""
    stick = yardstick([target.name for target in targets])
    for work in works:
        yield from _measure(targets, work, stick)


def _measure(targets: Sequence[TimedTarget], work: Workload, stick: str) -> Iterator[Measurement]:
    fit: list[TimedTarget] = []
    why: dict[str, str] = {}
    for target in targets:
        try:
            target.prepare(work)
            fit.append(target)
        except NotTimedError as reason:
            why[target.name] = str(reason)
    rounds = _rounds(fit, why)
    for target in targets:
        if target.name in why:
            yield Measurement(target.name, work.name, why=why[target.name])
        elif stick in why:
            yield Measurement(target.name, work.name, why=f"{stick}, the yardstick, is not timed")
        else:
            ratios = [rates[stick] / rates[target.name] for rates in rounds]
            yield Measurement(target.name, work.name, median(ratios), min(ratios), max(ratios))


def _rounds(targets: Sequence[TimedTarget], why: dict[str, str]) -> list[dict[str, float]]:
    """Let all take turns; one that is lost on the way joins those that are not timed."""
    rounds: list[dict[str, float]] = []
    for _ in range(ROUNDS):
        seconds: dict[str, float] = {}
        for target in targets:
            if target.name not in why:
                try:
                    seconds[target.name] = target.turn()
                except NotTimedError as reason:
                    why[target.name] = str(reason)
        rounds.append(seconds)
    return rounds
