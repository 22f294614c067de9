"""Which cases a usual run keeps: a share of those that are alike, others after every commit.

Only data is sampled, of the kinds in `KINDS`: what holds for one layout, vector or mutant holds for
the next, or the code that is common to them is wrong. A table of behaviours (a decoder that
crashes, hangs, lies) always runs whole, since each row is another path of the code.

The sample depends on a salt, which is the commit: the cases that one commit leaves out, others run.
"""

from __future__ import annotations

import subprocess
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import pytest
from kafka_format.spec.layout import specification

T = TypeVar("T")

ROOT: Final = Path(__file__).resolve().parent.parent


def _is_layout(value: Any) -> bool:
    return value in specification().layouts or value in specification().versioned


def _is_vector(value: Any) -> bool:
    return hasattr(value, "verdict") or (isinstance(value, str) and value.startswith(("directory/", "file/", "start/")))


KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "layouts": _is_layout,
    "vectors": _is_vector,
    "mutants": lambda value: hasattr(value, "change"),
    "findings": lambda value: hasattr(value, "findings"),
    "seeds": lambda value: type(value) is int,
    "pages": lambda value: isinstance(value, str) and value.endswith(".html"),
}
"""What may be sampled, and whether a parameter of a test is such a thing."""


def salt() -> str:
    """Return what the sample depends on: the commit; the version where there is no git."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return version("kafka-format-conformance")


class Share(Protocol):
    """Takes one in so many things, one at least, and all of them in a whole run."""

    def __call__(self, things: Sequence[T], one_in: int, *, of: str) -> list[T]: ...


class Sample:
    """The share of each test that runs, and the count of what does and does not."""

    def __init__(self, salt: str, *, is_whole: bool) -> None:
        """Take the salt, and whether nothing is to be left out."""
        self.salt = salt
        self.is_whole = is_whole
        self.counts: dict[str, tuple[str, int, int]] = {}

    def of(self, name: str, kind: str, things: Sequence[T], one_in: int) -> list[T]:
        """Return one in so many things, one at least, and all of them in a whole run.

        Args:
            name: the test, for the summary.
            kind: what the things are, one of `KINDS`.
            things: them, in an order that does not change.
            one_in: the inverse of the share.
        """
        test = name.partition("[")[0]
        first = zlib.crc32(f"{self.salt} {name}".encode()) % max(min(one_in, len(things)), 1)
        kept = list(things) if self.is_whole else list(things[first::one_in])
        _, ran, there = self.counts.get(test, ("", 0, 0))
        self.counts[test] = (kind, ran + len(kept), there + len(things))
        return kept

    def share(self, name: str) -> Share:
        """Return a function that takes the sample of a list, for the test of this name."""
        return lambda things, one_in, *, of: self.of(f"inside {name}", of, things, one_in)

    def cases(self, items: Iterable[pytest.Item]) -> set[pytest.Item]:
        """Return the tests that run; of one that is marked `sampled`, some of its cases.

        Raises:
            UsageError: a mark names no kind of data, or is on a test of something else.
        """
        kept, cases = set[pytest.Item](), defaultdict[str, list[pytest.Item]](list)
        for item in items:
            name = item.nodeid.partition("[")[0]
            if item.get_closest_marker("sampled") is not None:
                cases[name].append(item)
            elif self.is_whole or item.get_closest_marker("whole") is None:
                kept.add(item)
            else:
                _, ran, there = self.counts.get(name, ("", 0, 0))
                self.counts[name] = ("whole runs", ran, there + 1)
        for name, some in cases.items():
            kind, one_in = _mark(some[0])
            kept.update(self.of(name, kind, some, one_in))
        return kept

    def lines(self) -> Iterable[str]:
        """Yield the summary: what ran of each test, and of each kind in all."""
        ran, there = Counter[str](), Counter[str]()
        for name, (kind, some, every) in sorted(self.counts.items()):
            ran[kind] += some
            there[kind] += every
            yield f"{some:5,} of {every:5,} {kind:10} {name}"
        shares = [f"{ran[kind]:,} of {there[kind]:,} {kind}" for kind in there]
        yield f"ran {'; '.join(shares) or 'everything'}"


def _mark(item: pytest.Item) -> tuple[str, int]:
    """Return what a marked test is about, and one in how many of its cases runs."""
    mark = item.get_closest_marker("sampled")
    assert mark is not None
    kind, (one_in, *_) = mark.kwargs.get("of"), (*mark.args, 0)
    if kind not in KINDS or not isinstance(one_in, int) or one_in < 2:
        text = "is `sampled` without saying what its cases are: write sampled(3, of="
        raise pytest.UsageError(f"{item.nodeid}: {text}{' | '.join(KINDS)})")
    callspec = getattr(item, "callspec", None)
    if callspec is None or not any(KINDS[kind](value) for value in callspec.params.values()):
        text = f"is `sampled` of {kind}, and no parameter is one: a table of behaviours runs whole"
        raise pytest.UsageError(f"{item.nodeid}: {text}")
    return kind, one_in
