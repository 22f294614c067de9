"""Bytes as a tree of plain values that can be changed and written anew.

A tree is a list of entries. A record batch has the fields of its layout. A message has `offset` and `message`; one that
is a wrapper has `inner` in place of its compressed value, and `inner` is a list of entries again. Lengths, counts and
checksums are not in the tree: they follow from the rest. So do `last_offset_delta` and `max_timestamp` of a batch and
`offset` and `timestamp` of a wrapper, where they are left out.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Final

from kafka_format import compression
from kafka_format.codec import interpreter
from kafka_format.records import entries, v07
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Array, Layout, Nested

Fields = dict[str, Any]
Tree = list[Fields]
"""Entries in order."""

Path = tuple[str | int, ...]
"""Steps from the tree to a value in it: names of fields, and numbers of items."""

CODEC_MASK: Final = 7


def parse(data: bytes, version: str) -> Tree:
    """Take valid bytes apart; `version` is `v07` or any other format.

    Raises:
        FormatError: they are not valid.
    """
    return _old_set(data) if version == "v07" else [_entry(data[one.start : one.end]) for one in entries.split(data)]


def write(tree: Sequence[Fields]) -> bytes:
    """Write a tree.

    Raises:
        EncodeError: a value does not fit, or cannot be null.
    """
    return b"".join(map(_write, tree))


def codec_of(fields: Fields) -> str:
    """Name the codec of an entry: what its attributes say."""
    named = fields if "records" in fields else fields["message"]
    number = named.get("attributes", 0) & (v07.CODEC_MASK if is_old(fields) else CODEC_MASK)
    return compression.NAMES[number] if number < len(compression.NAMES) else "none"


def is_old(fields: Fields) -> bool:
    """Tell a message of 0.7, which has no key."""
    return "message" in fields and "key" not in fields["message"]


def at(value: Any, path: Path) -> Any:  # noqa: ANN401 - any value of a tree
    """Return what is at a place; None where nothing is any more."""
    for step in path:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def changed(tree: Tree, path: Path, value: Any) -> Tree:  # noqa: ANN401 - any value of a tree
    """Return a tree that has another value at a place."""
    if not path:
        return list(value)
    copied = deepcopy(tree)
    at(copied, path[:-1])[path[-1]] = value
    return copied


def unwrapped(tree: Tree, path: Path) -> Tree:
    """Return a tree that has the messages of a wrapper in its place."""
    *above, place = path
    entries = at(tree, tuple(above))
    number = int(place)
    return changed(tree, tuple(above), entries[:number] + entries[number]["inner"] + entries[number + 1 :])


def _entry(data: bytes) -> Fields:
    if data[entries.MAGIC_AT] == 2:
        return _stated(find("record_batch"), interpreter.decode(find("record_batch"), data))
    values = interpreter.decode(find("message_set_entry"), data)
    message = {name: value for name, value in values["message"].items() if name != "crc"}
    fields = {"offset": values["offset"], "message": message}
    return _opened(fields, "value", lambda payload: [_entry(payload[a:b]) for a, b, _ in entries.split(payload)])


def _old_set(data: bytes) -> Tree:
    found = []
    for one in v07.split(data):
        values = interpreter.decode(find("v07_entry"), data[one.start : one.end])
        message = {name: value for name, value in values["message"].items() if name != "crc"}
        found.append(_opened({"message": message}, "payload", _old_set))
    return found


def _opened(fields: Fields, name: str, read: Callable[[bytes], Tree]) -> Fields:
    """Put the messages of a wrapper in place of its payload."""
    codec, message = codec_of(fields), fields["message"]
    if codec == "none":
        return fields
    fields["inner"] = read(compression.decompress(codec, message.pop(name), magic=_lz4_magic(fields)))
    return fields


def _lz4_magic(fields: Fields) -> int:
    """The format that a payload is for; 0.7 knows no lz4."""
    return int(fields["message"]["magic"])


def _stated(layout: Layout, values: Fields) -> Fields:
    """Keep what a writer cannot work out."""
    kept = {}
    for field in layout.fields:
        if field.computed is not None or field.const is not None:
            continue
        value = values[field.name]
        if isinstance(field.type, Array) and isinstance(field.type.item, Nested):
            value = [_stated(field.type.item.layout, item) for item in value]
        kept[field.name] = value
    return kept


def _write(fields: Fields) -> bytes:
    if "records" in fields:
        return _write_batch(fields)
    message = dict(fields["message"])
    layout = find("v07_entry" if is_old(fields) else "message_set_entry")
    inner = fields.get("inner")
    if inner is not None:
        payload = compression.compress(codec_of(fields), write(inner), magic=_lz4_magic(fields))
        message["payload" if layout.name == "v07_entry" else "value"] = payload
    if layout.name == "v07_entry":
        return interpreter.encode(layout, {"message": message})
    offset = fields.get("offset")
    if inner and offset is None:
        offset = inner[-1].get("offset", 0)
    if inner and message["magic"] == 1 and "timestamp" not in message:
        message["timestamp"] = max(one["message"].get("timestamp", -1) for one in inner)
    return interpreter.encode(layout, {"offset": offset or 0, "message": message})


def _write_batch(fields: Fields) -> bytes:
    records, values = fields["records"], dict(fields)
    if "max_timestamp" not in fields:
        base = fields.get("base_timestamp", -1)
        values["max_timestamp"] = base + max((one.get("timestamp_delta", 0) for one in records), default=0)
    return interpreter.encode(find("record_batch"), values)
