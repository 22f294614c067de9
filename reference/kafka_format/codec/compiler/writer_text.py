"""The text of a writer. It works backwards: what counts or sums bytes comes when they are there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kafka_format.codec.compiler.plan import FieldGroup, Plan, in_line, is_checksum, is_count, is_frame, is_last_item
from kafka_format.codec.compiler.python_text import (
    filler,
    item_names,
    length_source,
    local,
    part_of,
    there,
    varint_source,
)
from kafka_format.codec.compiler.write_steps import WriteStep, walk_back
from kafka_format.codec.text import Text
from kafka_format.spec.layout.model import Array, Field, Fixed, Form, Nested, Type, Varint


class WriterText:
    """Writes the text that writes the fields of one layout, which are in variables."""

    def __init__(self, text: Text, plan: Plan) -> None:
        """Take where the text goes, and the plan of the layout."""
        self._text = text
        self._plan = plan
        self._steps, self._rest = walk_back(plan)

    def body(self) -> None:
        """Fill what is None, and write all that others count or sum."""
        for field in reversed(self._plan.layout.fields):
            self._prepare(field)
        for step in self._steps:
            self._joined("tail =", step)
            self._fill(step.group)

    def result(self) -> None:
        """Return the bytes."""
        self._joined("return", self._rest)

    def collect(self) -> None:
        """Add the bytes to the list `found`."""
        rest, text = self._rest, self._text
        if rest.tail and len(rest.behind) == 1:
            text.add(f"found.append({_part(rest.behind[0])})", "found.append(tail)")
        elif not rest.in_line:
            text.add(f"found += ({_pieces(rest.behind, tail=rest.tail)})")
        else:
            self._parts(rest)
            text.add("found += parts")

    def _joined(self, target: str, step: WriteStep) -> None:
        if step.in_line:
            self._parts(step)
            self._text.add(f'{target} b"".join(parts)')
        else:
            self._text.add(f'{target} b"".join(({_pieces(step.behind, tail=step.tail)}))')

    def _parts(self, step: WriteStep) -> None:
        """Add all that a step joins to the list `parts`."""
        last = len(step.stretches) - 1
        for index, groups in enumerate(step.stretches):
            more = "+=" if index else "="
            self._text.add(f"parts {more} [{_pieces(groups, tail=step.tail and index == last)}]")
            if groups and groups[-1].is_in_line:
                self._items(groups[-1])

    def _items(self, group: FieldGroup) -> None:
        field = group.fields[0]
        kind: Any = field.type
        fields = kind.item.layout.fields
        with self._text.block(f"for {item_names(kind.item)} in {local(field.name)}:"):
            for member in reversed(fields):
                if isinstance(member.type, Form):
                    self._form(f"item_{member.name}", member.type)
            written = "".join(f"{_scalar(f'item_{member.name}', member.type)}, " for member in fields)
            self._text.add(f"parts += ({written})")

    def _fill(self, group: FieldGroup) -> None:
        """Fill in the lengths and checksums of a group from the tail."""
        for field in reversed(group.fields):
            value, computed = local(field.name), ""
            if is_checksum(field):
                checksum: Any = field.computed
                computed = f"{checksum.algorithm}(tail)"
            elif is_frame(field):
                more = group.size_after(field.name)
                computed = "len(tail)" + (f" + {more}" if more else "")
            if computed:
                with self._text.block(f"if {value} is None:"):
                    self._text.add(f"{value} = {computed}")

    def _prepare(self, field: Field) -> None:
        text, value = self._text, local(field.name)
        default: Any = field.default
        if is_count(field):
            self._count(field)
        elif is_last_item(field):
            items = local(default.array)
            with text.block(f"if {value} is None:"):
                text.add(f"{value} = {items}[-1].{default.item_field} if {items} else 0")
        elif field.when:
            with text.block(f"if {value} is None and {there(field)}:"):
                text.add(f"{value} = {filler(field)}" if filler(field) else "raise TypeError")
        if isinstance(field.type, Array):
            self._array(field, field.type)
        elif isinstance(field.type, Form):
            self._form(value, field.type)

    def _count(self, field: Field) -> None:
        value, computed = local(field.name), field.computed
        name: Any = getattr(computed, "array", "")
        array, counted = self._plan.layout.field(name), local(name)
        kind: Any = array.type
        with self._text.block(f"if {value} is None:"):
            if kind.nullable:
                self._text.add(f"{value} = -1 if {counted} is None else runtime.count({counted})")
            elif array.compressed_by is not None:
                self._text.add(f"{value} = runtime.count({counted})")
            else:
                self._text.add(f"{value} = len({counted})")

    def _form(self, target: str, kind: Form) -> None:
        text, size = self._text, f"size_{target}"
        with text.block(f"if type({target}) is bytes:"):
            text.add(f"{size} = len({target})")
            if isinstance(kind.length, Varint):
                text.add(f"{size} = {length_source(size, kind.length.kind)}")
            else:
                text.add(f"{size} = PACK_{kind.length.code}({size})")
        if kind.null is not None:
            with text.block(f"elif {target} is None:"):
                text.add(f'{size}, {target} = NULL_{kind.name.upper()}, b""')
        with text.block("else:"):
            text.add("raise TypeError")

    def _array(self, field: Field, kind: Array) -> None:
        if not kind.nullable:
            self._some(field, kind)
            return
        with self._text.block(f"if {local(field.name)} is None:"):
            self._text.add(f'bytes_{field.name} = b""')
        with self._text.block("else:"):
            self._some(field, kind)

    def _some(self, field: Field, kind: Array) -> None:
        text, items, target = self._text, local(field.name), f"bytes_{field.name}"
        if field.compressed_by is not None:
            self._compressed(field, kind)
            return
        with text.block(f"if type({items}) is not list and type({items}) is not tuple:"):
            text.add("raise TypeError")
        if in_line(kind):
            return
        if isinstance(kind.item, Nested):
            text.add(f'{target} = write_many_{kind.item.name}({items}) if {items} else b""')
        elif isinstance(kind.item, Form):
            text.add("parts = []")
            with text.block(f"for item in {items}:"):
                self._form("item", kind.item)
                text.add("parts += (size_item, item)")
            text.add(f'{target} = b"".join(parts)')
        else:
            text.add(f'{target} = b"".join([{_scalar("item", kind.item)} for item in {items}])')

    def _compressed(self, field: Field, kind: Array) -> None:
        text, items, target, by = self._text, local(field.name), f"bytes_{field.name}", field.compressed_by
        assert by is not None  # noqa: S101 - the caller has looked
        with text.block(f"if isinstance({items}, bytes):"):
            text.add(f"{target} = {items}")
        with text.block("else:"):
            text.add(f"{target} = write_many_{kind.item.name}({items})")
            text.add(f"codec = NAMES_OF_{by.bits.name.upper()}[{part_of(local(by.attributes), by.bits)}]")
            with text.block('if codec != "none":'):
                text.add(f"{target} = compression.compress(codec, {target})")


def _pieces(groups: Sequence[FieldGroup], *, tail: bool) -> str:
    return "".join(f"{_part(group)}, " for group in groups if not group.is_in_line) + ("tail," if tail else "")


def _part(group: FieldGroup) -> str:
    """Return the bytes of a group, as source of one or more items of a tuple."""
    field = group.fields[0]
    value, kind = local(field.name), field.type
    names = ", ".join(local(member.name) for member in group.fields)
    if field.when or group.kind == "integer":
        return _integers(group, value, names)
    match group.kind:
        case "varint" | "fixed" | "form":
            return _scalar(value, kind, number=not field.computed)
        case "array":
            return f"bytes_{field.name}"
        case "nested":
            return f"write_{kind.name}({value})"
        case "choice":
            choice: Any = kind
            return f"CASES_OF_{field.name.upper()}[{value}.{choice.by}].write({value})"
        case _:
            return value


def _integers(group: FieldGroup, value: str, names: str) -> str:
    packed = f"GROUP_{group.index}.pack({names})"
    if group.fields[0].when:
        return f'b"" if {value} is None else {packed}'
    return f"INT8_BYTES[{value}]" if group.code == ">b" else packed


def _scalar(value: str, kind: Type, *, number: bool = True) -> str:
    match kind:
        case Form():
            return f"size_{value}, {value}"
        case Varint():
            return varint_source(value, kind.kind, number=number)
        case Fixed(size=size):
            return f"runtime.check_size({value}, {size})"
        case _:
            integer: Any = kind
            return f"PACK_ITEM_{integer.code}({value})"
