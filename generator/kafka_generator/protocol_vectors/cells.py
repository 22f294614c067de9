"""Coverage of the protocol's vectors: every field of every version at its edges, and every check.

The cells follow from the layouts and not from what makes the vectors. What a vector shows is read
from its JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from kafka_format.codec.members import default_of, members
from kafka_format.protocol.json_form import EXACT, UNKNOWN
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
    Varint,
)

from kafka_generator.coverage.model import Cell
from kafka_generator.protocol_vectors.shapes import layouts

Shown = Mapping[tuple[str, int, str], list[str]]
"""The vectors that show something, by layout, version, and what: a path and a word."""

_LONG: Final = 128
_RECORDS: Final = "records have vectors of their own"
_DEFAULT_TAG: Final = "it is the default of a tagged field, and `default` shows it"
_ONE_EDGE: Final = {-1: "minus-one", 0: "zero", 1: "one"}


def cells(documents: Iterable[Mapping[str, Any]]) -> Iterator[Cell]:
    """Yield every cell with its vectors, which come as JSON has them."""
    fields: dict[tuple[str, int, str], list[str]] = {}
    checks: dict[tuple[str, int, str], list[str]] = {}
    for document in documents:
        _look(document, fields, checks)
    for whole in layouts():
        for number in whole.versions.numbers:
            layout = find(whole.name, number)
            yield from _cells("protocol field", fields, whole.name, number, _field_words(layout, ""))
            yield from _cells("protocol surplus", fields, whole.name, number, _surplus_words(layout))
            yield from _cells("protocol check", checks, whole.name, number, _check_words(layout, "", tagged=False))


def _cells(kind: str, shown: Shown, name: str, number: int, words: Iterable[tuple[str, str]]) -> Iterator[Cell]:
    for word, excluded in words:
        yield Cell(kind, f"{name} {number} {word}", shown.get((name, number, word), ()), excluded)


def _look(
    document: Mapping[str, Any],
    fields: dict[tuple[str, int, str], list[str]],
    checks: dict[tuple[str, int, str], list[str]],
) -> None:
    """Add what one vector shows."""
    if document["kind"].startswith("framed_"):
        return
    name, versions = document["layout"], document["versions"]
    if document["verdict"] == "valid":
        words = set(_show(find(name, versions[0]), document["value"], ""))
        if document["id"].endswith("/default-tags"):
            words |= {f"{path}: default" for path in _tagged_paths(find(name, versions[0]), "")}
        words.add(document["id"].split("/", 2)[2])
        shown = fields
    else:
        words, shown = {document["id"].split("/", 2)[2]}, checks
    for number in versions:
        for word in words:
            shown.setdefault((name, number, word), []).append(document["id"])


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _field_words(layout: Layout, path: str) -> Iterator[tuple[str, str]]:
    """Yield path and word of every cell of a structure's fields, and why it is left out, if so."""
    for field in members(layout):
        own = _join(path, field.kafka)
        if isinstance(field.type, TagSection):
            yield from ((f"{own}: {word}", "") for word in ("none", "some"))
            continue
        if field.tag is not None:
            yield from ((f"{own}: {word}", "") for word in ("absent", "default", "present"))
        for word in _words(field.type):
            yield f"{own}: {word}", _why_excluded(field, word)
        yield from _inside(field.type, own)


def _surplus_words(layout: Layout) -> Iterator[tuple[str, str]]:
    """Yield the ends of the ids of what clients write after the last field."""
    for surplus in layout.surplus:
        yield from ((f"surplus-{content.hex()}", "") for content in surplus.contents)


def _inside(kind: Type, path: str) -> Iterator[tuple[str, str]]:
    match kind:
        case Nested(layout=layout) | Optional(layout=layout):
            yield from _field_words(layout, path)
        case Counted(item=Nested(layout=layout)):
            yield from _field_words(layout, f"{path}[]")
        case Counted(item=item):
            yield from ((f"{path}[]: {word}", "") for word in _words(item))


_WORDS: Final[Mapping[type, tuple[str, ...]]] = {
    Boolean: ("true", "false"),
    Float: ("number",),
    Fixed: ("zeros", "other"),
    Optional: ("null", "present"),
}


def _words(kind: Type) -> tuple[str, ...]:
    """Return the edges of a type."""
    if type(kind) in _WORDS:
        return _WORDS[type(kind)]
    match kind:
        case Integer(lowest=low):
            return ("highest", "zero", "one", *(("lowest", "minus-one") if low < 0 else ()))
        case Form(content=content, null=null):
            foreign = ("foreign",) if content == "text" else ()
            return (*(("null",) if null is not None else ()), "empty", "some", "long", *foreign)
        case Counted(nullable=nullable):
            return (*(("null",) if nullable else ()), "none", "one", "several")
        case _:
            return ()


def _why_excluded(field: Field, word: str) -> str:
    if field.tag is not None and word in _edges(field.type, EXACT.write_field(field.type, default_of(field, _values))):
        return _DEFAULT_TAG
    return _RECORDS if word == "long" and field.name in {"records", "unaligned_records"} else ""


def _values(_layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


def _show(layout: Layout, value: Mapping[str, Any], path: str) -> Iterator[str]:
    """Yield path and word of all that a value shows."""
    for field in members(layout):
        own = _join(path, field.kafka)
        if isinstance(field.type, TagSection):
            yield f"{own}: {'some' if UNKNOWN in value else 'none'}"
            continue
        member = value[field.kafka]
        if field.tag is not None:
            same = member == EXACT.write_field(field.type, default_of(field, _values))
            yield f"{own}: {'absent' if same else 'present'}"
        yield from _of_value(field.type, member, own)


def _of_value(kind: Type, value: Any, path: str) -> Iterator[str]:
    yield from (f"{path}: {word}" for word in _edges(kind, value))
    if value is None:
        return
    match kind:
        case Nested(layout=layout) | Optional(layout=layout):
            yield from _show(layout, value, path)
        case Counted(item=Nested(layout=layout)):
            for element in value:
                yield from _show(layout, element, f"{path}[]")
        case Counted(item=item):
            for element in value:
                yield from _of_value(item, element, f"{path}[]")


def _edges(kind: Type, value: Any) -> Iterator[str]:
    """Yield the edges that a value, as JSON, lies at."""
    if value is None:
        yield "null"
        return
    match kind:
        case Integer(lowest=low, highest=high):
            yield from (
                word for number, word in ({low: "lowest", high: "highest"} | _ONE_EDGE).items() if number == int(value)
            )
        case Boolean():
            yield "true" if value else "false"
        case Float():
            yield "number"
        case Fixed():
            yield "other" if int(value, 16) else "zeros"
        case Form(content=content):
            yield from _of_form(value, len(value) if content == "text" else len(value) // 2)
        case Counted():
            yield {0: "none", 1: "one"}.get(len(value), "several")
        case Optional():
            yield "present"


def _of_form(value: str, size: int) -> Iterator[str]:
    yield "some" if value else "empty"
    if size >= _LONG:
        yield "long"
    if not value.isascii():
        yield "foreign"


def _tagged_paths(layout: Layout, path: str) -> Iterator[str]:
    for field in members(layout):
        own = _join(path, field.kafka)
        if field.tag is not None:
            yield own
        match field.type:
            case Nested(layout=nested) | Optional(layout=nested) if field.tag is None:
                yield from _tagged_paths(nested, own)
            case Counted(item=Nested(layout=nested)) if field.tag is None:
                yield from _tagged_paths(nested, f"{own}[]")


def _check_words(layout: Layout, path: str, *, tagged: bool) -> Iterator[tuple[str, str]]:
    """Yield the ends of the ids of faults, behind layout and version, for every check."""
    if not path:
        yield "trailing", ""
        yield "no-bytes", _without_bytes(layout)
    for field in members(layout):
        own = f"{path}/{_in_id(field.name)}" if path else _in_id(field.name)
        if isinstance(field.type, TagSection):
            yield from ((f"{own}/{word}", "") for word in _SECTION)
            yield from ((f"{own}/count/{word}", "") for word in ("beyond", "overlong", "too-long"))
            yield from ((f"{own}/of-other-versions-{tag}", "") for tag in field.type.elsewhere)
            continue
        yield from _of_type(field.type, own, tagged=tagged or field.tag is not None)


def _without_bytes(layout: Layout) -> str:
    """Say why there is no vector without bytes; nothing if there is one."""
    if not layout.fields:
        return "it has no fields"
    kind = layout.fields[0].type
    if isinstance(kind, Nested):
        return _without_bytes(kind.layout)
    length = kind.length if isinstance(kind, Form | Counted) else kind
    one_byte = isinstance(length, Varint | TagSection) or getattr(length, "size", 0) == 1
    return "the cut of its first field has none" if one_byte else ""


_SECTION: Final = ("twice", "descending")


def _of_type(kind: Type, path: str, *, tagged: bool) -> Iterator[tuple[str, str]]:
    cut = () if tagged else ("cut",)
    match kind:
        case Nested(layout=layout):
            yield from _check_words(layout, path, tagged=tagged)
        case Optional(layout=layout, marker=marker):
            words = ("zero", "five", "minus-two", "lowest") if isinstance(marker, Integer) else ()
            yield from ((f"{path}/marker/{word}", "") for word in (*cut, *words))
            yield from _check_words(layout, path, tagged=tagged)
        case Form(length=length, null=null, content=content):
            yield from _lengths(f"{path}/length", length, nullable=null is not None, tagged=tagged)
            if content == "text":
                yield from ((f"{path}/{word}", "") for word in ("not-utf8", "half"))
        case Counted(length=length, nullable=nullable, item=item):
            yield from _lengths(f"{path}/count", length, nullable=nullable, tagged=tagged)
            yield from _of_type(item, f"{path}-0", tagged=tagged)
        case Boolean():
            yield from ((f"{path}/{word}", "") for word in (*cut, "two", "highest"))
        case _:
            yield from ((f"{path}/{word}", "") for word in cut)


def _lengths(path: str, length: Type, *, nullable: bool, tagged: bool) -> Iterator[tuple[str, str]]:
    words: tuple[str, ...] = () if tagged else ("cut", "beyond", "highest")
    if isinstance(length, Integer):
        words += ("minus-two", "lowest") if nullable else ("null", "minus-two")
    else:
        words += ("wrapped", "overlong", "too-long", *(() if nullable else ("null",)))
    yield from ((f"{path}/{word}", "") for word in words)


def _in_id(name: str) -> str:
    return name.replace("_", "-")
