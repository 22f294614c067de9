"""Codecs that have counts, or lengths of strings, wrong in arrays of one type of item alone.

Many libraries have a function for arrays of structures and others for arrays of numbers and of
strings, so that a fault is in one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from kafka_format.spec.layout.model import Counted, Form, Integer
from kafka_format.spec.layout.types import INTEGERS

from kafka_conformance.kinds.message.wrong_codecs.plain import PlainCodec
from kafka_conformance.kinds.message.wrong_codecs.tables import WrongCodec

_INT32: Final = INTEGERS["int32"]


def _is_text(item: Any) -> bool:
    return isinstance(item, Form) and item.content == "text"


_ITEMS: Final[tuple[tuple[str, str, Callable[[Any], bool]], ...]] = (
    ("int32", "int32", lambda item: item == _INT32),
    ("numbers", "numbers", lambda item: isinstance(item, Integer)),
    ("strings", "strings", _is_text),
)
"""Types of items: the end of an id, words, and which these are."""

_OF_COUNTS: Final = frozenset({"read_count", "write_count"})
_OF_SIZES: Final = frozenset({"read_size", "write_size"})


def of_items(codecs: Iterable[WrongCodec]) -> Iterator[WrongCodec]:
    """Yield, of codecs that have counts or lengths wrong, those that do so in some arrays alone."""
    for codec in codecs:
        names = codec.methods.keys()
        for end, words, is_about in _ITEMS:
            if names <= _OF_COUNTS or (names <= _OF_SIZES and is_about is _is_text):
                does = f"{codec.does}, in arrays of {words}"
                yield codec._replace(id=f"{codec.id}/of-{end}", does=does, methods=_in_arrays(codec, is_about))


def _in_arrays(codec: WrongCodec, is_about: Callable[[Any], bool]) -> dict[str, Callable[..., Any]]:
    """Return the method that reads or writes arrays of these items as a codec does."""
    other, name = codec.codec(), "write_array" if codec.writes else "read_array"
    right = getattr(PlainCodec, name)

    def method(self: PlainCodec, kind: Counted, *given: Any) -> Any:
        return right(other if is_about(kind.item) else self, kind, *given)

    return {name: method}
