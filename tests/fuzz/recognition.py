"""A million things that anybody may paste: `python -m tests.fuzz.recognition`.

Random bytes; frames, files, records and captures, sound, damaged and cut; damaged pastes. Whatever
comes, the reader of pastes gives bytes or a PasteError, the recogniser candidates or a reason, and
what is cut or doubted is explained without an error. Nothing is claimed for certain of random
bytes. An input may take `SLOWEST` seconds of processor time, the process `MOST` bytes of memory.

What is broken is printed by kind, with the shortest input of each; the exit status is 1 then. The
same seed makes the same inputs.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Final, NamedTuple

from kafka_conformance.vectors import protocol as vectors
from kafka_format import paste, protocol
from kafka_format.explain.inside import How
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.explain.salvage import salvage
from kafka_format.recognition import LEAST, read_text, recognise

from tests import shipped
from tests.fuzz.message_mutator import MessageMutator
from tests.fuzz.seeds import seeds
from tests.pastes import PASTES, REFUSED

SLOWEST: Final = 5.0
"""Seconds of processor time that an input may take."""

MOST: Final = 2 << 30
"""Bytes of address space that the process may take."""

_LETTERS: Final = "0123456789abcdefxX \n\t,:;|*\\\"'[]{}()<>-_%.#gz=/+é\x00"
_RANDOM_SIZES: Final = (0, 1, 4, 7, 8, 12, 16, 20, 30, 60, 100, 300, 1000, 5000)
_LONGEST: Final = 4000
_CUT: Final = How(may_be_cut=True)
_CAPTURES: Final = Path(__file__).parents[1] / "captures"
TEXTS: Final = [*(one.text for one in PASTES.values()), *(text for text, _ in REFUSED.values())]


class SlowError(AssertionError):
    """An input takes longer than any may."""


def texts(chance: random.Random) -> Iterator[str]:
    """Yield damaged pastes, without end."""
    while True:
        text = list(chance.choice(TEXTS))[: chance.choice((60, 400, 4000))]
        for _ in range(chance.randrange(8)):
            at, other = chance.randrange(len(text) + 1), chance.choice(TEXTS)
            start = chance.randrange(len(other) + 1)
            match chance.randrange(4):
                case 0:
                    text[at:at] = chance.choice(_LETTERS)
                case 1:
                    del text[at : at + chance.randrange(1, 9)]
                case 2:
                    text[at : at + 1] = chance.choice(_LETTERS)
                case _:
                    text[at:at] = other[start : start + 60]
        yield "".join(text)


def random_bytes(chance: random.Random) -> Iterator[bytes]:
    """Yield bytes that mean nothing, without end."""
    while True:
        yield chance.randbytes(chance.choice(_RANDOM_SIZES))


@cache
def sound() -> tuple[bytes, ...]:
    """Return what is sound: records, frames with and without sizes, files, captures."""
    found = [*seeds(("v0", "v1", "v2", "v07")), *_frames()]
    found += [bytes.fromhex(one.get("hex", "")) for one in shipped.log_vectors("files.jsonl").values()]
    for one in shipped.log_vectors("directories.jsonl").values():
        found += map(bytes.fromhex, one["files"].values())
    found += [file.read_bytes()[:_LONGEST] for file in _CAPTURES.glob("*.pcap")]
    return tuple(sorted({data[:_LONGEST] for data in found if data}))


def _frames() -> Iterator[bytes]:
    """Yield the vectors of the protocol, as requests and responses with sizes and without."""
    for number, vector in enumerate(vectors.load()):
        if vector.is_framed or vector.kind not in ("request", "response"):
            yield vector.data
            continue
        header = _header(vector.api, vector.versions[-1], vector.kind)
        frame = header + vector.data
        yield frame if number % 3 else len(frame).to_bytes(4, "big") + frame


def _header(api: int, version: int, kind: str) -> bytes:
    number = protocol.header_version(api, version, kind)
    if kind == "response":
        return (4711).to_bytes(4, "big") + bytes(number)
    ids = api.to_bytes(2, "big") + version.to_bytes(2, "big") + (4711).to_bytes(4, "big")
    return ids + b"\0\6orders" * (number > 0) + bytes(number > 1)


def inputs(chance: random.Random) -> Iterator[bytes]:
    """Yield sound things that are changed, cut, framed or joined, without end."""
    mutator = MessageMutator(chance.randrange(1 << 30))
    while True:
        data = chance.choice(sound())
        at = chance.randrange(len(data) + 1)
        match chance.randrange(7):
            case 0:
                data = data[:at]
            case 1 | 2:
                data = mutator.message([data])
            case 3:
                data = len(data).to_bytes(4, "big") + data
            case 4:
                data = (len(data) + chance.randrange(1, 99_999)).to_bytes(4, "big") + data
            case 5:
                data = data[:at] + chance.randbytes(chance.randrange(1, 20)) + data[at:]
            case _:
                other = chance.choice(sound())
                data = data[:at] + other[chance.randrange(len(other)) :][:300]
        yield data[:_LONGEST]


def check_text(text: str) -> None:
    """Read a text; an error says what is wrong."""
    try:
        read = read_text(text)
    except paste.PasteError:
        return
    assert len(read.data) <= max(len(text), 16 << 20)
    assert read.way


def check_random(data: bytes) -> None:
    """Recognise bytes that mean nothing: what is claimed of them is a guess."""
    check_bytes(data)
    best = recognise(data).best
    assert best is None or best.is_guess, f"claimed for certain: {best.title}"


def check_bytes(data: bytes) -> None:
    """Recognise bytes: good candidates, or a reason."""
    found = recognise(data)
    assert bool(found.candidates) != bool(found.why)
    assert all(one.score >= LEAST and one.title for one in found.candidates)


def check_cut(data: bytes) -> None:
    """Explain bytes as what is cut."""
    start = min(4, len(data))
    for explained in (
        salvage(data),
        explain_request(data, how=_CUT, start=start).explanation,
        explain_request(data, how=_CUT).explanation,
        explain_response(data, how=_CUT).explanation,
        explain_response(data, "fetch", 12, how=_CUT).explanation,
        explain_response(data, "produce", 3, how=_CUT, start=start).explanation,
    ):
        assert sum(len(line.raw) for line in explained.lines if not line.payload) >= 0


class Subject(NamedTuple):
    """What is fuzzed: its inputs, its check, and its share of all inputs."""

    inputs: Callable[[random.Random], Iterator[str] | Iterator[bytes]]
    check: Callable[..., None]
    share: float


SUBJECTS: Final[Mapping[str, Subject]] = {
    "damaged pastes": Subject(texts, check_text, 0.3),
    "random bytes": Subject(random_bytes, check_random, 0.2),
    "damaged and cut things": Subject(inputs, check_bytes, 0.45),
    "the same, explained": Subject(inputs, check_cut, 0.05),
}


def main() -> int:
    """Fuzz; 1 if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
    signal.signal(signal.SIGVTALRM, _stop)
    chance = random.Random(options.seed)  # noqa: S311 - chance, not secrets
    broken = 0
    for name, subject in SUBJECTS.items():
        broken += _run(name, subject, chance, int(options.inputs * subject.share))
    return int(broken > 0)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise SlowError(f"takes more than {SLOWEST} s")


def _run(name: str, subject: Subject, chance: random.Random, count: int) -> int:
    """Put inputs to a subject; return how many kinds of broken promises there are."""
    source = subject.inputs(chance)
    slowest, start, broken = 0.0, time.process_time(), dict[str, str | bytes]()
    for _ in range(count):
        one = next(source)
        before = time.process_time()
        said = tried(subject.check, one)
        slowest = max(slowest, time.process_time() - before)
        if said and (said not in broken or len(one) < len(broken[said])):
            broken[said] = one
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    seconds = time.process_time() - start
    sys.stdout.write(
        f"{name}: {count} in {seconds:.0f} s, slowest {slowest:.2f} s, most memory {most} MiB, {len(broken)} broken\n"
    )
    for said, one in broken.items():
        sys.stdout.write(f"  {said}\n    {(one.hex() if isinstance(one, bytes) else repr(one))[:800]}\n")
    sys.stdout.flush()
    return len(broken)


def tried(check: Callable[..., None], one: str | bytes) -> str:
    """Put an input to a check; return what is broken, or nothing."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SLOWEST)
    try:
        check(one)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} at {last.name}, line {last.lineno}: {str(error)[:120]}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


if __name__ == "__main__":
    sys.exit(main())
