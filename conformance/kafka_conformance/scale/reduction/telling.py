"""What is left to say of a reduced batch: what of it is not as simple as can be.

After reduction these parts are the ones that matter. Paths are those that `explain` shows. Attributes are taken apart
into their bits, by the layouts; how many items a list has is a part where nothing in the last of them is.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Integer

from kafka_conformance.scale.reduction.model import Fields, Path, Tree, changed, is_old, unwrapped
from kafka_conformance.scale.reduction.shrinking import NULL, simplest

_SHOWN: Final = 24
_INDEX: Final = re.compile(r"^\[\d+\]\.?|\[\d+\]")
_COUNTED: Final = {"records": "record_count", "headers": "header_count", "inner": "messages"}


class Part(NamedTuple):
    """Something about a batch that is not as simple as can be.

    Attributes:
        path: what it is, for example `records[0].attributes.bit_7`.
        value: what stands there, for people; bytes as `hex:00ff`.
        place: where in the tree.
        simple: what says least there.
    """

    path: str
    value: str
    place: Path
    simple: Any

    @property
    def text(self) -> str:
        """Path and value."""
        return f"{self.path} = {self.value}"


def telling(tree: Tree) -> tuple[str, ...]:
    """Name the parts that matter with their values, for example `records[0].timestamp_delta = 2147483649`."""
    return tuple(part.text for part in parts(tree))


def fields(told: tuple[str, ...]) -> tuple[str, ...]:
    """The paths alone, without numbers of entries and items: `records.attributes`."""
    return tuple(dict.fromkeys(_INDEX.sub("", one.partition(" = ")[0]) for one in told))


def parts(tree: Tree) -> list[Part]:
    """Return what is not as simple as can be, in the order of the bytes."""
    found = [
        part
        for number, entry in enumerate(tree)
        for part in _entry(f"[{number}]." if len(tree) > 1 else "", (number,), entry)
    ]
    if len(tree) > 1 and not any(part.place[0] == len(tree) - 1 for part in found):
        found.append(Part("entries", str(len(tree)), (), tree[:-1]))
    return found


def without(tree: Tree, part: Part) -> Tree:
    """Return a tree that has what says least in place of a part."""
    if part.path.endswith(".codec") and part.place[-2] == "message":
        return unwrapped(tree, part.place[:-2])
    return changed(tree, part.place, part.simple)


def _entry(start: str, place: Path, entry: Fields) -> Iterator[Part]:
    owner = entry.get("message", entry)
    for name, value in entry.items():
        if name == "message":
            for inner_name, inner in value.items():
                yield from _field(f"{start}message.", (*place, name), inner_name, inner, owner)
        elif name == "inner":
            path = f"{start}message.{'payload' if is_old(entry) else 'value'}"
            yield from _list(path, (*place, name), value)
        else:
            yield from _field(start, place, name, value, entry)


def _list(path: str, place: Path, items: list[Fields]) -> Iterator[Part]:
    """The parts of all items; or how many they are, if that is all there is to the last one."""
    last: list[Part] = []
    for index, item in enumerate(items):
        step = _entry if place[-1] == "inner" else _fields
        last = list(step(f"{path}[{index}].", (*place, index), item))
        yield from last
    least = 1 if place[-1] == "inner" else 0
    if len(items) > least and not last:
        above = f"{path}." if place[-1] == "inner" else path[: -len(str(place[-1]))]
        yield Part(above + _COUNTED[str(place[-1])], str(len(items)), place, items[:-1])


def _fields(start: str, place: Path, owner: Fields) -> Iterator[Part]:
    for name, value in owner.items():
        yield from _field(start, place, name, value, owner)


def _field(start: str, place: Path, name: str, value: Any, owner: Fields) -> Iterator[Part]:  # noqa: ANN401
    path, here = start + name, (*place, name)
    if isinstance(value, list):
        yield from _list(path, here, value)
    elif name == "attributes":
        yield from _bits(path, here, value, owner)
    elif isinstance(value, int):
        if name != "magic" and value != simplest(name):
            yield Part(path, str(value), here, simplest(name))
    elif (value is not None) if name in NULL and "headers" not in place else value != b"":
        yield Part(path, _text(value), here, None if name in NULL and "headers" not in place else b"")


def _bits(path: str, place: Path, number: int, owner: Fields) -> Iterator[Part]:
    field = next(one for one in find(_layout(place, owner)).fields if one.name == "attributes")
    assert isinstance(field.type, Integer)  # noqa: S101 - all attributes are
    width = 8 * field.type.size
    left = number & (1 << width) - 1
    known = [(bits.name, bits.mask << bits.low, bits.enum) for bits in field.bits]
    taken = sum(mask for _, mask, _ in known)
    known += [(f"bit_{bit}", 1 << bit, None) for bit in range(width) if not taken >> bit & 1]
    for name, mask, enum in known:
        value = (left & mask) // (mask & -mask)
        if value:
            text = enum.values.get(value, str(value)) if enum is not None else str(value)
            yield Part(f"{path}.{name}", text, place, _signed(left & ~mask, width))


def _layout(place: Path, owner: Fields) -> str:
    if place[-2] == "message":
        return "v07_message_1" if is_old({"message": owner}) else f"message_v{owner['magic']}"
    return "record_batch" if "records" in owner else "record"


def _signed(number: int, width: int) -> int:
    return number - (1 << width) if number >> (width - 1) else number


def _text(value: bytes | None) -> str:
    if value is None:
        return "null"
    more = len(value) - _SHOWN
    return f"hex:{value[:_SHOWN].hex()}" + (f" and {more} more bytes" if more > 0 else "") if value else "empty"
