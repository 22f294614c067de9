"""The text of a writer: all of a version in one function, arrays as loops.

It takes only values of the version's own classes, and raises at all that it cannot write; the
interpreter then writes it, or says what is wrong.
"""

from __future__ import annotations

from kafka_format.codec.text import REFUSE, Text
from kafka_format.codec.versions.plan import Node, Operation
from kafka_format.codec.versions.text import FEW, Names, default_name


class WriterText:
    """Writes the text that writes one version."""

    def __init__(self, text: Text, names: Names) -> None:
        """Take where the text goes, and the names that it uses."""
        self._text = text
        self._names = names
        self._run: list[tuple[str, str]] = []
        self._behind: list[str] = []
        self._parts = "parts"

    def function(self, structure: Node) -> None:
        """Add the function `write(value)`."""
        text = self._text
        with text.block("def write(value):"):
            text.add("parts = []")
            self._structure(structure, "value", 0)
            self._flush()
            text.add('return b"".join(parts)')

    def _structure(self, structure: Node, value: str, depth: int) -> None:
        """Take a value apart and write its fields."""
        self._text.add(f"if type({value}) is not {structure.name}: {REFUSE}")
        if structure.members:
            variables = "".join(f"{field.name}_{depth}, " for field in structure.fields())
            self._text.add(f"({variables}) = {value}")
        for field in structure.inner:
            self._field(field, f"{field.name}_{depth}", depth)

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

    def _field(self, node: Node, name: str, depth: int) -> None:
        match node.operation:
            case Operation.BOOLEAN:
                self._text.add(f"if {name} is not True and {name} is not False: {REFUSE}")
                self._run.append((name, node.code))
            case Operation.FIXED:
                self._text.add(f"if type({name}) is not bytes or len({name}) != {node.size}: {REFUSE}")
                self._run.append((name, node.code))
            case Operation.TEXT | Operation.BYTES:
                self._form(node, name)
            case Operation.NESTED:
                self._structure(node.inner[0], name, depth + 1)
            case Operation.OPTIONAL:
                self._optional(node, name, depth)
            case Operation.ARRAY:
                self._array(node, name, depth)
            case Operation.TAGS:
                self._tags(node.inner, name, depth)
            case _:
                self._run.append((name, node.code))

    def _length(self, node: Node, name: str, *behind: str) -> None:
        """Write a length or a count, and what is after it."""
        if node.size:
            self._run.append((name, node.code))
            self._flush(*behind)
        else:
            self._flush(f"COMPACT[{name}] if {name} < SHORT else compact({name})", *behind)

    def _form(self, node: Node, name: str) -> None:
        text = self._text
        is_text = node.operation == Operation.TEXT
        # Lengths of compact strings are in a table, else IndexError leaves them to the interpreter.
        table = is_text and not node.size
        null, size = ("0", "len(content) + 1") if table else ("-1", "len(content)")
        content = f"{name}.encode()" if is_text else name
        if node.nullable:
            with text.block(f"if {name} is None:"):
                text.add(f'n, content = {null}, b""')
            with text.block("else:"):
                self._content(content, size, is_text=is_text)
        else:
            self._content(content, size, is_text=is_text)
        if table:
            self._flush("NUMBERS[n]", "content")
        else:
            self._length(node, "n", "content")

    def _content(self, content: str, size: str, *, is_text: bool) -> None:
        self._text.add(f"content = {content}")
        if not is_text:
            self._text.add(f"if type(content) is not bytes: {REFUSE}")
        self._text.add(f"n = {size}")

    def _optional(self, node: Node, name: str, depth: int) -> None:
        text = self._text
        self._flush()
        marker, null = (r'b"\x01"', r'b"\xff"') if node.size else (r'b"\x01"', r'b"\x00"')
        with text.block(f"if {name} is None:"):
            text.add(f"{self._parts}.append({null})")
        with text.block("else:"):
            text.add(f"{self._parts}.append({marker})")
            self._structure(node.inner[0], name, depth + 1)
            self._flush()

    def _array(self, node: Node, name: str, depth: int) -> None:
        text = self._text
        if not node.nullable:
            self._some(node, name, depth)
            return
        before = list(self._run)
        with text.block(f"if {name} is None:"):
            text.add("n = -1")
            self._length(node, "n")
        self._run = before
        with text.block("else:"):
            self._some(node, name, depth)

    def _some(self, node: Node, name: str, depth: int) -> None:
        text, (kind,) = self._text, node.inner
        text.add(f"if type({name}) is not list and type({name}) is not tuple: {REFUSE}", f"n = len({name})")
        if kind.operation == Operation.INTEGER:
            few = self._names.pack_few(kind.code)
            packed = f'{few}[n](*{name}) if n < {FEW} else pack(f">{{n}}{kind.code}", *{name})'
            self._length(node, "n", packed)
            return
        self._length(node, "n")
        item = f"item{depth}"
        with text.block(f"for {item} in {name}:"):
            self._field(kind, item, depth)
            self._flush()

    def _tags(self, fields: tuple[Node, ...], name: str, depth: int) -> None:
        text = self._text
        self._flush()
        known = f"known{depth}"
        if fields:
            text.add(f"{known} = []")
        for field in fields:
            self._tagged_field(field, known, depth)
        some = f"{known} or {name}" if fields else name
        text.add(f'{self._parts}.append(section({known if fields else "()"}, {name}) if {some} else b"\\0")')

    def _tagged_field(self, field: Node, known: str, depth: int) -> None:
        text = self._text
        variable = f"{field.name}_{depth}"
        outer = self._parts
        with text.block(f"if {differs(field, variable)}:"):
            self._parts = f"content{depth}"
            text.add(f"{self._parts} = []")
            self._field(field, variable, depth)
            self._flush()
            text.add(f'{known}.append(({field.tag}, b"".join({self._parts})))')
        self._parts = outer


def differs(field: Node, name: str) -> str:
    """Return the condition under which a field does not have its default, as Python text."""
    if field.operation == Operation.TAGS:
        return name
    if field.has_absent and field.absent is None:
        return f"{name} is not None"
    if field.operation == Operation.ARRAY:
        return f"{name} is None or {name}" if field.nullable else name
    if field.operation in {Operation.NESTED, Operation.OPTIONAL}:
        (structure,) = field.inner
        inner = " or ".join(f"({differs(member, f'{name}.{member.name}')})" for member in structure.fields())
        other = f"{name} is None or {inner}" if field.operation == Operation.OPTIONAL else inner
        return f"{name} is not {default_name(structure.name)} and ({other})"
    return f"{name} != {field.absent!r}"
