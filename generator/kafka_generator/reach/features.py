"""Unusual features of an entry and their origins; none if a producer writes such entries.

The order of the questions is that of the fields. What the application chooses (keys, values,
headers, timestamps from 1970 on) is never unusual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kafka_format import compression, structure
from kafka_format.codec import interpreter
from kafka_format.codec.prefix import prefix
from kafka_format.records import entries
from kafka_format.records.formats import MAGICS
from kafka_format.records.model import CODEC_MASK

from kafka_generator.reach.model import Origin, broker, crafted_origin
from kafka_generator.reach.streams import Shape, can_be_read, shape

_APPEND_TIME: Final = 8
_TRANSACTIONAL: Final = 16
_CONTROL: Final = 32
_DELETE_HORIZON: Final = 64
_KNOWN_ATTRIBUTES: Final = 127
_CONTROL_KEY: Final = bytes(4)
_LAST_MARKER: Final = 1
_LAST_CONTROL_TYPE: Final = 6
_FARTHEST: Final = 1 << 53
_NONE: Final = -1
_TIMES: Final = 1 << 63

_COMPACTED: Final = broker("compaction removed records around those that are left and kept their offsets")
_EMPTY: Final = broker("compaction removed every record and kept the batch for its producer's sequence")
_PACKED_EMPTY: Final = crafted_origin("Kafka writes the batches that compaction left empty without a codec")
_STAMPED: Final = broker("message.timestamp.type=LogAppendTime: the broker wrote its own time")
_MARKER: Final = broker("a transaction coordinator or a KRaft controller writes control batches")
_HORIZON: Final = broker("compaction since 3.1 notes when markers and tombstones may go (KIP-534)")
_NO_TIME: Final = broker("a broker converted it from v0, which has no timestamps")
_FAR: Final = crafted_origin("no topic has an offset below 0 or beyond 2^53")
_NEGATIVE_TIME: Final = crafted_origin(
    "Kafka's producer refuses timestamps before 1970, and brokers write no other than -1"
)
_BITS: Final = crafted_origin("no release sets these attribute bits")
_STREAM: Final = crafted_origin("none of the producers that we ran frames a compressed stream like this")


class Features:
    """Finds what is unusual, by what the producers did that we ran.

    Attributes:
        shapes: shapes of the compressed streams that they wrote.
    """

    def __init__(self, wild: Sequence[bytes]) -> None:
        """Take segments that producers wrote."""
        self.shapes: set[Shape] = set()
        self._without_id: set[tuple[int, int]] = {(-1, -1)}
        for segment in wild:
            for entry in entries.split(segment):
                self._learn(segment[entry.start : entry.end], entry.magic)

    def of_run(self, data: bytes) -> Iterator[Origin]:
        """Yield what is unusual about the whole entries of sound bytes."""
        magics = set()
        for entry in entries.split(data):
            magics.add(entry.magic)
            raw = data[entry.start : entry.end]
            yield from self._batch(raw) if entry.magic == MAGICS["v2"] else self._message(raw)
        if len(magics) > 1:
            yield broker("the topic's message format was changed between these entries")

    def _learn(self, raw: bytes, magic: int) -> None:
        if magic != MAGICS["v2"]:
            message = _values("message_set_entry", raw)["message"]
            codec = compression.NAMES[message["attributes"] & CODEC_MASK]
            if codec != "none":
                self.shapes.add(shape(codec, message["value"]))
            return
        values = _values("record_batch", raw)
        codec = compression.NAMES[values["attributes"] & CODEC_MASK]
        if codec != "none":
            self.shapes.add(shape(codec, _payload(raw)))
        if values["producer_id"] == -1:
            self._without_id.add((values["producer_epoch"], values["base_sequence"]))

    def _stream(self, codec: int, stream: bytes, magic: int) -> Iterator[Origin]:
        name = compression.NAMES[codec]
        if name != "none" and can_be_read(name, stream, magic) and shape(name, stream) not in self.shapes:
            yield _STREAM

    def _batch(self, raw: bytes) -> Iterator[Origin]:
        values = _values("record_batch", raw)
        attributes = values["attributes"]
        if values["partition_leader_epoch"] < -1:
            yield crafted_origin("a leader epoch is -1 or counts up from 0")
        if attributes & ~_KNOWN_ATTRIBUTES:
            yield _BITS
        if attributes & _APPEND_TIME:
            yield _STAMPED
        if attributes & _DELETE_HORIZON:
            yield _HORIZON
        yield from self._stream(attributes & CODEC_MASK, _payload(raw), 2)
        yield from self._producer(values)
        if attributes & _CONTROL:
            yield _MARKER
            yield from _control(values)
        yield from _batch_offsets(values)
        yield from _batch_times(values)
        if any(record["attributes"] for record in values["records"]):
            yield _BITS

    def _producer(self, values: Mapping[str, Any]) -> Iterator[Origin]:
        transactional, is_control = values["attributes"] & _TRANSACTIONAL, values["attributes"] & _CONTROL
        epoch_and_sequence = values["producer_epoch"], values["base_sequence"]
        if values["producer_id"] < 0:
            if transactional or values["producer_id"] < -1 or epoch_and_sequence not in self._without_id:
                yield crafted_origin("no producer writes this epoch, sequence or transaction without a producer id")
        elif min(epoch_and_sequence) < 0 and not is_control:
            yield crafted_origin("a producer with an id has an epoch and a sequence from 0 on")

    def _message(self, raw: bytes) -> Iterator[Origin]:
        values = _values("message_set_entry", raw)
        message = values["message"]
        codec = message["attributes"] & CODEC_MASK
        yield from _message_features(values)
        if codec:
            yield from self._stream(codec, message["value"], message["magic"])
            yield from _wrapper(values, _inner(message, codec))


def _values(layout: str, raw: bytes) -> dict[str, Any]:
    """Return the values of an entry by name, read quickly: some batches have 100,000 records."""
    values: dict[str, Any] = interpreter.as_mappings(structure(layout).decode(raw))
    return values


def _payload(batch: bytes) -> bytes:
    return batch[prefix("record_batch").size :]


def _control(values: Mapping[str, Any]) -> Iterator[Origin]:
    """Markers are alone in the batch of their producer; batches of KRaft have none."""
    attributes, records = values["attributes"], values["records"]
    is_marker = bool(attributes & _TRANSACTIONAL)
    if attributes & CODEC_MASK or is_marker != (values["producer_id"] >= 0) or values["base_sequence"] != -1:
        yield crafted_origin(
            "no release writes a control batch compressed, with a sequence, or with half of a transaction"
        )
    if is_marker and len(records) > 1:
        yield crafted_origin("a coordinator writes one marker a batch")
    if not all(_is_written_control(record, is_marker=is_marker) for record in records):
        yield crafted_origin("no release writes a control record of this type, version or form")


def _is_written_control(record: Mapping[str, Any], *, is_marker: bool) -> bool:
    """Tell whether a release writes such control records: type 0 to 6, versions 0, no header."""
    key, value = record["key"] or b"", record["value"] or b""
    kind, versions = int.from_bytes(key[2:], "big"), key[:2] + value[:2]
    is_known = len(key) == len(_CONTROL_KEY) and kind <= _LAST_CONTROL_TYPE and is_marker == (kind <= _LAST_MARKER)
    return is_known and not any(versions) and not record["headers"]


def _batch_offsets(values: Mapping[str, Any]) -> Iterator[Origin]:
    last, deltas = values["last_offset_delta"], [record["offset_delta"] for record in values["records"]]
    base = values["base_offset"]
    if not 0 <= base <= base + last < _FARTHEST:
        yield _FAR
    if not deltas:
        yield _PACKED_EMPTY if values["attributes"] & CODEC_MASK else _EMPTY
    elif sorted(set(deltas)) != deltas or deltas[0] < 0 or deltas[-1] > last:
        yield crafted_origin("offset deltas count up from 0 to the last one")
    elif len(deltas) != last + 1:
        yield _COMPACTED


def _batch_times(values: Mapping[str, Any]) -> Iterator[Origin]:
    base = values["base_timestamp"]
    if values["attributes"] & _DELETE_HORIZON:
        return
    if not values["records"]:
        if min(base, values["max_timestamp"]) < _NONE:
            yield _NEGATIVE_TIME
        return
    times = [base + record["timestamp_delta"] for record in values["records"]]
    yield from _of_times(times)
    if times[0] != base:
        yield crafted_origin("the base timestamp is that of the first record")
    if values["max_timestamp"] != max(times) and not values["attributes"] & _APPEND_TIME:
        yield crafted_origin("the maximum timestamp is the largest of the records")


def _of_times(times: Sequence[int]) -> Iterator[Origin]:
    if min(times) == max(times) == _NONE:
        yield _NO_TIME
    elif min(times) < 0 or max(times) >= _TIMES:
        yield _NEGATIVE_TIME


def _message_features(values: Mapping[str, Any]) -> Iterator[Origin]:
    message = values["message"]
    known = CODEC_MASK | (_APPEND_TIME if message["magic"] else 0)
    if not 0 <= values["offset"] < _FARTHEST:
        yield _FAR
    if message["attributes"] & ~known:
        yield _BITS
    if message["attributes"] & known & _APPEND_TIME:
        yield _STAMPED
    if message["magic"]:
        yield from _of_times([message["timestamp"]])


def _inner(message: Mapping[str, Any], codec: int) -> list[Mapping[str, Any]]:
    plain = compression.decompress(compression.NAMES[codec], message["value"], magic=message["magic"])
    return [_values("message_set_entry", plain[inner.start : inner.end]) for inner in entries.split(plain)]


def _wrapper(values: Mapping[str, Any], inner: Sequence[Mapping[str, Any]]) -> Iterator[Origin]:
    wrapper, offsets = values["message"], [message["offset"] for message in inner]
    for message in inner:
        yield from _message_features(message)
    if wrapper["key"] is not None:
        yield crafted_origin("no producer gives a wrapper a key")
    first = 0 if wrapper["magic"] else values["offset"] - len(offsets) + 1
    if not offsets:
        yield crafted_origin("no producer writes a wrapper around no whole message")
        return
    if sorted(set(offsets)) != offsets or values["offset"] < offsets[-1]:
        yield crafted_origin("inner offsets count up to that of the wrapper")
    elif not wrapper["magic"] and offsets[-1] != values["offset"]:
        yield crafted_origin("a wrapper has the offset of its last message")
    elif (offsets[0], offsets[-1]) != (first, first + len(offsets) - 1):
        yield _COMPACTED
    if any(message["message"]["attributes"] for message in inner):
        yield _BITS
    if wrapper["magic"] and not wrapper["attributes"] & _APPEND_TIME:
        times = [message["message"]["timestamp"] for message in inner]
        if wrapper["timestamp"] != max(times):
            yield crafted_origin("a wrapper has the largest timestamp of its messages")
