"""The text that reads numbers: runs of fixed size in one step, varints in line, and their checks.

Zig-zag numbers have up to three bytes in line, for deltas grow with the batch; lengths two, for
after longer ones the content is what takes time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from kafka_format.codec.compiler.names import Names
from kafka_format.codec.compiler.plan import Node, Operation
from kafka_format.codec.compiler.python_source import moved, part_of
from kafka_format.codec.text import DOUBT, Text
from kafka_format.primitives.varints import VarintKind
from kafka_format.spec.layout.fixed import gap, order_mark
from kafka_format.spec.layout.model import Bits, BytesAfter, Checksum, Field, Layout, Varint

_SIZES: Final = {"b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "d": 8, "16s": 16}

_Check = Callable[[int], Iterator[str]]
"""Makes lines on a number, of how many bytes were read after it."""


class NumberReader:
    """Writes the text that reads numbers into variables.

    Fixed ones are put off in `_run`, and their checks in `_then`, until something else is read.
    """

    def __init__(self, text: Text, names: Names) -> None:
        """Take where the text goes, and the names that it uses."""
        self._text = text
        self._names = names
        self._run: list[tuple[str, str]] = []
        self._then: list[tuple[int, _Check]] = []
        self._order = order_mark("big")
        self._stop = "end"

    def doubt_if(self, condition: str) -> None:
        """Give up where a condition holds."""
        self._text.add(f"if {condition}: {DOUBT}")

    def _flush(self) -> None:
        """Read the fixed fields that were put off, all in one step, and make their checks."""
        run, then, text = self._run, self._then, self._text
        self._run, self._then = [], []
        sizes = [_SIZES[code] for _, code in run]
        if len(run) == 1 and sizes == [1]:
            ((name, code),) = run
            text.add(f"{name} = data[position]", "position += 1")
            if code == "b":
                text.add(f"if {name} > 127: {name} -= 256")
        elif run:
            codes, targets = "".join(code for _, code in run), ", ".join(name for name, _ in run)
            text.add(f"({targets},) = {self._names.unpack(self._order + codes)}(data, position)")
            text.add(f"position += {sum(sizes)}")
        for index, check in then:
            text.add(*check(sum(sizes[index:])))

    def _after(self, check: _Check) -> None:
        """Make a check of the number that was put off last when it is there."""
        self._then.append((len(self._run), check))

    def _check(self, field: Field, name: str, layout: Layout) -> None:
        """Make the checks of a number, and narrow the structure if the number frames it."""
        outer, computed = self._stop, field.computed
        if isinstance(computed, BytesAfter):
            self._stop = f"{name}_stop"
            self._after(lambda passed: iter(_frame(self._stop, outer, name, passed)))
        if isinstance(computed, Checksum):
            self._after(lambda passed: self._sum(name, computed, gap(layout, field, computed) - passed))
        conditions = [f"{name} != {field.const}"] if field.const is not None else []
        conditions += [f"{name} < {field.minimum}"] if field.minimum is not None else []
        conditions += [unknown for bits in field.bits if (unknown := _unknown(name, bits))]
        for condition in conditions:
            self._after(lambda _passed, condition=condition: iter([f"if {condition}: {DOUBT}"]))  # type: ignore[misc]

    def _sum(self, name: str, computed: Checksum, first: int) -> Iterator[str]:
        function = self._names.checksum(computed.algorithm)
        yield f"if {function}(data[{moved(first)} : {self._stop}]) != {name}: {DOUBT}"

    def _length(self, node: Node, name: str) -> None:
        """Read a length or a count; a compact one stays one more than it is."""
        kind = node.kind.length if node.operation in {Operation.TEXT, Operation.BYTES} else None
        if node.size:
            self._run.append((name, node.code))
            self._flush()
        elif isinstance(kind, Varint) and kind.kind.zigzag:
            self._zigzag(name, kind.kind, number=False)
        else:
            self._varint(name)

    def _varint(self, name: str, *more: str) -> None:
        """Read an unsigned varint, and add what is to be done if it is longer than a byte."""
        self._first_byte(name)
        self._more_bytes(name, *more)

    def _first_byte(self, name: str) -> None:
        """Read the first byte of a varint, together with what was put off."""
        self._run.append((name, "B"))
        self._flush()

    def _more_bytes(self, name: str, *more: str) -> None:
        with self._text.block(f"if {name} > 127:"):
            self._text.add(f"{name}, position = read_rest({name}, data, position)", *more)

    def _number(self, node: Node, name: str) -> None:
        """Read a varint that is a number."""
        kind = node.kind.kind
        if kind.zigzag:
            self._zigzag(name, kind, number=node.computed is None)
            return
        self._varint(name)
        if kind.plus:
            self._text.add(f"{name} -= {kind.plus}")

    def _zigzag(self, name: str, kind: VarintKind, *, number: bool) -> None:
        text = self._text
        self._flush()
        text.add(f"{name} = data[position]")
        with text.block(f"if {name} < 0x80:"):
            text.add(f"{name} = ZIGZAG[{name}]", "position += 1")
        with text.block("else:"):
            text.add("more = SECOND[data[position + 1]]")
            with text.block("if more > 0:"):
                text.add(f"{name} = more ^ ZIGZAG[{name}]", "position += 2")
            if number:
                with text.block("elif more and (last := THIRD[data[position + 2]]):"):
                    text.add(f"{name} = last ^ more ^ ZIGZAG[{name}]", "position += 3")
            with text.block("else:"):
                text.add(f"{name}, position = quick_varint(data, position, {self._names.varint(kind)})")


def _frame(stop: str, outer: str, name: str, passed: int) -> list[str]:
    """Return the text that says where a structure ends, and that it ends in the one around it."""
    return [f"{stop} = {moved(-passed)} + {name}", f"if {stop} > {outer}: {DOUBT}"]


def _unknown(name: str, bits: Bits) -> str:
    """Return the condition under which bits have a number without a name; empty if all have one."""
    if bits.enum is None or bits.mask + 1 == len(bits.enum.values):
        return ""
    values = sorted(bits.enum.values)
    is_run = values == list(range(len(values)))
    return f"{part_of(name, bits)} > {values[-1]}" if is_run else f"{part_of(name, bits)} not in {set(values)}"
