"""The text that writes numbers and contents: it joins as many as it can in one step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Final

from kafka_format.codec.compiler.names import Names
from kafka_format.codec.compiler.plan import Node, Operation
from kafka_format.codec.scalars import form_bytes
from kafka_format.codec.text import REFUSE, Text
from kafka_format.primitives.varints import NUMBERS
from kafka_format.spec.layout.fixed import order_mark
from kafka_format.spec.layout.model import Varint

_HALF: Final = len(NUMBERS) // 2


class PieceWriter:
    """Writes the text that writes variables.

    What is written is put off in `_run`, numbers of fixed size, and `_pieces`, expressions before
    them, until a loop or a condition begins.
    """

    def __init__(self, text: Text, names: Names, parts: str = "") -> None:
        """Take where the text goes, the names that it uses, and a list that takes the bytes."""
        self._text = text
        self._names = names
        self._run: list[tuple[str, Node]] = []
        self._pieces: list[str] = []
        self._waiting: list[tuple[str, Node]] = []
        self._parts = parts
        self._is_begun = bool(parts)
        self._tails = 0
        self._order = order_mark("big")

    @contextmanager
    def _apart(self, parts: str) -> Iterator[None]:
        """Write into a list of its own."""
        outer = self._parts, self._is_begun, self._run, self._pieces, self._waiting
        self._parts, self._is_begun, self._run, self._pieces, self._waiting = parts, False, [], [], []
        yield
        self.flush()
        self._parts, self._is_begun, self._run, self._pieces, self._waiting = outer

    def _end_run(self) -> None:
        """Pack the fixed fields that were put off."""
        run, self._run = self._run, []
        if len(run) == 1 and run[0][1].code == "b":
            ((name, _),) = run
            self._pieces.append(f"NUMBERS[{name}] if 0 <= {name} < 128 else {self._names.pack('>b')}({name})")
        elif run:
            codes, values = "".join(node.code for _, node in run), ", ".join(name for name, _ in run)
            self._pieces.append(f"{self._names.pack(self._order + codes)}({values})")

    def _add(self, *pieces: str) -> None:
        self._end_run()
        self._pieces += pieces

    def flush(self) -> None:
        """Write what was put off."""
        self._end_run()
        pieces, self._pieces = self._pieces, []
        if not self._is_begun:
            self._text.add(f"{self._parts} = [{', '.join(pieces)}]")
            self._is_begun = True
        elif len(pieces) == 1:
            self._text.add(f"{self._parts}.append({pieces[0]})")
        elif pieces:
            self._text.add(f"{self._parts} += ({', '.join(pieces)})")

    def _length(self, node: Node, name: str, *behind: str) -> None:
        """Write a length or a count, and what is after it."""
        if node.size:
            self._run.append((name, node))
            self._add(*behind)
        else:
            self._add(f"COMPACT[{name}] if {name} < SHORT else compact({name})", *behind)

    def _form(self, node: Node, name: str) -> None:
        text, kind, size = self._text, node.kind, f"{name}_size"
        is_text = node.operation == Operation.TEXT
        is_zigzag = isinstance(kind.length, Varint) and not node.plus
        # Lengths of compact strings are in a table, else IndexError leaves them to the interpreter.
        table = is_text and not node.size
        null = repr(form_bytes(kind, None)) if is_zigzag and node.nullable else "0" if table else str(kind.null)
        if is_text:
            if node.nullable:
                text.add(f'if {name} is None: {size}, {name} = {null}, b""')
            with text.block("else:") if node.nullable else nullcontext():
                text.add(f"{name} = {name}.encode()", f"{size} = len({name}){' + 1' if table else ''}")
        else:
            with text.block(f"if type({name}) is bytes:"):
                text.add(f"{size} = len({name})")
                if is_zigzag:
                    names = self._names
                    short, rare = names.short(kind.length.kind), names.varint(kind.length.kind)
                    text.add(f"{size} = {short}[{size}] if {size} < {_HALF} else write_varint({size}, {rare})")
            if node.nullable:
                text.add(f'elif {name} is None: {size}, {name} = {null}, b""')
            text.add(f"else: {REFUSE}")
        if is_zigzag or table:
            self._add(f"NUMBERS[{size}]" if table else size, name)
        else:
            self._length(node, size, name)
