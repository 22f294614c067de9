"""The text of a quick reader: runs of integers in one step, short varints and small items in line.

At the first doubt it raises one of `readings.DOUBT`. Nothing is measured before it is read: bytes
beyond the end of a structure are those of another, or there are none, and then Python raises. The
position at the end tells the former. But an array is only made after its count was held against the
bytes that are left.
Numbers have up to three bytes in line, for deltas grow with the batch; lengths two, for after
longer ones the content is what takes time.
"""

from __future__ import annotations

from typing import Any, Final

from kafka_format.codec.compiler.plan import FieldGroup, Plan, in_line, is_checksum, is_frame
from kafka_format.codec.compiler.python_text import annotation, item_names, local, part_of, slice_start, there
from kafka_format.codec.interpreter.reader import gap
from kafka_format.codec.text import DOUBT, Text
from kafka_format.spec.layout.model import Array, Field, Fixed, Form, Nested, Type, Varint, minimum_size

BOUND: Final = "new=new, ZIGZAG=ZIGZAG, SECOND=SECOND"
"""What a loop calls most, bound to parameters: local names are the quickest."""


def field_names(plan: Plan) -> str:
    """Return the variables of all fields, as Python source of a tuple."""
    fields = plan.layout.fields
    return f"({', '.join(local(field.name) for field in fields)}{',' if len(fields) == 1 else ''})"


class ReaderText:
    """Writes the text that reads the fields of one layout."""

    def __init__(self, text: Text, plan: Plan) -> None:
        """Take where the text goes, and the plan of the layout."""
        self._text = text
        self._plan = plan
        self._stop = "stop" if plan.frame else "end"

    def body(self) -> None:
        """Read all fields into variables."""
        for group in self._plan.groups:
            self._group(group)
        if self._plan.frame:
            self.doubt_if("position != stop")

    def doubt_if(self, condition: str) -> None:
        """Give up where a condition holds."""
        self._text.add(f"if {condition}: {DOUBT}")

    def _group(self, group: FieldGroup) -> None:
        field = group.fields[0]
        value, kind = local(field.name), field.type
        if field.when:
            with self._text.block(f"if {there(field)}:"):
                self._integers(group)
            with self._text.block("else:"):
                self._text.add(f"{value} = None")
            return
        match group.kind:
            case "integer":
                self._integers(group)
            case "array":
                self._array(field, kind)
            case "nested":
                self._text.add(f"{value}, position = quick_{kind.name}(data, position, {self._stop}, limit)")
            case "choice":
                self._choice(field, kind)
            case "rest":
                self.doubt_if(f"position > {self._stop}")
                self._text.add(f"{value} = data[position:{self._stop}]", f"position = {self._stop}")
            case _:
                self._item(value, kind, number=not field.computed)
                if isinstance(kind, Varint):
                    self._checks(field, 0)

    def _integers(self, group: FieldGroup) -> None:
        text = self._text
        names = [local(field.name) for field in group.fields]
        if group.code == ">b":
            text.add(f"{names[0]} = data[position]", "position += 1")
            with text.block(f"if {names[0]} > 0x7F:"):
                text.add(f"{names[0]} -= 0x100")
        else:
            targets = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
            text.add(f"{targets} = GROUP_{group.index}.unpack_from(data, position)", f"position += {group.size}")
        for field in group.fields:
            self._checks(field, group.size_after(field.name))

    def _checks(self, field: Field, passed: int) -> None:
        """Check a number; `passed` is how many bytes after it were read already."""
        value = local(field.name)
        if field.const is not None:
            self.doubt_if(f"{value} != {field.const}")
        if field.minimum is not None:
            self.doubt_if(f"{value} < {field.minimum}")
        for bits in field.bits:
            if bits.enum is not None and bits.mask + 1 != len(bits.enum.values):
                self.doubt_if(f"{part_of(value, bits)} not in NAMES_OF_{bits.name.upper()}")
        if is_frame(field):
            self._text.add(f"stop = position{f' - {passed}' if passed else ''} + {value}")
            self.doubt_if("stop > end")
        if is_checksum(field):
            computed: Any = field.computed
            first = slice_start(gap(self._plan.layout, field, computed) - passed)
            self.doubt_if(f"{computed.algorithm}(data[{first} : {self._stop}]) != {value}")

    def _item(self, target: str, kind: Type, *, number: bool = True) -> None:
        match kind:
            case Form():
                self._form(target, kind)
            case Varint():
                self._varint(target, kind, number=number)
            case Fixed(size=size):
                self._text.add(f"{target} = data[position : position + {size}]", f"position += {size}")
            case _:
                integer: Any = kind
                self._text.add(f"({target},) = UNPACK_ITEM_{integer.code}(data, position)")
                self._text.add(f"position += {integer.size}")

    def _varint(self, target: str, kind: Varint, *, number: bool) -> None:
        text, rest = self._text, f"{target}, position = quick_varint(data, position, {kind.name.upper()})"
        text.add(f"{target} = data[position]")
        with text.block(f"if {target} < 0x80:"):
            if kind.kind.zigzag:
                text.add(f"{target} = ZIGZAG[{target}]")
            elif kind.kind.plus:
                text.add(f"{target} -= {kind.kind.plus}")
            text.add("position += 1")
        with text.block("else:"):
            if not kind.kind.zigzag:
                text.add(rest)
                return
            text.add("more = SECOND[data[position + 1]]")
            with text.block("if more > 0:"):
                text.add(f"{target} = more ^ ZIGZAG[{target}]", "position += 2")
            if number:
                with text.block("elif more and (last := THIRD[data[position + 2]]):"):
                    text.add(f"{target} = last ^ more ^ ZIGZAG[{target}]", "position += 3")
            with text.block("else:"):
                text.add(rest)

    def _form(self, target: str, kind: Form) -> None:
        text = self._text
        if isinstance(kind.length, Varint):
            self._varint("size", kind.length, number=False)
        else:
            text.add(f"(size,) = UNPACK_{kind.length.code}(data, position)", f"position += {kind.length.size}")
        with text.block("if size >= 0:"):
            text.add("start = position", "position += size", f"{target} = data[start:position]")
            if kind.content == "utf8":
                with text.block(f"if not {target}.isascii():"):
                    text.add(f"{target}.decode()")
        if kind.null is not None:
            with text.block(f"elif size == {kind.null}:"):
                text.add(f"{target} = None")
        with text.block("else:"):
            text.add(DOUBT)

    def _choice(self, field: Field, kind: Any) -> None:
        self._text.add(f"case = CASES_OF_{field.name.upper()}[data[position + {kind.at}]]")
        self._text.add(f"{local(field.name)}, position = case.quick(data, position, {self._stop}, limit)")

    def _array(self, field: Field, kind: Any) -> None:
        if not kind.nullable:
            self._some(field, kind)
            return
        with self._text.block(f"if {local(kind.count)} == -1:"):
            self._text.add(f"{local(field.name)} = None")
        with self._text.block("else:"):
            self._some(field, kind)

    def _some(self, field: Field, kind: Array) -> None:
        text, items, count = self._text, local(field.name), local(kind.count)
        if field.compressed_by is not None:
            self._compressed(field, kind)
        elif in_line(kind):
            self._in_line(items, count, kind.item)
        elif isinstance(kind.item, Nested):
            with text.block(f"if {count}:"):
                self._many(items, kind, count, f"data, position, {self._stop}")
            with text.block("else:"):
                text.add(f"{items} = []")
        else:
            self.doubt_if(f"not 0 <= {count} * {minimum_size(kind.item)} <= {self._stop} - position")
            text.add(f"{items} = []")
            with text.block(f"for _ in range({count}):"):
                self._item("item", kind.item)
                text.add(f"{items}.append(item)")

    def _many(self, items: str, kind: Array, count: str, where: str) -> None:
        call = f"quick_many_{kind.item.name}({where}, {count}, {self._plan.given})"
        self._text.add(f"{items}, position = {call}")

    def _compressed(self, field: Field, kind: Array) -> None:
        text, items, count, by = self._text, local(field.name), local(kind.count), field.compressed_by
        assert by is not None  # noqa: S101 - the caller has looked
        text.add(f"codec = {part_of(local(by.attributes), by.bits)}")
        with text.block("if codec:"):
            names = f"NAMES_OF_{by.bits.name.upper()}"
            text.add(f"plain = compression.decompress({names}[codec], data[position:{self._stop}], limit=limit)")
            self._many(items, kind, count, "plain, 0, len(plain)")
            self.doubt_if("position != len(plain)")
            text.add(f"position = {self._stop}")
        with text.block("else:"):
            self._many(items, kind, count, f"data, position, {self._stop}")

    def _in_line(self, items: str, count: str, kind: Any) -> None:
        text = self._text
        text.add(f"{items} = []")
        with text.block(f"if {count}:"):
            self.doubt_if(f"{count} < 0")
            text.add(f"left = {count}")
            with text.block("while left:"):
                for member in kind.layout.fields:
                    self._item(f"item_{member.name}", member.type)
                text.add(f"{items}.append(new({annotation(kind)}, {item_names(kind)}))", "left -= 1")
