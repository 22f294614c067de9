"""Puts hostile bytes to every reader of the protocol, and tells which promises are broken.

`python -m tests.fuzz.messages --seconds 1200 --seed 1`, or `--inputs 10000000`. Bytes are those of
`message_mutator`: vectors and random messages, changed. Every version of every layout is a subject;
so are whole requests and responses, keys and values of Kafka's own topics, frames one after the
other, and captures. What is promised:

- an answer, or a FormatError of a known rule with a place in the input;
- the compiled reader and the interpreter agree;
- what is read strictly is written again byte for byte, and survives its way through JSON;
- flags accept more and never less, and change nothing about what is right without them;
- what `explain` says is wrong is what decoding says, and every byte has a line;
- time and memory follow from the size of the input. The process may take no more than `MOST`.

What is broken is printed by kind, the shortest input of each kind with it; the exit status is 1
then. The same seed makes the same inputs.
"""

from __future__ import annotations

import argparse
import re
import resource
import sys
import time
import traceback
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from tests.fuzz.message_mutator import MessageMutator
from tests.fuzz.message_promises import SUBJECTS, Broken, Subject

MOST: Final = 3 << 30
"""Bytes of address space that the process may take."""

SLOWEST: Final = 2.0
"""Seconds of processor time that an input may take."""

MEASURED: Final = 997
"""One in so many inputs is put again with its memory measured."""

PER_BYTE: Final = 4000
"""Bytes of memory that a byte of the input may cost: explaining takes a line for each field."""

AT_LEAST: Final = 1 << 20
"""Bytes of memory that any input may cost."""

_BLOCK: Final = 50


class Finding(NamedTuple):
    """An input and the promise that it breaks."""

    kind: str
    subject: str
    data: bytes


def subjects(number: int, kinds: Sequence[str]) -> Iterator[tuple[Subject, MessageMutator]]:
    """Yield subjects of some kinds for ever, each with what makes its inputs."""
    mutator = MessageMutator(number)
    while True:
        kind = mutator.random.choices(kinds, [SUBJECTS[kind].weight for kind in kinds])[0]
        yield SUBJECTS[kind].choose(mutator.random), mutator


def tried(subject: Subject, data: bytes, *, measured: bool = False) -> str:
    """Put an input to a subject; return the promise that it breaks, or nothing."""
    began = time.process_time()
    try:
        subject.check(data)
    except Broken as broken:
        return str(broken)
    except MemoryError:
        return "takes more memory than there may be"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} at {last.name}, line {last.lineno}: {_plain(str(error))}"
    took = time.process_time() - began
    if took > SLOWEST:
        return f"takes {took:.1f} s for {len(data)} bytes"
    return _greedy(subject, data) if measured else ""


def _greedy(subject: Subject, data: bytes) -> str:
    tracemalloc.start()
    try:
        subject.check(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return f"takes {peak} bytes of memory for {len(data)}" if peak > AT_LEAST + PER_BYTE * len(data) else ""


def _plain(said: str) -> str:
    return re.sub(r"-?\b[0-9]+", "N", said)[:120]


def run(
    number: int, kinds: Sequence[str], *, inputs: int, seconds: float, tell: Callable[[int], None] = lambda _: None
) -> tuple[Counter[str], list[Finding]]:
    """Put inputs until there were so many, so much processor time is over, or somebody interrupts.

    Returns:
        How many of each kind of subject there were, and what is broken.
    """
    done: Counter[str] = Counter()
    found: list[Finding] = []
    began = time.process_time()
    with suppress(KeyboardInterrupt):
        for subject, mutator in subjects(number, kinds):
            seeds = subject.seeds()
            for _ in range(max(1, int(_BLOCK * subject.speed))):
                data = subject.make(mutator, seeds)
                done[subject.kind] += 1
                broken = tried(subject, data, measured=done.total() % MEASURED == 0)
                if broken:
                    found.append(Finding(broken, subject.name, data))
            tell(done.total())
            if done.total() >= inputs or time.process_time() - began > seconds:
                break
    return done, found


def main() -> int:
    """Fuzz; 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1 << 62, help="end after so many inputs")
    parser.add_argument("--seconds", type=float, default=600, help="of processor time (default: 600)")
    parser.add_argument("--seed", type=int, default=0, help="number that decides the inputs")
    parser.add_argument("--only", choices=list(SUBJECTS), nargs="+", metavar="KIND", help=f"of {', '.join(SUBJECTS)}")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
    kinds = options.only or list(SUBJECTS)
    done, whole_run = run(options.seed, kinds, inputs=options.inputs, seconds=options.seconds, tell=_progress())
    sys.stdout.write(text(done, whole_run))
    return int(bool(whole_run))


def text(done: Counter[str], found: Sequence[Finding]) -> str:
    """Return how many inputs there were, and what is broken, with the shortest input of a kind."""
    lines = [f"{done.total()} inputs ({', '.join(f'{count} {kind}' for kind, count in done.most_common())})"]
    by_kind: dict[str, list[Finding]] = {}
    for one in found:
        by_kind.setdefault(f"{one.subject.split()[0]}: {one.kind}", []).append(one)
    for kind, same in sorted(by_kind.items(), key=lambda item: -len(item[1])):
        shortest = min(same, key=_size)
        lines.append(f"  {len(same)} x {kind}\n    {shortest.subject}: {shortest.data[:400].hex()}")
    return "\n".join([*lines, f"{len(found)} break a promise"]) + "\n"


def _size(finding: Finding) -> int:
    return len(finding.data)


def _progress() -> Callable[[int], None]:
    """Return what prints how many inputs there were, every now and then."""
    step = 100_000
    told = 0

    def tell(count: int) -> None:
        nonlocal told
        if count - told >= step:
            told = count
            sys.stderr.write(f"{count} inputs\n")

    return tell


if __name__ == "__main__":
    sys.exit(main())
