"""The text of a writer: all of a version in one function, arrays as loops.

It takes only values of the version's own classes, and raises at all that it cannot write; the
interpreter then writes it, or says what is wrong.
"""

from __future__ import annotations

from kafka_format.codec.members import class_name, members
from kafka_format.codec.text import REFUSE, Text
from kafka_format.codec.versions.text import CODES, FEW, Names, default_name
from kafka_format.spec.layout.model import (
    Boolean,
    Counted,
    Field,
    Fixed,
    Float,
    Form,
    Integer,
    Layout,
    Nested,
    Optional,
    TagSection,
    Type,
)


class WriterText:
    """Writes the text that writes one version."""

    def __init__(self, text: Text, names: Names) -> None:
        """Take where the text goes, and the names that it uses."""
        self._text = text
        self._names = names
        self._run: list[tuple[str, str]] = []
        self._behind: list[str] = []
        self._parts = "parts"

    def function(self, layout: Layout) -> None:
        """Add the function `write(value)`."""
        text = self._text
        with text.block("def write(value):"):
            text.add("parts = []")
            self._structure(layout, "value", 0)
            self._flush()
            text.add('return b"".join(parts)')

    def _structure(self, layout: Layout, value: str, depth: int) -> None:
        """Take a value apart and write its fields."""
        self._text.add(f"if type({value}) is not {class_name(layout)}: {REFUSE}")
        if members(layout):
            self._text.add(f"{_variables(layout, depth)} = {value}")
        for field in layout.fields:
            self._field(field.type, f"{field.name}_{depth}", depth)

    def _flush(self, *behind: str) -> None:
        """Write the fixed fields that were put off, in one step, and what is after them."""
        pieces = list(behind)
        if self._run:
            codes = "".join(code for _, code in self._run)
            pieces.insert(0, f"{self._names.pack(codes)}({', '.join(name for name, _ in self._run)})")
        if len(pieces) == 1:
            self._text.add(f"{self._parts}.append({pieces[0]})")
        elif pieces:
            self._text.add(f"{self._parts} += ({', '.join(pieces)})")
        self._run = []

    def _field(self, kind: Type, name: str, depth: int) -> None:
        match kind:
            case Integer(code=code):
                self._run.append((name, code))
            case Boolean():
                self._text.add(f"if {name} is not True and {name} is not False: {REFUSE}")
                self._run.append((name, CODES[kind.name]))
            case Fixed(size=size):
                self._text.add(f"if type({name}) is not bytes or len({name}) != {size}: {REFUSE}")
                self._run.append((name, CODES[kind.name]))
            case Float():
                self._run.append((name, CODES[kind.name]))
            case Form():
                self._form(kind, name)
            case Nested(layout=layout):
                self._structure(layout, name, depth + 1)
            case Optional():
                self._optional(kind, name, depth)
            case Counted():
                self._array(kind, name, depth)
            case TagSection(fields=fields):
                self._tags(fields, name, depth)
            case _:
                msg = f"{kind.name} is none of the protocol's types"
                raise TypeError(msg)

    def _length(self, kind: Type, name: str, *behind: str) -> None:
        """Write a length or a count, and what is after it."""
        if isinstance(kind, Integer):
            self._run.append((name, kind.code))
            self._flush(*behind)
        else:
            self._flush(f"COMPACT[{name}] if {name} < SHORT else compact({name})", *behind)

    def _form(self, kind: Form, name: str) -> None:
        text = self._text
        is_text = kind.content == "text"
        # Lengths of compact strings are in a table, else IndexError leaves them to the interpreter.
        table = is_text and not isinstance(kind.length, Integer)
        null, size = ("0", "len(content) + 1") if table else ("-1", "len(content)")
        content = f"{name}.encode()" if is_text else name
        if kind.null is not None:
            with text.block(f"if {name} is None:"):
                text.add(f'n, content = {null}, b""')
            with text.block("else:"):
                self._content(content, size, is_text=is_text)
        else:
            self._content(content, size, is_text=is_text)
        if table:
            self._flush("NUMBERS[n]", "content")
        else:
            self._length(kind.length, "n", "content")

    def _content(self, content: str, size: str, *, is_text: bool) -> None:
        self._text.add(f"content = {content}")
        if not is_text:
            self._text.add(f"if type(content) is not bytes: {REFUSE}")
        self._text.add(f"n = {size}")

    def _optional(self, kind: Optional, name: str, depth: int) -> None:
        text = self._text
        self._flush()
        marker, null = (r'b"\x01"', r'b"\xff"') if isinstance(kind.marker, Integer) else (r'b"\x01"', r'b"\x00"')
        with text.block(f"if {name} is None:"):
            text.add(f"{self._parts}.append({null})")
        with text.block("else:"):
            text.add(f"{self._parts}.append({marker})")
            self._structure(kind.layout, name, depth + 1)
            self._flush()

    def _array(self, kind: Counted, name: str, depth: int) -> None:
        text = self._text
        if not kind.nullable:
            self._some(kind, name, depth)
            return
        before = list(self._run)
        with text.block(f"if {name} is None:"):
            text.add("n = -1")
            self._length(kind.length, "n")
        self._run = before
        with text.block("else:"):
            self._some(kind, name, depth)

    def _some(self, kind: Counted, name: str, depth: int) -> None:
        text = self._text
        text.add(f"if type({name}) is not list and type({name}) is not tuple: {REFUSE}", f"n = len({name})")
        if isinstance(kind.item, Integer):
            few = self._names.pack_few(kind.item.code)
            packed = f'{few}[n](*{name}) if n < {FEW} else pack(f">{{n}}{kind.item.code}", *{name})'
            self._length(kind.length, "n", packed)
            return
        self._length(kind.length, "n")
        item = f"item{depth}"
        with text.block(f"for {item} in {name}:"):
            self._field(kind.item, item, depth)
            self._flush()

    def _tags(self, fields: tuple[Field, ...], name: str, depth: int) -> None:
        text = self._text
        self._flush()
        known = f"known{depth}"
        if fields:
            text.add(f"{known} = []")
        for field in fields:
            self._tagged_field(field, known, depth)
        some = f"{known} or {name}" if fields else name
        text.add(f'{self._parts}.append(section({known if fields else "()"}, {name}) if {some} else b"\\0")')

    def _tagged_field(self, field: Field, known: str, depth: int) -> None:
        text = self._text
        variable = f"{field.name}_{depth}"
        outer = self._parts
        with text.block(f"if {differs(field, variable)}:"):
            self._parts = f"content{depth}"
            text.add(f"{self._parts} = []")
            self._field(field.type, variable, depth)
            self._flush()
            text.add(f'{known}.append(({field.tag}, b"".join({self._parts})))')
        self._parts = outer


def differs(field: Field, name: str) -> str:
    """Return the condition under which a field does not have its default, as Python text."""
    kind = field.type
    if isinstance(kind, TagSection):
        return name
    if field.default is None:
        return f"{name} is not None"
    if isinstance(kind, Counted):
        return f"{name} is None or {name}" if kind.nullable else name
    if isinstance(kind, Nested | Optional):
        inner = " or ".join(differs_in(kind.layout, name))
        other = f"{name} is None or {inner}" if isinstance(kind, Optional) else inner
        return f"{name} is not {default_name(kind.layout)} and ({other})"
    return f"{name} != {field.default!r}"


def differs_in(layout: Layout, name: str) -> list[str]:
    """Return the conditions under which a structure does not have all its defaults."""
    return [f"({differs(field, f'{name}.{field.name}')})" for field in members(layout)]


def _variables(layout: Layout, depth: int) -> str:
    return "(" + "".join(f"{field.name}_{depth}, " for field in members(layout)) + ")"
