"""Texts and bytes that anybody may paste: `python -m tests.fuzz.recognition --inputs 100000`.

Whatever comes, the reader of pastes gives bytes or a PasteError, the recogniser candidates or a
reason, and what is cut or doubted is explained without an error. The program prints how long the
slowest input took, and the most memory.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Iterator
from typing import Final

from kafka_format import paste
from kafka_format.explain.inside import How
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.explain.salvage import salvage
from kafka_format.recognition import LEAST, recognise

from tests.fuzz.seeds import seeds
from tests.pastes import PASTES, REFUSED

_LETTERS: Final = "0123456789abcdefxX \n\t,:;|*\\\"'[]{}()<>-_%.#gz=/+é\x00"
_SIZES: Final = (40, 80, 160, 300, 4000)
_CUT: Final = How(may_be_cut=True)
TEXTS: Final = [*(one.text for one in PASTES.values()), *(text for text, _ in REFUSED.values())]
BYTES: Final = [data for data in seeds(("v0", "v1", "v2", "v07")) if data]


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


def inputs(chance: random.Random) -> Iterator[bytes]:
    """Yield damaged, cut and framed bytes, without end."""
    while True:
        data = bytearray(chance.choice(BYTES)[: chance.choice(_SIZES)])
        at = chance.randrange(len(data) + 1)
        match chance.randrange(6):
            case 0:
                del data[at:]
            case 1:
                for _ in range(chance.randrange(1, 6)):
                    data[chance.randrange(len(data))] = chance.choice((0, 1, 2, 127, 128, 255, chance.randrange(256)))
            case 2:
                data[:0] = len(data).to_bytes(4, "big")
            case 3:
                data[:0] = (len(data) + chance.randrange(1, 99_999)).to_bytes(4, "big")
            case 4:
                data[at:at] = chance.randbytes(chance.randrange(1, 20))
            case _:
                other = chance.choice(BYTES)
                data[at:] = other[chance.randrange(len(other)) :][:300]
        yield bytes(data)


def check_text(text: str) -> None:
    """Read a text; an error says what is wrong."""
    try:
        read = paste.read(text)
    except paste.PasteError:
        return
    assert len(read.data) <= max(len(text), 16 << 20)
    assert read.way


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
        explain_response(data, "fetch", 12, how=_CUT).explanation,
        explain_response(data, "produce", 3, how=_CUT, start=start).explanation,
    ):
        assert sum(len(line.raw) for line in explained.lines if not line.payload) >= 0


def main() -> None:
    """Run, and print what was slowest."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - chance, not secrets
    _run("texts", check_text, texts(chance), options.inputs)
    _run("bytes", check_bytes, inputs(chance), options.inputs)
    _run("cut", check_cut, inputs(chance), options.inputs // 10)


def _run(name: str, check: Callable[..., None], source: Iterator[str] | Iterator[bytes], count: int) -> None:
    slowest = 0.0
    start = time.process_time()
    for _ in range(count):
        before = time.process_time()
        check(next(source))
        slowest = max(slowest, time.process_time() - before)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(  # noqa: T201 - a program
        f"{name}: {count} in {time.process_time() - start:.0f} s, slowest {slowest:.2f} s, most memory {most} MiB"
    )


if __name__ == "__main__":
    main()
