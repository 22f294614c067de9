"""Differences between generated text and the files: where each is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from kafka_generator.protocol_vectors.files import unpack

_RUN = "run `python generate.py`"


def drift(contents: Mapping[Path, str], root: Path) -> Iterator[str]:
    """Yield a complaint for each file that would be written differently, or that no table makes.

    An empty text in `contents` is that of a file which is known to be stale, but was not made anew.
    """
    for file, text in contents.items():
        name = file.relative_to(root)
        if not file.exists():
            yield f"{name} is missing; {_RUN}"
        elif not text:
            yield f"{name} is not about the mutants and vectors that there are; {_RUN}"
        elif (there := unpack(file)) != text:
            line = _first_difference(there, text)
            yield f"{name}:{line}: is not what generate.py makes of its source; change that, not this file, and {_RUN}"
    vectors = root / "vectors"
    for file in sorted((*vectors.rglob("*.jsonl"), *vectors.rglob("*.jsonl.gz"))):
        if file not in contents and file.parent.name != "cases":
            yield f"{file.relative_to(root)} is made of no table; delete it"


def _first_difference(there: str, text: str) -> int:
    """Return the number of the first different line, from 1; after the shorter text if none is."""
    old, new = there.splitlines(), text.splitlines()
    same = zip(old, new, strict=False)
    return next((number for number, (a, b) in enumerate(same, 1) if a != b), min(len(old), len(new)) + 1)
