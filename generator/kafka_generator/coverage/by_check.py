"""Checks: every check of a field, from the layouts, with a vector that has only that fault.

A field whose check cannot fail by itself says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from kafka_format.spec.layout.model import BytesAfter, Checksum, CountOf, Field, Fixed, Form, Integer, Layout, Varint
from kafka_format.spec.rules import rules

from kafka_generator.coverage.model import Cell
from kafka_generator.coverage.walk import FieldPlace, all_fields

_CUT: Final = "an entry that is longer than the bytes there are is cut off, which is no fault (the kind `cut`)"
_LEAST: Final = "the least size of an entry has room for it"
_FRAMED: Final = "the framing looks at it first, under the path of the entry"
_FOLLOWS: Final = "its content ends where the entry does, so nothing can be left"
_CODEC: Final = "the codec reads it: its own rules have their vectors (the kind `rule broken`)"
_UNSIGNED: Final = "its number has no sign"


def cells(vectors: Iterable[Mapping[str, Any]]) -> Iterator[Cell]:
    """Yield a cell a field and check."""
    ids_by_place = _faults(vectors)
    for place, field, layout in all_fields():
        for check in checks_of(field):
            rule = _rule(field, layout, check)
            ids = ids_by_place.get((_root(place), _path(place, field, check), rule), ())
            yield Cell("check", f"{place}: {check} ({rule})", ids, _why_excluded(place, field, layout, check))


def checks_of(field: Field) -> Iterator[str]:
    """Yield the checks that a decoder makes of a field, by the names that layouts give them."""
    kind, computed = field.type, field.computed
    yield from ("const",) if field.const is not None else ()
    yield from ("minimum",) if field.minimum is not None else ()
    yield from ("enum",) if any(bits.enum and len(bits.enum.values) <= bits.mask for bits in field.bits) else ()
    if isinstance(kind, Integer | Varint | Fixed | Form):
        yield "truncated"
    if isinstance(kind, Varint) or (isinstance(kind, Form) and isinstance(kind.length, Varint)):
        yield from ("too_long", "overlong", "excess")
    if isinstance(kind, Form):
        yield from ("negative", "length_within", *(("utf8",) if kind.content == "utf8" else ()))
    if isinstance(computed, BytesAfter):
        yield from ("within", "trailing")
    if isinstance(computed, CountOf):
        yield from ("count_negative", "count_within")
    yield from ("checksum",) if isinstance(computed, Checksum) else ()


def _rule(field: Field, layout: Layout, check: str) -> str:
    if check == "minimum" and layout.name == "record":
        return field.rules["within"]
    return field.rules[check]


def _root(place: FieldPlace) -> str:
    return "v2" if place.format == "control" else place.format


def _path(place: FieldPlace, field: Field, check: str) -> str:
    """Return the path that an error of this check names."""
    path = place.path
    if place.format == "control":
        name, _, rest = path.partition(".")
        path = f"records.{'key' if name == 'control_record_key' else 'value'}.{rest}"
    if check == "enum":
        return path + ".codec"
    if isinstance(field.type, Form) and check != "utf8":
        return path + ".length"
    return {"message_size": "size"}.get(path, path) if check == "minimum" else path


def _faults(vectors: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str, str], list[str]]:
    """Return the vectors by the format, the path without indexes and the rule of their fault."""
    faults: dict[tuple[str, str, str], list[str]] = {}
    for vector in vectors:
        if fault := vector.get("fault"):
            path = re.sub(r"\[\d+\]", "", fault["path"])
            faults.setdefault((vector["format"], path, fault["rule"]), []).append(vector["id"])
    return faults


_FIRST: Final = ("offset", "message_size", "size", "base_offset", "batch_length")
_HEADS: Final = ("record_batch", "message_v0", "message_v1", "v07_message_0", "v07_message_1")
"""Layouts whose fields of a fixed size the least size of an entry has room for, but for those of
`_BEHIND`."""

_BEHIND: Final = ("v0 message.value", "v1 message.key", "v1 message.value", "v07 message.crc")


def _why_excluded(place: FieldPlace, field: Field, layout: Layout, check: str) -> str:
    """Say why a check cannot fail by itself; nothing if it can."""
    if place.format == "framing":
        return _CODEC
    if check == "within" and layout.name != "record":
        return _CUT
    if check == "truncated" and field.name in _FIRST:
        return _CUT
    if check == "truncated" and layout.name in _HEADS and str(place) not in _BEHIND:
        return _LEAST
    if check == "const" and layout.name != "record_batch":
        return _FRAMED
    return _never(field, check)


def _never(field: Field, check: str) -> str:
    """Say why a check of the model is none that this field can break."""
    kind = field.type.length if isinstance(field.type, Form) else field.type
    if check in {"negative", "count_negative"} and isinstance(kind, Varint) and kind.lowest == 0:
        return _UNSIGNED
    return _FOLLOWS if check == "trailing" and field.rules[check] not in rules() else ""
