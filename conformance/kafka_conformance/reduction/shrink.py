"""Delta debugging on a tree: leave out what can be left out, make the rest simple.

Deterministic: the same tree and the same answers give the same result. A pass goes over the whole
tree, and passes are repeated until one changes nothing. What removes most is tried first: entries
and records, the codec, derived fields that the writer can work out, headers, bytes, numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from kafka_format.records.model import CODEC_MASK

from kafka_conformance.reduction.tree import NULL, Path, Tree, at, left_out, set_at, simplest, unwrap

_SMALL: Final = range(1, 9)
_LISTS: Final = ("inner", "records", "headers")
_DERIVED: Final = (("max_timestamp",), ("last_offset_delta",), ("offset",), ("message", "timestamp"))
_SINGLE_BYTES: Final = 64
"""Content up to this length is simplified byte by byte."""


class OutOfBudgetError(Exception):
    """No more candidates may be tried; the smallest tree so far is the result."""


class Step(NamedTuple):
    """One way to make a tree smaller, at each of its places that are wanted.

    Attributes:
        is_wanted: tells it of a path and the value there.
        take: makes the value at a path smaller.
        outermost: True if outer places come first; else the last come first.
    """

    is_wanted: Callable[[Path, Any], bool]
    take: Callable[[Shrinker, Path], None]
    outermost: bool = False


def shrink(tree: Tree, fails: Callable[[Tree], bool], steps: Sequence[Step]) -> tuple[Tree, bool]:
    """Return the smallest tree found that still fails, and whether every candidate was tried.

    Args:
        tree: one that fails.
        fails: whether the target fails on a tree in the same way; may raise OutOfBudgetError.
        steps: how it is made smaller, in this order: `OF_ENTRIES` or `OF_MESSAGES`.
    """
    shrinker = Shrinker(tree, fails, steps)
    try:
        shrinker.run()
    except OutOfBudgetError:
        return shrinker.tree, False
    return shrinker.tree, True


class Shrinker:
    """Tries smaller trees, and keeps those that still fail.

    Attributes:
        tree: the smallest so far.
    """

    def __init__(self, tree: Tree, fails: Callable[[Tree], bool], steps: Sequence[Step]) -> None:
        """Begin with a tree that fails."""
        self.tree = tree
        self._fails, self._steps = fails, steps

    def run(self) -> None:
        """Go over the tree until nothing changes any more.

        Raises:
            OutOfBudgetError: no more candidates may be tried.
        """
        before: Tree = []
        while before != self.tree:
            before = self.tree
            for step in self._steps:
                self._each(step)

    def _each(self, step: Step) -> None:
        """Take a step at every wanted place that is still there."""
        paths = [path for path, value in _places((), self.tree) if step.is_wanted(path, value)]
        for path in sorted(paths, key=len) if step.outermost else reversed(paths):
            if step.is_wanted(path, at(self.tree, path)):
                step.take(self, path)

    def _try(self, path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
        """Put a value in the place of another, and keep it if the tree still fails."""
        if at(self.tree, path) == value:
            return False
        return self._keep(set_at(self.tree, path, value))

    def _keep(self, candidate: Tree) -> bool:
        if not self._fails(candidate):
            return False
        self.tree = candidate
        return True

    def shorten(self, path: Path) -> None:
        """Leave out runs of items, long ones first."""
        items = at(self.tree, path)
        self._cut(path, len(items) or 1, items)

    def _cut(self, path: Path, size: int, items: Any) -> None:  # noqa: ANN401 - a list, or bytes
        while size:
            start = 0
            while start < len(items):
                shorter = items[:start] + items[start + size :]
                if self._try(path, shorter):
                    items = shorter
                else:
                    start += size
            size //= 2

    def uncompress(self, path: Path) -> None:
        """Take the codec away, or the wrapper."""
        entry = at(self.tree, path)
        if "inner" not in entry:
            self._try((*path, "attributes"), entry["attributes"] & ~CODEC_MASK)
        else:
            self._keep(unwrap(self.tree, path))

    def leave_out_derived(self, path: Path) -> None:
        """Leave out fields that the writer can work out."""
        entry = at(self.tree, path)
        for *above, name in _DERIVED:
            owner = at(entry, tuple(above))
            if not isinstance(owner, dict) or name not in owner or not ("records" in entry or "inner" in entry):
                continue
            if self._try((*path, *above), {key: value for key, value in owner.items() if key != name}):
                entry = at(self.tree, path)

    def simplify_bytes(self, path: Path) -> None:
        """Leave out bytes, cut them, or make them zeros."""
        value = at(self.tree, path)
        if value is not None and path[-1] in NULL and self._try(path, None):
            return
        if self._try(path, b"") or not value:
            return
        self._cut(path, len(value), value)
        value = at(self.tree, path)
        if not self._try(path, bytes(len(value))) and len(value) <= _SINGLE_BYTES:
            for index in range(len(value)):
                value = at(self.tree, path)
                self._try(path, value[:index] + b"\0" + value[index + 1 :])

    def simplify_number(self, path: Path) -> None:
        """Make a number the simplest of its field, or else small."""
        if path[-1] == "magic" or self._try(path, simplest(str(path[-1]))):
            return
        if path[-1] == "attributes":
            self._bits(path)
        elif not any(self._try(path, number) for number in _SMALL if number < abs(at(self.tree, path))):
            self._halve(path)

    def leave_out(self, path: Path) -> None:
        """Leave out a member, which then has its default."""
        owner = at(self.tree, path[:-1])
        if isinstance(owner, dict) and path[-1] in owner:  # what it stood in may be left out by now
            self._keep(left_out(self.tree, path))

    def cut_content(self, path: Path) -> None:
        """Shorten a text or bytes."""
        value = at(self.tree, path)
        self._try(path, value[:0])
        self._cut(path, len(at(self.tree, path)), at(self.tree, path))

    def _bits(self, path: Path) -> None:
        """Clear bits one by one, the sign first.

        A value that does not fit the field is no candidate.
        """
        for mask in (0x7F, 0x7FFF, *(~(1 << bit) for bit in reversed(range(15)))):
            self._try(path, at(self.tree, path) & mask)

    def _halve(self, path: Path) -> None:
        """Halve the distance to 0; finds the border exactly if all larger numbers fail alike."""
        value = at(self.tree, path)
        sign, low, high = (-1 if value < 0 else 1), 0, abs(value)
        while high - low > 1:
            middle = (low + high) // 2
            if self._try(path, sign * middle):
                high = middle
            else:
                low = middle


def _places(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:  # noqa: ANN401 - any value of a tree
    yield path, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _places((*path, name), member)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places((*path, index), item)


def _is_list(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, list) and bool(path) and path[-1] in _LISTS


def _is_entry(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, dict) and ("records" in value or "message" in value) and isinstance(path[-1], int)


def _has_codec(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return _is_entry(path, value) and ("inner" in value or bool(value.get("attributes", 0) & CODEC_MASK))


def _is_bytes(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    """Tell bytes, and a null that is not the simplest value."""
    return isinstance(value, bytes) or (value is None and bool(path) and path[-1] not in NULL)


def _is_number(_: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, int) and not isinstance(value, bool)


def _is_tree(path: Path, _: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return not path


def _is_member(path: Path, _: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return bool(path) and isinstance(path[-1], str)


def _is_array(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return bool(path) and isinstance(value, list)


def _is_content(_: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, str | bytes) and bool(value)


OF_ENTRIES: Final = (
    Step(_is_tree, Shrinker.shorten),
    Step(_is_list, Shrinker.shorten, outermost=True),
    Step(_has_codec, Shrinker.uncompress),
    Step(_is_entry, Shrinker.leave_out_derived),
    Step(_is_bytes, Shrinker.simplify_bytes),
    Step(_is_number, Shrinker.simplify_number),
)
"""Steps for record batches and messages: entries, records and headers, the codec, fields that the
writer can work out, bytes, numbers."""

OF_MESSAGES: Final = (
    Step(_is_member, Shrinker.leave_out, outermost=True),
    Step(_is_array, Shrinker.shorten, outermost=True),
    Step(_is_content, Shrinker.cut_content),
    Step(_is_number, Shrinker.simplify_number),
)
"""Steps for requests and responses: members, items of arrays, texts and bytes, numbers."""
