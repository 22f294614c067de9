"""Delta debugging on a tree: leave out what can be left out, make the rest simple.

Deterministic: the same tree and the same answers give the same result. A pass goes over the whole
tree, and passes are repeated until one changes nothing. What removes most is tried first: entries
and records, the codec, derived fields that the writer can work out, headers, bytes, numbers.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

from kafka_format.records.model import CODEC_MASK

from kafka_conformance.reduction.tree import NULL, Path, Tree, at, set_at, simplest, unwrap

_SMALL: Final = range(1, 9)
_LISTS: Final = ("inner", "records", "headers")
_DERIVED: Final = (("max_timestamp",), ("last_offset_delta",), ("offset",), ("message", "timestamp"))
_SINGLE_BYTES: Final = 64
"""Content up to this length is simplified byte by byte."""


class OutOfBudgetError(Exception):
    """No more candidates may be tried; the smallest tree so far is the result."""


def shrink(tree: Tree, fails: Callable[[Tree], bool]) -> tuple[Tree, bool]:
    """Return the smallest tree found that still fails, and whether every candidate was tried.

    Args:
        tree: one that fails.
        fails: whether the target fails on a tree in the same way; may raise OutOfBudgetError.
    """
    shrinker = Shrinker(tree, fails)
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

    def __init__(self, tree: Tree, fails: Callable[[Tree], bool]) -> None:
        """Begin with a tree that fails."""
        self.tree = tree
        self._fails = fails

    def run(self) -> None:
        """Go over the tree until nothing changes any more.

        Raises:
            OutOfBudgetError: no more candidates may be tried.
        """
        before: Tree = []
        while before != self.tree:
            before = self.tree
            self._shorten(())
            self._each(_is_list, self._shorten, outermost=True)
            self._each(_has_codec, self._uncompress)
            self._each(_is_entry, self._derive)
            self._each(_is_bytes, self._bytes)
            self._each(_is_number, self._number)

    def _each(
        self, wanted: Callable[[Path, Any], bool], step: Callable[[Path], None], *, outermost: bool = False
    ) -> None:
        """Take a step at every wanted place that is still there: last first, or outermost first."""
        paths = [path for path, value in _places((), self.tree) if wanted(path, value)]
        for path in sorted(paths, key=len) if outermost else reversed(paths):
            if wanted(path, at(self.tree, path)):
                step(path)

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

    def _shorten(self, path: Path) -> None:
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

    def _uncompress(self, path: Path) -> None:
        entry = at(self.tree, path)
        if "inner" not in entry:
            self._try((*path, "attributes"), entry["attributes"] & ~CODEC_MASK)
        else:
            self._keep(unwrap(self.tree, path))

    def _derive(self, path: Path) -> None:
        """Leave out fields that the writer can work out."""
        entry = at(self.tree, path)
        for *above, name in _DERIVED:
            owner = at(entry, tuple(above))
            if not isinstance(owner, dict) or name not in owner or not ("records" in entry or "inner" in entry):
                continue
            if self._try((*path, *above), {key: value for key, value in owner.items() if key != name}):
                entry = at(self.tree, path)

    def _bytes(self, path: Path) -> None:
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

    def _number(self, path: Path) -> None:
        if path[-1] == "magic" or self._try(path, simplest(str(path[-1]))):
            return
        if path[-1] == "attributes":
            self._bits(path)
        elif not any(self._try(path, number) for number in _SMALL if number < abs(at(self.tree, path))):
            self._halve(path)

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
    if path:
        yield path, value
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _places((*path, name), member)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places((*path, index), item)


def _is_list(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, list) and path[-1] in _LISTS


def _is_entry(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, dict) and ("records" in value or "message" in value) and isinstance(path[-1], int)


def _has_codec(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return _is_entry(path, value) and ("inner" in value or bool(value.get("attributes", 0) & CODEC_MASK))


def _is_bytes(path: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    """Tell bytes, and a null that is not the simplest value."""
    return isinstance(value, bytes) or (value is None and bool(path) and path[-1] not in NULL)


def _is_number(_: Path, value: Any) -> bool:  # noqa: ANN401 - any value of a tree
    return isinstance(value, int)
