"""A run in numbers.

They come from the `done` rows alone, so they also count findings that were not kept.
"""

from collections import Counter
from dataclasses import dataclass, field

from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale.plan import RunSettings
from kafka_conformance.scale.results.fate import Fate, NotPut
from kafka_conformance.scale.results.reductions import Reductions

_BILLION = 10**9
_HOUR = 3600

_TELLING_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Symptom:
    """Findings of one target that have outcome and symptom in common.

    Attributes:
        outcome: what kind of finding.
        symptom: what they have in common.
        batches: how many.
        first: index of the first of them.
        formats: where they occur.
        codecs: where they occur.
        faults: of the batches.
    """

    outcome: Fate
    symptom: str
    batches: int
    first: int
    formats: tuple[str, ...]
    codecs: tuple[str, ...]
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TargetSummary:
    """The results of one target in the whole run.

    Attributes:
        target: its name.
        hello: what it declares.
        outcomes: batches by outcome.
        cells: batches by format, codec and outcome.
        rules: batches with faults by rule, fault and outcome.
        symptoms: the findings by symptom, most frequent first.
        given_up: batches that were not put, because the target was given up.
        seconds: time with the target, summed over workers.
        problems: why batches were given up.
        notes: what else happened.
    """

    target: str
    hello: Hello
    outcomes: Counter[Fate]
    cells: Counter[tuple[str, str, Fate]]
    rules: Counter[tuple[str, str, Fate]]
    symptoms: tuple[Symptom, ...]
    given_up: int
    seconds: float
    problems: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def compared(self) -> int:
        """Batches that were put and judged."""
        return sum(number for outcome, number in self.outcomes.items() if outcome.was_asked)

    @property
    def skipped(self) -> Counter[str]:
        """By fault, the batches that were skipped because others with it had killed the target."""
        reasons: Counter[str] = Counter()
        for (_, fault, outcome), number in self.rules.items():
            if outcome is NotPut.SKIPPED:
                reasons[fault] += number
        return reasons

    @property
    def findings(self) -> int:
        """Batches that are findings."""
        return sum(number for outcome, number in self.outcomes.items() if outcome.is_finding)


@dataclass(frozen=True, slots=True)
class Timing:
    """The cost of one command, without that of an earlier command that it resumed.

    Attributes:
        cores: tasks at a time.
        start_seconds: wall time of starting Spark and its Python workers.
        seconds: wall time of the job.
        batches: batches that it did, each counted once however many targets.
        busy_seconds: time that workers spent on chunks, all workers together.
        generation_seconds: the part of it that went into generating.
        cpu_seconds: processor time of all workers and targets.
        worker_memory: the most resident bytes of one worker with the processes of its targets.
        driver_memory: the most resident bytes of the command itself.
        java_memory: the most resident bytes of Spark's driver; 0 where it is not known.
    """

    cores: int = 0
    start_seconds: float = 0.0
    seconds: float = 0.0
    batches: int = 0
    busy_seconds: float = 0.0
    generation_seconds: float = 0.0
    cpu_seconds: float = 0.0
    worker_memory: int = 0
    driver_memory: int = 0
    java_memory: int = 0

    @property
    def rate(self) -> float:
        """Batches a second, all workers together."""
        return self.batches / self.seconds if self.seconds else 0.0

    @property
    def is_short(self) -> bool:
        """True if it took so little time that the start of the targets weighs in the rate."""
        return self.seconds < _TELLING_SECONDS

    @property
    def billion_hours(self) -> float:
        """Hours for a billion such batches on these cores, without the start of Spark."""
        return _BILLION / self.rate / _HOUR if self.rate else 0.0

    @property
    def billion_cpu_hours(self) -> float:
        """Hours of processor time that a billion such batches would take."""
        return _BILLION * self.cpu_seconds / self.batches / _HOUR if self.batches else 0.0


@dataclass(frozen=True, slots=True)
class ScaleSummary:
    """A run in numbers.

    Attributes:
        settings: what was asked.
        targets: what came of it, in the order they were named.
        gaps: what is wrong with the `done` rows, in words; empty if every chunk was done exactly
            once.
        interrupted: True if the user stopped it.
        timing: what the last command cost.
        reductions: findings made small.
    """

    settings: RunSettings
    targets: tuple[TargetSummary, ...]
    gaps: tuple[str, ...]
    interrupted: bool
    timing: Timing
    reductions: Reductions = field(default_factory=Reductions)

    @property
    def status(self) -> int:
        """Exit status: 2 for missing chunks, 1 for findings, 2 for a target given up, else 0."""
        if self.gaps or self.interrupted:
            return 2
        if any(target.findings for target in self.targets):
            return 1
        return 2 if any(target.given_up for target in self.targets) else 0


def by_rule(target: TargetSummary) -> Counter[tuple[str, Fate]]:
    """The batches with faults by rule and outcome."""
    fates: Counter[tuple[str, Fate]] = Counter()
    for (rule, _, outcome), number in target.rules.items():
        fates[rule, outcome] += number
    return fates
