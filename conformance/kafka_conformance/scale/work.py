"""A Spark task: generates the batches of its chunks, puts them to every target, and sums up.

Everything here also runs without Spark. A worker starts each target once and keeps it over all its
tasks; the batches of a block are generated once, however many targets there are.
"""

import gc
import os
import socket
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from time import monotonic, perf_counter
from typing import Generic, NamedTuple, Protocol, TypeVar

from kafka_tools.system import resources

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.scale import allocation, message_batches
from kafka_conformance.scale.ask import isolation_page
from kafka_conformance.scale.ask.checker import Checker, Commands
from kafka_conformance.scale.ask.message_checker import MessageChecker
from kafka_conformance.scale.batches import Batches, Block, Checked
from kafka_conformance.scale.message_batches import Messages
from kafka_conformance.scale.plan import Chunk, Endurance, RunSettings, is_of_messages
from kafka_conformance.scale.results.fate import fate
from kafka_conformance.scale.results.rows import Done, FindingRow
from kafka_conformance.scale.tally import ChunkTally

PYTHON = "{python}"
"""In a command, the placeholder for `sys.executable` of the worker."""


class BlockLimits(NamedTuple):
    """The most batches, and about the most bytes, of a block."""

    batches: int
    bytes: int


PIPED = BlockLimits(2048, 1 << 20)
"""Limits of blocks where a target is not isolated. Any sound decoder gets through in the time that
it has for one batch."""

ISOLATED = BlockLimits(8192, 3 << 20)
"""Limits of blocks where all targets are watched batch by batch, so that a block may take any time.
The sampler takes less time for a batch of a large block, until a block is larger than the cache."""

FIRST_BLOCK = 128

B = TypeVar("B", Batches, Messages)
_B_contra = TypeVar("_B_contra", Batches, Messages, contravariant=True)

Draw = Callable[[int, int, int, str], B]
"""Draws batches or messages: of a seed, from an index on, so many, of a profile."""

Generate = Callable[[int, int, int, str], Block]
"""Makes the batches of a block, likewise."""


class Tested(Protocol[_B_contra]):
    """A target that is asked about batches or messages; see `Checker`."""

    target: str
    problem: str

    def send(self, batches: _B_contra, /) -> None:
        """Send batches."""

    def next_results(self) -> Checked:
        """Wait for the results of those that were sent first."""

    def take_notes(self) -> tuple[str, ...]:
        """Return notes since the last call."""

    def close(self) -> None:
        """End the target."""


@dataclass(frozen=True, slots=True)
class Job:
    """The settings that all tasks of a run share."""

    settings: RunSettings
    commands: tuple[Commands, ...]
    limits: Limits
    endurance: Endurance = field(default_factory=Endurance)


class ChunkRows(NamedTuple):
    """The results of one chunk: a row for every target, and findings."""

    done: list[Done]
    findings: list[FindingRow]


TASK_SECONDS = 9.0
"""A task takes up no further chunk after this time. So the rows of a slow target come before the
run is over, and an interruption costs seconds. What is left is for the next job."""


def for_a_while(job: Job, chunks: Iterable[Chunk], seconds: float = TASK_SECONDS) -> list[ChunkRows]:
    """Check chunks until the time is over, at least one; the next job does those that are left.

    Once a target is given up, all of them: it would only be given up again in the next task, after
    as long a time.
    """
    chunk_rows: list[ChunkRows] = []

    def pending_chunks() -> Iterator[Chunk]:
        began = monotonic()
        for chunk in chunks:
            if chunk_rows and monotonic() - began > seconds and not any(row.problem for row in chunk_rows[-1].done):
                return
            yield chunk

    for rows in run_kept(job, pending_chunks()):
        chunk_rows.append(rows)  # noqa: PERF402 - `pending_chunks` looks at what is there already
    return chunk_rows


def run(job: Job, chunks: Iterable[Chunk], generate: Generate | None = None) -> Iterator[ChunkRows]:
    """Check the chunks one by one against every target; yield the rows of each when it is done."""
    with closing(Targets(job, generate)) as targets:
        yield from targets.run(chunks)


class Targets:
    """A job's running targets in one worker.

    They outlive tasks: a start takes as long as thousands of batches.
    """

    def __init__(self, job: Job, generate: Generate | None = None) -> None:
        """Describe them; each starts with its first batches."""
        allocation.keep_memory()
        self._job = job
        commands = [_with_our_python(commands) for commands in job.commands]
        tested = [
            (name, command, job.limits, job.endurance)
            for name, command in zip(job.settings.targets, commands, strict=True)
        ]
        self._work: _Work[Messages] | _Work[Batches]
        if is_of_messages(job.settings):
            checkers = [MessageChecker(*each) for each in tested]
            self._work = _Work(job.settings, checkers, message_batches.generate, PIPED)
            return
        isolated = isolation_page.possible() and all(command.isolated is not None for command in commands)
        draw = _drawing(generate or _sampler())
        self._work = _Work(job.settings, [Checker(*each) for each in tested], draw, ISOLATED if isolated else PIPED)

    def fit(self, job: Job) -> bool:
        """Return True if these are the targets of that job, and all are alive."""
        return job == self._job and not any(target.problem for target in self._work.targets)

    def run(self, chunks: Iterable[Chunk]) -> Iterator[ChunkRows]:
        """Check chunks, see `run`."""
        return self._work.run(chunks)

    def close(self) -> None:
        """End them."""
        for target in self._work.targets:
            target.close()


_kept: list[Targets] = []
"""The targets that the last task of this worker has left running. They end with the worker."""


def run_kept(job: Job, chunks: Iterable[Chunk]) -> Iterator[ChunkRows]:
    """Run chunks with the targets that the job's last task left running; leave them running."""
    if _kept and not _kept[0].fit(job):
        _kept.pop().close()
    if not _kept:
        _kept.append(Targets(job))
    try:
        yield from _kept[0].run(chunks)
    except BaseException:  # in the midst of a block
        _kept.pop().close()
        raise


def _with_our_python(commands: Commands) -> Commands:
    """Start the suite's own programs with this Python and its import path."""
    piped, isolated = commands
    return Commands(_place_here(piped), None if isolated is None else _place_here(isolated))


def _place_here(command: Command) -> Command:
    if PYTHON not in command.arguments:
        return command
    arguments = tuple(sys.executable if word == PYTHON else word for word in command.arguments)
    environment = {**command.environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return replace(command, arguments=arguments, environment=environment)


class _Blocks(Generic[B]):
    """Draws the batches of chunks, in blocks as large as is good."""

    def __init__(self, settings: RunSettings, draw: Draw[B], room: BlockLimits) -> None:
        self._settings = settings
        self._draw: Draw[B] = draw
        self._size = FIRST_BLOCK
        self._room = room
        self.seconds = 0.0

    def batches_of(self, chunk: Chunk) -> Iterator[B]:
        """The batches of a chunk, block by block; `seconds` is what drawing them took."""
        self.seconds = 0.0
        index, end = chunk.start, chunk.start + chunk.count
        while index < end:
            began = perf_counter()
            count = min(self._size, end - index)
            batches = self._draw(self._settings.seed, index, count, self._settings.profile)
            self._size = next_size(count, batches.size, self._room)
            index += count
            self.seconds += perf_counter() - began
            yield batches


def next_size(count: int, size: int, room: BlockLimits) -> int:
    """Batches for the next block, after one of `count` batches and `size` bytes."""
    return max(1, min(room.batches, room.bytes * count // max(size, 1)))


class _Work(Generic[B]):
    """Targets, and what draws the batches or messages that they are asked about."""

    def __init__(self, settings: RunSettings, targets: Sequence[Tested[B]], draw: Draw[B], room: BlockLimits) -> None:
        self.targets: Sequence[Tested[B]] = targets
        self._draw: Draw[B] = draw
        self._settings, self._room = settings, room

    def run(self, chunks: Iterable[Chunk]) -> Iterator[ChunkRows]:
        blocks = _Blocks(self._settings, self._draw, self._room)
        for chunk in chunks:
            yield self._check(chunk, blocks)

    def _check(self, chunk: Chunk, blocks: _Blocks[B]) -> ChunkRows:
        """Check a chunk. While targets decode a block, the next one is drawn."""
        tallies = [ChunkTally(self._settings, target.target) for target in self.targets]
        pairs = list(zip(self.targets, tallies, strict=True))
        began = resources.cpu_seconds()
        before: B | None = None
        for batches in blocks.batches_of(chunk):
            for target, tally in pairs:
                with tally.timed():
                    target.send(batches)
            if before is not None:
                _collect(before, pairs)
            before = batches
        if before is not None:
            _collect(before, pairs)
        spent = _Spent(blocks.seconds, resources.cpu_seconds() - began, resources.peak_bytes())
        done = [_done_row(chunk, target, tally, spent) for target, tally in pairs]
        return ChunkRows(done, [finding for tally in tallies for finding in tally.findings])


def _collect(batches: B, pairs: Iterable[tuple[Tested[B], ChunkTally]]) -> None:
    for target, tally in pairs:
        with tally.timed():
            tally.add(batches, target.next_results())


class _Spent(NamedTuple):
    """The cost of a chunk that all targets share: seconds to generate, processor time, memory."""

    generation_seconds: float
    cpu_seconds: float
    memory: int


def _done_row(chunk: Chunk, target: Tested[B], tally: ChunkTally, spent: _Spent) -> Done:
    rows = tally.rows()
    return Done(
        target=target.target,
        chunk=chunk.number,
        start=chunk.start,
        count=chunk.count,
        compared=sum(row.batches for row in rows if fate(row.outcome).was_asked),
        findings=sum(row.batches for row in rows if fate(row.outcome).is_finding),
        kept=len(tally.findings),
        tally=rows,
        seconds=tally.seconds,
        generation_seconds=spent.generation_seconds,
        cpu_seconds=spent.cpu_seconds,
        memory=spent.memory,
        host=socket.gethostname(),
        pid=os.getpid(),
        problem=target.problem,
        notes=target.take_notes(),
    )


def prepare(settings: RunSettings) -> None:
    """Import modules and build tables, so that the first block need not wait for them.

    Spark has Python look for garbage after each task: not among what is there for good, which takes
    100 ms.
    """
    (message_batches.generate if is_of_messages(settings) else _sampler())(0, 0, 1, settings.profile)
    gc.collect()
    gc.freeze()


def _sampler() -> Generate:
    from kafka_format import sampler  # noqa: PLC0415 - numpy, which only a worker needs

    return sampler.block


def _drawing(generate: Generate) -> Draw[Batches]:
    """Return what draws the batches that blocks hold."""
    return lambda seed, start, count, profile: Batches(start, generate(seed, start, count, profile))
