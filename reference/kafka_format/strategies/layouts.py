"""Strategies for the values of any layout, and for their bytes."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from kafka_format.codec.compiler import structure
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import (
    Array,
    Bits,
    BytesAfter,
    Choice,
    Field,
    Fixed,
    Form,
    Integer,
    LastItem,
    Layout,
    Nested,
    Rest,
    Type,
    Varint,
    minimum_size,
)

_VARINT_BORDERS: Final = tuple(1 << (7 * groups - 1) for groups in range(1, 10))
EDGES: Final = tuple(
    sorted(
        {edge for border in _VARINT_BORDERS for edge in (border - 1, border, -border, -border - 1)}
        | {sign * (1 << bits) + step for bits in (7, 8, 15, 16, 31, 32, 63, 64) for sign in (-1, 1) for step in (-1, 0)}
        | {-2, -1, 0, 1, 2}
    )
)
"""Numbers around which codecs break: null and nothing, the borders between varint lengths, the
integers' limits."""

_LENGTHS: Final = (1, 2, 63, 64, 127, 128, 8191, 8192)
_MOST_ITEMS: Final = 4
_MOST_LISTED: Final = 255


def numbers(lowest: int, highest: int) -> SearchStrategy[int]:
    """Draw integers of a range, every second one from its edges. Examples shrink towards 0."""
    edges = sorted((edge for edge in EDGES if lowest <= edge <= highest), key=lambda edge: (abs(edge), edge < 0))
    anywhere = st.integers(lowest, highest)
    return st.sampled_from(edges) | anywhere if edges else anywhere


def contents(*, utf8: bool = False, least: int = 0) -> SearchStrategy[bytes]:
    """Draw short bytes of any kind, and uniform ones with lengths where varints grow by a byte."""
    short = st.text(max_size=12).map(str.encode) if utf8 else st.binary(max_size=20)
    uniform = st.tuples(st.sampled_from(b"\0a" if utf8 else b"\0a\xff"), st.sampled_from(_LENGTHS))
    drawn = short | uniform.map(lambda pair: bytes(pair[:1]) * pair[1])
    return drawn.map(lambda content: content.ljust(least, b"\0")) if least else drawn


def values(layout: str, **given: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Draw values of a layout, as named tuples, that can be encoded and decode to the same.

    Args:
        layout: name of the layout.
        given: strategies for fields of that name, instead of those that are derived.

    Raises:
        LayoutError: there is no layout of that name.
        KeyError: the layout has no such field.
    """
    return _values(find(layout), {find(layout).field(name).name: given[name] for name in given})


@cache
def _derive(name: str) -> SearchStrategy[Any]:
    return values(name)


def _values(layout: Layout, given: dict[str, SearchStrategy[Any]]) -> SearchStrategy[Any]:
    least = _least_rest(layout)
    drawn = [given[field.name] if field.name in given else _field(field, least) for field in layout.fields]
    fields = st.tuples(*drawn)
    if any(field.when for field in layout.fields):
        fields = fields.map(lambda draw: _settle(layout, draw))
    return fields.map(structure(layout.name).type._make)


def _settle(layout: Layout, draw: tuple[Any, ...]) -> tuple[Any, ...]:
    """Take away what the earlier fields say is not there."""
    numbers = {field.name: value for field, value in zip(layout.fields, draw, strict=True)}
    there = [all(condition.holds(numbers[condition.by]) for condition in field.when) for field in layout.fields]
    return tuple(value if kept else None for value, kept in zip(draw, there, strict=True))


def _least_rest(layout: Layout) -> int:
    """Return how many bytes a `rest` needs for its structure to reach its frame's minimum."""
    for index, field in enumerate(layout.fields):
        if isinstance(field.computed, BytesAfter):
            behind = sum(minimum_size(other.type) for other in layout.fields[index + 1 :] if not other.when)
            return max(0, (field.minimum or 0) - behind)
    return 0


def _field(field: Field, least_rest: int) -> SearchStrategy[Any]:
    if field.computed is not None:
        return st.none()
    if field.const is not None:
        return st.just(field.const)
    drawn = _open_field(field, least_rest)
    return st.none() | drawn if isinstance(field.default, LastItem) else drawn


def _open_field(field: Field, least_rest: int) -> SearchStrategy[Any]:
    """Draw for a field that has no value of its own."""
    match field.type:
        case Integer() if field.bits:
            return _with_bits(field.bits, field.type)
        case Integer(highest=highest) if field.minimum is not None:
            return numbers(field.minimum, highest)
        case Rest():
            return contents(least=least_rest)
        case _:
            return _type(field.type)


def _type(kind: Type) -> SearchStrategy[Any]:
    match kind:
        case Integer() | Varint():
            drawn: SearchStrategy[Any] = numbers(kind.lowest, kind.highest)
        case Fixed(size=size):
            drawn = st.binary(min_size=size, max_size=size)
        case Form(null=null, content=content):
            drawn = contents(utf8=content == "utf8")
            drawn = drawn if null is None else st.none() | drawn
        case Nested(layout=layout):
            drawn = _derive(layout.name)
        case Array(item=item, nullable=nullable):
            drawn = _items(_type(item))
            drawn = st.none() | drawn if nullable else drawn
        case Choice(cases=cases):
            drawn = st.one_of(*(_derive(case.name) for case in cases.values()))
        case _:
            drawn = contents()
    return drawn


def _items(item: SearchStrategy[Any]) -> SearchStrategy[list[Any]]:
    """Draw a few different items, or so many equal ones that the count takes two bytes."""
    many = st.tuples(item, st.integers(63, 65)).map(lambda pair: [pair[0]] * pair[1])
    return st.integers(0, 19).flatmap(lambda die: many if die == 19 else st.lists(item, max_size=_MOST_ITEMS))


def _with_bits(bits: tuple[Bits, ...], kind: Integer) -> SearchStrategy[int]:
    """Draw an integer whose named bits have known values; its other bits are none, all or any."""
    unused = ((1 << kind.size * 8) - 1) & ~sum(part.in_place for part in bits)
    others = st.sampled_from((0, unused)) | st.integers(0, unused).map(lambda number: number & unused)
    return st.tuples(others, *map(_part, bits)).map(lambda drawn: _as(kind, sum(drawn)))


def _part(bits: Bits) -> SearchStrategy[int]:
    if bits.enum is None and bits.mask > _MOST_LISTED:
        return numbers(0, bits.mask).map(lambda number: number << bits.low)
    known = bits.enum.values if bits.enum else range(bits.mask + 1)
    return st.sampled_from([number << bits.low for number in sorted(known)])


def _as(kind: Integer, pattern: int) -> int:
    """Return the integer that has this pattern of bits."""
    return pattern - (1 << kind.size * 8) if pattern > kind.highest else pattern


def encoded(layout: str, **given: SearchStrategy[Any]) -> SearchStrategy[bytes]:
    """Draw the bytes of valid values of a layout; arguments as for `values`."""
    return values(layout, **given).map(structure(layout).encode)
