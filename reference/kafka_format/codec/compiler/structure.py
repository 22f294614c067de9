"""Compiled structures: the text of a layout, made into a module and put to use."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Final, Generic, NamedTuple, TypeVar

from kafka_format import compression
from kafka_format.codec import checks, interpreter, runtime, scalars
from kafka_format.codec.compiler import plan as planning
from kafka_format.codec.compiler.batch_program import BATCH, batch_program
from kafka_format.codec.compiler.structure_text import structure_text
from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.codec.members import class_name
from kafka_format.codec.readings import DOUBT, READINGS, REFUSED
from kafka_format.primitives import checksums
from kafka_format.primitives.collector import LARGE, paused_collector
from kafka_format.primitives.varints import (
    COUNTED,
    SECOND,
    THIRD,
    VARINT_KINDS,
    ZIGZAG,
    number_varint,
    quick_varint,
    short_varints,
    write_varint,
)
from kafka_format.spec.flags import check_flags
from kafka_format.spec.layout import find
from kafka_format.spec.layout.fixed import order_mark
from kafka_format.spec.layout.model import Choice, Form, Layout

_VARINTS: Final = {
    **{name.upper(): kind for name, kind in VARINT_KINDS.items()},
    **{f"{name.upper()}_SHORT": short_varints(kind) for name, kind in VARINT_KINDS.items()},
    "COUNTED": COUNTED,
    "SECOND": SECOND,
    "THIRD": THIRD,
    "ZIGZAG": ZIGZAG,
    "number_varint": number_varint,
    "quick_varint": quick_varint,
    "write_varint": write_varint,
}
"""Every kind of varint, the tables of them, and their functions, by the names that the texts
use."""


class Parts(NamedTuple):
    """The functions of a compiled module, for the modules that use it."""

    type: Any
    quick: Any
    quick_many: Any
    write: Any
    write_many: Any


_Value = TypeVar("_Value")


class Structure(Generic[_Value]):
    """One layout, compiled. `kafka_format.values` has the classes of the values, for annotations.

    Attributes:
        layout: the layout.
        type: the NamedTuple class of its values.
        types: that class, and those of all structures inside, by the names of their layouts.
        source: the Python text that was compiled.
    """

    def __init__(self, layout: Layout) -> None:
        """Compile the layout, and before it the layouts that it uses."""
        plan = planning.plan(layout)
        self.layout = layout
        self._module = namespace(layout, plan)
        self.source = structure_text(plan).run(f"<compiled from spec/{layout.file}>", self._module)
        self.type: type[_Value] = self._module[plan.name]
        self._quick = self._module["quick"]
        self._write = self._module["write"]
        self.types: dict[str, type[Any]] = {layout.name: self.type}
        for used in plan.used:
            self.types |= structure(used.name).types

    @cached_property
    def _program(self) -> Callable[[bytes, int, int, int], tuple[_Value, int]] | None:
        """What the layout machine reads this layout by; None if it has no program for it."""
        made = batch_program(self.types) if self.layout.name == BATCH else None
        return made.structure if made is not None else None

    @property
    def parts(self) -> Parts:
        """The functions of the compiled module."""
        return Parts(self.type, *(self._module[name] for name in Parts._fields[1:]))

    def decode(self, data: bytes, *, flags: frozenset[str] = frozenset(), limit: int = DEFAULT_LIMIT) -> _Value:
        """Read one structure that is all of `data`.

        Args:
            data: the bytes.
            flags: names of the leniencies that are allowed, as in spec/flags.yaml.
            limit: bytes that a payload may decompress to.

        Raises:
            FormatError: the bytes break a rule, or more bytes follow.
            ValueError: there is no such flag.
        """
        if flags:
            check_flags(flags)
        if type(data) is not bytes:
            data = bytes(data)
        value, position = self._read(data, 0, len(data), flags, limit)
        if position != len(data):
            raise checks.input_trailing(position, len(data) - position)
        return value

    def read(
        self, data: bytes, start: int, end: int, *, flags: frozenset[str] = frozenset(), limit: int = DEFAULT_LIMIT
    ) -> tuple[_Value, int]:
        """Read one structure that lies in `data[start:end]`: its value, and the position after it.

        Raises:
            FormatError: the bytes break a rule. Offsets count from the start of `data`.
            ValueError: `start` and `end` do not lie in `data`.
        """
        if type(data) is not bytes:
            data = bytes(data)
        if not 0 <= start <= end <= len(data):
            raise ValueError(f"start {start} and end {end} do not lie in {len(data)} bytes")
        return self._read(data, start, end, flags, limit)

    def _read(self, data: bytes, start: int, end: int, flags: frozenset[str], limit: int) -> tuple[_Value, int]:
        """Read quickly; what the quick reader gives up is left to the interpreter."""
        if end - start < LARGE:
            return self._read_one(data, start, end, flags, limit)
        with paused_collector():
            return self._read_one(data, start, end, flags, limit)

    def _read_one(self, data: bytes, start: int, end: int, flags: frozenset[str], limit: int) -> tuple[_Value, int]:
        if READINGS.quick:
            quick = self._program or self._quick if READINGS.machine is not None else self._quick
            try:
                read: tuple[_Value, int] = quick(data, start, end, limit)
            except DOUBT:
                pass
            else:
                return read
        return self.interpreter(data, flags, limit).read(self.layout, start, end)

    def interpreter(self, data: bytes, flags: frozenset[str], limit: int) -> interpreter.Reader:
        """Return the second reader of these bytes.

        It makes the same named tuples as the quick one.
        """
        types, new = self.types, tuple.__new__
        return interpreter.Reader(
            data, flags=flags, limit=limit, make=lambda layout, values: new(types[layout.name], values.values())
        )

    def encode(self, value: _Value | Mapping[str, object]) -> bytes:
        """Write a value: a NamedTuple of this structure, or a mapping of its fields.

        What is given is written as it is, also where it is wrong; what is left out or None is
        filled from the layout.

        Raises:
            EncodeError: a value is missing, has the wrong type, or does not fit.
        """
        if type(value) is self.type and READINGS.quick:
            try:
                written: bytes = self._write(value)
            except REFUSED:
                pass
            else:
                return written
        return interpreter.encode(self.layout, value)


def namespace(layout: Layout, plan: planning.Plan) -> dict[str, Any]:
    """Return the names that the compiled text uses."""
    names: dict[str, Any] = {
        "__name__": f"kafka_format.compiled.{layout.name}",
        "INT8_BYTES": runtime.INT8_BYTES,
        "NamedTuple": NamedTuple,
        "Sequence": Sequence,
        "compression": compression,
        "new": tuple.__new__,
        "runtime": runtime,
        "unpickled": unpickle,
        **checksums.CHECKSUMS,
        **_VARINTS,
    }
    for code in "bBhHiIqQ":
        packer = struct.Struct(">" + code)
        names |= {f"UNPACK_{code}": packer.unpack_from, f"PACK_{code}": packer.pack}
        packer = struct.Struct(order_mark(layout.endian) + code)
        names |= {f"UNPACK_ITEM_{code}": packer.unpack_from, f"PACK_ITEM_{code}": packer.pack}
    for group in plan.groups:
        names[f"GROUP_{group.index}"] = struct.Struct(group.code)
    return names | _of_fields(layout) | _of_used(plan)


def _of_fields(layout: Layout) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for field in layout.fields:
        for bits in field.bits:
            if bits.enum is not None:
                names[f"NAMES_OF_{bits.name.upper()}"] = bits.enum.values
        if isinstance(field.type, Choice):
            modules = {number: structure(case.name).parts for number, case in field.type.cases.items()}
            names[f"CASES_OF_{field.name.upper()}"] = modules
        if field.compressed_by is not None and field.compressed_by.bits.enum is not None:
            names[f"NAMES_OF_{field.compressed_by.bits.name.upper()}"] = field.compressed_by.bits.enum.values
    for kind in planning.scalars(layout):
        if isinstance(kind, Form) and kind.null is not None:
            names[f"NULL_{kind.name.upper()}"] = scalars.form_bytes(kind, None)
    return names


def _of_used(plan: planning.Plan) -> dict[str, Any]:
    names: dict[str, Any] = {}
    for used in plan.used:
        parts = structure(used.name).parts
        for part in ("quick", "quick_many", "write", "write_many"):
            names[f"{part}_{used.name}"] = getattr(parts, part)
        names[class_name(used)] = parts.type
    return names


@cache
def structure(name: str) -> Structure[Any]:
    """Return the compiled structure of that name, compiled once.

    Raises:
        LayoutError: there is no such layout; the message suggests a near name.
    """
    return Structure(find(name))


def unpickle(layout: str, value: tuple[object, ...]) -> object:
    """Make a value of a structure again from what was pickled."""
    return structure(layout).type._make(value)
