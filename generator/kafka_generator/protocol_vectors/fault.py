"""A fault: what is wrong with the bytes of a value, and the place of the value where it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from kafka_format.errors import FieldPath
from kafka_format.spec.layout.model import Layout

from kafka_generator.protocol_vectors.pieces import Piece, Twists, Writer, join

_SECTION: Final = "unknown_tagged_fields"


class Fault(NamedTuple):
    """Wrong bytes.

    Attributes:
        word: the end of the id: the path, and what is wrong.
        what: the same for the title.
        data: the bytes.
        rules: those that may be the broken one.
        flag: the leniency that accepts them; empty if none does.
    """

    word: str
    what: str
    data: bytes
    rules: tuple[str, ...]
    flag: str = ""


def is_first(path: FieldPath) -> bool:
    """Tell whether a path is in the first item of each array on it, or in a tagged field there."""
    pairs = zip(("", *path), path, strict=False)
    return all(part == 0 or before == _SECTION for before, part in pairs if isinstance(part, int))


def in_id(path: FieldPath) -> str:
    """Return a path in an id: `topics-0/partitions-0/offset` for topics[0].partitions[0].offset."""
    text = ""
    for part in path:
        text += f"-{part}" if isinstance(part, int) else f"/{part}" if text else part
    return text.replace("_", "-")


class Place:
    """A piece of a value, and what is written when it is something else."""

    def __init__(self, layout: Layout, value: Mapping[str, Any], piece: Piece, start: int, whole: bytes) -> None:
        self.layout, self.value, self.piece = layout, value, piece
        self.start, self.whole = start, whole

    @property
    def behind(self) -> int:
        """Bytes behind the piece."""
        return len(self.whole) - self.start - len(self.piece.data)

    def fault(
        self, word: str, what: str, data: bytes, rules: tuple[str, ...], flag: str = "", *, path: FieldPath = ()
    ) -> Fault:
        """Make a fault: other bytes in place of those of the piece."""
        return self.named(word, what, self._with(data), rules, flag, path)

    def _with(self, data: bytes) -> bytes:
        """Return the bytes of the value with others in place of those of the piece."""
        if not self.piece.tagged:
            return self.whole[: self.start] + data + self.whole[self.start + len(self.piece.data) :]
        key = (self.piece.path, self.piece.role)
        return join(Writer({key: data}).pieces(self.layout, self.value))  # with the size of the tagged field

    def without_content(self, word: str, what: str, data: bytes, rules: tuple[str, ...], flag: str = "") -> Fault:
        """Make a fault: another length or count, and nothing behind it."""
        path = self.piece.path
        nothing: Twists = {(path, self.piece.role): data, (path[:-1], "content"): b"", (path[:-1], "items"): ()}
        return self.named(word, what, join(Writer(nothing).pieces(self.layout, self.value)), rules, flag)

    def named(
        self, word: str, what: str, written: bytes, rules: tuple[str, ...], flag: str = "", path: FieldPath = ()
    ) -> Fault:
        """Make a fault of bytes that are written already, named after the piece or another path."""
        path = path or self.piece.path
        name = ".".join(str(part) for part in path)
        return Fault(f"{in_id(path)}/{word}", f"{name} {what}", written, rules, flag)


def places_of(layout: Layout, value: Mapping[str, Any]) -> Iterator[Place]:
    """Yield the pieces of a value with their places, of arrays those of the first items."""
    pieces = Writer().pieces(layout, value)
    whole = join(pieces)
    start = 0
    for piece in pieces:
        if is_first(piece.path):
            yield Place(layout, value, piece, start, whole)
        start += len(piece.data)
