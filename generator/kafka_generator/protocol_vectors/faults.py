"""Faults: for every piece of a value, each thing that can be wrong with it, one a vector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from kafka_format.codec.checks import surplus_of
from kafka_format.codec.interpreter import encode
from kafka_format.codec.members import inner, members, tag_section
from kafka_format.errors import FieldPath
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.model import Boolean, Counted, Form, Integer, Layout, Optional, TagSection

from kafka_generator.protocol_vectors import values
from kafka_generator.protocol_vectors.fault import Fault, Place, in_id, places_of
from kafka_generator.protocol_vectors.pieces import Piece, Twists, Writer, join, uvarint

_CUT: Final = ("field.truncated", "count.within", "length.within")
_NOT_NULL: Final = ("compact.not-null", "length.not-negative", "protocol.array.not-null")
_WITHIN: Final = ("length.within", "count.within")
_NULL_BY_SIGN: Final = "negative-length-is-null"
_INT32: Final = (1 << 31) - 1
_MINUS_ONE: Final = b"\xff\xff\xff\xff\x0f"
"""The unsigned varint that is -1 to those who take its 32 bits for an int32."""

_WIDEST: Final = 5
"""Bytes of the longest varint of 32 bits."""

_TOP: Final = 2
"""Parts of the path of a count that stands in no structure inside."""


def faults(layout: Layout, value: Mapping[str, Any], nulls: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    """Yield the faults of a layout.

    Args:
        layout: one version.
        value: a value in which the first item of every array has all fields.
        nulls: values in which what may be null is.
    """
    yield from _of_pieces(layout, value)
    seen: set[tuple[FieldPath, str]] = set()
    for null in nulls:
        yield from _of_nulls(layout, null, seen)
    yield from _of_sections(layout, value)
    whole = join(Writer().pieces(layout, value))
    behind = b"\0" if surplus_of(layout, b"\0") is None else b"\xff"
    yield Fault("trailing", "has a byte behind it", whole + behind, ("protocol.body.exact",), "body-trailing-bytes")
    if whole:
        yield Fault("no-bytes", "has no bytes", b"", _CUT)


def _of_pieces(layout: Layout, value: Mapping[str, Any]) -> Iterator[Fault]:
    for place in places_of(layout, value):
        piece = place.piece
        if piece.data and not piece.tagged and piece.role != "content":
            kept = place.whole[: place.start + len(piece.data) // 2]
            yield place.named("cut", "is cut", kept, _CUT)
        if piece.role == "value" and isinstance(piece.kind, Boolean):
            yield place.fault("two", "is 2", b"\2", ("protocol.boolean",), "boolean-of-any-byte")
            yield place.fault("highest", "is 255", b"\xff", ("protocol.boolean",), "boolean-of-any-byte")
        if piece.role == "content" and isinstance(piece.kind, Form) and piece.kind.content == "text" and piece.data:
            replaced = b"\xff" * len(piece.data)
            yield place.fault("not-utf8", "is no UTF-8", replaced, ("string.utf8",), "invalid-utf8-is-replaced")
            half = b"\xc3" + b"(" * (len(piece.data) - 1)
            yield place.fault("half", "has half a character", half, ("string.utf8",), "invalid-utf8-is-replaced")
        if piece.role in {"length", "count"} and isinstance(piece.kind, Form | Counted):
            yield from _lengths(place)
        if piece.role == "marker" and isinstance(piece.kind, Optional):
            yield from _markers(place)


def _lengths(place: Place) -> Iterator[Fault]:
    kind = place.piece.kind
    assert isinstance(kind, Form | Counted)  # noqa: S101 - the caller has looked
    nullable = kind.null is not None if isinstance(kind, Form) else kind.nullable
    if isinstance(kind.length, Integer):
        size = kind.length.size
        if not nullable:
            for word, number in (("null", -1), ("minus-two", -2)):
                raw = number.to_bytes(size, "big", signed=True)
                yield place.without_content(word, f"is {number}", raw, _NOT_NULL)
        highest = kind.length.highest
        yield place.fault("beyond", "is more than there is", (place.behind + 1).to_bytes(size, "big"), _WITHIN)
        yield place.fault("highest", f"is {highest}", highest.to_bytes(size, "big"), _WITHIN)
        return
    flag = "compact-length-wraps" if nullable else ""
    yield place.without_content("wrapped", "is -1 as an int32", _MINUS_ONE, ("protocol.length.int32",), flag)
    if not nullable:
        yield place.without_content("null", "is null", b"\0", _NOT_NULL)
    within = (*_WITHIN, "protocol.string.longest")
    if not place.piece.tagged:
        yield place.fault("beyond", "is more than there is", uvarint(place.behind + 6), within)
        yield place.fault("highest", f"is {_INT32}", uvarint(_INT32), within)
    yield from _varints(place)


def _varints(place: Place) -> Iterator[Fault]:
    data = place.piece.data
    more = bytes((*data[:-1], data[-1] | 128))
    yield place.fault("overlong", "has a needless byte", more + b"\0", ("varint.minimal",), "overlong-varint")
    rest = _WIDEST - len(data)
    yield place.fault("too-long", "has 6 bytes", more + b"\x80" * rest + b"\1", ("varint.length",))
    if place.piece.role == "count" and len(place.piece.path) == _TOP:
        raw = more + b"\x80" * (rest - 1) + b"\x10"
        yield place.fault("excess", "has bits beyond 32", raw, ("varint.range",), "varint-excess-bits")


def _markers(place: Place) -> Iterator[Fault]:
    kind = place.piece.kind
    assert isinstance(kind, Optional)  # noqa: S101 - the caller has looked
    if isinstance(kind.marker, Integer):
        for word, number in (("zero", 0), ("five", 5)):
            raw = number.to_bytes(1, "big")
            yield place.fault(word, f"is {number}", raw, ("protocol.marker",), "marker-by-sign")


def _of_nulls(layout: Layout, value: Mapping[str, Any], seen: set[tuple[FieldPath, str]]) -> Iterator[Fault]:
    """Give what is null another negative number."""
    for place in places_of(layout, value):
        piece = place.piece
        key = (piece.path, piece.role)
        if piece.value is not None or key in seen or not isinstance(piece.kind, Form | Counted | Optional):
            continue
        length = piece.kind.marker if isinstance(piece.kind, Optional) else piece.kind.length
        if piece.role == "content" or not isinstance(length, Integer):
            continue
        seen.add(key)
        for word, number in (("minus-two", -2), ("lowest", length.lowest)):
            raw = number.to_bytes(length.size, "big", signed=True)
            if isinstance(piece.kind, Optional):
                yield place.fault(word, f"is {number}", raw, ("protocol.marker",), "marker-by-sign")
            else:
                rules = ("length.not-negative", "protocol.array.count")
                yield place.fault(word, f"is {number}", raw, rules, _NULL_BY_SIGN)


_UNKNOWN: Final = ((1000, b"a"), (1001, b"b"))
_ORDER: Final = ("protocol.tags.ascending", "protocol.tags.once")
_ANY_ORDER: Final = "tags-in-any-order"


def _of_sections(layout: Layout, value: Mapping[str, Any]) -> Iterator[Fault]:
    """Break every tag section: its count, its order, and the sizes of what it holds."""
    for section in [place.piece.path[:-1] for place in places_of(layout, value) if _is_count(place.piece)]:
        tagged = with_unknown(layout, value, section[:-1])
        places = [place for place in places_of(layout, tagged) if place.piece.path[: len(section)] == section]
        first = next(place.piece.path for place in places if place.piece.role == "tag" and not place.piece.known)
        for place in places:
            yield from _of_section(place, first)
        yield from _elsewhere(layout, value, section)


_NEGATIVE: Final = (("wrapped", -1), ("wrapped-minus-two", -2), ("wrapped-lowest", -(1 << 31)))


def negative_tag_counts(layout: Layout, value: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield counts of tagged fields that are negative as an int32, with nothing behind them.

    Each section has -1, the outermost one other numbers too.
    """
    for place in places_of(layout, value):
        own = place.piece.path[:-1]
        if not _is_count(place.piece):
            continue
        for word, number in _NEGATIVE if len(own) == 1 else _NEGATIVE[:1]:
            raw = uvarint(number + (1 << 32))
            twists: Twists = {(place.piece.path, "count"): raw, (own, "entries"): lambda _: []}
            written = join(Writer(twists).pieces(layout, value))
            what = f"is {number} as an int32, for which releases to 4.3 take 0"
            yield place.named(word, what, written, ("protocol.tags.count",), "negative-tag-count-is-none")


def _is_count(piece: Piece) -> bool:
    return piece.role == "count" and isinstance(piece.kind, TagSection)


def _of_section(place: Place, first: FieldPath) -> Iterator[Fault]:
    """Break one piece of a tag section; `first` is the path of the first unknown tag."""
    piece = place.piece
    if piece.role == "count":
        yield from _counts(place)
    elif piece.role == "size" and piece.known:
        yield from _sizes(place)
    elif piece.path == first:
        yield from _varints(place)
    elif piece.path == (*first[:-1], "size"):
        yield place.fault("beyond", "is more than there is", uvarint(place.behind + 1), _WITHIN)
        if len(place.piece.path) == _TOP + 1:
            yield place.fault("wrapped", "is -1 as an int32", _MINUS_ONE, _WITHIN)
        yield from _varints(place)


def _elsewhere(layout: Layout, value: Mapping[str, Any], section: FieldPath) -> Iterator[Fault]:
    """Yield tagged fields of other versions, each alone in a section."""
    there = tag_section(layout, section)
    for tag in there.elsewhere if there else ():
        tagged = with_unknown(layout, value, section[:-1], ((tag, b"a"),))
        by_tag: Twists = {(section, "entries"): lambda entries: sorted(entries, key=lambda entry: entry[0].data)}
        written = join(Writer(by_tag).pieces(layout, tagged))
        name = ".".join(str(part) for part in section)
        what = f"{name} has tag {tag}, which is a field of other versions"
        yield Fault(f"{in_id(section)}/of-other-versions-{tag}", what, written, ("protocol.tag.version",))
        if (content := _content_elsewhere(layout, section, tag)) is not None:
            tagged = with_unknown(layout, value, section[:-1], ((tag, content),))
            written = join(Writer(by_tag).pieces(layout, tagged))
            what += ", with what it has there"
            yield Fault(f"{in_id(section)}/of-other-versions-{tag}-whole", what, written, ("protocol.tag.version",))


def _content_elsewhere(layout: Layout, section: FieldPath, tag: int) -> bytes | None:
    """Return what a tagged field holds in the version that has it; of records, None."""
    name = layout.name.removesuffix(f"_v{layout.version}")
    whole = specification().versioned[name]
    for number in whole.versions.numbers if whole.api is not None else ():
        there = find(name, number)
        tags = tag_section(there, section)
        known = next((each for each in tags.fields if each.tag == tag), None) if tags else None
        if known is not None:
            alone = replace(there, fields=(replace(known, tag=None),))
            return encode(alone, {known.name: values.value(alone, values.PROFILES["single"])[known.name]}) or None
    return None


def with_unknown(
    layout: Layout, value: Mapping[str, Any], path: FieldPath, unknown: tuple[tuple[int, bytes], ...] = _UNKNOWN
) -> dict[str, Any]:
    """Return a value with unknown tagged fields in the structure at a path."""
    changed = dict(value)
    if not path:
        return changed | {field.name: unknown for field in layout.fields if isinstance(field.type, TagSection)}
    field = next(field for field in members(layout) if field.name == path[0])
    nested = inner(field.type)
    assert nested is not None  # noqa: S101 - a path leads through structures only
    if isinstance(changed[field.name], list):
        items = list(changed[field.name])
        items[int(path[1])] = with_unknown(nested, items[int(path[1])], path[2:], unknown)
        return changed | {field.name: items}
    return changed | {field.name: with_unknown(nested, changed[field.name], path[1:], unknown)}


def _counts(place: Place) -> Iterator[Fault]:
    own = place.piece.path[:-1]

    def entries(word: str, what: str, change: Any, rules: tuple[str, ...], flag: str) -> Fault:
        written = join(Writer({(own, "entries"): change}).pieces(place.layout, place.value))
        return place.named(word, what, written, rules, flag, own)

    yield place.fault("beyond", "is more than there is", uvarint(place.behind // 2 + 1), _WITHIN)
    yield from _varints(place)
    yield entries("twice", "has a tag twice", lambda all_of: [*all_of, all_of[-1]], _ORDER, _ANY_ORDER)
    yield entries("descending", "descends", lambda all_of: all_of[::-1], _ORDER, _ANY_ORDER)
    if any(entry for entry in _known_flags(place, own)):
        yield entries("known-twice", "has a known tag twice", lambda all_of: [all_of[0], *all_of], _ORDER, _ANY_ORDER)


def _known_flags(place: Place, own: FieldPath) -> list[bool]:
    pieces = Writer().pieces(place.layout, place.value)
    return [piece.known for piece in pieces if piece.role == "tag" and piece.path[:-2] == own and piece.known]


def _sizes(place: Place) -> Iterator[Fault]:
    """Give a known tagged field a size that is not that of its value."""
    size = int.from_bytes(place.piece.data, "big")
    if len(place.piece.data) > 1:
        return
    less = ("protocol.tag.size", "field.truncated", "length.within", "count.within")
    yield place.fault("one-more", "is one too large", uvarint(size + 1), less, "tag-size-unread")
    yield place.fault("one-less", "is one too small", uvarint(size - 1), less, "tag-size-unread")
    yield place.fault("beyond", "is more than there is", uvarint(place.behind + 1), _WITHIN, "tag-size-unread")
