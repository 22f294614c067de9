"""The text of a reader: all of a version in one function, arrays as loops.

It takes only what is beyond suspicion and raises IndexError, ValueError or struct.error at the
first doubt, without saying why. Slices may reach beyond the end: what comes after them then fails,
or the position at the end tells.
"""

from __future__ import annotations

from kafka_format.codec.runtime import LONGEST_STRING
from kafka_format.codec.text import DOUBT, Text
from kafka_format.codec.versions.plan import Node, Operation
from kafka_format.codec.versions.text import FEW, Names, default_text


class ReaderText:
    """Writes the text that reads one version."""

    def __init__(self, text: Text, names: Names) -> None:
        """Take where the text goes, and the names that it uses."""
        self._text = text
        self._names = names
        self._run: list[tuple[str, str]] = []
        self._then: list[str] = []

    def function(self, structure: Node) -> None:
        """Add the function `read(data, position)`."""
        text = self._text
        with text.block("def read(data, position):"):
            text.add("size = len(data)")
            self._structure(structure, "value", 0)
            with text.block("if position > size:"):
                text.add(DOUBT)
            text.add("return value, position")

    def _structure(self, structure: Node, target: str, depth: int) -> None:
        """Read a structure into a variable."""
        value = self._fields(structure, depth)
        self._text.add(f"{target} = {value}")

    def _fields(self, structure: Node, depth: int) -> str:
        """Read the fields of a structure into variables; return the text that makes its value."""
        for field in structure.inner:
            self._field(field, f"{field.name}_{depth}", depth)
        self._flush()
        values = "".join(f"{field.name}_{depth}, " for field in structure.fields())
        return f"new({structure.name}, ({values}))"

    def _flush(self) -> None:
        """Read the fixed fields that were put off, all in one step."""
        if self._run:
            codes = "".join(code for _, code in self._run)
            targets = ", ".join(name for name, _ in self._run)
            self._text.add(f"({targets},) = {self._names.unpack(codes)}(data, position)")
            self._text.add(f"position += {sum(_SIZES[code] for _, code in self._run)}")
        self._text.add(*self._then)
        self._run, self._then = [], []

    def _add_to_run(self, name: str, code: str) -> None:
        self._run.append((name, code))

    def _field(self, node: Node, name: str, depth: int) -> None:
        match node.operation:
            case Operation.BOOLEAN:
                self._add_to_run(name, node.code)
                self._then += [f"if {name} > 1: {DOUBT}", f"{name} = {name} == 1"]
            case Operation.TEXT | Operation.BYTES:
                self._form(node, name)
            case Operation.NESTED:
                self._structure(node.inner[0], name, depth + 1)
            case Operation.OPTIONAL:
                self._optional(node, name, depth)
            case Operation.ARRAY:
                self._array(node, name, depth)
            case Operation.TAGS:
                self._tags(node, name, depth)
            case _:
                self._add_to_run(name, node.code)

    def _length(self, node: Node, name: str) -> None:
        """Read a length or a count; a compact one stays one more than it is."""
        if node.size:
            self._add_to_run(name, node.code)
            self._flush()
            return
        self._varint(name)

    def _varint(self, name: str, *more: str) -> None:
        """Read an unsigned varint, and add what is to be done if it is longer than a byte."""
        self._first_byte(name)
        self._more_bytes(name, *more)

    def _first_byte(self, name: str) -> None:
        """Read the first byte of a varint, together with what was put off."""
        if self._run:
            self._add_to_run(name, "B")
            self._flush()
        else:
            self._text.add(f"{name} = data[position]", "position += 1")

    def _more_bytes(self, name: str, *more: str) -> None:
        with self._text.block(f"if {name} > 127:"):
            self._text.add(f"{name}, position = read_rest({name}, data, position)", *more)

    def _form(self, node: Node, name: str) -> None:
        is_text = node.operation == Operation.TEXT
        if node.size or not is_text:
            self._length(node, "n")
        else:
            self._varint("n", f"if n > {LONGEST_STRING + 1}: {DOUBT}")
        text = self._text
        if node.size:
            first, stop = "n >= 0", "position + n"
            null = "n == -1"
        else:
            first, stop = "n", "position + n - 1"
            null = "True"
        with text.block(f"if {first}:"):
            text.add(f"stop = {stop}")
            text.add(f"{name} = data[position:stop]{'.decode()' if is_text else ''}", "position = stop")
        self._null(name, nullable=bool(node.nullable), null=null)

    def _null(self, name: str, *, nullable: bool, null: str) -> None:
        """Add what a length without content means."""
        text = self._text
        if nullable and null == "True":
            with text.block("else:"):
                text.add(f"{name} = None")
            return
        if nullable:
            with text.block(f"elif {null}:"):
                text.add(f"{name} = None")
        with text.block("else:"):
            text.add(DOUBT)

    def _optional(self, node: Node, name: str, depth: int) -> None:
        text = self._text
        self._length(node, "n")
        with text.block("if n == 1:"):
            self._structure(node.inner[0], name, depth + 1)
        with text.block(f"elif n == {node.low}:"):
            text.add(f"{name} = None")
        with text.block("else:"):
            text.add(DOUBT)

    def _array(self, node: Node, name: str, depth: int) -> None:
        text, (item,) = self._text, node.inner
        count = f"n{depth}"
        self._length(node, count)
        if not node.size:
            text.add(f"{count} -= 1")
        with text.block(f"if {count} >= 0:"):
            if item.is_empty:
                text.add(f"if {count} > size - position: {DOUBT}")
            self._items(item, name, count, depth)
        self._null(name, nullable=bool(node.nullable), null=f"{count} == -1")

    def _items(self, node: Node, name: str, count: str, depth: int) -> None:
        text = self._text
        if node.operation == Operation.INTEGER:
            few = self._names.unpack_few(node.code)
            with text.block(f"if not {count}:"):
                text.add(f"{name} = []")
            with text.block("else:"):
                with text.block(f"if {count} < {FEW}:"):
                    text.add(f"{name} = [*{few}[{count}](data, position)]")
                with text.block("else:"):
                    text.add(f'{name} = list(unpack_from(f">{{{count}}}{node.code}", data, position))')
                text.add(f"position += {node.size} * {count}")
            return
        text.add(f"{name} = []")
        item = f"item{depth}"
        with text.block(f"for _ in range({count}):"):
            if node.operation == Operation.NESTED:
                item = self._fields(node.inner[0], depth + 1)
            else:
                self._field(node, item, depth)
                self._flush()
            text.add(f"{name}.append({item})")

    def _tags(self, section: Node, name: str, depth: int) -> None:
        text = self._text
        count = f"tags{depth}"
        self._first_byte(count)
        text.add(f"{name} = ()")
        for field in section.inner:
            text.add(f"{field.name}_{depth} = {default_text(field)}")
        with text.block(f"if {count}:"):
            self._more_bytes(count)
            if section.inner or section.elsewhere:
                self._known_tags(section, name, count, depth)
            else:
                text.add(f"{name}, position = read_tagged(data, position, {count})")

    def _known_tags(self, section: Node, name: str, count: str, depth: int) -> None:
        text = self._text
        tag, end, unknown = f"tag{depth}", f"end{depth}", f"unknown{depth}"
        text.add(f"{tag} = -1", f"{unknown} = []")
        with text.block(f"for _ in range({count}):"):
            text.add(f"{tag}, position, {end} = read_tag(data, position, {tag})")
            for foreign in section.elsewhere:
                text.add(f"if {tag} == {foreign}: {DOUBT}")
            word = "if"
            for field in section.inner:
                with text.block(f"{word} {tag} == {field.tag}:"):
                    self._field(field, f"{field.name}_{depth}", depth)
                    self._flush()
                    text.add(f"if position != {end}: {DOUBT}")
                word = "elif"
            keep = f"{unknown}.append(UnknownTaggedField({tag}, data[position:{end}]))"
            if section.inner:
                with text.block("else:"):
                    text.add(keep, f"position = {end}")
            else:
                text.add(keep, f"position = {end}")
        text.add(f"{name} = tuple({unknown})")


_SIZES = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "d": 8, "16s": 16}
