"""Fields of one name that a target has wrong, in whatever message they stand.

Who shares a codec of a structure among messages has a fault in all of them: that is one bug, and
not one a message. A codec is tried only in fields of a type that it has to do with.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kafka_format.spec.layout import Layout
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Nested,
    Optional,
    TagSection,
    Type,
    Varint,
)

from kafka_conformance.kinds.message import judge as messages
from kafka_conformance.kinds.message.message_groups import field_name
from kafka_conformance.kinds.message.wrong_answers import Manner, Probe, layout_of
from kafka_conformance.kinds.message.wrong_codecs import WrongCodec
from kafka_conformance.kinds.message.wrong_codecs.plain import UNREADABLE, PlainCodec
from kafka_conformance.outcomes import Outcome

_TEXT, _BYTES, _ARRAY, _NUMBER, _BOOL, _FLOAT, _ID, _MARKER, _TAGS = (
    "text", "bytes", "array", "number", "bool", "float", "id", "marker", "tags",
)  # fmt: skip
_LENGTHS: Final = frozenset({_TEXT, _BYTES, _ARRAY, _MARKER, _TAGS})
_FORMS: Final = frozenset({_TEXT, _BYTES})

_SORTS: Final[Mapping[str, frozenset[str]]] = {
    "text": frozenset({_TEXT}),
    "bytes": frozenset({_BYTES}),
    "form": _FORMS,
    "null_form": _FORMS,
    "size": _FORMS,
    "array": frozenset({_ARRAY}),
    "null_array": frozenset({_ARRAY}),
    "count": frozenset({_ARRAY}),
    "number": frozenset({_NUMBER}),
    "integer": _LENGTHS | {_NUMBER},
    "length": _LENGTHS,
    "varint": _LENGTHS,
    "bool": frozenset({_BOOL}),
    "float": frozenset({_FLOAT}),
    "fixed": frozenset({_ID}),
    "marker": frozenset({_MARKER}),
    "optional": frozenset({_MARKER}),
}
"""The types of fields that a method of a codec has to do with, by its name; of others, tags."""


def sorts_of(codec: WrongCodec) -> frozenset[str]:
    """Return the types of fields that a codec has to do with."""
    names = (name.removeprefix("read_").removeprefix("write_") for name in codec.methods)
    return frozenset[str]().union(*(_SORTS.get(name, frozenset({_TAGS})) for name in names))


def names_of(layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield the last names of the fields of a layout, and of those inside, with their types."""
    for field in layout.fields:
        yield field.name, _sort(field.type)
        inner = field.type.item if isinstance(field.type, Counted) else field.type
        if inner is not field.type:
            yield field.name, _sort(inner)
        if isinstance(inner, Nested | Optional):
            yield from names_of(inner.layout)
        elif isinstance(inner, TagSection):
            yield from ((tagged.name, _sort(tagged.type)) for tagged in inner.fields)
            for tagged in inner.fields:
                own = tagged.type.item if isinstance(tagged.type, Counted) else tagged.type
                if isinstance(own, Nested | Optional):
                    yield from names_of(own.layout)


def _sort(kind: Type) -> str:  # noqa: PLR0911 - a line a type
    match kind:
        case Form():
            return _TEXT if kind.content == "text" else _BYTES
        case Counted():
            return _ARRAY
        case Integer() | Varint():
            return _NUMBER
        case Boolean():
            return _BOOL
        case Float():
            return _FLOAT
        case Fixed():
            return _ID
        case Optional():
            return _MARKER
    return _TAGS


class NamedFields:
    """The fields of messages, by their last name."""

    def __init__(self, asked: Sequence[Probe]) -> None:
        """Note the fields of the versions that were asked."""
        self._layouts: dict[tuple[str, str, int], dict[str, set[str]]] = {}
        for each in asked:
            key = self._key(each)
            if key not in self._layouts:
                names: dict[str, set[str]] = defaultdict(set)
                for name, sort in names_of(layout_of(each)):
                    names[name].add(sort)
                self._layouts[key] = names

    @staticmethod
    def _key(asked: Probe) -> tuple[str, str, int]:
        return asked.vector.family, asked.vector.format, asked.version

    def has(self, asked: Probe, name: str) -> bool:
        """Tell whether a message has a field of a name in its version."""
        return name in self._layouts[self._key(asked)]

    def sorts(self, name: str) -> frozenset[str]:
        """Return the types that fields of a name have."""
        return frozenset[str]().union(*(names[name] for names in self._layouts.values() if name in names))

    def messages(self, name: str) -> frozenset[tuple[str, str]]:
        """Return the messages that have fields of a name."""
        return frozenset((family, kind) for (family, kind, _), names in self._layouts.items() if name in names)


def most_named(found: Sequence[frozenset[str]], most: int) -> list[str]:
    """Return the names that most messages share, of the fields that may be wrong in each."""
    counted = Counter(name for names in found for name in names)
    return [name for name, count in counted.most_common(most) if count > 1]


def last_names(asked: Sequence[Probe], target: Manner) -> frozenset[str]:
    """Return the last names of the fields in which answers may first differ."""
    return frozenset(place.rpartition(".")[2] for each in asked for place in fields_at(each, target))


def fields_at(asked: Probe, target: Manner) -> set[str]:
    """Return the fields in which an answer may first differ, with those that they are in."""
    spans = _Spans()
    try:
        spans.read(layout_of(asked), asked.vector.data, asked.body)
    except UNREADABLE:
        return set()
    if asked.result.outcome is Outcome.REFUSED_VALID:
        return {path for path, _, _ in spans.found}
    if target.form != "bytes":
        name = messages.plain_name(field_name(asked.result))
        return {path for path, _, _ in spans.found if messages.plain_name(path.rpartition(".")[2]) == name}
    place = asked.result.path.removeprefix("byte ")
    at = int(place) if place.isdigit() else 0
    return {path for path, start, end in spans.found if start <= at < end}


class _Spans(PlainCodec):
    """Notes where each field is.

    Attributes:
        found: the names of a field and those that it is in, its first byte and the one behind it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, int, int]] = []

    def read_value(self, kind: Type, data: bytes, at: int) -> tuple[Any, int]:
        """Read a value, and note it."""
        value, after = super().read_value(kind, data, at)
        self.found.append((".".join(self.path), at, after))
        return value, after

    def read_tags(self, field: Field, kind: TagSection, values: dict[str, Any], data: bytes, at: int) -> int:
        """Read a tag section, and note it."""
        after = super().read_tags(field, kind, values, data, at)
        self.found.append((".".join(self.path), at, after))
        return after
