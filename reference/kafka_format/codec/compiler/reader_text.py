"""The text of a reader: all of a layout in one function, arrays as loops.

At the first doubt it raises IndexError, ValueError or struct.error (`readings.DOUBT`), without
saying why. Nothing is measured before it is read: slices may reach beyond the end, and what comes
after them then fails, or the position at the end tells.

Variables of fields end in their depth, `name_0`, so they are in the way of no other name.
"""

from __future__ import annotations

from typing import Any, Final

from kafka_format.codec.compiler.names import FEW, default_text
from kafka_format.codec.compiler.number_reader import NumberReader
from kafka_format.codec.compiler.plan import Node, Operation
from kafka_format.codec.compiler.python_source import moved, part_of, there
from kafka_format.codec.runtime import LONGEST_STRING
from kafka_format.codec.text import DOUBT
from kafka_format.spec.layout.fixed import order_mark
from kafka_format.spec.layout.model import Field, Layout

BOUND: Final = "new=new, ZIGZAG=ZIGZAG, SECOND=SECOND"
"""What a loop calls most, bound to parameters: local names are the quickest."""


class ReaderText(NumberReader):
    """Writes the text that reads one layout."""

    def function(self, structure: Node) -> None:
        """Add the function `read(data, position, end, limit)`."""
        with self._text.block(f"def read(data, position, end, limit, {BOUND}):"):
            value = self.fields(structure, 0)
            if not structure.is_framed:
                self.doubt_if("position > end")
            self._text.add(f"return {value}, position")

    def fields(self, structure: Node, depth: int) -> str:
        """Read the fields of a structure into variables; return the text that makes its value."""
        before, order = (self._stop, self._order), order_mark(structure.source.endian)
        if order != self._order:
            self._flush()
            self._order = order
        for node in structure.inner:
            self._field(node, f"{node.name}_{depth}", depth, structure.source)
        self._flush()
        if structure.is_framed:
            self.doubt_if(f"position != {self._stop}")
        self._stop, self._order = before
        return self.value(structure, depth)

    def value(self, structure: Node, depth: int) -> str:
        """Return the text that makes a structure's value of the variables."""
        values = "".join(f"{field.name}_{depth}, " for field in structure.fields())
        return f"new({structure.name}, ({values}))"

    def _field(self, node: Node, name: str, depth: int, layout: Layout) -> None:
        field: Field = node.source
        if field.when:
            self._flush()
            with self._text.block(f"if {there(field, depth)}:"):
                self._item(node, name, depth)
                self._check(field, name, layout)
                self._flush()
            with self._text.block("else:"):
                self._text.add(f"{name} = None")
            return
        self._item(node, name, depth)
        self._check(field, name, layout)

    def _item(self, node: Node, name: str, depth: int) -> None:
        """Read one value of any type, into a variable."""
        match node.operation:
            case Operation.BOOLEAN:
                self._run.append((name, node.code))
                self._after(lambda _passed: iter([f"if {name} > 1: {DOUBT}", f"{name} = {name} == 1"]))
            case Operation.VARINT:
                self._number(node, name)
            case Operation.TEXT | Operation.BYTES:
                self._form(node, name)
            case Operation.NESTED:
                self._text.add(f"{name} = {self.fields(node.inner[0], depth + 1)}")
            case Operation.REST:
                self._flush()
                self.doubt_if(f"position > {self._stop}")
                self._text.add(f"{name} = data[position:{self._stop}]", f"position = {self._stop}")
            case Operation.INTEGER | Operation.FLOAT | Operation.FIXED:
                self._run.append((name, node.code))
            case _:
                self._many(node, name, depth)

    def _many(self, node: Node, name: str, depth: int) -> None:
        """Read what may be absent, one of several, or many."""
        match node.operation:
            case Operation.OPTIONAL:
                self._optional(node, name, depth)
            case Operation.CHOICE:
                self._choice(node, name, depth)
            case Operation.ARRAY:
                self._array(node, name, depth)
            case Operation.ITEMS:
                self._counted_elsewhere(node, name, depth)
            case Operation.TAGS:
                self._tags(node, name, depth)

    def _form(self, node: Node, name: str) -> None:
        text, is_text, null = self._text, node.operation == Operation.TEXT, node.kind.null
        if node.plus and is_text:
            self._varint("n", f"if n > {LONGEST_STRING + 1}: {DOUBT}")
        else:
            self._length(node, "n")
        with text.block("if n:" if node.plus else "if n >= 0:"):
            text.add("start = position", f"position += n{' - 1' if node.plus else ''}")
            text.add(f"{name} = data[start:position]{'.decode()' if is_text else ''}")
            if node.kind.content == "utf8":
                text.add(f"if not {name}.isascii(): {name}.decode()")
        self._null(name, nullable=null is not None, null="" if node.plus else f"n == {null}")

    def _null(self, name: str, *, nullable: bool, null: str) -> None:
        """Add what a length without content means; `null` is the condition if it may mean more."""
        text = self._text
        if nullable:
            with text.block(f"elif {null}:" if null else "else:"):
                text.add(f"{name} = None")
        if null or not nullable:
            with text.block("else:"):
                text.add(DOUBT)

    def _optional(self, node: Node, name: str, depth: int) -> None:
        text = self._text
        self._length(node, "n")
        with text.block("if n == 1:"):
            text.add(f"{name} = {self.fields(node.inner[0], depth + 1)}")
        with text.block(f"elif n == {node.low}:"):
            text.add(f"{name} = None")
        with text.block("else:"):
            text.add(DOUBT)

    def _choice(self, node: Node, name: str, depth: int) -> None:
        text = self._text
        self._flush()
        text.add(f"n = data[{moved(node.kind.at)}]")
        for word, number, case in zip(("if", *["elif"] * len(node.inner)), node.kind.cases, node.inner, strict=False):
            with text.block(f"{word} n == {number & 0xFF}:"):
                text.add(f"{name} = {self.fields(case, depth + 1)}")
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
                self.doubt_if(f"{count} > {self._stop} - position")
            self.items(item, name, count, depth)
        self._null(name, nullable=bool(node.nullable), null=f"{count} == -1")

    def _counted_elsewhere(self, node: Node, name: str, depth: int) -> None:
        text, count = self._text, f"n{depth}"
        self._flush()
        text.add(f"{count} = {node.kind.count}_{depth}")
        with text.block(f"if {count} >= 0:"):
            stop = self._stop
            if node.source.compressed_by is not None:
                self._decompress(node.source, depth)
            if node.inner[0].is_empty:
                self.doubt_if(f"{count} > {self._stop} - position")
            self.items(node.inner[0], name, count, depth)
            if node.source.compressed_by is not None:
                with text.block("if codec:"):
                    self.doubt_if("position != inside")
                    text.add(f"data, position = whole, {stop}")
            self._stop = stop
        self._null(name, nullable=bool(node.nullable), null=f"{count} == -1")

    def _decompress(self, field: Any, depth: int) -> None:
        """Go on in the payload, if it is compressed."""
        text, by = self._text, field.compressed_by
        text.add(f"codec, inside = {part_of(f'{by.attributes}_{depth}', by.bits)}, {self._stop}")
        with text.block("if codec:"):
            codec = f"{self._names.values(by.bits.enum)}[codec]"
            call = f"{self._names.compression()}.decompress({codec}, data[position:inside], limit=limit)"
            text.add(f"whole, data, position = data, {call}, 0", "inside = len(data)")
        self._stop = "inside"

    def items(self, node: Node, name: str, count: str, depth: int) -> None:
        """Read the items of an array into a list; the count is used up."""
        text = self._text
        if node.operation == Operation.INTEGER:
            self._numbers(node, name, count)
            return
        text.add(f"{name} = []")
        item = f"item{depth}"
        with text.block(f"while {count}:"):
            if node.operation == Operation.NESTED:
                item = self.fields(node.inner[0], depth + 1)
            else:
                self._item(node, item, depth)
                self._flush()
            text.add(f"{name}.append({item})", f"{count} -= 1")

    def _numbers(self, node: Node, name: str, count: str) -> None:
        text, few = self._text, self._names.unpack_few(self._order + node.code)
        with text.block(f"if not {count}:"):
            text.add(f"{name} = []")
        with text.block("else:"):
            with text.block(f"if {count} < {FEW}:"):
                text.add(f"{name} = [*{few}[{count}](data, position)]")
            with text.block("else:"):
                text.add(f'{name} = list(unpack_from(f"{self._order}{{{count}}}{node.code}", data, position))')
            text.add(f"position += {node.size} * {count}")

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
                self.doubt_if(f"{tag} == {foreign}")
            word = "if"
            for field in section.inner:
                with text.block(f"{word} {tag} == {field.tag}:"):
                    self._item(field, f"{field.name}_{depth}", depth)
                    self._flush()
                    self.doubt_if(f"position != {end}")
                word = "elif"
            keep = f"{unknown}.append(UnknownTaggedField({tag}, data[position:{end}]))"
            if section.inner:
                with text.block("else:"):
                    text.add(keep, f"position = {end}")
            else:
                text.add(keep, f"position = {end}")
        text.add(f"{name} = tuple({unknown})")
