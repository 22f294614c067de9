"""Damage to batches and records with right checksums, as bugs and other releases write it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from kafka_format.codec.compiler import version
from kafka_format.codec.prefix import prefix
from kafka_format.codec.structures import structure
from kafka_format.log.batches import Batch, batches
from kafka_format.protocol.records import FRAMED, SchemaRecord, decode_key, decode_value
from kafka_format.spec.layout import specification

from kafka_generator.recordings.starts.held_out.damage import METADATA, NotHere, View, kind, segment
from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.edits import Edit

_BATCH: Final = prefix("record_batch")
_NUMBERS: Final = (-1, 0, 1, 2, 3, 5, 7, 100, 2**31 - 1)
_KEPT: Final = (
    "attributes", "base_timestamp", "max_timestamp", "producer_id", "producer_epoch", "base_sequence",
)  # fmt: skip
Content = tuple[bytes | None, bytes | None]


def _batches(view: View, path: str) -> list[Batch]:
    found = list(batches(view.files[path]))
    if not found:
        raise NotHere
    return found


def _joined(parts: list[bytes], rest: bytes) -> bytes:
    return b"".join(parts) + rest


def _rest(view: View, path: str, found: list[Batch]) -> bytes:
    return view.files[path][found[-1].end :]


@kind("batches/field")
def _field(random: Random, view: View) -> list[Edit]:
    """Change a field of a batch's header, with a right checksum."""
    path = segment(random, view)
    batch = random.choice(_batches(view, path))
    data, name = bytearray(batch.data), random.choice(list(_BATCH.places))
    size = _BATCH.packers[name].size
    now = getattr(batch.header, name)
    number = random.choice([*_NUMBERS, now + 1, now - 1, now ^ 1 << random.randrange(8 * size - 1)])
    least = 0 if name == "crc" else -(2 ** (8 * size - 1))
    if number == now or not least <= number < 2 ** (8 * size - 1):
        raise NotHere
    _BATCH.write(data, 0, **{name: number})
    if name != "crc":
        _BATCH.seal(data, 0, len(data))
    return [edits.overwrite(path, batch.position, bytes(data))]


@kind("batches/order")
def _order(random: Random, view: View) -> list[Edit]:
    """Exchange, drop, repeat or move batches of a segment."""
    path = segment(random, view)
    found = _batches(view, path)
    parts = [batch.data for batch in found]
    at, other = random.randrange(len(parts)), random.randrange(len(parts))
    deed = random.randrange(4)
    if deed == 0:
        parts[at], parts[other] = parts[other], parts[at]
    elif deed == 1:
        del parts[at]
    elif deed == 2:
        parts.insert(other, parts[at])
    else:
        source = random.choice(_batches(view, segment(random, view)))
        parts.insert(at, source.data)
    return [edits.write(path, _joined(parts, _rest(view, path, found)))]


def _again(batch: Batch, records: list[Content]) -> bytes:
    """Return a batch with other records, and what else its header says."""
    header = batch.header
    fields = {name: getattr(header, name) for name in _KEPT}
    if len(records) == header.record_count:
        fields["last_offset_delta"] = header.last_offset_delta
    return contents.batch(batch.base_offset, *records, epoch=header.partition_leader_epoch, **fields)


def _changed(random: Random, topic: str, record: Content) -> Content:
    """Return a record with one thing changed: its bytes, or a field of what it says."""
    key, value = record
    deed = random.randrange(10)
    if deed == 0:
        return random.choice([(None, value), (b"", value), (key, None), (key, b""), (b"\0\x07key", value)])
    if deed <= 2:
        return (
            (key, _bytes_changed(random, value or b"\0"))
            if key is None or random.random() < 2 / 3
            else (_bytes_changed(random, key), value)
        )
    return _field_changed(random, topic, record)


def _bytes_changed(random: Random, data: bytes) -> bytes:
    if not data:
        raise NotHere
    at = random.randrange(min(len(data), random.choice([4, len(data)])))
    return random.choice(
        [
            data[:at],
            data + random.randbytes(3),
            data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :],
        ]
    )


def _field_changed(random: Random, topic: str, record: Content) -> Content:
    key, value = record
    known = None if topic in FRAMED or key is None else decode_key(topic, key)
    if known is not None and (value is None or random.random() < 1 / 3):
        return contents.key(known.layout, **_fields(random, known)), value
    if value is None:
        raise NotHere
    read = decode_value(topic, value, known)
    fields = _fields(random, read)
    if topic in FRAMED:
        return key, contents.metadata(read.layout, read.version, **fields)
    return key, contents.value(read.layout, read.version, **fields)


def _fields(random: Random, record: SchemaRecord) -> dict[str, Any]:
    values: dict[str, Any] = record.value._asdict()
    names = [name for name in values if name != "unknown_tagged_fields"]
    if not names:
        raise NotHere
    name = random.choice(names)
    values[name] = _other(random, values[name])
    return values


def _other(random: Random, value: Any) -> Any:
    """Return another value of the same type."""
    for each, change in _CHANGES.items():
        if isinstance(value, each):
            return change(random, value)
    return random.choice([None, 0, 1, -1])


def _other_text(random: Random, value: str) -> str:
    known = ["", "plain", "other", "x" * 300, "metadata.version", "kraft.version"]
    return random.choice([*known, value + "x", value[:-1]])


def _other_list(random: Random, value: list[Any]) -> list[Any]:
    if not value or random.random() < 1 / 4:
        return [*value, *value[:1]] if value else [1]
    at = random.randrange(len(value))
    if random.random() < 1 / 3:
        return value[:at] + value[at + 1 :]
    return [*value[:at], _other(random, value[at]), *value[at + 1 :]]


def _other_part(random: Random, value: Any) -> Any:
    name = random.choice([name for name in value._fields if name != "unknown_tagged_fields"])
    return value._replace(**{name: _other(random, getattr(value, name))})


_CHANGES: Final[dict[type, Callable[[Random, Any], Any]]] = {
    bool: lambda _, value: not value,
    int: lambda random, value: random.choice([*_NUMBERS, value + 1, value - 1]),
    str: _other_text,
    bytes: lambda random, value: random.choice([bytes(16), random.randbytes(16), value[::-1]]),
    list: _other_list,
    tuple: _other_part,
}
"""What makes another value, by type; a tuple is a part that is a structure."""


def _data_batches(view: View, path: str) -> list[Batch]:
    found = [
        batch for batch in _batches(view, path) if batch.is_v2 and not batch.has("is_control") and batch.codec == "none"
    ]
    if not found:
        raise NotHere
    return found


def _contents(batch: Batch) -> list[Content]:
    return [(record.key, record.value) for record in batch.records()]


def _edited(random: Random, view: View, path: str, topic: str) -> list[Edit]:
    """Change, drop, repeat or exchange a record of a batch of a file."""
    batch = random.choice(_data_batches(view, path))
    records = _contents(batch)
    at = random.randrange(len(records))
    deed = random.randrange(6)
    if deed <= 3:
        records[at] = _changed(random, topic, records[at])
    elif deed == 4 and len(records) > 1:
        del records[at]
    else:
        records.insert(at, records[random.randrange(len(records))])
    found, data = _batches(view, path), view.files[path]
    return [edits.write(path, data[: batch.position] + _again(batch, records) + data[batch.end :])] if found else []


def _appended(random: Random, view: View, path: str, topic: str) -> list[Edit]:
    """Append a batch of records that are changed copies of what is there."""
    found = _batches(view, path)
    source = random.choice(_data_batches(view, path))
    picked = random.choices(_contents(source), k=random.choice([1, 1, 2]))
    records = [each if random.random() < 1 / 4 else _changed(random, topic, each) for each in picked]
    data = contents.batch(found[-1].next_offset, *records, epoch=max(batch.leader_epoch for batch in found))
    return [edits.append(path, data)]


def _last_metadata(view: View) -> str:
    paths = [path for path in view.paths(".log", within=METADATA) if view.files[path]]
    if not paths:
        raise NotHere
    return max(paths)


@kind("metadata/appended")
def _metadata_appended(random: Random, view: View) -> list[Edit]:
    return _appended(random, view, _last_metadata(view), "__cluster_metadata")


@kind("metadata/of-kind")
def _metadata_kind(random: Random, view: View) -> list[Edit]:
    """Append a record of any kind that metadata has, with fields of what is there."""
    path = _last_metadata(view)
    found = _batches(view, path)
    enumeration = specification().enums[FRAMED["__cluster_metadata"][0]].values
    layout = specification().versioned[random.choice(sorted(enumeration.values()))]
    number = random.choice(list(layout.versions))
    kind_of = version(layout.name, number)
    drawn = {name: _drawn(random, name, view) for name in kind_of.type._fields if name != "unknown_tagged_fields"}
    frame = structure("metadata_record_frame")
    value = frame.encode(frame.type(number=layout.number or 0, version=number)) + kind_of.encode(
        kind_of.type(**{name: each for name, each in drawn.items() if each is not ...})
    )
    return [
        edits.append(
            path, contents.of_metadata(found[-1].next_offset, value, epoch=max(batch.leader_epoch for batch in found))
        )
    ]


def _drawn(random: Random, name: str, view: View) -> Any:
    """Return a value for a field by its name, or `...` for its default."""
    known: dict[str, Any] = {}
    for path in view.paths(".log", ".checkpoint", within=METADATA):
        for batch in batches(view.files[path]):
            if batch.has("is_control"):
                continue
            for record in batch.records():
                values = decode_value("__cluster_metadata", record.value or b"").value._asdict()
                if name in values and (name not in known or random.random() < 1 / 3):
                    known[name] = values[name]
    if name in known and random.random() < 4 / 5:
        return known[name]
    return _other(random, known[name]) if name in known else ...


@kind("metadata/changed")
def _metadata_changed(random: Random, view: View) -> list[Edit]:
    return _edited(random, view, _last_metadata(view), "__cluster_metadata")


@kind("snapshots/changed")
def _snapshot_changed(random: Random, view: View) -> list[Edit]:
    paths = view.paths(".checkpoint", within=METADATA)
    return _edited(random, view, max(paths), "__cluster_metadata")


@kind("snapshots/control")
def _snapshot_control(random: Random, view: View) -> list[Edit]:
    """Drop, repeat or exchange the batches of a snapshot, header and footer among them."""
    path = max(view.paths(".checkpoint", within=METADATA))
    parts = [batch.data for batch in _batches(view, path)]
    at, other = random.randrange(len(parts)), random.randrange(len(parts))
    deed = random.randrange(3)
    if deed == 0:
        parts[at], parts[other] = parts[other], parts[at]
    elif deed == 1:
        del parts[at]
    else:
        parts.insert(other, parts[at])
    return [edits.write(path, b"".join(parts))]


@kind("metadata/control")
def _control(random: Random, view: View) -> list[Edit]:
    """Append a control batch: of any kind, sound or not."""
    path = _last_metadata(view)
    found = _batches(view, path)
    number = random.choice([0, 1, 2, 3, 4, 5, 6, 7, 9])
    sources = [record for batch in found if batch.has("is_control") for record in batch.records()]
    content = random.choice([b"", bytes(4), random.randbytes(6)] + [record.value or b"" for record in sources[:3]])
    return [
        edits.append(
            path, contents.control(found[-1].next_offset, number, content, key_version=random.choice([0, 0, 0, 1]))
        )
    ]


def _topic(random: Random, view: View) -> tuple[str, str]:
    topic = random.choice(["__consumer_offsets", "__transaction_state", "__share_group_state"])
    paths = [path for path in view.paths(".log", within=topic) if view.files[path]]
    if not paths:
        raise NotHere
    return max(paths), topic


@kind("topics/appended")
def _topic_appended(random: Random, view: View) -> list[Edit]:
    path, topic = _topic(random, view)
    return _appended(random, view, path, topic)


@kind("topics/changed")
def _topic_changed(random: Random, view: View) -> list[Edit]:
    path, topic = _topic(random, view)
    return _edited(random, view, path, topic)
