"""Compiled structures: the text of a layout, made into a module and put to use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeVar

from kafka_format.codec import checks
from kafka_format.codec.compiler import plan as planning
from kafka_format.codec.compiler.class_text import class_text
from kafka_format.codec.compiler.names import Names, default_name
from kafka_format.codec.members import class_name, default_structure, layouts, members, type_name
from kafka_format.codec.readings import DEFAULT_LIMIT, DOUBT, READINGS, REFUSED
from kafka_format.codec.text import Text
from kafka_format.primitives.collector import LARGE, paused_collector
from kafka_format.spec.flags import check_flags
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Layout

if TYPE_CHECKING:
    from kafka_format.codec.interpreter import Reader

_NONE: Final[frozenset[str]] = frozenset()

_Value = TypeVar("_Value")


class _Python(NamedTuple):
    """The compiled text: `read(data, position, end, limit)` and `write(value)`."""

    read: Callable[[bytes, int, int, int], tuple[Any, int]]
    write: Callable[[Any], bytes]


class Structure(Generic[_Value]):
    """One layout, or one version of a versioned layout, compiled.

    `kafka_format.values` and `kafka_format.protocol.values` have the classes of the values, for
    annotations.

    Attributes:
        layout: the layout.
        type: the NamedTuple class of its values.
        types: that class, and those of all structures inside, by their names in the layout.
    """

    def __init__(self, layout: Layout) -> None:
        """Make the classes of a layout; what reads and writes it is made when it is first used."""
        self.layout = layout
        self._names = Names()
        self._module = self._names.known
        self._module |= {"__name__": f"kafka_format.compiled.{layout.name}", "unpickled": unpickle}
        inside = layouts(layout)
        given = [default_structure(field) for each in inside.values() for field in members(each)]
        defaults = {type_name(default) for default in given if default is not None}
        text = Text()
        for each in inside.values():
            if layout.version is None and each is not layout:
                self._module[class_name(each)] = structure(each.name).type
            else:
                class_text(text, self._names, each)
            if type_name(each) in defaults:
                text.add(f"{default_name(class_name(each))} = {class_name(each)}()")
        self._classes = self._run("classes", text)
        self.types: dict[str, type[Any]] = {type_name(each): self._module[class_name(each)] for each in inside.values()}
        self.type: type[_Value] = self.types[type_name(layout)]
        has_program = layout.version is not None
        self._decode: Callable[[bytes], Any] | None = self._first_decode if has_program else None
        self._encode: Callable[[Any], bytes] | None = self._first_encode if has_program else None

    def _run(self, part: str, text: Text) -> str:
        """Run text in the module of this layout; return it."""
        version = "" if self.layout.version is None else f"version {self.layout.version} of "
        return text.run(f"<{part} from {version}spec/{self.layout.file}>", self._module)

    @cached_property
    def plan(self) -> planning.Node:
        """What the text and the program are made of."""
        names = {name: default_name(made.__name__) for name, made in self.types.items()}
        defaults = {name: self._module[default] for name, default in names.items() if default in self._module}
        return planning.plan(self.layout, self.types, defaults)

    @cached_property
    def source(self) -> str:
        """The Python text that is compiled: the classes, the reader and the writer."""
        from kafka_format.codec.compiler.reader_text import ReaderText  # noqa: PLC0415 - the machine needs no text
        from kafka_format.codec.compiler.writer_text import WriterText  # noqa: PLC0415 - the same

        text = Text()
        ReaderText(text, self._names).function(self.plan)
        text.add("", "")
        WriterText(text, self._names).function(self.plan)
        return self._classes + "\n\n" + self._run("compiled", text)

    @cached_property
    def python(self) -> _Python:
        """The compiled reader and writer."""
        assert self.source  # noqa: S101 - which defines them
        return _Python(self._module["read"], self._module["write"])

    @cached_property
    def program(self) -> planning.Program:
        """The same for the layout machine, as far as it has a program."""
        if self.layout.version is not None:
            return planning.program(self.plan)
        from kafka_format.codec.compiler.batch_program import BATCH, batch_program  # noqa: PLC0415 - versions need none

        batch = batch_program(self.types) if self.layout.name == BATCH else None
        return planning.Program(read_within=batch and batch.structure)

    def _first_decode(self, data: bytes) -> Any:
        """Make the program, whose functions then are found without a detour."""
        self._decode, self._encode = self.program.decode, self.program.write
        return self._decode(data)  # type: ignore[misc]  # a version has it

    def _first_encode(self, value: Any) -> bytes:
        self._decode, self._encode = self.program.decode, self.program.write
        return self._encode(value)  # type: ignore[misc]  # the same

    # The default of an argument that can be given by name alone takes 10 ns.
    def decode(self, data: bytes, flags: frozenset[str] = _NONE, limit: int = DEFAULT_LIMIT) -> _Value:
        """Read a value that is all of `data`.

        Args:
            data: the bytes.
            flags: names of the leniencies that are allowed, as in spec/flags.yaml.
            limit: bytes that a payload may decompress to.

        Raises:
            FormatError: the bytes break a rule, or more bytes follow.
            ValueError: there is no such flag.
        """
        if not flags:
            try:
                if READINGS.machine is not None and (decode := self._decode) is not None:
                    return decode(data)  # type: ignore[no-any-return]  # its type is T
                if READINGS.quick and type(data) is bytes and len(data) < LARGE:
                    value, position = self._quickly(data, 0, len(data), limit)
                    if position == len(data):
                        return value  # type: ignore[no-any-return]  # the same
            except DOUBT:
                pass
        value, position = self.read(data, flags=flags, limit=limit)
        checks.check_end(self.layout, data, position, flags)
        return value

    def read(
        self,
        data: bytes,
        start: int = 0,
        end: int | None = None,
        *,
        flags: frozenset[str] = _NONE,
        limit: int = DEFAULT_LIMIT,
    ) -> tuple[_Value, int]:
        """Read a value that lies in `data[start:end]`: it, and the position after it.

        Raises:
            FormatError: the bytes break a rule. Offsets count from the start of `data`.
            ValueError: there is no such flag, or `start` and `end` do not lie in `data`.
        """
        if flags:
            check_flags(flags)
        if type(data) is not bytes:
            data = bytes(data)
        end = len(data) if end is None else end
        if not 0 <= start <= end <= len(data):
            raise ValueError(f"start {start} and end {end} do not lie in {len(data)} bytes")
        if end - start < LARGE:
            return self._read(data, start, end, flags, limit)
        with paused_collector():
            return self._read(data, start, end, flags, limit)

    def _read(self, data: bytes, start: int, end: int, flags: frozenset[str], limit: int) -> tuple[Any, int]:
        """Read quickly; what the engine gives up is left to the interpreter."""
        if READINGS.quick:
            try:
                return self._quickly(data, start, end, limit)
            except DOUBT:
                pass
        return self.interpreter(data, flags, limit).read(self.layout, start, end)

    def _quickly(self, data: bytes, start: int, end: int, limit: int) -> tuple[Any, int]:
        """Read by the machine or by Python, whichever there is."""
        if READINGS.machine is not None:
            of_all, of_part = self.program.read, self.program.read_within
            if of_all is not None and end == len(data):
                return of_all(data, start)
            if of_part is not None:
                return of_part(data, start, end, limit)
        return self.python.read(data, start, end, limit)

    def interpreter(self, data: bytes, flags: frozenset[str], limit: int) -> Reader:
        """Return the second reader of these bytes, which makes the same values."""
        from kafka_format.codec.interpreter import Reader  # noqa: PLC0415 - only what is wrong needs it

        return Reader(data, flags=flags, limit=limit, make=self._make)

    def _make(self, layout: Layout, values: dict[str, Any]) -> Any:
        return tuple.__new__(self.types[type_name(layout)], values.values())

    def encode(self, value: _Value | Mapping[str, object]) -> bytes:
        """Write a value: a named tuple of this structure, or a mapping of its fields.

        What is left out of a mapping has its default. What a layout without versions computes is
        filled in where it is left out or None, and is written as it is given, also where it is
        wrong.

        Raises:
            EncodeError: a value is missing, has the wrong type, does not fit, or belongs to no
                field.
        """
        try:
            if READINGS.machine is not None and (encode := self._encode) is not None:
                return encode(value)
            if READINGS.quick:
                return self.python.write(value)
        except REFUSED:
            pass
        from kafka_format.codec.interpreter import encode as write  # noqa: PLC0415 - the same

        return write(self.layout, value)


@cache
def structure(name: str) -> Structure[Any]:
    """Return the compiled structure of that name, compiled once.

    Raises:
        LayoutError: there is no such layout; the message suggests a near name.
    """
    return Structure(find(name))


@cache
def version(name: str, number: int) -> Structure[Any]:
    """Return a version of a versioned layout, compiled once.

    Raises:
        LayoutError: there is no such layout, or it has no such version; the message says what there
            is.
    """
    return Structure(find(name, number))


def unpickle(layout: str, value: tuple[object, ...]) -> object:
    """Make a value of a layout without versions again from what was pickled."""
    return structure(layout).type._make(value)
