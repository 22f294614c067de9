"""Entries with their payloads decompressed, to compare encoders whatever their codecs write.

What a codec writes differs between versions of its library. `decompress_entries` takes that out of
a run of entries and leaves the rest: a compressed payload becomes what it decompresses to, the
sizes around it fit, and the checksum over it is 0. An uncompressed entry stays as it is, checksum
and all.
"""

from kafka_format import compression, structure
from kafka_format.codec.prefix import prefix
from kafka_format.records.entries import OVERHEAD, Entry, split
from kafka_format.records.formats import head_of
from kafka_format.records.model import CODEC_MASK
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import minimum_size

_LENGTH = minimum_size(find("message_v1").field("value").type)


def decompress_entries(entries: bytes) -> bytes:
    """Return the entries with every compressed payload decompressed.

    Raises:
        FormatError: the entries cannot be read.
    """
    return b"".join(_unpack(entries[entry.start : entry.end], entry.magic) for entry in split(entries))


def is_packed(entries: bytes) -> bool:
    """Tell whether any entry is compressed.

    Raises:
        FormatError: the entries cannot be split.
    """
    return any(_codec(entries[entry.start : entry.end], entry.magic) != "none" for entry in split(entries))


def _codec(raw: bytes, magic: int) -> str:
    form, start = head_of(Entry(0, len(raw), magic))
    return compression.NAMES[form.value(raw, start, "attributes") & CODEC_MASK]


def _unpack(raw: bytes, magic: int) -> bytes:
    codec = _codec(raw, magic)
    if codec == "none":
        return raw
    form = prefix("record_batch")
    if magic == 2:
        data = bytearray(raw[: form.size] + compression.decompress(codec, raw[form.size :]))
        form.write(data, batch_length=len(data) - OVERHEAD, crc=0)
        return bytes(data)
    (_, _, message), _ = structure("message_set_entry").read(raw, 0, len(raw))
    payload = message.value or b""
    plain = compression.decompress(codec, payload, magic=magic)
    head = raw[: len(raw) - len(payload) - _LENGTH]
    data = bytearray(head + len(plain).to_bytes(_LENGTH, "big") + plain)
    prefix("message_set_entry").write(data, message_size=len(data) - OVERHEAD)
    prefix("message_v0").write(data, OVERHEAD, crc=0)
    return bytes(data)
