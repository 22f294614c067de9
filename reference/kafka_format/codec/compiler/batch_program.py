"""The program by which the layout machine reads record batches of v2, made of their layouts.

The machine knows the form of a batch and of a record, and takes from here what the layouts say of
it: widths, limits, known bits, and which number is what. Where a layout has another form there is
no program, and compiled text reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from kafka_format import compression
from kafka_format.codec.readings import load_machine
from kafka_format.errors import FormatError
from kafka_format.primitives.collector import LARGE
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import (
    Array,
    BytesAfter,
    Checksum,
    CountOf,
    Field,
    Form,
    Integer,
    Layout,
    Nested,
    Type,
    Varint,
    minimum_size,
)

BATCH: Final = "record_batch"
_RECORD: Final = "record"
_HEADER: Final = "header"

_NAMED: Final = ("base_offset", "base_timestamp", "max_timestamp", "producer_id", "producer_epoch", "base_sequence")
HEADS: Final = ("record_count", "attributes", *_NAMED)
"""The numbers of a batch that become columns."""

_BITS: Final = ("codec", "timestamp_type", "is_transactional", "is_control")
_RECORD_FIELDS: Final = ("timestamp_delta", "offset_delta", "key", "value")
_HEADER_FIELDS: Final = ("key", "value")


class BatchProgram(NamedTuple):
    """The functions that records.c describes.

    Attributes:
        decode: reads the records of batches as a consumer gets them, up to the first doubt.
        structure: reads one batch as the value of its structure.
        heads: reads the numbers `HEADS` of batches into columns.
        columns: reads records into columns.
    """

    decode: Callable[..., Any]
    structure: Callable[[bytes, int, int, int], tuple[Any, int]]
    heads: Callable[..., None]
    columns: Callable[..., tuple[int, int]]


class _FormError(ValueError):
    """A layout has another form than the machine knows."""


def batch_program(
    types: Mapping[str, type] | None = None, record: type = tuple, header: type = tuple
) -> BatchProgram | None:
    """Make the program; None if the layouts have another form.

    Args:
        types: the classes of the structures by the names of their layouts, for `structure`.
        record: the class of a consumer's records, for `decode`.
        header: the class of their headers.
    """
    classes = types or dict.fromkeys((BATCH, _RECORD, _HEADER), tuple)
    objects = (record, header, classes[BATCH], classes[_RECORD], classes[_HEADER], _decompress)
    batch, item, inner = find(BATCH), find(_RECORD), find(_HEADER)
    smallest = minimum_size(Nested(item)), minimum_size(Nested(inner))
    try:
        given = (*_head(batch), _record(item, inner), smallest, objects, LARGE)
    except _FormError:
        return None
    return BatchProgram(*load_machine().records(*given))


def _decompress(codec: int, data: bytes, limit: int) -> bytes | None:
    """Return a payload decompressed; None if it breaks a rule or is larger than the limit."""
    try:
        return compression.decompress(find(BATCH).field("attributes").part("codec").names[codec], data, limit=limit)
    except FormatError:
        return None


def _expect(holds: object) -> None:
    if not holds:
        raise _FormError


def _head(batch: Layout) -> tuple[Any, ...]:
    """Return the numbers of a batch, which of them is what, and bits of its attributes."""
    *head, records = batch.fields
    _expect(isinstance(records.type, Array) and records.type.item == Nested(find(_RECORD)))
    by: Any = records.compressed_by
    _expect(by is not None and by.bits.low == 0 and len(by.bits.names) == max(by.bits.enum.values) + 1)
    names = [field.name for field in head]
    attributes = batch.field(by.attributes)
    length, crc, count = (_computed(head, kind) for kind in (BytesAfter, Checksum, CountOf))
    checksum = cast("Checksum", batch.field(crc).computed)
    _expect(checksum.algorithm == "crc32c" and set(_NAMED) <= set(names))
    roles = (length, crc, checksum.first, count, by.attributes, *_NAMED)
    bits = tuple(attributes.part(name).in_place for name in _BITS)
    return _numbers(head), tuple(names.index(name) for name in roles), bits


def _computed(fields: Sequence[Field], kind: type) -> str:
    (name,) = (field.name for field in fields if isinstance(field.computed, kind))
    return name


def _numbers(fields: Sequence[Field]) -> tuple[tuple[int, ...], ...]:
    """Return of adjacent numbers: bytes, if signed, lowest, highest, and known bits."""
    sizes = [minimum_size(field.type) for field in fields]
    return tuple(_number(field, sum(sizes[: index + 1])) for index, field in enumerate(fields))


def _number(field: Field, end: int) -> tuple[int, ...]:
    kind = field.type
    _expect(isinstance(kind, Integer) and kind.order == "big" and (kind.size < 8 or kind.lowest < 0))
    kind = cast("Integer", kind)
    low = kind.lowest if field.minimum is None else field.minimum
    low, high = (low, kind.highest) if field.const is None else (field.const, field.const)
    if isinstance(field.computed, BytesAfter):
        high -= end  # Kafka adds what is before the frame, as an int32
    named = [(bits, bits.enum.values) for bits in field.bits if bits.enum is not None]
    partly = [(bits.low, bits.mask, sum(1 << n for n in values)) for bits, values in named if len(values) <= bits.mask]
    _expect(len(partly) <= 1)
    return kind.size, int(kind.lowest < 0), low, high, *(partly[0] if partly else (0, 0, 0))


def _record(record: Layout, header: Layout) -> tuple[Any, ...]:
    """Return the form of a record: its row, numbers, contents and headers."""
    length, *rest, count, headers = record.fields
    row = [field for field in rest if isinstance(field.type, Integer)]
    others = rest[len(row) :]
    _expect(rest[: len(row)] == row and tuple(field.name for field in others) == _RECORD_FIELDS)
    _expect(isinstance(length.computed, BytesAfter) and isinstance(count.computed, CountOf))
    _expect(isinstance(headers.type, Array) and headers.type.item == Nested(header) and not headers.type.nullable)
    _expect(tuple(field.name for field in header.fields) == _HEADER_FIELDS)
    numbers = tuple(_bits(field.type) for field in others[:2])
    contents = tuple(_content(field.type) for field in others[2:])
    of_header = tuple(_content(field.type) for field in header.fields)
    return _bits(length.type), _numbers(row), numbers, contents, _bits(count.type), of_header


def _bits(kind: Type) -> int:
    _expect(isinstance(kind, Varint) and kind.kind.zigzag)
    return cast("Varint", kind).kind.bits


def _content(kind: Type) -> tuple[int, int, int]:
    """Return of a content the bits of its length, its least, and whether it is a text."""
    _expect(isinstance(kind, Form))
    form = cast("Form", kind)
    return _bits(form.length), 0 if form.null is None else form.null, int(form.content == "utf8")
