"""Codecs that have one thing wrong in tag sections: their number, their sizes, or their tags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from kafka_format.primitives.varints import COMPACT_LENGTH, UVARINT, VARINT
from kafka_format.spec.layout.model import Field, TagSection, Varint

from kafka_conformance.kinds.message.wrong_codecs.plain import PlainCodec
from kafka_conformance.kinds.message.wrong_codecs.tables import WrongCodec, reader, writer

_PLAIN: Final = Varint(UVARINT)
_COMPACT: Final = Varint(COMPACT_LENGTH)
_ZIGZAG: Final = Varint(VARINT)
_UNKNOWN: Final = "*"
"""Under this name a codec keeps which tags of a section its layout knows."""

_WIDTHS: Final = ((1, "one byte"), (2, "two bytes"), (4, "four bytes"), (8, "eight bytes"))

_Fields = list[tuple[int, bytes]]


def _counted(count: Callable[[PlainCodec, _Fields], int]) -> dict[str, Any]:
    """Return what writes another number of tagged fields than there are."""

    def write_section(self: PlainCodec, fields: _Fields) -> bytes:
        right = PlainCodec.write_section(self, fields)
        size = len(self.write_varint(_PLAIN, len(fields)))
        return self.write_varint(_PLAIN, count(self, fields)) + right[size:]

    def write_tags(self: PlainCodec, field: Field, kind: TagSection, values: Mapping[str, Any]) -> bytes:
        known = vars(self).setdefault(_UNKNOWN, [])
        known.append({each.tag or 0 for each in kind.fields})
        written = PlainCodec.write_tags(self, field, kind, values)
        known.pop()
        return written

    return {"write_section": write_section, "write_tags": write_tags}


def _known(self: PlainCodec, fields: _Fields) -> int:
    own = vars(self).get(_UNKNOWN) or [set[int]()]
    return sum(tag in own[-1] for tag, _ in fields)


def _sized(size: Callable[[PlainCodec, int], bytes]) -> dict[str, Any]:
    return {"write_tag_size": size}


def _tagged(tag: Callable[[PlainCodec, int], bytes]) -> dict[str, Any]:
    """Return what writes the tags otherwise."""

    def write_section(self: PlainCodec, fields: _Fields) -> bytes:
        parts = [self.write_varint(_PLAIN, len(fields))]
        for number, content in fields:
            parts += [tag(self, number), self.write_tag_size(len(content)), content]
        return b"".join(parts)

    return {"write_section": write_section}


def _fixed(width: int) -> Callable[[PlainCodec, int], bytes]:
    return lambda _, number: (number % (1 << 8 * width)).to_bytes(width, "big")


def _only_where_tagged(self: PlainCodec, fields: _Fields) -> bytes:
    return PlainCodec.write_section(self, fields) if fields else b""


def _reading(
    tag: Callable[[PlainCodec, bytes, int], tuple[int, int]] | None = None,
    size: Callable[[PlainCodec, bytes, int], tuple[int, int]] | None = None,
) -> dict[str, Any]:
    """Return what reads tags, or sizes, otherwise."""

    def plain(self: PlainCodec, data: bytes, at: int) -> tuple[int, int]:
        return self.read_varint(_PLAIN, data, at)

    def read_tags(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
        values |= {known.name: self.default(known) for known in kind.fields}
        known = {each.tag: each for each in kind.fields}
        count, at = self.read_varint(_PLAIN, data, at)
        unknown: _Fields = []
        for _ in range(count):
            number, at = (tag or plain)(self, data, at)
            length, at = (size or plain)(self, data, at)
            content = self.take(data, at, length)
            if number in known:
                values[known[number].name], _ = self.read_value(known[number].type, data, at)
            else:
                self.read_unknown(unknown, number, content)
            at += length
        values[field.name] = tuple(unknown)
        return at

    return {"read_tags": read_tags}


def _of_bytes(width: int) -> Callable[[PlainCodec, bytes, int], tuple[int, int]]:
    return lambda self, data, at: (int.from_bytes(self.take(data, at, width), "big"), at + width)


def _of_varint(kind: Varint, plus: int = 0) -> Callable[[PlainCodec, bytes, int], tuple[int, int]]:
    def read(self: PlainCodec, data: bytes, at: int) -> tuple[int, int]:
        number, after = self.read_varint(kind, data, at)
        return number + plus, after

    return read


def _not_read(at_place: Callable[[PlainCodec], bool]) -> dict[str, Any]:
    """Return what reads no tag section in some structures, and not their number either."""

    def read_tags(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
        if not at_place(self):
            return PlainCodec.read_tags(self, field, kind, values, data, at)
        values |= {known.name: self.default(known) for known in kind.fields}
        values[field.name] = ()
        return at

    return {"read_tags": read_tags}


def _known_skipped(at_place: Callable[[PlainCodec], bool]) -> dict[str, Any]:
    """Return what passes over the tagged fields of a layout in some structures."""

    def read_tags(self: PlainCodec, field: Field, kind: TagSection, values: Any, data: bytes, at: int) -> int:
        after = PlainCodec.read_tags(self, field, kind, values, data, at)
        if at_place(self):
            values |= {known.name: self.default(known) for known in kind.fields}
        return after

    return {"read_tags": read_tags}


def _is_outer(self: PlainCodec) -> bool:
    return len(self.path) == 1


def _is_inner(self: PlainCodec) -> bool:
    return len(self.path) > 1


SECTIONS: Final[tuple[WrongCodec, ...]] = (
    writer(
        "tag-count-without-unknown",
        "counts only the tagged fields of its layout, and writes those behind it, too, that it does not know",
        **_counted(_known),
    ),
    writer(
        "tag-count-without-known",
        "counts only the tagged fields that it does not know, and writes those of its layout, too",
        **_counted(lambda self, fields: len(fields) - _known(self, fields)),
    ),
    writer("tag-count-zero", "writes 0 for the number of tagged fields, and writes them", **_counted(lambda *_: 0)),
    writer(
        "tag-count-plus-one",
        "writes the number of tagged fields as compact lengths are, one more than it is",
        write_section=lambda self, fields: self.write_varint(_PLAIN, len(fields) + 1)
        + PlainCodec.write_section(self, fields)[len(self.write_varint(_PLAIN, len(fields))) :],
    ),
    writer("no-empty-tag-sections", "writes nothing where there are no tagged fields, and not 0",
           write_section=_only_where_tagged),
    writer("tag-size-too-low", "writes sizes of tagged fields that are one too low",
           **_sized(lambda self, size: self.write_varint(_PLAIN, max(size - 1, 0)))),
    writer("tag-size-zero", "writes 0 for the sizes of tagged fields",
           **_sized(lambda self, _: self.write_varint(_PLAIN, 0))),
    writer("tag-size-as-zigzag", "writes sizes of tagged fields as zig-zag varints",
           **_sized(lambda self, size: self.write_varint(_ZIGZAG, size))),
    writer("no-tag-size", "writes no sizes in front of tagged fields", **_sized(lambda *_: b"")),
    writer("tag-number-too-low", "writes tags that are one too low",
           **_tagged(lambda self, tag: self.write_varint(_PLAIN, max(tag - 1, 0)))),
    writer("tag-number-as-zigzag", "writes tags as zig-zag varints",
           **_tagged(lambda self, tag: self.write_varint(_ZIGZAG, tag))),
    reader("tag-number-as-zigzag", "reads tags as zig-zag varints", **_reading(tag=_of_varint(_ZIGZAG))),
    reader("tag-size-as-zigzag", "reads sizes of tagged fields as zig-zag varints",
           **_reading(size=_of_varint(_ZIGZAG))),
    writer("tag-size-as-compact", "writes sizes of tagged fields as compact lengths, one more than they are",
           **_sized(lambda self, size: self.write_varint(_COMPACT, size))),
    reader("tag-size-as-compact", "reads sizes of tagged fields as compact lengths, one less than they are",
           **_reading(size=_of_varint(_COMPACT))),
    reader("no-tag-size", "reads no sizes in front of tagged fields",
           **_reading(size=lambda _self, _data, at: (0, at))),
    *(
        made
        for width, words in _WIDTHS
        for made in (
            writer(f"tag-size-in-{words.replace(' ', '-')}", f"writes sizes of tagged fields with {words}",
                   **_sized(_fixed(width))),
            reader(f"tag-size-in-{words.replace(' ', '-')}", f"reads sizes of tagged fields from {words}",
                   **_reading(size=_of_bytes(width))),
            writer(f"tag-number-in-{words.replace(' ', '-')}", f"writes tags with {words}", **_tagged(_fixed(width))),
            reader(f"tag-number-in-{words.replace(' ', '-')}", f"reads tags from {words}",
                   **_reading(tag=_of_bytes(width))),
        )
    ),
    reader("no-outer-tag-section", "reads no tagged fields at the end of messages, and not their number either",
           **_not_read(_is_outer)),
    reader("no-inner-tag-sections",
           "reads no tagged fields at the end of inner structures, and not their number either",
           **_not_read(_is_inner)),
    reader("outer-known-tags-skipped",
           "passes over the tagged fields of its layout at the end of messages, and gives their defaults",
           **_known_skipped(_is_outer)),
    reader("inner-known-tags-skipped",
           "passes over the tagged fields of its layout in inner structures, and gives their defaults",
           **_known_skipped(_is_inner)),
)  # fmt: skip
"""All of them, the plainest first."""
