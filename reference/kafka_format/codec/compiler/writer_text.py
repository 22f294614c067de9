"""The text of a writer: all of a layout in one function, arrays as loops.

It takes only values of the layout's own classes, and raises at all that it cannot write; the
interpreter then writes it, or says what is wrong.

A length or a checksum is filled in from the bytes behind it. These are the tail: they are put
together first, in a list of their own. For a record batch that is

    base_offset batch_length .. magic crc | attributes .. record_count records
    |---------------- run ---------------| |-------------- tail --------------|

    crc = crc32c(tail), batch_length = len(tail) + 9: bytes of the run after it count too
"""

from __future__ import annotations

from collections.abc import Sequence

from kafka_format.codec.compiler.names import FEW, default_name
from kafka_format.codec.compiler.piece_writer import PieceWriter
from kafka_format.codec.compiler.plan import Node, Operation
from kafka_format.codec.compiler.python_source import filler, part_of, there, varint_source
from kafka_format.codec.text import REFUSE
from kafka_format.spec.layout.fixed import order_mark
from kafka_format.spec.layout.model import BytesAfter, Checksum, CountOf, Field, LastItem, Varint


class WriterText(PieceWriter):
    """Writes the text that writes one layout."""

    def function(self, structure: Node) -> None:
        """Add the function `write(value)`."""
        text = self._text
        with text.block(f"def write(value{self.bound(structure)}):"):
            with self._apart("parts"):
                self._structure(structure, "value", 0)
            text.add('return b"".join(parts)')

    def bound(self, structure: Node) -> str:
        """Return parameters that bind what a loop over varints looks up: locals are quickest."""
        kinds = [node.kind for node in structure.walk()]
        numbers = [length for kind in kinds if isinstance(length := getattr(kind, "length", kind), Varint)]
        tables = {self._names.short(number.kind) for number in numbers if number.kind.zigzag}
        others = {node.name for node in structure.walk() if node.operation == Operation.STRUCTURE}
        others |= {"bytes", "len", "type"}
        return "".join(f", {name}={name}" for name in sorted(tables | others if tables else ()))

    def _structure(self, structure: Node, value: str, depth: int) -> None:
        """Take a value apart and write its fields."""
        self._text.add(f"if type({value}) is not {structure.name}: {REFUSE}")
        if structure.members:
            variables = "".join(f"{field.name}_{depth}, " for field in structure.fields())
            self._text.add(f"({variables}) = {value} + ()")
        self.fields(structure, depth)

    def fields(self, structure: Node, depth: int) -> None:
        """Write the fields of a structure, which are in variables."""
        before, order = self._order, order_mark(structure.source.endian)
        if order != before:
            self._end_run()
            self._order = order
        for node in structure.inner:
            self._fill(structure, node, f"{node.name}_{depth}", depth)
        self._write(structure.inner, depth)
        if order != before:
            self._end_run()
            self._order = before

    def _write(self, nodes: Sequence[Node], depth: int) -> None:
        for index, node in enumerate(nodes):
            if self._waiting and not self._joins(node):
                self._write_tail(nodes[index:], depth)
                return
            name = f"{node.name}_{depth}"
            is_derived = isinstance(node.computed, BytesAfter | Checksum)
            if is_derived:
                self._waiting.append((name, node))
            if is_derived and node.operation == Operation.VARINT:
                self._write_tail(nodes[index + 1 :], depth, varint_source(name, node.kind.kind, self._names))
                return
            self._item(node, name, depth)
        if self._waiting:
            self._write_tail((), depth)

    def _joins(self, node: Node) -> bool:
        """Tell whether a field stands in one run with a length or a checksum before it."""
        firsts = {waiting.computed.first for _, waiting in self._waiting if isinstance(waiting.computed, Checksum)}
        return node.operation == Operation.INTEGER and not node.source.when and node.name not in firsts

    def _write_tail(self, nodes: Sequence[Node], depth: int, *derived: str) -> None:
        """Write what is behind lengths and checksums, fill them in, and put all together."""
        text, waiting, run = self._text, self._waiting, self._run
        self._tails += 1
        tail = f"tail{self._tails}"
        with self._apart(tail):
            self._write(nodes, depth)
        text.add(f'{tail} = b"".join({tail})')
        for name, node in reversed(waiting):
            places = [place for place, (other, _) in enumerate(run) if other == name]
            after = sum(other.size for _, other in run[places[0] + 1 :]) if places else 0
            with text.block(f"if {name} is None:"):
                text.add(f"{name} = {self._derived(node, tail)}{f' + {after}' if after else ''}")
        self._waiting = []
        self._add(*derived, tail)

    def _derived(self, node: Node, tail: str) -> str:
        computed = node.computed
        return f"{self._names.checksum(computed.algorithm) if isinstance(computed, Checksum) else 'len'}({tail})"

    def _fill(self, structure: Node, node: Node, name: str, depth: int) -> None:
        """Fill in a value that is None: a count, what the last item says, or a default."""
        text, field = self._text, node.source
        if isinstance(field.computed, CountOf):
            items = f"{field.computed.array}_{depth}"
            with text.block(f"if {name} is None:"):
                (array,) = (other for other in structure.inner if other.name == field.computed.array)
                counted = f"{'count' if array.source.compressed_by else 'len'}({items})"  # bytes cannot be counted
                text.add(f"{name} = {f'-1 if {items} is None else ' if array.nullable else ''}{counted}")
        elif isinstance(field.default, LastItem):
            items = f"{field.default.array}_{depth}"
            with text.block(f"if {name} is None:"):
                text.add(f"{name} = {items}[-1].{field.default.item_field} if {items} else 0")
        elif field.when:
            with text.block(f"if {name} is None and {there(field, depth)}:"):
                text.add(f"{name} = {filler(field)}" if filler(field) else REFUSE)

    def _item(self, node: Node, name: str, depth: int) -> None:
        """Write one value of any type."""
        text = self._text
        match node.operation:
            case Operation.BOOLEAN:
                text.add(f"if {name} is not True and {name} is not False: {REFUSE}")
                self._run.append((name, node))
            case Operation.FIXED:
                text.add(f"if type({name}) is not bytes or len({name}) != {node.size}: {REFUSE}")
                self._run.append((name, node))
            case Operation.VARINT:
                self._add(varint_source(name, node.kind.kind, self._names, number=node.computed is None))
            case Operation.TEXT | Operation.BYTES:
                self._form(node, name)
            case Operation.NESTED:
                self._structure(node.inner[0], name, depth + 1)
                self.flush()  # the next structure has the same variables
            case Operation.REST:
                text.add(f"if type({name}) is not bytes: {REFUSE}")
                self._add(name)
            case Operation.OPTIONAL | Operation.CHOICE | Operation.ARRAY | Operation.ITEMS | Operation.TAGS:
                self._many(node, name, depth)
            case _ if isinstance(node.source, Field) and node.source.when:
                self._add(f'b"" if {name} is None else {self._names.pack(self._order + node.code)}({name})')
            case _:
                self._run.append((name, node))

    def _many(self, node: Node, name: str, depth: int) -> None:
        """Write what may be absent, one of several, or many."""
        match node.operation:
            case Operation.OPTIONAL:
                self._optional(node, name, depth)
            case Operation.CHOICE:
                self._choice(node, name, depth)
            case Operation.TAGS:
                self._tags(node.inner, name, depth)
            case _:
                self._array(node, name, depth)

    def _optional(self, node: Node, name: str, depth: int) -> None:
        text = self._text
        self.flush()
        null = r'b"\xff"' if node.size else r'b"\x00"'
        with text.block(f"if {name} is None:"):
            text.add(f"{self._parts}.append({null})")
        with text.block("else:"):
            text.add(f'{self._parts}.append(b"\\x01")')
            self._structure(node.inner[0], name, depth + 1)
            self.flush()

    def _choice(self, node: Node, name: str, depth: int) -> None:
        text, kind = self._text, node.kind
        self.flush()
        for word, number, case in zip(("if", *["elif"] * len(node.inner)), kind.cases, node.inner, strict=False):
            with text.block(f"{word} {name}.{kind.by} == {number}:"):
                self._structure(case, name, depth + 1)
                self.flush()
        with text.block("else:"):
            text.add(REFUSE)

    def _array(self, node: Node, name: str, depth: int) -> None:
        text = self._text
        if not node.nullable:
            self._some(node, name, depth)
            return
        if not self._is_begun:
            self.flush()
        before = list(self._run), list(self._pieces)
        with text.block(f"if {name} is None:"):
            if node.operation == Operation.ARRAY:
                text.add(f"{name}_size = -1")
                self._length(node, f"{name}_size")
            self.flush()
        self._run, self._pieces = before
        with text.block("else:"):
            self._some(node, name, depth)
            self.flush()

    def _some(self, node: Node, name: str, depth: int) -> None:
        text, by = self._text, node.source.compressed_by if isinstance(node.source, Field) else None
        if by is not None:
            self._compressed(node, name, depth)
            return
        text.add(f"if type({name}) is not list and type({name}) is not tuple: {REFUSE}")
        self._items(node, name, depth)

    def _items(self, node: Node, name: str, depth: int) -> None:
        text, (kind,), size = self._text, node.inner, f"{name}_size"
        if node.operation == Operation.ARRAY or kind.operation == Operation.INTEGER:
            text.add(f"{size} = len({name})")
        behind: tuple[str, ...] = ()
        if kind.operation == Operation.INTEGER:
            few, many = self._names.pack_few(self._order + kind.code), f"{self._order}{{{size}}}{kind.code}"
            behind = (f'{few}[{size}](*{name}) if {size} < {FEW} else pack(f"{many}", *{name})',)
        if node.operation == Operation.ARRAY:
            self._length(node, size, *behind)
        else:
            self._add(*behind)
        if not behind:
            self.flush()
            item = f"item{depth}"
            with text.block(f"for {item} in {name}:"):
                self._item(kind, item, depth)
                self.flush()

    def _compressed(self, node: Node, name: str, depth: int) -> None:
        """Write items whose bytes may be given as they are, and are compressed if they are not."""
        text, by = self._text, node.source.compressed_by
        with text.block(f"if type({name}) is not bytes:"):
            with self._apart("plain"):
                self._items(node, name, depth)
            text.add(f'{name} = b"".join(plain)')
            text.add(f"codec = {self._names.values(by.bits.enum)}[{part_of(f'{by.attributes}_{depth}', by.bits)}]")
            with text.block('if codec != "none":'):
                text.add(f"{name} = {self._names.compression()}.compress(codec, {name})")
        self._add(name)

    def _tags(self, fields: tuple[Node, ...], name: str, depth: int) -> None:
        text = self._text
        known = f"known{depth}"
        if fields:
            text.add(f"{known} = []")
        for field in fields:
            self._tagged_field(field, known, depth)
        some = f"{known} or {name}" if fields else name
        self._add(f'section({known if fields else "()"}, {name}) if {some} else b"\\0"')

    def _tagged_field(self, field: Node, known: str, depth: int) -> None:
        variable, content = f"{field.name}_{depth}", f"content{depth}"
        with self._text.block(f"if {differs(field, variable)}:"):
            with self._apart(content):
                self._item(field, variable, depth)
            self._text.add(f'{known}.append(({field.tag}, b"".join({content})))')


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
