"""Writes a structure from its values.

A value that is given is written as it is, also where it is wrong: so a test case states only what
it distorts. What is left out, or None where None is no value, is filled: computed fields from the
bytes and items, constants and defaults from the layout.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from kafka_format.codec.interpreter.leaves import NULL_COUNT
from kafka_format.codec.interpreter.reader import codec_name
from kafka_format.codec.members import default_structure, is_default, members
from kafka_format.codec.runtime import LONGEST_STRING, section
from kafka_format.codec.scalars import content_bytes, form_bytes, no_number, number_bytes
from kafka_format.errors import EncodeError, FieldPath
from kafka_format.primitives.counts import byte_count
from kafka_format.spec.layout.model import (
    Array,
    Boolean,
    BytesAfter,
    Checksum,
    Choice,
    Computed,
    Counted,
    CountOf,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    LastItem,
    Layout,
    Nested,
    Optional,
    Rest,
    TagSection,
    Type,
    Varint,
)
from kafka_format.spec.layout.yamlfile import suggest


def as_mappings(value: Any) -> Any:
    """Return a value with all named tuples in it as dictionaries, as the interpreter makes them."""
    if hasattr(value, "_asdict"):
        return {name: as_mappings(member) for name, member in value._asdict().items()}
    if isinstance(value, list):
        return [as_mappings(item) for item in value]
    return value


def encode(layout: Layout, value: Any, path: FieldPath = ()) -> bytes:
    """Write one structure.

    Raises:
        EncodeError: a value is missing, has the wrong type, or does not fit.
    """
    values = _fields_of(layout, value)
    if not isinstance(values, Mapping):
        raise EncodeError(f"{layout.name} takes a mapping of its fields, not {type(value).__name__}", path=path)
    known = [field.name for field in members(layout)]
    for name in values:
        if name not in known:
            detail = f"{layout.name} has no such field; {suggest(str(name), known)}"
            raise EncodeError(detail, path=(*path, str(name)))
    return _Writer(layout, values, path).write()


def _fields_of(layout: Layout, value: Any) -> Any:
    """Return the fields by name, of a named tuple or of a plain tuple in wire order."""
    if hasattr(value, "_asdict"):
        return value._asdict()
    fields = members(layout)
    if isinstance(value, tuple) and len(value) == len(fields):
        return dict(zip([field.name for field in fields], value, strict=True))
    return value


class _Writer:
    """Writes the fields of one structure; those that depend on later bytes last."""

    def __init__(self, layout: Layout, values: Mapping[str, Any], path: FieldPath) -> None:
        self._layout = layout
        self._path = path
        self._given = values
        self._values: dict[str, Any] = {}
        self._parts: list[bytes] = []

    def write(self) -> bytes:
        fields = self._layout.fields
        for field in members(self._layout):
            self._values[field.name] = self._known_value(field)
        self._parts = [b"" for _ in fields]
        for index in reversed(range(len(fields))):
            field = fields[index]
            if self._values[field.name] is None and field.computed is not None and not field.when:
                self._values[field.name] = self._compute(field, field.computed, index)
            self._parts[index] = self._write(field, self._values[field.name])
        return b"".join(self._parts)

    def _known_value(self, field: Field) -> Any:
        """Return a value that is known before the bytes: given, constant, default, or a count."""
        given = self._given.get(field.name)
        if given is not None:
            return _number_of_bits(field, given, self._path) if isinstance(given, Mapping) and field.bits else given
        if not self._is_there(field) or (field.name in self._given and self._may_be_none(field)):
            return None
        if field.computed is None and not field.is_filled:
            raise EncodeError("needs a value", path=(*self._path, field.name))
        return self._filler(field)

    def _filler(self, field: Field) -> Any:
        """Return what is written for a field without a value; None for lengths and checksums."""
        if field.const is not None:
            return field.const
        if isinstance(field.computed, CountOf):
            return self._count(field, field.computed)
        if isinstance(field.default, LastItem):
            return self._last_item(field.default)
        return field.default if default_structure(field) is None else {}

    def _is_there(self, field: Field) -> bool:
        """Tell whether the earlier fields say that a field without a value is to be written."""
        for condition in field.when:
            number = self._values[condition.by]
            if not isinstance(number, int):
                raise no_number(number, (*self._path, condition.by))
            if not condition.holds(number):
                return False
        return True

    def _items(self, array: str) -> Sequence[Any] | bytes:
        given = self._given.get(array)
        if given is not None and (isinstance(given, str) or not isinstance(given, Sequence)):
            raise _no_items(given, (*self._path, array))
        return () if given is None else given

    def _count(self, field: Field, computed: CountOf) -> int:
        array = self._layout.field(computed.array)
        if isinstance(array.type, Array) and array.type.nullable and self._known_value(array) is None:
            return NULL_COUNT
        items = self._items(computed.array)
        if isinstance(items, bytes | bytearray):
            raise EncodeError(
                f"`{computed.array}` is given as bytes, so its items cannot be counted", path=(*self._path, field.name)
            )
        return len(items)

    def _last_item(self, default: LastItem) -> int:
        items = self._items(default.array)
        if isinstance(items, bytes | bytearray) or not items:
            return 0
        last = items[-1]
        item = last.get(default.item_field) if isinstance(last, Mapping) else getattr(last, default.item_field, None)
        return item or 0

    def _may_be_none(self, field: Field) -> bool:
        """Tell whether None is a value: null, or a wrong one in a version of a versioned layout."""
        if isinstance(field.type, Array):
            return field.type.nullable
        return self._layout.version is not None or (isinstance(field.type, Form) and field.type.null is not None)

    def _compute(self, field: Field, computed: Computed, index: int) -> int:
        """Compute a value from the bytes of the later fields, which are already there."""
        if isinstance(computed, BytesAfter):
            return sum(len(part) for part in self._parts[index + 1 :])
        if isinstance(computed, Checksum):
            from kafka_format.primitives.checksums import CHECKSUMS  # noqa: PLC0415 - it loads slowly

            first = [other.name for other in self._layout.fields].index(computed.first)
            return CHECKSUMS[computed.algorithm](b"".join(self._parts[first:]))
        raise EncodeError("needs a value", path=(*self._path, field.name))

    def _write(self, field: Field, value: Any) -> bytes:
        path = (*self._path, field.name)
        if isinstance(field.type, TagSection):
            return _tags(field, field.type, self._values, self._path)
        if value is None and (field.when or isinstance(field.type, Array)):
            return b""
        if isinstance(field.type, Array):
            return self._items_of(field, field.type, value, path)
        return _value(field.type, value, path)

    def _items_of(self, field: Field, kind: Array, value: Any, path: FieldPath) -> bytes:
        if isinstance(value, bytes | bytearray):
            return bytes(value)
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise _no_items(value, path)
        body = b"".join(_value(kind.item, item, (*path, index)) for index, item in enumerate(value))
        codec = self._codec(field, path)
        if codec == "none":
            return body
        from kafka_format import compression  # noqa: PLC0415 - it loads slowly

        return compression.compress(codec, body)

    def _codec(self, field: Field, path: FieldPath) -> str:
        attributes = field.compressed_by.attributes if field.compressed_by is not None else ""
        if attributes and not isinstance(self._values[attributes], int):
            raise no_number(self._values[attributes], (*self._path, attributes))
        try:
            return codec_name(self._values, field)
        except KeyError as error:
            raise EncodeError(
                f"codec {error} has no name; give the compressed bytes instead of a list", path=path
            ) from None


def _number_of_bits(field: Field, given: Mapping[str, Any], path: FieldPath) -> int:
    """Put an integer together from its bits: `{codec: gzip, is_transactional: true}`."""
    number = 0
    known = {bits.name: bits for bits in field.bits}
    for name, value in given.items():
        bits_path = (*path, field.name, name)
        if name not in known:
            raise EncodeError(f"no such bits; there are {', '.join(known)}", path=bits_path)
        bits = known[name]
        part = value
        if isinstance(value, str):
            names = {word: number for number, word in (bits.enum.values if bits.enum else {}).items()}
            if value not in names:
                raise EncodeError(
                    f"`{value}` is not the name of a value; the names are {', '.join(names)}", path=bits_path
                )
            part = names[value]
        if not isinstance(part, int):
            raise EncodeError(f"takes a whole number, or its name, not {type(part).__name__}", path=bits_path)
        if not 0 <= part <= bits.mask:
            raise EncodeError(f"{part} does not fit {bits.mask.bit_length()} bits", path=bits_path)
        number |= part << bits.low
    return number


def _value(kind: Type, value: Any, path: FieldPath) -> bytes:
    """Write one value of any type but an array that is counted elsewhere."""
    match kind:
        case Nested(layout=layout):
            return encode(layout, value, path)
        case Choice():
            return _choice(kind, value, path)
        case Optional():
            return _optional(kind, value, path)
        case Counted():
            return _array(kind, value, path)
        case Form():
            return _form(kind, value, path)
        case _:
            return _scalar(kind, value, path)


def _scalar(kind: Type, value: Any, path: FieldPath) -> bytes:
    match kind:
        case Integer() | Varint():
            return number_bytes(kind, value, path)
        case Boolean():
            if not isinstance(value, bool):
                raise EncodeError(f"takes true or false, not {value!r}", path=path)
            return bytes((value,))
        case Float():
            if not isinstance(value, float | int):
                raise EncodeError(f"takes a number, not {type(value).__name__}", path=path)
            return struct.pack(">d", value)
        case Fixed(size=size):
            return _check_size(size, value, path)
        case Rest():
            return content_bytes(value, path)
        case _:
            msg = f"{kind.name} cannot be an item"
            raise TypeError(msg)


def _no_items(value: Any, path: FieldPath) -> EncodeError:
    return EncodeError(f"takes a list of items, or its bytes, not {type(value).__name__}", path=path)


def _check_size(size: int, value: Any, path: FieldPath) -> bytes:
    content = content_bytes(value, path)
    if len(content) != size:
        raise EncodeError(f"takes {byte_count(size)}, not {len(content)}", path=path)
    return content


def _form(kind: Form, value: Any, path: FieldPath) -> bytes:
    if kind.content != "text" or value is None:
        return form_bytes(kind, value, path)
    if not isinstance(value, str):
        raise EncodeError(f"takes a text, not {type(value).__name__}", path=path)
    try:
        content = value.encode()
    except UnicodeEncodeError as error:
        raise EncodeError(f"cannot be UTF-8: {error.reason}", path=path) from None
    if len(content) > LONGEST_STRING:
        raise EncodeError(f"has {len(content)} bytes, must have {LONGEST_STRING} or fewer", path=path)
    return form_bytes(kind, content, path)


def _optional(kind: Optional, value: Any, path: FieldPath) -> bytes:
    if value is None:
        return number_bytes(kind.marker, kind.null, path)
    return number_bytes(kind.marker, 1, path) + encode(kind.layout, value, path)


def _array(kind: Counted, value: Any, path: FieldPath) -> bytes:
    if value is None:
        if not kind.nullable:
            raise EncodeError("cannot be null", path=path)
        return number_bytes(kind.length, NULL_COUNT, path)
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise EncodeError(f"takes a list of items, not {type(value).__name__}", path=path)
    items = [_value(kind.item, item, (*path, index)) for index, item in enumerate(value)]
    return number_bytes(kind.length, len(items), (*path, "count")) + b"".join(items)


def _choice(kind: Choice, value: Any, path: FieldPath) -> bytes:
    number = value.get(kind.by) if isinstance(value, Mapping) else getattr(value, kind.by, None)
    if not isinstance(number, int) or number not in kind.cases:
        known = ", ".join(str(case) for case in kind.cases)
        raise EncodeError(f"is {number}, so no layout can be chosen; known are {known}", path=(*path, kind.by))
    return encode(kind.cases[number], value, path)


def _tags(field: Field, kind: TagSection, given: Mapping[str, Any], path: FieldPath) -> bytes:
    """Write a tag section: known fields that do not have their defaults, and unknown ones."""
    known = [
        (field.tag or 0, _value(field.type, given[field.name], (*path, field.name)))
        for field in kind.fields
        if not is_default(field, given[field.name])
    ]
    own = {field.tag for field in kind.fields}
    unknown = _unknown(given[field.name], (*path, field.name))
    for tag, _ in unknown:
        if tag in own:
            raise EncodeError(f"tag {tag} belongs to a field that the layout knows", path=(*path, field.name))
    try:
        return section(known, unknown)
    except (ValueError, OverflowError):
        raise EncodeError("a tag appears twice, or does not fit", path=(*path, field.name)) from None


def _unknown(value: Any, path: FieldPath) -> list[tuple[int, bytes]]:
    try:
        pairs = [(tag, content) for tag, content in value or ()]
    except (TypeError, ValueError):
        raise EncodeError("takes pairs of a tag and its bytes", path=path) from None
    for tag, content in pairs:
        if not isinstance(tag, int) or isinstance(tag, bool) or tag < 0 or not isinstance(content, bytes):
            raise EncodeError("takes pairs of a tag and its bytes", path=path)
    return pairs
