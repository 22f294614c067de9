"""One constructor per check: the error that it raises.

The interpreter finds what is wrong; the words for it are here, once.
"""

from __future__ import annotations

from kafka_format.errors import FieldPath, FormatError, Stage
from kafka_format.primitives.counts import byte_count, item_count, left_text
from kafka_format.primitives.varints import VarintKind
from kafka_format.spec.layout.model import Choice, Enumeration, Field, Type, minimum_size


def _error(
    field: Field, check: str, path: FieldPath, offset: int, detail: str, *, stage: Stage = Stage.STRUCTURE
) -> FormatError:
    """The error of one check of a field, by the rule that the layout names for it."""
    return FormatError(detail, rule=field.rules[check], stage=stage, offset=offset, path=path)


def truncated(field: Field, path: FieldPath, offset: int, need: int, left: int) -> FormatError:
    """A fixed field that its structure has no room for."""
    return _error(field, "truncated", path, offset, f"needs {byte_count(need)}, {max(left, 0)} left")


def varint_cut(field: Field, path: FieldPath, offset: int) -> FormatError:
    """A varint whose last byte still says that more follow."""
    return _error(field, "truncated", path, offset, "the varint goes on past the end of its structure")


def too_long(field: Field, path: FieldPath, offset: int, kind: VarintKind) -> FormatError:
    """A varint of more bytes than its width allows."""
    detail = f"a {kind.name} has at most {kind.max_bytes} bytes, this one goes on"
    return _error(field, "too_long", path, offset, detail)


def excess(field: Field, path: FieldPath, offset: int, kind: VarintKind) -> FormatError:
    """A varint with bits beyond its width."""
    return _error(field, "excess", path, offset, f"the last byte of the {kind.name} has bits beyond {kind.bits}")


def overlong(field: Field, path: FieldPath, offset: int) -> FormatError:
    """A varint with a needless last byte."""
    return _error(field, "overlong", path, offset, "the varint ends in a zero byte, so fewer bytes would do")


def negative(field: Field, path: FieldPath, offset: int, length: int, *, nullable: bool) -> FormatError:
    """A length below the one that means null."""
    why = "only -1 means null" if nullable else "null is not allowed here"
    return _error(field, "negative", path, offset, f"length {length}: {why}")


def length_within(field: Field, path: FieldPath, offset: int, length: int, left: int) -> FormatError:
    """A length that is longer than what is left."""
    return _error(field, "length_within", path, offset, f"length {length}, but {left_text(left)}")


def beyond_int32(path: FieldPath, offset: int, number: int) -> FormatError:
    """A compact length or count that an int32 cannot hold."""
    detail = f"is {number}, which no int32 can hold"
    return FormatError(detail, rule="protocol.length.int32", stage=Stage.STRUCTURE, offset=offset, path=path)


def utf8(field: Field, path: FieldPath, offset: int) -> FormatError:
    """Text that is not UTF-8; `offset` is its first bad byte."""
    return _error(field, "utf8", path, offset, "is not UTF-8")


def const(field: Field, path: FieldPath, offset: int, value: int) -> FormatError:
    """A field that can only have one value and has another."""
    return _error(field, "const", path, offset, f"is {value}, must be {field.const}", stage=field.stage)


def minimum(field: Field, path: FieldPath, offset: int, value: int) -> FormatError:
    """A number below its minimum."""
    return _error(field, "minimum", path, offset, f"is {value}, must be {field.minimum} or more", stage=field.stage)


def enum(field: Field, path: FieldPath, offset: int, value: int, enumeration: Enumeration) -> FormatError:
    """Bits with a number that has no name."""
    known = ", ".join(f"{number} {name}" for number, name in enumeration.values.items())
    return _error(field, "enum", path, offset, f"is {value}, known are {known}", stage=field.stage)


def within(field: Field, path: FieldPath, offset: int, length: int, left: int) -> FormatError:
    """A structure that says it is longer than what is left."""
    detail = f"says that {byte_count(length)} follow{'s' if length == 1 else ''}, {left} do"
    return _error(field, "within", path, offset, detail, stage=field.stage)


def trailing(field: Field, path: FieldPath, offset: int, left: int) -> FormatError:
    """Bytes between the last field and the end that the structure said it has."""
    return _error(field, "trailing", path, offset, f"{byte_count(left)} left after the last field")


def checksum(field: Field, path: FieldPath, offset: int, stored: int, computed: int) -> FormatError:
    """A checksum that does not fit its bytes."""
    detail = f"stored {stored:#010x}, the bytes give {computed:#010x}"
    return _error(field, "checksum", path, offset, detail, stage=Stage.CHECKSUM)


def count_negative(field: Field, path: FieldPath, offset: int, count: int) -> FormatError:
    """A negative count."""
    return _error(field, "count_negative", path, offset, f"is {count}")


def count_within(field: Field, path: FieldPath, offset: int, count: int, item: Type, left: int) -> FormatError:
    """A count of more items than the bytes can hold."""
    detail = f"{item_count(count)} of at least {byte_count(minimum_size(item))} cannot be in {byte_count(left)}"
    return _error(field, "count_within", path, offset, detail)


def empty(field: Field, path: FieldPath, offset: int, left: int) -> FormatError:
    """Bytes where an array without items should be; `field` is its count."""
    return _error(field, "empty", path, offset, f"{byte_count(left)} for no items")


def choose(field: Field, choice: Choice, path: FieldPath, offset: int, value: int) -> FormatError:
    """A deciding byte that no case answers to."""
    known = ", ".join(str(number) for number in choice.cases)
    return _error(field, "choose", path, offset, f"is {value}, known are {known}", stage=field.stage)


def input_trailing(offset: int, left: int) -> FormatError:
    """Bytes after a structure that was to be all of the input."""
    detail = f"{byte_count(left)} after the structure"
    return FormatError(detail, rule="input.exact", stage=Stage.STRUCTURE, offset=offset)
