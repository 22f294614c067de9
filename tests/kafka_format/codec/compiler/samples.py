"""Random values of versions, of every type and with every edge that a type has."""

from collections.abc import Iterable
from random import Random
from typing import Any

from kafka_format.codec.compiler import Structure, version
from kafka_format.codec.members import members
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
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

TEXTS = ["", "a", "topic", "é", "日本語", "x" * 130, "𝄞z"]
DEEP = 3
"""From this depth on arrays have two items at most."""


NAMES = sorted(specification().versioned)


def numbers(name: str) -> Iterable[int]:
    """Return the versions of a layout."""
    return specification().versioned[name].versions.numbers


def sample(compiled: Structure, random: Random) -> Any:
    """Draw a value."""
    return _structure(compiled.layout, compiled, random, 0)


def of(name: str, number: int, seed: int) -> tuple[Structure, Any]:
    """Return a version and a value of it."""
    compiled = version(name, number)
    return compiled, sample(compiled, Random(f"{name} {number} {seed}"))  # noqa: S311 - no secret


def _structure(layout: Layout, compiled: Structure, random: Random, depth: int) -> Any:
    drawn: dict[str, Any] = {}
    for field in members(layout):
        if field.tag is None or random.random() < 0.5:
            drawn[field.name] = _value(field.type, compiled, random, depth)
    return compiled.types[layout.type_name](**drawn)


def _value(kind: Type, compiled: Structure, random: Random, depth: int) -> Any:
    match kind:
        case Form(null=null) | Counted(nullable=null) if null not in (None, False) and random.random() < 0.25:
            return None
        case Optional() if random.random() < 0.25:
            return None
        case Nested(layout=layout) | Optional(layout=layout):
            return _structure(layout, compiled, random, depth + 1)
        case Counted(item=item):
            most = 3 if depth < DEEP else 2
            return [_value(item, compiled, random, depth + 1) for _ in range(random.randint(0, most))]
        case TagSection():
            return _unknown(random)
        case _:
            return _scalar(kind, random)


def _scalar(kind: Type, random: Random) -> Any:
    match kind:
        case Integer(lowest=low, highest=high):
            return random.choice([0, 1, low, high, max(low, -1), random.randint(low, high), random.randint(0, 100)])
        case Boolean():
            return random.random() < 0.5
        case Float():
            return random.choice([0.0, 1.5, -2.25, 1e300])
        case Fixed(size=size):
            return random.choice([bytes(size), random.randbytes(size)])
        case Form(content="text"):
            return random.choice(TEXTS)
        case _:
            return random.randbytes(random.choice([0, 1, 5, 200]))


def _unknown(random: Random) -> tuple[UnknownTaggedField, ...]:
    if random.random() < 0.8:
        return ()
    tags = sorted(random.sample(range(20, 5000), random.choice([1, 2])))
    return tuple(UnknownTaggedField(tag, random.randbytes(random.choice([0, 1, 130]))) for tag in tags)
