"""What a Spark task does: generates the batches of its chunks, puts them to every target, and sums up.

Everything here also runs without Spark. A worker starts each target once and keeps it over all its tasks; the batches
of a block are generated once, however many targets there are.
"""

import gc
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import NamedTuple, Protocol

from kafka_conformance.child import resources
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale import allocation, slots
from kafka_conformance.scale.batches import Batches, Block, Checked
from kafka_conformance.scale.checker import Checker
from kafka_conformance.scale.plan import Chunk, Settings
from kafka_conformance.scale.rows import DETAIL_LENGTH, HEX_BYTES, NONE, Done, Finding, Tally, symptom
from kafka_conformance.scale.sharer import Sharer
from kafka_conformance.scale.slots import Slots

KEPT_A_SYMPTOM = 3
KEPT_A_CHUNK = 30
"""Findings of a chunk that are kept with their bytes; all are counted."""

SYMPTOMS_A_CHUNK = 50
OTHER = "(other)"
"""Stands for the symptoms of a chunk beyond so many."""

PYTHON = "{python}"
"""In a command, the Python of the worker."""


class Room(NamedTuple):
    """The most batches, and about the most bytes, of a block."""

    batches: int
    bytes: int


PUT = Room(2048, 1 << 20)
"""Room for blocks that are put through a pipe. Any sound decoder gets through in the time that it has for one batch.
More saves nothing: pipe and comparison cost half a microsecond a batch by then."""

SHARED = Room(8192, 4 << 20)
"""The same where all targets share blocks. They are watched batch by batch, so a block may take any time, and the
sampler makes four megabytes in less time than four times one."""

FIRST_BLOCK = 128

MANY = 200_000
"""Batches that are worth loading machine code to generate them."""

_PASSED = str(Outcome.PASSED)
_Key = tuple[str, str, str, str, str, str]
"""The sort of a batch, outcome and symptom."""

Generate = Callable[[int, int, int, str], Block]


@dataclass(frozen=True, slots=True)
class Job:
    """What all tasks of a run share."""

    settings: Settings
    commands: tuple[Command, ...]
    limits: Limits


class Target(Protocol):
    """A target under test, whichever way it gets its batches: put blocks, take what became of them."""

    @property
    def target(self) -> str:
        """Its name."""

    @property
    def problem(self) -> str:
        """Why it was given up; empty while it lives."""

    notes: list[str]

    def put(self, batches: Batches) -> None:
        """Put the batches; at most two blocks may be open."""

    def take(self) -> Checked:
        """What became of the batches that were put first."""

    def close(self) -> None:
        """End it."""


class ChunkRows(NamedTuple):
    """What is known of one chunk: a row for every target, and findings."""

    done: list[Done]
    findings: list[Finding]


def run(job: Job, chunks: Iterable[Chunk], generate: Generate | None = None) -> Iterator[ChunkRows]:
    """Check the chunks one after another against every target, yielding the rows of each as it is done."""
    with closing(Targets(job)) as targets:
        yield from targets.run(chunks, generate)


class Targets:
    """The running targets of a job in one worker. They outlive tasks: a start takes as long as thousands of batches."""

    def __init__(self, job: Job) -> None:
        """Describe them; each starts with its first batches."""
        allocation.keep_memory()
        self._job = job
        self._shared = Slots() if slots.possible() else None
        pairs = zip(job.settings.targets, job.commands, strict=True)
        shared = self._shared is not None and all(command.sharing for command in job.commands)
        self._room = SHARED if shared else PUT
        self._targets = [_target(name, command, job.limits, self._shared) for name, command in pairs]

    def fit(self, job: Job) -> bool:
        """True if they are those of that job, and all in good health."""
        return job == self._job and not any(target.problem for target in self._targets)

    def run(self, chunks: Iterable[Chunk], generate: Generate | None = None) -> Iterator[ChunkRows]:
        """Check chunks, see `run`."""
        blocks = _Blocks(self._job.settings, generate or _sampler(), self._room)
        for chunk in chunks:
            yield _chunk(self._job.settings, chunk, self._targets, blocks)

    def close(self) -> None:
        """End them."""
        for target in self._targets:
            target.close()
        if self._shared is not None:
            self._shared.close()


_kept: list[Targets] = []
"""What the last task of this worker has left running. It ends with the worker."""


def run_kept(job: Job, chunks: Iterable[Chunk]) -> Iterator[ChunkRows]:
    """Do as `run`, with the targets that the last task of the job left running here, and leave them running."""
    if _kept and not _kept[0].fit(job):
        _kept.pop().close()
    if not _kept:
        _kept.append(Targets(job))
    try:
        yield from _kept[0].run(chunks)
    except BaseException:  # in the midst of a block
        _kept.pop().close()
        raise


def _target(name: str, command: Command, limits: Limits, shared: Slots | None) -> Target:
    command = _here(command)
    if command.sharing and shared is not None:
        return Sharer(name, command, limits, shared)
    return Checker(name, command, limits)


def _here(command: Command) -> Command:
    """Start the suite's own programs with this Python, and with all that this worker was given to import from."""
    if PYTHON not in command.arguments:
        return command
    arguments, sharing = (
        tuple(sys.executable if word == PYTHON else word for word in row)
        for row in (command.arguments, command.sharing)
    )
    environment = {**command.environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return replace(command, arguments=arguments, sharing=sharing, environment=environment)


class _Blocks:
    """Generates the batches of chunks, in blocks as large as is good."""

    def __init__(self, settings: Settings, generate: Generate, room: Room) -> None:
        self._settings = settings
        self._generate = generate
        self._size = FIRST_BLOCK
        self._room = room
        self.seconds = 0.0

    def of(self, chunk: Chunk) -> Iterator[Batches]:
        """The batches of a chunk, block by block; `seconds` is what generating them took."""
        self.seconds = 0.0
        index, end = chunk.start, chunk.start + chunk.count
        while index < end:
            began = perf_counter()
            count = min(self._size, end - index)
            block = self._generate(self._settings.seed, index, count, self._settings.profile)
            batches = Batches(index, block)
            self._size = next_size(count, len(block.data), self._room)
            index += count
            self.seconds += perf_counter() - began
            yield batches


def next_size(count: int, size: int, room: Room) -> int:
    """Batches for the next block, after one of `count` batches and `size` bytes."""
    return max(1, min(room.batches, room.bytes * count // max(size, 1)))


@dataclass(slots=True)
class _Log:
    """What one target did in one chunk."""

    tally: Counter[_Key] = field(default_factory=Counter)
    first: dict[_Key, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    kept: Counter[str] = field(default_factory=Counter)
    symptoms: set[str] = field(default_factory=set)
    seconds: float = 0.0

    def add(self, settings: Settings, target: str, batches: Batches, checked: Checked) -> None:
        """Count the batches of a block, and keep findings as long as they tell something new."""
        for sort, number in batches.sorts.items():
            self.tally[*sort, _PASSED, ""] += number
        for number in (*checked.results, *checked.not_put):
            self.tally[*batches.sort(number), _PASSED, ""] -= 1
        for number, result in sorted(checked.results.items()):
            said = self._known(symptom(result))
            key = (*batches.sort(number), str(result.outcome), said)
            self.tally[key] += 1
            self.first.setdefault(key, batches.start + number)
            if result.is_finding and self._keeps(f"{result.outcome} {said} {key[2]}"):
                self.findings.append(_finding(settings, target, batches, number, result, said))

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Count the time that is spent on the target."""
        began = perf_counter()
        yield
        self.seconds += perf_counter() - began

    def rows(self) -> tuple[Tally, ...]:
        """Every sort of batch that there was."""
        counted = sorted((key, number) for key, number in self.tally.items() if number)
        return tuple(_tally(key, number, self.first.get(key, NONE)) for key, number in counted)

    def _known(self, said: str) -> str:
        """Keep the symptoms few, should a target put something new into every error text."""
        self.symptoms.add(said if len(self.symptoms) < SYMPTOMS_A_CHUNK else OTHER)
        return said if said in self.symptoms else OTHER

    def _keeps(self, cause: str) -> bool:
        if self.kept[cause] >= KEPT_A_SYMPTOM or len(self.findings) >= KEPT_A_CHUNK:
            return False
        self.kept[cause] += 1
        return True


def _tally(key: _Key, number: int, first: int) -> Tally:
    version, codec, fault, rule, outcome, said = key
    return Tally(version, codec, outcome, said, number, first, fault, rule)


def _chunk(settings: Settings, chunk: Chunk, targets: list[Target], blocks: _Blocks) -> ChunkRows:
    """Check a chunk. While targets decode a block, the next one is generated."""
    logs = [_Log() for _ in targets]
    began = resources.cpu_seconds()
    before: Batches | None = None
    for batches in blocks.of(chunk):
        for target, log in zip(targets, logs, strict=True):
            with log.timed():
                target.put(batches)
        if before is not None:
            _take(settings, before, targets, logs)
        before = batches
    if before is not None:
        _take(settings, before, targets, logs)
    spent = (blocks.seconds, resources.cpu_seconds() - began, resources.peak_bytes())
    done = [_done(chunk, target, log, spent) for target, log in zip(targets, logs, strict=True)]
    return ChunkRows(done, [finding for log in logs for finding in log.findings])


def _take(settings: Settings, batches: Batches, targets: list[Target], logs: list[_Log]) -> None:
    for target, log in zip(targets, logs, strict=True):
        with log.timed():
            log.add(settings, target.target, batches, target.take())


def _done(chunk: Chunk, target: Target, log: _Log, spent: tuple[float, float, int]) -> Done:
    tally = log.rows()
    notes, target.notes = tuple(target.notes), []
    counts = {outcome: sum(item.batches for item in tally if item.outcome == outcome) for outcome in Outcome}
    return Done(
        target=target.target,
        chunk=chunk.number,
        start=chunk.start,
        count=chunk.count,
        compared=sum(number for outcome, number in counts.items() if outcome.was_asked),
        findings=sum(number for outcome, number in counts.items() if outcome.is_finding),
        kept=len(log.findings),
        tally=tally,
        seconds=log.seconds,
        generation_seconds=spent[0],
        cpu_seconds=spent[1],
        memory=spent[2],
        host=socket.gethostname(),
        pid=os.getpid(),
        problem=target.problem,
        notes=notes,
    )


def _finding(settings: Settings, target: str, batches: Batches, number: int, result: Result, said: str) -> Finding:
    data = batches.input(number)
    version, codec, fault, rule = batches.sort(number)
    return Finding(
        target=target,
        seed=settings.seed,
        index=batches.start + number,
        profile=settings.profile,
        format=version,
        codec=codec,
        outcome=str(result.outcome),
        symptom=said,
        path=result.path,
        expected=result.expected,
        got=result.got,
        detail=result.detail[:DETAIL_LENGTH],
        fault=fault,
        rule=rule,
        size=len(data),
        hex=data[:HEX_BYTES].hex(),
    )


def prepare(settings: Settings) -> None:
    """Import and make what the first block of a process else waits for.

    Spark has Python look for garbage after each task: not among what is there for good, which takes 100 ms.
    """
    if settings.batches >= MANY:
        from kafka_format import machine_code  # noqa: PLC0415 - with numpy, which only a worker needs

        machine_code.load()
    _sampler()(0, 0, 1, settings.profile)
    gc.collect()
    gc.freeze()


def _sampler() -> Generate:
    from kafka_format import sampler  # noqa: PLC0415 - numpy, which only a worker needs

    return sampler.block
