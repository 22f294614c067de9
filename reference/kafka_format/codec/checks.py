"""One constructor per check: the error that it raises.

The interpreter finds what is wrong; the words for it are here, once.
"""

from __future__ import annotations

from kafka_format.codec.runtime import LONGEST_STRING
from kafka_format.errors import FieldPath, FormatError, Stage
from kafka_format.primitives.counts import byte_count, item_count, left_text
from kafka_format.primitives.varints import VarintKind
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Choice, Enumeration, Field, Layout, Optional, Surplus


def _error(
    field: Field, check: str, path: FieldPath, offset: int, detail: str, *, stage: Stage = Stage.STRUCTURE
) -> FormatError:
    """The error of one check of a field, by the rule that the layout names for it."""
    return FormatError(detail, rule=field.rules[check], stage=stage, offset=offset, path=path)


def _broken(rule: str, path: FieldPath, offset: int, detail: str) -> FormatError:
    """The error of a check whose rule is the same for all fields."""
    return FormatError(detail, rule=rule, stage=Stage.STRUCTURE, offset=offset, path=path)


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
    return _broken("protocol.length.int32", path, offset, f"is {number}, which no int32 can hold")


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


def count_within(field: Field, path: FieldPath, offset: int, count: int, least: int, left: int) -> FormatError:
    """A count of more items, of at least so many bytes, than the bytes can hold."""
    detail = f"{item_count(count)} of at least {byte_count(least)} cannot be in {byte_count(left)}"
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
    return _broken("input.exact", (), offset, f"{byte_count(left)} after the structure")


def boolean(path: FieldPath, offset: int, value: int) -> FormatError:
    """A boolean that is neither 0 nor 1."""
    return _broken("protocol.boolean", path, offset, f"is {value}, must be 0 or 1")


def longest(path: FieldPath, offset: int, length: int) -> FormatError:
    """A compact string that is longer than any string may be."""
    return _broken("protocol.string.longest", path, offset, f"has {length} bytes, must have {LONGEST_STRING} or fewer")


def null_array(path: FieldPath, offset: int) -> FormatError:
    """A null array where the version has none."""
    return _broken("protocol.array.not-null", path, offset, "is null, which is not allowed here")


def count(path: FieldPath, offset: int, number: int) -> FormatError:
    """A count below the one that means null."""
    return _broken("protocol.array.count", path, offset, f"is {number}: only -1 means null")


def marker(kind: Optional, path: FieldPath, offset: int, value: int) -> FormatError:
    """A marker of a structure that may be null, with a number that means nothing."""
    return _broken("protocol.marker", path, offset, f"is {value}: {kind.null} is null, 1 is a structure")


def tag_count(path: FieldPath, offset: int, number: int) -> FormatError:
    """A count of tagged fields that is negative as an int32."""
    return _broken("protocol.tags.count", path, offset, f"is {number}, which no int32 can hold")


def tag_order(path: FieldPath, offset: int, tag: int, last: int) -> FormatError:
    """A tag that is not above the one before it."""
    if tag == last:
        return _broken("protocol.tags.once", path, offset, f"tag {tag} appears twice")
    return _broken("protocol.tags.ascending", path, offset, f"tag {tag} comes after tag {last}")


def tag_version(path: FieldPath, offset: int, tag: int) -> FormatError:
    """A tag of a field that only other versions have."""
    return _broken("protocol.tag.version", path, offset, f"tag {tag} is a field of other versions only")


def tag_size(path: FieldPath, offset: int, left: int) -> FormatError:
    """A tagged field that ends before its size says."""
    return _broken("protocol.tag.size", path, offset, f"{byte_count(left)} left inside its size")


def check_end(layout: Layout, data: bytes, end: int, flags: frozenset[str]) -> None:
    """Check that bytes end where their last field does, or with what widely used clients leave.

    Args:
        layout: what was read.
        data: the bytes, all of them.
        end: where the last field ends.
        flags: the leniencies that are allowed.

    Raises:
        FormatError: other bytes follow.
    """
    if layout.version is None and end != len(data):
        raise input_trailing(end, len(data) - end)
    if end == len(data) or specification().flags.get("protocol.body.exact") in flags:
        return
    if surplus_of(layout, data[end:]) is None:
        raise body_trailing(end, len(data) - end)


def surplus_of(layout: Layout, rest: bytes) -> Surplus | None:
    """Return the client that leaves these bytes after the last field; None if none is known."""
    return next((surplus for surplus in layout.surplus if rest in surplus.contents), None)


def body_trailing(offset: int, left: int) -> FormatError:
    """Bytes after the last field."""
    return _broken("protocol.body.exact", (), offset, f"{byte_count(left)} after the last field")
