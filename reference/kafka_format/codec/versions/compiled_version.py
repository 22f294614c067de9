"""One version of a versioned layout, compiled: its classes, its reader, its writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any, Final, Generic, TypeVar

from kafka_format.codec import checks, runtime
from kafka_format.codec.members import class_name, default_structure, layouts, members
from kafka_format.codec.readings import DOUBT, READINGS, REFUSED
from kafka_format.codec.runtime import UnknownTaggedField
from kafka_format.codec.text import Text
from kafka_format.codec.versions.plan import Node, Program, plan, program
from kafka_format.codec.versions.reader_text import ReaderText
from kafka_format.codec.versions.text import Names, default_name
from kafka_format.codec.versions.writer_text import WriterText
from kafka_format.primitives.collector import LARGE, paused_collector
from kafka_format.spec.flags import check_flags
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import (
    Counted,
    Form,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
)

_PLAIN: Final = {"bool": "bool", "float64": "float", "uuid": "bytes"}


_Value = TypeVar("_Value")


class CompiledVersion(Generic[_Value]):
    """One version of a versioned layout, compiled.

    `kafka_format.protocol.values` has the classes, for annotations.

    Attributes:
        layout: the version, as a layout.
        type: the NamedTuple class of its values.
        types: that class, and those of all structures inside, by their names in the layout.
    """

    def __init__(self, layout: Layout) -> None:
        """Make the classes of a version; what reads and writes it is made when it is first used."""
        self.layout = layout
        inside = layouts(layout)
        defaults = [default_structure(field) for structure in inside.values() for field in members(structure)]
        text = Text()
        for structure in inside.values():
            _class(text, structure)
            if structure in defaults:
                text.add(f"{default_name(class_name(structure))} = {class_name(structure)}()")
        self._module = {**runtime.NAMES, "__name__": f"kafka_format.compiled.{layout.name}"}
        self._classes = self._run("classes", text)
        self._defaults = {
            structure.type_name: self._module[default_name(class_name(structure))]
            for structure in inside.values()
            if structure in defaults
        }
        self.types: dict[str, type[Any]] = {
            structure.type_name: self._module[class_name(structure)] for structure in inside.values()
        }
        self.type: type[_Value] = self.types[layout.type_name]

    def _run(self, part: str, text: Text) -> str:
        """Run text in the module of this version; return it."""
        return text.run(f"<{part} from version {self.layout.version} of spec/{self.layout.file}>", self._module)

    @cached_property
    def _plan(self) -> Node:
        """What the text and the program are made of."""
        return plan(self.layout, self.types, self._defaults)

    @cached_property
    def source(self) -> str:
        """The Python text that is compiled: the classes, the reader and the writer."""
        text, names = Text(), Names()
        ReaderText(text, names).function(self._plan)
        WriterText(text, names).function(self._plan)
        self._module |= names.known
        return self._classes + self._run("compiled", text)

    @cached_property
    def _python(self) -> tuple[Any, Any]:
        """The compiled reader and writer."""
        assert self.source  # noqa: S101 - which defines them
        return self._module["read"], self._module["write"]

    @cached_property
    def _program(self) -> Program:
        """The same for the layout machine."""
        return program(self._plan)

    @cached_property
    def _decode(self) -> Callable[[bytes], Any]:
        return self._program.decode

    @cached_property
    def _encode(self) -> Callable[[Any], bytes]:
        return self._program.write

    def decode(self, data: bytes, *, flags: frozenset[str] = frozenset()) -> _Value:
        """Read a value that is all of `data`.

        Args:
            data: the bytes.
            flags: names of the leniencies that are allowed, as in spec/flags.yaml.

        Raises:
            FormatError: the bytes break a rule, or more bytes follow.
            ValueError: there is no such flag.
        """
        if not flags:
            try:
                if READINGS.machine is not None:
                    return self._decode(data)  # type: ignore[no-any-return]  # its type is T
                if READINGS.quick and type(data) is bytes and len(data) < LARGE:
                    value, position = self._python[0](data, 0)
                    if position == len(data):
                        return value  # type: ignore[no-any-return]  # the same
            except DOUBT:
                pass
        value, position = self.read(data, flags=flags)
        checks.check_end(self.layout, data, position, flags)
        return value

    def read(self, data: bytes, start: int = 0, *, flags: frozenset[str] = frozenset()) -> tuple[_Value, int]:
        """Read a value that begins at `start`: it, and the position after it.

        Raises:
            FormatError: the bytes break a rule. Offsets count from the start of `data`.
            ValueError: there is no such flag, or `start` is not in `data`.
        """
        if flags:
            check_flags(flags)
        if type(data) is not bytes:
            data = bytes(data)
        if not 0 <= start <= len(data):
            raise ValueError(f"start {start} does not lie in {len(data)} bytes")
        if len(data) - start < LARGE:
            return self._read(data, start, flags)
        with paused_collector():
            return self._read(data, start, flags)

    def _read(self, data: bytes, start: int, flags: frozenset[str]) -> tuple[_Value, int]:
        """Read quickly; what the engine gives up is left to the interpreter."""
        if READINGS.quick:
            read = self._program.read if READINGS.machine is not None else self._python[0]
            try:
                quick: tuple[_Value, int] = read(data, start)
            except DOUBT:
                pass
            else:
                return quick
        from kafka_format.codec.interpreter import Reader  # noqa: PLC0415 - only what is wrong needs it

        return Reader(data, flags=flags, make=self._make).read(self.layout, start, len(data))

    def _make(self, layout: Layout, values: dict[str, Any]) -> Any:
        return tuple.__new__(self.types[layout.type_name], values.values())

    def encode(self, value: _Value | Mapping[str, object]) -> bytes:
        """Write a value: a named tuple of this version, or a mapping of its fields.

        What is left out of a mapping has its default.

        Raises:
            EncodeError: a value has the wrong type, does not fit, or belongs to no field.
        """
        try:
            if READINGS.machine is not None:
                return self._encode(value)
            if READINGS.quick:
                return self._python[1](value)  # type: ignore[no-any-return]  # compiled: it is bytes
        except REFUSED:
            pass
        from kafka_format.codec.interpreter import encode  # noqa: PLC0415 - the same

        return encode(self.layout, value)


def _class(text: Text, layout: Layout) -> None:
    """Add the class of the values of a structure."""
    with text.block(f"class {class_name(layout)}(NamedTuple):"):
        text.add(f'"""{layout.title}."""', "")
        for field in members(layout):
            structure = default_structure(field)
            default = repr(field.default) if structure is None else default_name(class_name(structure))
            text.add(f"{field.name}: {_annotation(field.type)!r} = {default}")


def _annotation(kind: Type) -> str:
    """Return the type of a field's values."""
    match kind:
        case Form(content=content, null=null):
            return ("str" if content == "text" else "bytes") + ("" if null is None else " | None")
        case Nested(layout=layout):
            return class_name(layout)
        case Optional(layout=layout):
            return f"{class_name(layout)} | None"
        case Counted(item=item, nullable=nullable):
            return f"list[{_annotation(item)}]" + (" | None" if nullable else "")
        case TagSection():
            return f"tuple[{UnknownTaggedField.__name__}, ...]"
        case _:
            return _PLAIN.get(kind.name, "int")


@cache
def version(name: str, number: int) -> CompiledVersion[Any]:
    """Return a version of a versioned layout, compiled once.

    Raises:
        LayoutError: there is no such layout, or it has no such version; the message says what there
            is.
    """
    return CompiledVersion(find(name, number))
