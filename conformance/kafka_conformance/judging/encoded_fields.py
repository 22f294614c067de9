"""Compare fields that no record shows: the rules of spec/rules/encoding.yaml.

Each entry is compared with what the reference writes for the same records, so an encoder may write
several batches instead of one, and leave uncompressed what compression does not shrink. Compressed
bytes are not compared.

These fields are not compared, because no reader depends on them:

- partition leader epoch: the checksum does not cover it, and the broker writes it
  (`offsets.v2.base-offset`).
- base timestamp: only its sum with a delta means anything, and that is the record's timestamp.
  Kafka itself writes another one there for the delete horizon (KIP-534).
- offsets that a producer leaves to the broker: adapters of producers put in what a broker would.
- base sequence without a producer id: brokers look at it only where there is one
  (LogValidator.validateBatch).
- key of a wrapper: `legacy.wrapper.key.ignored`. Timestamp and timestamp type of inner messages of
  a wrapper with log append time: `v1.wrapper.timestamp.append` and `v1.wrapper.timestamp-type`.

Lengths, counts, checksums and the shortest varints are rules of decoders: the reference has read
the bytes before.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kafka_format import compression, records, structure
from kafka_format.records.entries import split
from kafka_format.records.model import CODEC_MASK
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import minimum_size

from kafka_conformance.judging.difference import Difference
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import CODECS
from kafka_conformance.protocol.messages import EncodeInput

_OF_BROKERS: Final = frozenset({"has_delete_horizon"})


def _unused_bits(layout: str) -> int:
    attributes = find(layout).field("attributes")
    used = sum(bits.in_place for bits in attributes.bits if bits.name not in _OF_BROKERS)
    return ~used % (1 << 8 * minimum_size(attributes.type))


_FOR_NOBODY: Final = {
    magic: _unused_bits(name) for magic, name in enumerate(("message_v0", "message_v1", "record_batch"))
}
"""The bits of `attributes` that a producer leaves 0, by magic. That of the delete horizon, in v2,
is for brokers."""


class _Seen(NamedTuple):
    """What an entry has: codec, number of records, and the fields that no record shows."""

    codec: str
    records: int
    fields: Mapping[str, int]


def difference(asked: EncodeInput, written: bytes) -> Difference | None:
    """Return the first field that records do not show and that differs from the reference's.

    `written` has the records that were asked for, which somebody has looked at before.

    Raises:
        FormatError: the bytes cannot be read.
    """
    wanted, codec = answers.from_bytes(asked.answer), CODECS[asked.codec]
    done = 0
    for start, end, magic in split(written):
        if magic != asked.magic:
            return Difference("magic", str(asked.magic), str(magic))
        got = _look_at(written[start:end], magic)
        if got.codec not in {codec, "none"}:
            return Difference("attributes.codec", codec, got.codec)
        same = wanted[done : done + got.records]
        expected = _look_at(records.encode(same, magic=magic, codec=got.codec), magic) if same else got
        for path, value in expected.fields.items():
            if got.fields[path] != value:
                return Difference(path, str(value), str(got.fields[path]))
        done += got.records
    return None


def _look_at(entry: bytes, magic: int) -> _Seen:
    return _batch(entry) if magic == 2 else _message(entry)


def _batch(entry: bytes) -> _Seen:
    batch = structure("record_batch").decode(entry)
    fields = {
        "attributes": batch.attributes & _FOR_NOBODY[2],
        "last_offset_delta": batch.last_offset_delta,
        "max_timestamp": batch.max_timestamp,
    }
    fields |= {f"records[{index}].attributes": record.attributes for index, record in enumerate(batch.records)}
    return _Seen(compression.NAMES[batch.attributes & CODEC_MASK], len(batch.records), fields)


def _message(entry: bytes) -> _Seen:
    offset, _, message = structure("message_set_entry").decode(entry)
    fields = {"message.attributes": _for_nobody(message)}
    codec = compression.NAMES[message.attributes & CODEC_MASK]
    if codec == "none":
        return _Seen(codec, 1, fields)
    fields["offset"] = offset
    if message.magic == 1:
        fields["message.timestamp"] = message.timestamp
    plain = compression.decompress(codec, message.value or b"", magic=message.magic)
    inner = [structure("message_set_entry").decode(plain[start:end]) for start, end, _ in split(plain)]
    for index, (inner_offset, _, inner_message) in enumerate(inner):
        fields[f"message.value[{index}].offset"] = inner_offset
        fields[f"message.value[{index}].message.attributes"] = _for_nobody(inner_message)
    return _Seen(codec, len(inner), fields)


def _for_nobody(message: Any) -> int:  # noqa: ANN401 - the class of a message is made from its layout
    unused: int = message.attributes & _FOR_NOBODY[message.magic]
    return unused
