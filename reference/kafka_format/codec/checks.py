"""One function a check: the error that a broken check raises.

The interpreter and the compiled code find faults each in its own way; what they say about a fault is said here, once.
"""

from __future__ import annotations

from kafka_format.errors import FormatError, Stage
from kafka_format.primitives.numbers import VarintKind
from kafka_format.spec.layout.model import Choice, Enumeration, Field, Type, minimum_size


def truncated(field: Field, path: str, offset: int, need: int, left: int, *, payload: bool) -> FormatError:
    """A fixed field that its structure has no room for."""
    detail = f"needs {need} byte{'s' if need > 1 else ''}, {max(left, 0)} left"
    return FormatError(
        detail, rule=field.rules["truncated"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def varint_cut(field: Field, path: str, offset: int, *, payload: bool) -> FormatError:
    """A varint whose last byte still says that more follow."""
    detail = "the varint goes on past the end of its structure"
    return FormatError(
        detail, rule=field.rules["truncated"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def too_long(field: Field, path: str, offset: int, kind: VarintKind, *, payload: bool) -> FormatError:
    """A varint of more bytes than its width allows."""
    detail = f"a {kind.name} has at most {kind.max_bytes} bytes, this one goes on"
    return FormatError(
        detail, rule=field.rules["too_long"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def excess(field: Field, path: str, offset: int, kind: VarintKind, *, payload: bool) -> FormatError:
    """A varint with bits beyond its width."""
    detail = f"the last byte of the {kind.name} has bits beyond {kind.bits}"
    return FormatError(
        detail, rule=field.rules["excess"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def overlong(field: Field, path: str, offset: int, *, payload: bool) -> FormatError:
    """A varint with a needless last byte."""
    detail = "the varint ends in a zero byte, so fewer bytes would do"
    return FormatError(
        detail, rule=field.rules["overlong"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def negative(field: Field, path: str, offset: int, length: int, *, nullable: bool, payload: bool) -> FormatError:
    """A length below the one that means null."""
    detail = f"length {length}: " + ("only -1 means null" if nullable else "null is not allowed here")
    return FormatError(
        detail, rule=field.rules["negative"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def length_within(field: Field, path: str, offset: int, length: int, left: int, *, payload: bool) -> FormatError:
    """A length that is longer than what is left."""
    detail = f"length {length}, but {left} bytes are left"
    return FormatError(
        detail, rule=field.rules["length_within"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def utf8(field: Field, path: str, offset: int, *, payload: bool) -> FormatError:
    """Text that is not UTF-8; `offset` is its first bad byte."""
    return FormatError(
        "is not UTF-8", rule=field.rules["utf8"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def const(field: Field, path: str, offset: int, value: int, *, payload: bool) -> FormatError:
    """A field that can only have one value and has another."""
    detail = f"is {value}, must be {field.const}"
    return FormatError(detail, rule=field.rules["const"], stage=field.stage, offset=offset, path=path, payload=payload)


def minimum(field: Field, path: str, offset: int, value: int, *, payload: bool) -> FormatError:
    """A number below its minimum."""
    detail = f"is {value}, must be {field.minimum} or more"
    return FormatError(
        detail, rule=field.rules["minimum"], stage=field.stage, offset=offset, path=path, payload=payload
    )


def enum(field: Field, path: str, offset: int, value: int, enumeration: Enumeration, *, payload: bool) -> FormatError:
    """Bits with a number that has no name."""
    known = ", ".join(f"{number} {name}" for number, name in enumeration.values.items())
    detail = f"is {value}, known are {known}"
    return FormatError(detail, rule=field.rules["enum"], stage=field.stage, offset=offset, path=path, payload=payload)


def within(field: Field, path: str, offset: int, length: int, left: int, *, payload: bool) -> FormatError:
    """A structure that says it is longer than what is left."""
    detail = f"says that {length} bytes follow, {left} do"
    return FormatError(detail, rule=field.rules["within"], stage=field.stage, offset=offset, path=path, payload=payload)


def trailing(field: Field, path: str, offset: int, left: int, *, payload: bool) -> FormatError:
    """Bytes between the last field and the end that the structure said it has."""
    detail = f"{left} byte{'s' if left > 1 else ''} left behind the last field"
    return FormatError(
        detail, rule=field.rules["trailing"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def checksum(field: Field, path: str, offset: int, stored: int, computed: int, *, payload: bool) -> FormatError:
    """A checksum that does not fit its bytes."""
    detail = f"stored {stored:#010x}, the bytes give {computed:#010x}"
    return FormatError(
        detail, rule=field.rules["checksum"], stage=Stage.CHECKSUM, offset=offset, path=path, payload=payload
    )


def count_negative(field: Field, path: str, offset: int, count: int, *, payload: bool) -> FormatError:
    """A negative count."""
    return FormatError(
        f"is {count}",
        rule=field.rules["count_negative"],
        stage=Stage.STRUCTURE,
        offset=offset,
        path=path,
        payload=payload,
    )


def count_within(
    field: Field, path: str, offset: int, count: int, item: Type, left: int, *, payload: bool
) -> FormatError:
    """A count of more items than the bytes can hold."""
    detail = f"{count} items of at least {minimum_size(item)} bytes cannot be in {left} bytes"
    return FormatError(
        detail, rule=field.rules["count_within"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def empty(field: Field, path: str, offset: int, left: int, *, payload: bool) -> FormatError:
    """Bytes where an array without items should be; `field` is its count."""
    detail = f"{left} byte{'s' if left > 1 else ''} for no items"
    return FormatError(
        detail, rule=field.rules["empty"], stage=Stage.STRUCTURE, offset=offset, path=path, payload=payload
    )


def choose(field: Field, choice: Choice, path: str, offset: int, value: int, *, payload: bool) -> FormatError:
    """A deciding byte that no case answers to."""
    detail = f"is {value}, known are {', '.join(str(number) for number in choice.cases)}"
    return FormatError(detail, rule=field.rules["choose"], stage=field.stage, offset=offset, path=path, payload=payload)


def input_trailing(offset: int, left: int) -> FormatError:
    """Bytes behind a structure that was to be all of the input."""
    return FormatError(
        f"{left} byte{'s' if left > 1 else ''} behind the structure",
        rule="input.exact",
        stage=Stage.STRUCTURE,
        offset=offset,
    )
