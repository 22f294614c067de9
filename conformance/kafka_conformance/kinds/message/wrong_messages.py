"""Messages written by one wrong rule, which no right reader takes: a layout, a codec, a header."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from kafka_format import protocol
from kafka_format.errors import EncodeError
from kafka_format.primitives.varints import UVARINT
from kafka_format.spec.layout import Layout, find
from kafka_format.spec.layout.model import Counted, Nested, Optional, TagSection, Varint

from kafka_conformance.kinds.message.fitted_values import fitted
from kafka_conformance.kinds.message.misreading import candidates
from kafka_conformance.kinds.message.wrong_answers import Probe, api_of, layout_of
from kafka_conformance.kinds.message.wrong_codecs import WRONG_CODECS
from kafka_conformance.kinds.message.wrong_codecs.plain import UNREADABLE, PlainCodec
from kafka_conformance.kinds.message.wrong_codecs.tables import ANYWHERE, WrongCodec, writer

_INVERSE: Final = {"count-too-low": "count-too-high", "count-too-high": "count-too-low"}
"""Who reads so takes what is written so; of all others the names are the same."""

_AS_LAYOUT: Final = "reads/int"
"""How ids of codecs begin that have an integer of another width, as layouts have it in a field."""

_PLAIN: Final = Varint(UVARINT)
_FAILURES: Final = (*UNREADABLE, EncodeError)


class Written(NamedTuple):
    """A message as a wrong rule has it, and the layout and the values that it was written of."""

    data: bytes
    layout: Layout
    values: dict[str, Any]


class Rule(NamedTuple):
    """A wrong rule.

    Attributes:
        id: of its cause.
        does: what is done.
        write: writes a message by it.
        is_of_all: whether it is about all fields of a type; of one field, that says more.
    """

    id: str
    does: str
    write: Callable[[Probe], Written | None]
    is_of_all: bool = False


def rules_of(asked: Probe) -> Iterator[Rule]:
    """Yield what may be wrong with a message: its layout, a codec in a field, its header."""
    vector = asked.vector
    where = f"the {vector.format} of {vector.family}"
    for candidate in candidates(f"{vector.family.replace('-', '_')}_{vector.format}"):
        yield Rule(f"layout/{candidate.id}", candidate.does.format(where), _by_layout(candidate.layouts))
    fields = list(dict.fromkeys(fields_of(layout_of(asked))))
    names = Counter(field.rpartition(".")[2] for field in fields)
    for field in [*fields, *(f"{ANYWHERE}{name}" for name, count in names.items() if count > 1)]:
        for rule in (each for each in codecs(field) if not each.id.startswith(_AS_LAYOUT)):
            place = f"`{field.removeprefix(ANYWHERE)}` of {where}"
            yield rule._replace(id=f"{rule.id}/{place.replace(' ', '-')}", does=f"{rule.does}, in {place}")
    for rule in codecs(""):
        name = f"{rule.id}/{where.replace(' ', '-')}"
        yield rule._replace(id=name, does=f"{rule.does}, in {where}", is_of_all=True)
    kind = vector.format
    for number in (0, 1, 2) if kind == "request" else (0, 1):
        does = f"takes the header of {where} for one of version {number}, which it is not"
        yield Rule(f"message/{kind}-header-{number}/{vector.family}", does, _by_header(number))


def fields_of(layout: Layout, path: str = "") -> Iterator[str]:
    """Yield the paths of all fields of a layout, also of those inside and of tagged ones."""
    for field in layout.fields:
        yield f"{path}{field.name}"
        inner = field.type.item if isinstance(field.type, Counted) else field.type
        if isinstance(inner, Nested | Optional):
            yield from fields_of(inner.layout, f"{path}{field.name}.")
        elif isinstance(inner, TagSection):
            for tagged in inner.fields:
                yield f"{path}{field.name}.{tagged.name}"


def _with_more_bits(bits: int) -> WrongCodec:
    """Return what writes varints that have a bit more than a reader keeps which keeps so many."""

    def write_varint(self: PlainCodec, kind: Varint, number: int) -> bytes:
        wire = kind.kind.number(number)
        is_kept = 0 <= wire < 1 << bits
        return (
            PlainCodec.write_varint(self, _PLAIN, wire + (1 << bits))
            if is_kept
            else PlainCodec.write_varint(self, kind, number)
        )

    return writer("more-bits", "", write_varint=write_varint)


def _not_ended(size: int) -> WrongCodec:
    """Return what writes varints of so many bytes, the last of which says that another follows."""

    def write_varint(self: PlainCodec, kind: Varint, number: int) -> bytes:
        wire = kind.kind.number(number)
        if not 0 <= wire < 1 << 7 * size:
            return PlainCodec.write_varint(self, kind, number)
        return bytes(0x80 | wire >> 7 * place & 0x7F for place in range(size))

    return writer("not-ended", "", write_varint=write_varint)


def _in_groups(bits: int) -> WrongCodec:
    """Return what writes varints in groups of so many bits, of which seven may be set."""

    def write_varint(self: PlainCodec, kind: Varint, number: int) -> bytes:
        wire, groups = kind.kind.number(number), list[int]()
        if wire < 0:
            return PlainCodec.write_varint(self, kind, number)
        while wire or not groups:
            groups.append(wire & (1 << bits) - 1)
            wire >>= bits
        if any(group > 0x7F for group in groups):
            return PlainCodec.write_varint(self, kind, number)
        return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])

    return writer("in-groups", "", write_varint=write_varint)


_TAKEN: Final = {
    **{f"reads/varint-groups-of-{bits}-bits": _in_groups(bits) for bits in (6, 8)},
    **{f"reads/varint-{bits}-bits": _with_more_bits(bits) for bits in (7, 8, 14, 16)},
    "reads/varint-stops-after-one-byte": _not_ended(1),
    "reads/varint-stops-after-two-bytes": _not_ended(2),
}
"""What readers take of which no writer has the name."""


VARINTS: Final = tuple(_TAKEN)
"""Ids of the readers of varints among them."""


def codecs(field: str) -> Iterator[Rule]:
    """Yield wrong readers of which a writer is known that writes what they take."""
    writers = {codec.id: codec for codec in WRONG_CODECS if codec.writes}
    for codec in WRONG_CODECS:
        name = codec.id.partition("/")[2]
        inverse = _TAKEN.get(codec.id) or writers.get(f"writes/{_INVERSE.get(name, name)}")
        if not codec.writes and inverse is not None:
            yield Rule(codec.id, codec.does, _by_codec(inverse.codec(field)))


def _by_layout(layouts: Callable[[Iterable[int]], Iterable[tuple[int, Layout]]]) -> Callable[[Probe], Written | None]:
    def write(asked: Probe) -> Written | None:
        for _, wrong in layouts([asked.version]):
            try:
                values = fitted(wrong, _values(asked))
                return _telling_only(asked, _head(asked) + PlainCodec().write(wrong, values), wrong, values)
            except _FAILURES:
                return None
        return None

    return write


def _by_codec(codec: PlainCodec) -> Callable[[Probe], Written | None]:
    def write(asked: Probe) -> Written | None:
        try:
            layout, values = layout_of(asked), _values(asked)
            return _telling_only(asked, _head(asked) + codec.write(layout, values), layout, values)
        except _FAILURES:
            codec.path.clear()
            return None

    return write


def _by_header(number: int) -> Callable[[Probe], Written | None]:
    def write(asked: Probe) -> Written | None:
        kind = asked.vector.format
        own = protocol.header_version(
            api_of(asked.vector), asked.version, "request" if kind == "request" else "response"
        )
        if number == own:
            return None
        values, _ = PlainCodec().read(find(f"{kind}_header", own), asked.vector.data, 0)
        wrong = find(f"{kind}_header", number)
        head = PlainCodec().write(wrong, fitted(wrong, values))
        return Written(head + asked.data, layout_of(asked), _values(asked))

    return write


def _head(asked: Probe) -> bytes:
    return asked.vector.data[: asked.body]


def _values(asked: Probe) -> dict[str, Any]:
    return PlainCodec().read(layout_of(asked), asked.vector.data, asked.body)[0]


def _telling_only(asked: Probe, data: bytes, layout: Layout, values: dict[str, Any]) -> Written | None:
    """Return what was written; None if a right reader takes it, too."""
    try:
        _, end = PlainCodec().read(layout_of(asked), data, asked.body)
    except UNREADABLE:
        end = -1
    return None if end == len(data) else Written(data, layout, values)
