"""Bytes as a tree of plain values: taken apart, changed, written again, and its parts to simplify.

A tree is a list of entries. A record batch has the fields of its layout. A message has `offset` and
`message`; a wrapper has `inner`, a list of entries, in place of its compressed value. Lengths,
counts and checksums are not in the tree, since they follow from the rest. So do `last_offset_delta`
and `max_timestamp` of a batch, and `offset` and `timestamp` of a wrapper, where they are left out.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

from kafka_format import compression
from kafka_format.codec import interpreter
from kafka_format.records import entries, v07
from kafka_format.records.model import CODEC_MASK
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Array, Integer, Layout, Nested

Fields = dict[str, Any]
Tree = list[Fields]
"""Entries in order."""

Path = tuple[str | int, ...]
"""Steps from the tree to a value in it: names of fields, and numbers of items."""

MINUS_ONE: Final = {"producer_id", "producer_epoch", "base_sequence", "partition_leader_epoch"}
"""Fields whose simplest value is -1, for none; that of all other numbers is 0."""

NULL: Final = {"key"}
"""Bytes whose simplest value is null, where the format allows it; that of all others is no
bytes."""

_INDEX: Final = re.compile(r"^\[\d+\]\.?|\[\d+\]")


def parse(data: bytes, version: str) -> Tree:
    """Take valid bytes apart; `version` is `v07` or any other format.

    Raises:
        FormatError: they are not valid.
    """
    if version == "v07":
        return [_entry_of_07(data[entry.start : entry.end]) for entry in v07.split(data)]
    return [_entry(data[entry.start : entry.end]) for entry in entries.split(data)]


def write(tree: Sequence[Fields]) -> bytes:
    """Write a tree.

    Raises:
        EncodeError: a value does not fit, or cannot be null.
    """
    return b"".join(map(_write, tree))


def codec_of(entry: Fields) -> str:
    """Name the codec in the attributes of an entry."""
    owner = entry if "records" in entry else entry["message"]
    number = owner.get("attributes", 0) & (v07.CODEC_MASK if is_old(entry) else CODEC_MASK)
    return compression.NAMES[number] if number < len(compression.NAMES) else "none"


def is_old(entry: Fields) -> bool:
    """Tell a message of 0.7, which has no key."""
    return "message" in entry and "key" not in entry["message"]


def simplest(name: str) -> int:
    """Return the simplest number for a field."""
    return -1 if name in MINUS_ONE else 0


def at(value: Any, path: Path) -> Any:  # noqa: ANN401 - any value of a tree
    """Return the value at a path; None if there is none any more."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def set_at(tree: Tree, path: Path, value: Any) -> Tree:  # noqa: ANN401 - any value of a tree
    """Return a copy of a tree with another value at a path."""
    if not path:
        return list(value)
    copied = deepcopy(tree)
    at(copied, path[:-1])[path[-1]] = value
    return copied


def left_out(tree: Tree, path: Path) -> Tree:
    """Return a copy of a tree without a member, or without an item of a list."""
    *above, last = path
    owner = at(tree, tuple(above))
    if isinstance(owner, dict):
        return set_at(tree, tuple(above), {name: value for name, value in owner.items() if name != last})
    return set_at(tree, tuple(above), [item for index, item in enumerate(owner) if index != last])


def unwrap(tree: Tree, path: Path) -> Tree:
    """Return a copy of a tree with the messages of a wrapper in place of the wrapper."""
    *above, place = path
    siblings = at(tree, tuple(above))
    number = int(place)
    return set_at(tree, tuple(above), siblings[:number] + siblings[number]["inner"] + siblings[number + 1 :])


class Part(NamedTuple):
    """A value of a tree that is not at its simplest.

    Attributes:
        name: its path as `explain` shows it, for example `records[0].attributes.bit_7`.
        value: what stands there, for people; bytes as `hex:00ff`.
        path: where it is in the tree.
        simple: the simplest value for that place.
    """

    name: str
    value: str
    path: Path
    simple: Any

    @property
    def text(self) -> str:
        """Name and value."""
        return f"{self.name} = {self.value}"


def parts(tree: Tree) -> list[Part]:
    """Return what is not at its simplest, in the order of the bytes.

    Attributes are taken apart into their bits. How many items a list has is a part if the last of
    them has none.
    """
    several = len(tree) > 1
    listed = [
        part
        for number, entry in enumerate(tree)
        for part in _parts_of(f"[{number}]." if several else "", (number,), entry)
    ]
    if several and not any(part.path[0] == len(tree) - 1 for part in listed):
        listed.append(Part("entries", str(len(tree)), (), tree[:-1]))
    return listed


def without(tree: Tree, part: Part) -> Tree:
    """Return a copy of a tree with the simplest value in place of a part."""
    if part.name.endswith(".codec") and part.path[-2] == "message":
        return unwrap(tree, part.path[:-2])
    return set_at(tree, part.path, part.simple)


def field_names(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the fields named in texts, each once, without indexes: `records.attributes.bit_7`."""
    return tuple(dict.fromkeys(_INDEX.sub("", text.partition(" = ")[0]) for text in texts))


def describe(value: int | bytes | None, most: int = 24) -> str:
    """Return a value as text: `7`, `null`, `empty`, or `hex:00ff and 9 more bytes`."""
    if isinstance(value, int):
        return str(value)
    if not value:
        return "null" if value is None else "empty"
    more = len(value) - most
    return f"hex:{value[:most].hex()}" + (f" and {more} more bytes" if more > 0 else "")


def _entry(data: bytes) -> Fields:
    if data[entries.MAGIC_AT] == 2:
        return _keep_stated(find("record_batch"), interpreter.decode(find("record_batch"), data))
    entry: Fields = interpreter.decode(find("message_set_entry"), data)
    return _open({"offset": entry["offset"], "message": entry["message"]}, "value", "")


def _entry_of_07(data: bytes) -> Fields:
    return _open({"message": interpreter.decode(find("v07_entry"), data)["message"]}, "payload", "v07")


def _open(entry: Fields, payload: str, version: str) -> Fields:
    """Leave out a message's checksum, and put a wrapper's messages in place of its payload."""
    del entry["message"]["crc"]
    codec, message = codec_of(entry), entry["message"]
    if codec != "none":
        entry["inner"] = parse(compression.decompress(codec, message.pop(payload), magic=message["magic"]), version)
    return entry


def _keep_stated(layout: Layout, values: Fields) -> Fields:
    """Keep what a writer cannot work out."""
    kept = {}
    for field in layout.fields:
        if field.computed is not None or field.const is not None:
            continue
        value = values[field.name]
        if isinstance(field.type, Array) and isinstance(field.type.item, Nested):
            value = [_keep_stated(field.type.item.layout, item) for item in value]
        kept[field.name] = value
    return kept


def _write(entry: Fields) -> bytes:
    if "records" in entry:
        return _write_batch(entry)
    message, inner, old = dict(entry["message"]), entry.get("inner"), is_old(entry)
    if inner is not None:
        payload = compression.compress(codec_of(entry), write(inner), magic=message["magic"])
        message["payload" if old else "value"] = payload
    if old:
        return interpreter.encode(find("v07_entry"), {"message": message})
    offset = entry.get("offset")
    if inner and offset is None:
        offset = inner[-1].get("offset", 0)
    if inner and message["magic"] == 1 and "timestamp" not in message:
        message["timestamp"] = max(item["message"].get("timestamp", -1) for item in inner)
    return interpreter.encode(find("message_set_entry"), {"offset": offset or 0, "message": message})


def _write_batch(batch: Fields) -> bytes:
    values = dict(batch)
    if "max_timestamp" not in batch:
        base = batch.get("base_timestamp", -1)
        values["max_timestamp"] = base + max((item.get("timestamp_delta", 0) for item in batch["records"]), default=0)
    return interpreter.encode(find("record_batch"), values)


def _parts_of(start: str, path: Path, fields: Fields) -> Iterator[Part]:
    for name, value in fields.items():
        here = (*path, name)
        if name == "message":
            yield from _parts_of(f"{start}message.", here, value)
        elif name == "inner":
            yield from _parts_of_list(f"{start}message.{'payload' if is_old(fields) else 'value'}", here, value)
        elif isinstance(value, list):
            yield from _parts_of_list(start + name, here, value)
        elif name == "attributes":
            yield from _bits(start + name, here, value, fields)
        elif name != "magic" and value != (simple := _simplest_value(here, value)):
            yield Part(start + name, describe(value), here, simple)


def _parts_of_list(name: str, path: Path, items: list[Fields]) -> Iterator[Part]:
    """The parts of all items; and how many there are, if the last one has no part."""
    last: list[Part] = []
    for index, item in enumerate(items):
        last = list(_parts_of(f"{name}[{index}].", (*path, index), item))
        yield from last
    inner = path[-1] == "inner"  # a wrapper has at least one message
    if len(items) > inner and not last:
        yield Part(f"{name}.messages" if inner else f"{name[:-1]}_count", str(len(items)), path, items[:-1])


def _simplest_value(path: Path, value: int | bytes | None) -> int | bytes | None:
    if isinstance(value, int):
        return simplest(str(path[-1]))
    return None if path[-1] in NULL and "headers" not in path else b""


def _bits(name: str, path: Path, number: int, owner: Fields) -> Iterator[Part]:
    field = next(field for field in find(_layout(path, owner)).fields if field.name == "attributes")
    assert isinstance(field.type, Integer)  # noqa: S101 - all attributes are
    width = 8 * field.type.size
    known = [(bits.name, bits.mask << bits.low, bits.enum) for bits in field.bits]
    taken = sum(mask for _, mask, _ in known)
    known += [(f"bit_{bit}", 1 << bit, None) for bit in range(width) if not taken >> bit & 1]
    unsigned = number & (1 << width) - 1
    for bits_name, mask, enum in known:
        value = (unsigned & mask) // (mask & -mask)
        if value:
            text = enum.values.get(value, str(value)) if enum is not None else str(value)
            yield Part(f"{name}.{bits_name}", text, path, _as_signed(unsigned & ~mask, width))


def _layout(path: Path, owner: Fields) -> str:
    if path[-2] == "message":
        return "v07_message_1" if is_old({"message": owner}) else f"message_v{owner['magic']}"
    return "record_batch" if "records" in owner else "record"


def _as_signed(number: int, width: int) -> int:
    return number - (1 << width) if number >> (width - 1) else number
