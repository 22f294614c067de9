"""One constructor per check that only the protocol has: the error that it raises."""

from __future__ import annotations

from kafka_format.codec.versions.runtime import LONGEST_STRING
from kafka_format.errors import FieldPath, FormatError, Stage
from kafka_format.primitives.counts import byte_count, item_count
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Layout, Optional, Surplus


def _error(rule: str, path: FieldPath, offset: int, detail: str) -> FormatError:
    return FormatError(detail, rule=rule, stage=Stage.STRUCTURE, offset=offset, path=path)


def boolean(path: FieldPath, offset: int, value: int) -> FormatError:
    """A boolean that is neither 0 nor 1."""
    return _error("protocol.boolean", path, offset, f"is {value}, must be 0 or 1")


def longest(path: FieldPath, offset: int, length: int) -> FormatError:
    """A compact string that is longer than any string may be."""
    return _error("protocol.string.longest", path, offset, f"has {length} bytes, must have {LONGEST_STRING} or fewer")


def null_array(path: FieldPath, offset: int) -> FormatError:
    """A null array where the version has none."""
    return _error("protocol.array.not-null", path, offset, "is null, which is not allowed here")


def count(path: FieldPath, offset: int, number: int) -> FormatError:
    """A count below the one that means null."""
    return _error("protocol.array.count", path, offset, f"is {number}: only -1 means null")


def count_within(path: FieldPath, offset: int, number: int, least: int, left: int) -> FormatError:
    """A count of more items than the bytes can hold."""
    detail = f"{item_count(number)} of at least {byte_count(least)} cannot be in {byte_count(left)}"
    return _error("count.within", path, offset, detail)


def marker(kind: Optional, path: FieldPath, offset: int, value: int) -> FormatError:
    """A marker of a structure that may be null, with a number that means nothing."""
    return _error("protocol.marker", path, offset, f"is {value}: {kind.null} is null, 1 is a structure")


def tag_count(path: FieldPath, offset: int, number: int) -> FormatError:
    """A count of tagged fields that is negative as an int32."""
    return _error("protocol.tags.count", path, offset, f"is {number}, which no int32 can hold")


def tag_order(path: FieldPath, offset: int, tag: int, last: int) -> FormatError:
    """A tag that is not above the one before it."""
    if tag == last:
        return _error("protocol.tags.once", path, offset, f"tag {tag} appears twice")
    return _error("protocol.tags.ascending", path, offset, f"tag {tag} comes after tag {last}")


def tag_version(path: FieldPath, offset: int, tag: int) -> FormatError:
    """A tag of a field that only other versions have."""
    return _error("protocol.tag.version", path, offset, f"tag {tag} is a field of other versions only")


def tag_size(path: FieldPath, offset: int, left: int) -> FormatError:
    """A tagged field that ends before its size says."""
    return _error("protocol.tag.size", path, offset, f"{byte_count(left)} left inside its size")


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
    if end == len(data) or specification().flags.get("protocol.body.exact") in flags:
        return
    if surplus_of(layout, data[end:]) is None:
        raise trailing(end, len(data) - end)


def surplus_of(layout: Layout, rest: bytes) -> Surplus | None:
    """Return the client that leaves these bytes after the last field; None if none is known."""
    return next((surplus for surplus in layout.surplus if rest in surplus.contents), None)


def trailing(offset: int, left: int) -> FormatError:
    """Bytes after the last field."""
    return _error("protocol.body.exact", (), offset, f"{byte_count(left)} after the last field")
