"""Plans a run: cuts batches into chunks, and chunks into tasks.

A chunk is what is done or not done. Its number and its batches follow from the settings alone,
never from the number of cores, so an interrupted run can go on elsewhere. A task is a run of chunks
that shares one start of the target.
"""

from collections.abc import Sequence
from dataclasses import dataclass

LARGEST_CHUNK = 16_384
SMALLEST_CHUNK = 500
_CHUNKS = 32
"""Chunks of a small run: enough to keep the cores of a workstation busy to the end."""

MOST_BATCHES = 10**10
"""Of a run: weeks of a large machine. Whoever wants more takes another seed."""

LARGEST_SEED = 2**63 - 1
"""Of an index too."""

MOST_CHUNKS = 100_000
"""Of a run: the command knows each of them, and so does a folder."""

TASK = 100_000
"""Most batches of the first tasks, as long as nobody knows how quick the targets are: seconds for
any decoder."""

SECONDS = 7.0
"""What a task should take from then on. Spark takes some hundredths of a second from one to the
next."""

FIRST = 8
"""A run of more tasks a core than this begins with one a core, to find out how quick the targets
are."""

TASKS_A_CORE = 2
"""A task has at most this part of what is left for a core: tasks get smaller, and no core waits
long for the last one."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run; two runs with the same settings check the same bytes.

    Attributes:
        targets: names as the user gave them, in that order.
        batches: how many.
        seed: 0 to 2^63-1.
        profile: name of one of the sampler's profiles, or one of `MESSAGES`.
        chunk: batches a chunk; the last one may have fewer.
    """

    targets: tuple[str, ...]
    batches: int
    seed: int
    profile: str
    chunk: int


MESSAGES = ("requests", "responses")
"""The profiles that make requests or responses in place of batches."""


def is_of_messages(settings: RunSettings) -> bool:
    """Tell whether a run makes requests or responses."""
    return settings.profile in MESSAGES


def profiles() -> tuple[str, ...]:
    """Return the names of all profiles."""
    from kafka_format.sampler import PROFILES  # noqa: PLC0415 - numpy, which not everybody needs who plans

    return (*PROFILES, *MESSAGES)


@dataclass(frozen=True, slots=True)
class Endurance:
    """The number of deaths of a target, and the time that they may take.

    Attributes:
        patience: seconds that a task spends on batches that kill a target, before it gives the
            target up. A target that needs more has died so often that further deaths show nothing
            new.
        deaths: batches with a fault are skipped after this many of them have killed the target, see
            `ask.fatal_faults`; 0 skips none. Each death costs a restart, or the time limit of one
            batch.
    """

    patience: float = 60.0
    deaths: int = 5


@dataclass(frozen=True, slots=True)
class Chunk:
    """Batches `start` to `start + count - 1`."""

    number: int
    start: int
    count: int


def usual_chunk(batches: int) -> int:
    """Return the default number of batches per chunk."""
    return max(min(LARGEST_CHUNK, max(SMALLEST_CHUNK, -(-batches // _CHUNKS))), smallest_chunk(batches))


def smallest_chunk(batches: int) -> int:
    """Return the smallest number of batches per chunk, so that there are not too many chunks."""
    return -(-batches // MOST_CHUNKS)


def wrong(settings: RunSettings) -> str:
    """Return the name of the first impossible setting; empty if all are possible."""
    names, batches, seed, chunk = settings.targets, settings.batches, settings.seed, settings.chunk
    possible = {
        "targets": bool(names) and all(type(name) is str for name in names),
        "batches": type(batches) is int and 0 < batches <= MOST_BATCHES,
        "seed": type(seed) is int and 0 <= seed <= LARGEST_SEED,
        "profile": type(settings.profile) is str and settings.profile in profiles(),
        "chunk": type(chunk) is int and chunk > 0,
    }
    wrong_name = next((name for name, is_so in possible.items() if not is_so), "")
    return wrong_name or ("chunk" if chunk < smallest_chunk(batches) else "")


def chunks(settings: RunSettings) -> tuple[Chunk, ...]:
    """Split the batches of a run into chunks; only the last one may be short."""
    starts = range(0, settings.batches, settings.chunk)
    return tuple(
        Chunk(number, start, min(settings.chunk, settings.batches - start)) for number, start in enumerate(starts)
    )


def first_tasks(todo: Sequence[Chunk], cores: int) -> list[tuple[Chunk, ...]]:
    """Return the first tasks; of a long run, only enough to learn how quick it is."""
    portions = tasks(todo, cores, TASK)
    return portions[:cores] if len(portions) > FIRST * cores else portions


def tasks(todo: Sequence[Chunk], cores: int, most: float) -> list[tuple[Chunk, ...]]:
    """Return tasks of at most `most` batches, in order: large ones first, single chunks last."""
    portions: list[tuple[Chunk, ...]] = []
    at = 0
    while at < len(todo):
        number = max(1, min(int(most) // todo[at].count, (len(todo) - at) // (TASKS_A_CORE * cores)))
        portions.append(tuple(todo[at : at + number]))
        at += number
    return portions
