"""What compiled modules call: the careful readers of single fields, and the tables of the quick writers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from kafka_format import compression
from kafka_format.codec import checks
from kafka_format.errors import FormatError
from kafka_format.primitives.numbers import VarintKind, read_varint
from kafka_format.spec.layout.model import Field, Fixed, Form, Integer, Type, Varint, minimum_size


class Run(NamedTuple):
    """What one decoding run allows.

    Attributes:
        flags: leniencies that are allowed.
        limit: bytes that a payload may decompress to.
        relaxed: flag by the rule that it relaxes.
        payload: True while the bytes are a decompressed payload.
    """

    flags: frozenset[str]
    limit: int
    relaxed: dict[str, str]
    payload: bool = False

    def allows(self, rule: str) -> bool:
        """Tell whether an active flag relaxes the rule."""
        return self.relaxed.get(rule) in self.flags

    def inside(self) -> Run:
        """Return the same run inside a decompressed payload."""
        return self._replace(payload=True)


def integer(data: bytes, position: int, end: int, kind: Integer, field: Field, path: str, run: Run) -> tuple[int, int]:
    """Read a fixed integer: value and next position."""
    if end - position < kind.size:
        raise checks.truncated(field, path, position, kind.size, end - position, payload=run.payload)
    after = position + kind.size
    return int.from_bytes(data[position:after], kind.order, signed=kind.lowest < 0), after


def sized(content: bytes, size: int) -> bytes:
    """Return content that has this size.

    Raises:
        TypeError: it has another, or is no bytes.
    """
    if type(content) is not bytes or len(content) != size:
        raise TypeError
    return content


def fixed(data: bytes, position: int, end: int, kind: Fixed, field: Field, path: str, run: Run) -> tuple[bytes, int]:
    """Read so many bytes: content and next position."""
    if end - position < kind.size:
        raise checks.truncated(field, path, position, kind.size, end - position, payload=run.payload)
    return data[position : position + kind.size], position + kind.size


def varint(
    data: bytes, position: int, end: int, kind: VarintKind, field: Field, path: str, run: Run
) -> tuple[int, int]:
    """Read a varint: value and next position."""
    raw = read_varint(data, position, end, kind)
    if raw is None:
        raise checks.varint_cut(field, path, position, payload=run.payload)
    if raw.end < 0:
        raise checks.too_long(field, path, position, kind, payload=run.payload)
    if raw.excess and not run.allows(field.rules["excess"]):
        raise checks.excess(field, path, position, kind, payload=run.payload)
    if raw.overlong and not run.allows(field.rules["overlong"]):
        raise checks.overlong(field, path, position, payload=run.payload)
    return raw.value, raw.end


def form(
    data: bytes, position: int, end: int, kind: Form, field: Field, path: str, run: Run
) -> tuple[bytes | None, int]:
    """Read content behind its length: content and next position."""
    where = path + ".length"
    if isinstance(kind.length, Varint):
        length, start = varint(data, position, end, kind.length.kind, field, where, run)
    else:
        length, start = integer(data, position, end, kind.length, field, where, run)
    if length < 0:
        nullable = kind.null is not None
        if not nullable or (length != kind.null and not run.allows(field.rules["negative"])):
            raise checks.negative(field, where, position, length, nullable=nullable, payload=run.payload)
        return None, start
    if length > end - start:
        raise checks.length_within(field, where, position, length, end - start, payload=run.payload)
    content = data[start : start + length]
    if kind.content == "utf8":
        content = _text(content, start, field, path, run)
    return content, start + length


def _text(content: bytes, start: int, field: Field, path: str, run: Run) -> bytes:
    try:
        content.decode()
    except UnicodeDecodeError as error:
        if not run.allows(field.rules["utf8"]):
            raise checks.utf8(field, path, start + error.start, payload=run.payload) from None
        return content.decode(errors="replace").encode()
    return content


def names_known(value: int, position: int, field: Field, path: str, run: Run) -> None:
    """Check that bits with names have a number that is one."""
    for bits in field.bits:
        part = value >> bits.low & bits.mask
        if bits.enum is not None and part not in bits.enum.values:
            raise checks.enum(field, f"{path}.{bits.name}", position, part, bits.enum, payload=run.payload)


def count_fits(count: int, position: int, left: int, item: Type, field: Field, path: str, *, before: Run) -> None:
    """Check a count against the bytes that its items are in; `before` is the run that the count itself was read in."""
    if count < 0:
        raise checks.count_negative(field, path, position, count, payload=before.payload)
    if count * minimum_size(item) > left:
        raise checks.count_within(field, path, position, count, item, left, payload=before.payload)


def unread(codec: str, data: bytes, position: int, end: int, path: str, run: Run) -> int:
    """Pass over the payload of an array without items, as Kafka does: only the start of the stream is looked at."""
    try:
        compression.check_start(codec, data[position:end], limit=run.limit, flags=run.flags)
    except FormatError as error:
        raise shift(error, position, path) from None
    return end


def shift(error: FormatError, position: int, path: str) -> FormatError:
    """Make an error of a codec count from the start of the input."""
    error.offset += position
    error.path = path
    return error


def unpickled(layout: str, value: tuple[object, ...]) -> object:
    """Make a value of a structure again from what was pickled."""
    from kafka_format import structure  # noqa: PLC0415 - it imports this module

    return structure(layout).type._make(value)


INT8_BYTES: Final = {value: value.to_bytes(1, "big", signed=True) for value in range(-128, 128)}


def count(items: Sequence[object]) -> int:
    """Count the items of an array.

    Raises:
        TypeError: the array is given as bytes, so there is nothing to count, or as something else.
    """
    if not isinstance(items, list | tuple):
        raise TypeError
    return len(items)
