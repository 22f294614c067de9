"""Every fault of every structure: the rule, the stage, the byte and the field, worked out by hand.

Both readers are asked, the compiled one and the interpreter.
"""

import pytest
from kafka_format import structure
from kafka_format.codec import interpreter
from kafka_format.errors import FormatError
from kafka_format.spec.layout import find

from tests.kafka_format.wire import (
    LZ4,
    RECORD,
    V0,
    V2,
    batch,
    checked,
    damaged,
    entry,
    gzip,
    message,
    nullable,
    put,
    record,
)

Fault = tuple[str, bytes, str, str, int, str]
"""Layout, bytes, rule, stage, offset, path."""

RECORDS: dict[str, Fault] = {
    "nothing": ("record", b"", "field.truncated", "structure", 0, "length"),
    "half a length": ("record", b"\x80", "field.truncated", "structure", 0, "length"),
    "too long": ("record", put(RECORD, 0, "1e"), "v2.record.length.within", "structure", 0, "length"),
    "too short": ("record", put(RECORD, 0, "1a"), "field.truncated", "structure", 14, "header_count"),
    "negative length": ("record", put(RECORD, 0, "01"), "v2.record.length.within", "structure", 0, "length"),
    "huge length": (
        "record", bytes.fromhex("feffffff0f") + RECORD, "v2.record.length.within", "structure", 0, "length",
    ),
    "a byte over": (
        "record", put(RECORD, 0, "1e") + b"\0", "v2.record.length.exact", "structure", 15, "length",
    ),
    "bytes after the end": ("record", RECORD + b"\0", "input.exact", "structure", 15, ""),
    "no attributes": ("record", b"\0", "field.truncated", "structure", 1, "attributes"),
    "overlong timestamp": (
        "record", record("00 8000 00 01 01 00"), "varint.minimal", "structure", 2, "timestamp_delta",
    ),
    "too long a timestamp": (
        "record", record("00 80808080808080808080 01 00 01 01 00"), "varint.length", "structure", 2, "timestamp_delta",
    ),
    "timestamp beyond 64 bits": (
        "record", record("00 80808080808080808002 00 01 01 00"), "varint.range", "structure", 2, "timestamp_delta",
    ),
    "offset beyond 32 bits": (
        "record", record("00 00 8080808010 01 01 00"), "varint.range", "structure", 3, "offset_delta",
    ),
    "too long an offset": (
        "record", record("00 00 808080808000 01 01 00"), "varint.length", "structure", 3, "offset_delta",
    ),
    "overlong and beyond": (
        "record", record("00 00 00 8080808010 01 00"), "varint.range", "structure", 4, "key.length",
    ),
    "key of length -2": ("record", put(RECORD, 4, "03"), "length.not-negative", "structure", 4, "key.length"),
    "key beyond the record": ("record", put(RECORD, 4, "16"), "length.within", "structure", 4, "key.length"),
    "value of length -2": ("record", put(RECORD, 8, "03"), "length.not-negative", "structure", 8, "value.length"),
    "value beyond the record": ("record", put(RECORD, 8, "0e"), "length.within", "structure", 8, "value.length"),
    "value into the header count": ("record", put(RECORD, 8, "0c"), "field.truncated", "structure", 15, "header_count"),
    "header count -1": (
        "record", put(RECORD, 14, "01"), "v2.header.count.not-negative", "structure", 14, "header_count",
    ),
    "one header and no bytes": (
        "record", put(RECORD, 14, "02"), "v2.header.count.within", "structure", 14, "header_count",
    ),
    "2147483647 headers": (
        "record", record("00 00 00 01 01 feffffff0f 00 00"), "v2.header.count.within", "structure", 6, "header_count",
    ),
    "null header key": (
        "record", record("00 00 00 01 01 02 01 00"), "v2.header.key.not-null", "structure", 7, "headers[0].key.length",
    ),
    "header key of length -2": (
        "record", record("00 00 00 01 01 02 03 00"), "v2.header.key.not-null", "structure", 7, "headers[0].key.length",
    ),
    "header key that is no text": (
        "record", record("00 00 00 01 01 04 0000 0461ff 00"), "v2.header.key.utf8", "structure", 11, "headers[1].key",
    ),
    "header key cut in a letter": (
        "record", record("00 00 00 01 01 02 0461c3 00"), "v2.header.key.utf8", "structure", 9, "headers[0].key",
    ),
    "header value of length -2": (
        "record", record("00 00 00 01 01 02 00 03"), "length.not-negative", "structure", 8, "headers[0].value.length",
    ),
    "header value beyond the record": (
        "record", record("00 00 00 01 01 02 00 02"), "length.within", "structure", 8, "headers[0].value.length",
    ),
}  # fmt: skip

BATCHES: dict[str, Fault] = {
    "nothing": ("record_batch", b"", "field.truncated", "structure", 0, "base_offset"),
    "half an offset": ("record_batch", V2[:7], "field.truncated", "structure", 0, "base_offset"),
    "half a length": ("record_batch", V2[:11], "field.truncated", "structure", 8, "batch_length"),
    "length 48": ("record_batch", put(V2, 8, "00000030"), "v2.batch-length.minimum", "framing", 8, "batch_length"),
    "length -1": ("record_batch", put(V2, 8, "ffffffff"), "v2.batch-length.minimum", "framing", 8, "batch_length"),
    "a byte missing": ("record_batch", V2[:-1], "entry.size.within", "framing", 8, "batch_length"),
    "bytes after the end": ("record_batch", V2 + b"\0", "input.exact", "structure", 76, ""),
    "magic 1": ("record_batch", put(V2, 16, "01"), "entry.magic.known", "framing", 16, "magic"),
    "magic -1": ("record_batch", put(V2, 16, "ff"), "entry.magic.known", "framing", 16, "magic"),
    "checksum": ("record_batch", damaged(V2, 17), "v2.crc.covers-attributes-to-end", "checksum", 17, "crc"),
    "first byte checked": ("record_batch", damaged(V2, 21), "v2.crc.covers-attributes-to-end", "checksum", 17, "crc"),
    "last byte checked": ("record_batch", damaged(V2, 75), "v2.crc.covers-attributes-to-end", "checksum", 17, "crc"),
    "codec 5": ("record_batch", batch(RECORD, attributes=5), "v2.codec.known", "structure", 21, "attributes.codec"),
    "codec 7": ("record_batch", batch(RECORD, attributes=7), "v2.codec.known", "structure", 21, "attributes.codec"),
    "count -1": (
        "record_batch", batch(RECORD, count=-1), "v2.record-count.not-negative", "structure", 57, "record_count",
    ),
    "count -1 of nothing": (
        "record_batch", batch(b"", count=-1), "v2.record-count.not-negative", "structure", 57, "record_count",
    ),
    "one record too many": (
        "record_batch", batch(RECORD, count=2), "field.truncated", "structure", 76, "records[1].length",
    ),
    "two records too many": (
        "record_batch", batch(RECORD, count=3), "v2.record-count.within", "structure", 57, "record_count",
    ),
    "2147483647 records": (
        "record_batch", batch(RECORD, count=2147483647), "v2.record-count.within", "structure", 57, "record_count",
    ),
    "a record too few": (
        "record_batch", batch(RECORD + RECORD, count=1), "v2.records.fill-the-batch", "structure", 76, "batch_length",
    ),
    "no records but bytes": (
        "record_batch", batch(RECORD, count=0), "v2.batch.empty.no-payload", "structure", 61, "records",
    ),
    "a record with a fault": (
        "record_batch", batch(RECORD + put(RECORD, 4, "03"), count=2), "length.not-negative", "structure", 80,
        "records[1].key.length",
    ),
    "no gzip": (
        "record_batch", batch(RECORD, attributes=1), "compression.gzip.magic", "decompression", 61, "records",
    ),
}  # fmt: skip

PAYLOADS: dict[str, Fault] = {
    "a record with a fault": (
        "record_batch", batch(gzip(RECORD + put(RECORD, 4, "03")), attributes=1, count=2), "length.not-negative",
        "structure", 19, "records[1].key.length",
    ),
    "a record too few": (
        "record_batch", batch(gzip(RECORD + RECORD), attributes=1, count=1), "v2.records.fill-the-batch", "structure",
        15, "records",
    ),
    "one record too many": (
        "record_batch", batch(LZ4, attributes=3, count=2), "field.truncated", "structure", 15, "records[1].length",
    ),
}  # fmt: skip

HEAD = b"\0\0"  # magic 0, no attributes
MESSAGES: dict[str, Fault] = {
    "nothing": ("message_v0", b"", "field.truncated", "structure", 0, "crc"),
    "half a checksum": ("message_v0", b"\0\0\0", "field.truncated", "structure", 0, "crc"),
    "only a checksum": ("message_v0", bytes(4), "field.truncated", "structure", 4, "magic"),
    "magic of v1": ("message_v0", message(1, b""), "entry.magic.known", "framing", 4, "magic"),
    "magic of v0": ("message_v1", message(0, b""), "entry.magic.known", "framing", 4, "magic"),
    "codec 4": ("message_v0", message(0, b"", attributes=4), "legacy.codec.known", "structure", 5, "attributes.codec"),
    "zstd": ("message_v1", message(1, b"", attributes=4), "legacy.codec.known", "structure", 5, "attributes.codec"),
    "key of length -2": (
        "message_v0", checked(HEAD + b"\xff\xff\xff\xfe" + nullable(b"")), "length.not-negative", "structure", 6,
        "key.length",
    ),
    "key beyond the message": (
        "message_v0", checked(HEAD + b"\x7f\xff\xff\xff" + nullable(b"")), "length.within", "structure", 6,
        "key.length",
    ),
    "no value": ("message_v0", checked(HEAD + nullable(b"key")), "field.truncated", "structure", 13, "value.length"),
    "value beyond the message": (
        "message_v0", checked(HEAD + nullable(None) + b"\0\0\0\x01"), "length.within", "structure", 10, "value.length",
    ),
    "bytes after the value": (
        "message_set_entry", entry(0, message(0, b"v", tail=b"xx")), "legacy.message.fills-its-size", "structure", 27,
        "message_size",
    ),
    "size 13": ("message_set_entry", put(V0, 8, "0000000d"), "entry.size.minimum", "framing", 8, "message_size"),
    "size 0": ("message_set_entry", put(V0, 8, "00000000"), "entry.size.minimum", "framing", 8, "message_size"),
    "a byte missing": ("message_set_entry", V0[:-1], "entry.size.within", "framing", 8, "message_size"),
    "magic 2": ("message_set_entry", put(V0, 16, "02"), "entry.magic.known", "framing", 16, "message.magic"),
    "magic -1": ("message_set_entry", put(V0, 16, "ff"), "entry.magic.known", "framing", 16, "message.magic"),
    "checksum": (
        "message_set_entry", damaged(V0, 12), "legacy.crc.covers-magic-to-end", "checksum", 12, "message.crc",
    ),
    "first byte checked": (
        "message_set_entry", damaged(V0, 17), "legacy.crc.covers-magic-to-end", "checksum", 12, "message.crc",
    ),
    "last byte checked": (
        "message_set_entry", damaged(V0, 33), "legacy.crc.covers-magic-to-end", "checksum", 12, "message.crc",
    ),
}  # fmt: skip

ALL = {
    f"{group}: {name}": (*fault, group == "payload")
    for group, faults in (("record", RECORDS), ("batch", BATCHES), ("payload", PAYLOADS), ("message", MESSAGES))
    for name, fault in faults.items()
}


@pytest.mark.parametrize("case", ALL)
def test_faults(case: str) -> None:
    name, data, *fault, payload = ALL[case]
    for reader in (structure(name).decode, lambda data: interpreter.decode(find(name), data)):
        with pytest.raises(FormatError) as caught:
            reader(data)
        assert list(caught.value.facts()) == [*fault, payload]


@pytest.mark.parametrize("cut", range(len(V2)))
def test_a_batch_cut_anywhere_is_refused(cut: int) -> None:
    """Only a run of entries may end in the middle of one."""
    with pytest.raises(FormatError) as caught:
        structure("record_batch").decode(V2[:cut])
    rule = "entry.size.within" if cut >= 12 else "field.truncated"
    assert caught.value.rule == rule


def test_the_text_of_an_error_tells_all() -> None:
    with pytest.raises(FormatError) as caught:
        structure("record_batch").decode(damaged(V2, 17))
    text = (
        "checksum error at byte 17, crc: stored 0x45c98e4f, the bytes give 0x44c98e4f [v2.crc.covers-attributes-to-end]"
    )
    assert str(caught.value) == text


def test_the_text_of_an_error_in_a_payload_tells_so() -> None:
    with pytest.raises(FormatError) as caught:
        structure("record_batch").decode(batch(gzip(put(RECORD, 4, "03")), attributes=1))
    assert "at byte 4 of the decompressed payload, records[0].key.length: length -2" in str(caught.value)
