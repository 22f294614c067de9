"""Requests and responses by the million, each a function of a seed and its index, of all APIs.

    from kafka_format.sampler import exchanges

    for exchange in exchanges.draw("request", seed=7, start=0, count=1_000_000):
        value = my_codec.decode(exchange.api, exchange.version, exchange.data)
        assert my_codec.encode(value) == exchange.data

A request that a codec gets wrong is named by (seed, index), as long as no layout gets a version
more. Drawn is what clients and brokers write: strings, numbers and arrays of all sizes, nulls where
they may be, tagged fields, and now and then one that nobody knows. What `records` hold is bytes of
any kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, Final, Literal, NamedTuple

from kafka_format import protocol
from kafka_format.codec.compiler import Structure, version
from kafka_format.codec.drawing import Depth
from kafka_format.codec.drawing import draw as draw_of
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.protocol.apis import layout_of
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import (
    Boolean,
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
)

Kind = Literal["request", "response"]

_TEXTS: Final = ("", "a", "orders", "consumer-group-1", "é", "日本語", "𝄞z", "x" * 126, "x" * 127, "x" * 128)
_FLOATS: Final = (0.0, 1.5, -2.25, 1e300)
_SIZES: Final = (0, 1, 5, 126, 127, 200)
_COUNTS: Final = (0, 1, 1, 2, 3)
_DEEP_COUNTS: Final = (0, 1, 2)
_DEEP: Final = 3
"""From this depth on arrays are shorter."""

_NULL: Final = 0.25
_TAGGED: Final = 0.5
_UNKNOWN: Final = 0.05
_NAMED: Final = 0.98
_FIRST_UNKNOWN: Final = 1000
"""A tag that no structure has, nor will have soon."""

Draw = Callable[[Random], Any]


class Exchange(NamedTuple):
    """A request or response.

    Attributes:
        kind: which of both it is.
        number: its place among those of its seed.
        api: number of the API.
        version: version of the API.
        body: the value of its body.
        data: header and body, without the size in front.
    """

    kind: Kind
    number: int
    api: int
    version: int
    body: Any
    data: bytes


def draw(kind: Kind, *, seed: int, start: int, count: int) -> Iterator[Exchange]:
    """Yield requests or responses `start` to `start + count - 1` of a seed."""
    for index in range(start, start + count):
        yield single(kind, seed, index)


def single(kind: Kind, seed: int, index: int) -> Exchange:
    """Return the request or response of that index."""
    random = Random(f"{kind} {seed} {index}")  # noqa: S311 - no secret
    api, number = random.choice(pairs(kind))
    body = body_of(kind, api, number)(random)
    correlation_id = random.randrange(1 << 31)
    if kind == "request":
        client_id = random.choice((None, "", "orders-1"))
        data = protocol.encode_request(api, number, body, correlation_id=correlation_id, client_id=client_id)
    else:
        data = protocol.encode_response(api, number, body, correlation_id=correlation_id)
    return Exchange(kind, index, api, number, body, data)


@cache
def pairs(kind: Kind) -> tuple[tuple[int, int], ...]:
    """Return every API and version that there is."""
    apis = specification().enums["api"].values
    return tuple((api, number) for api in apis for number in layout_of(api, kind).versions.numbers)


def body_of(kind: Kind, api: int, number: int, *, unknown: bool = True) -> Draw:
    """Return what draws an API version's body.

    Without `unknown`, it has no unknown tagged fields.
    """
    return _body(f"{protocol.api_name(api)}_{kind}", number, unknown=unknown)


@cache
def _body(layout: str, number: int, *, unknown: bool) -> Draw:
    compiled = version(layout, number)
    return draw_of(compiled.layout, _Choices(compiled, has_unknown=unknown))


class _Choices:
    """What clients and brokers write, as functions of a source of random numbers."""

    def __init__(self, compiled: Structure[Any], *, has_unknown: bool) -> None:
        self._compiled, self._has_unknown = compiled, has_unknown

    def structure(self, layout: Layout, fields: Sequence[Draw]) -> Draw:
        make = self._compiled.types[layout.type_name]._make
        return lambda random: make([field(random) for field in fields])

    def field(self, field: Field, drawn: Draw) -> Draw:
        if field.names is not None and isinstance(field.type, Integer):
            lowest, highest = field.type.lowest, field.type.highest
            drawn = _mostly_named(tuple(number for number in field.names.values if lowest <= number <= highest), drawn)
        if field.tag is None or isinstance(field.type, Nested | Optional):
            return drawn
        default = field.default
        return lambda random: drawn(random) if random.random() < _TAGGED else [] if default == () else default

    def or_null(self, _kind: Type, drawn: Draw, _depth: Depth) -> Draw:
        return lambda random: None if random.random() < _NULL else drawn(random)

    def items(self, item: Draw, depth: Depth) -> Draw:
        counts = _COUNTS if depth.levels < _DEEP else _DEEP_COUNTS
        return lambda random: [item(random) for _ in range(random.choice(counts))]

    def unknown(self, _section: TagSection) -> Draw:
        return _unknown if self._has_unknown else lambda _: ()

    def scalar(self, _field: Field, kind: Type) -> Draw:
        return _scalar(kind)


def _scalar(kind: Type) -> Draw:
    match kind:
        case Integer(lowest=lowest, highest=highest):
            edges = (0, 1, 2, 3, lowest, highest, max(lowest, -1))
            return lambda random: random.choice(edges) if random.random() < _TAGGED else random.randint(lowest, highest)
        case Boolean():
            return lambda random: random.random() < _TAGGED
        case Float():
            return lambda random: random.choice(_FLOATS)
        case Fixed(size=size):
            return lambda random: random.randbytes(size)
        case Form(content=content):
            return _text if content == "text" else _octets
        case _:
            msg = f"{kind.name} is none of the protocol's types"
            raise TypeError(msg)


def _mostly_named(numbers: tuple[int, ...], other: Draw) -> Draw:
    """Mostly draw a number that has a name, such as an error code that there is."""
    return lambda random: random.choice(numbers) if random.random() < _NAMED else other(random)


def _text(random: Random) -> str:
    return random.choice(_TEXTS)


def _octets(random: Random) -> bytes:
    return random.randbytes(random.choice(_SIZES))


def _unknown(random: Random) -> tuple[UnknownTaggedField, ...]:
    if random.random() > _UNKNOWN:
        return ()
    return (UnknownTaggedField(random.randrange(_FIRST_UNKNOWN, 1 << 31), _octets(random)),)
