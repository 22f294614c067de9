"""Every fault of a run of entries: rule, stage, byte, field and entry, worked out by hand."""

import pytest
from kafka_format.errors import FormatError
from kafka_format.records import decode

from tests.kafka_format.wire import (
    RECORD,
    THREE,
    V0,
    V1,
    V2,
    batch,
    checked,
    damaged,
    entry,
    gzip,
    message,
    nullable,
    put,
    wrapper,
)

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine", "python"], indirect=True),
]

BASE = len(THREE)
"""Each run starts with a sound batch, so that the fault is in the second entry."""

INNER = entry(0, message(1, b"a")) + entry(1, message(1, b"b"))
SECOND = len(INNER) // 2
ZSTD_MESSAGE = message(1, b"", attributes=4)
KEYED = checked(b"\x01\x01" + bytes(8) + nullable(b"key") + b"\xff\xff\xff\xff")

Fault = tuple[bytes, str, str, int, str]
"""Bytes of the entry, rule, stage, offset in the entry, path.

In an entry of v1 the checksum is at 12, magic at 16, attributes at 17, the timestamp at 18, the
length of the key at 26 and the key at 30; v0 has no timestamp, so there the key is at 22.
"""

FAULTS: dict[str, Fault] = {
    "size 13": (put(V0, 8, "0000000d"), "entry.size.minimum", "framing", 8, "size"),
    "size 0": (bytes(12), "entry.size.minimum", "framing", 8, "size"),
    "size -1": (put(V2, 8, "ffffffff"), "entry.size.minimum", "framing", 8, "size"),
    "magic 3": (put(V2, 16, "03"), "entry.magic.known", "framing", 16, "magic"),
    "magic -1": (put(V2, 16, "ff"), "entry.magic.known", "framing", 16, "magic"),
    "magic 3 in a cut entry": (put(V2, 16, "03")[:17], "entry.magic.known", "framing", 16, "magic"),
    "batch of length 48": (put(V2, 8, "00000030"), "v2.batch-length.minimum", "framing", 8, "batch_length"),
    "batch with a wrong checksum": (
        damaged(V2, 70), "v2.crc.covers-attributes-to-end", "checksum", 17, "crc",
    ),
    "message with a wrong checksum": (
        damaged(V1, 40), "legacy.crc.covers-magic-to-end", "checksum", 12, "message.crc",
    ),
    "v1 of the size of v0": (
        entry(0, message(1, b"")[:14]), "legacy.crc.covers-magic-to-end", "checksum", 12, "message.crc",
    ),
    "message without room for its value": (
        entry(0, checked(b"\x01\x00" + bytes(8) + nullable(b"key"))), "field.truncated", "structure", 33,
        "message.value.length",
    ),
    "record in a batch": (
        batch(put(RECORD, 4, "03")), "length.not-negative", "structure", 65, "records[0].key.length",
    ),
    "zstd in v1": (entry(0, ZSTD_MESSAGE), "legacy.codec.known", "structure", 17, "message.attributes.codec"),
    "wrapper without a value": (
        entry(0, message(1, None, attributes=1)), "legacy.wrapper.value.not-null", "structure", 30,
        "message.value.length",
    ),
    "wrapper with a key and without a value": (
        entry(0, KEYED), "legacy.wrapper.value.not-null", "structure", 33, "message.value.length",
    ),
    "wrapper of no gzip": (
        entry(0, message(0, b"\0\0", attributes=1)), "compression.gzip.magic", "decompression", 26, "message.value",
    ),
    "wrapper of nothing": (wrapper(1, 5, b""), "legacy.wrapper.not-empty", "structure", 34, "message.value"),
    "v1 wrapper before its last message": (
        wrapper(1, 4, entry(5, message(1, b"x"))), "v1.wrapper.offset.is-last", "semantics", 0, "offset",
    ),
    "v1 wrapper at a negative offset": (
        wrapper(1, -1, INNER), "v1.wrapper.offset.is-last", "semantics", 0, "offset",
    ),
}  # fmt: skip

INSIDE: dict[str, Fault] = {
    "inner message cut": (
        wrapper(1, 5, INNER[:-1]), "legacy.wrapper.inner.whole", "structure", SECOND, "message.value[1]",
    ),
    "inner prefix cut": (
        wrapper(1, 5, INNER + bytes(11)), "legacy.wrapper.inner.whole", "structure", 2 * SECOND, "message.value[2]",
    ),
    "inner size 13": (
        wrapper(1, 5, INNER + put(V1, 8, "0000000d")), "entry.size.minimum", "framing", 2 * SECOND + 8,
        "message.value[2].size",
    ),
    "inner magic 3": (
        wrapper(1, 5, put(V1, 16, "03")), "entry.magic.known", "framing", 16, "message.value[0].magic",
    ),
    "inner batch": (
        wrapper(1, 5, INNER + V2), "legacy.wrapper.inner.magic", "structure", 2 * SECOND + 16,
        "message.value[2].message.magic",
    ),
    "v0 in v1": (
        wrapper(1, 5, V0), "legacy.wrapper.inner.magic", "structure", 16, "message.value[0].message.magic",
    ),
    "v1 in v0": (
        wrapper(0, 5, V1), "legacy.wrapper.inner.magic", "structure", 16, "message.value[0].message.magic",
    ),
    "wrapper in a wrapper": (
        wrapper(1, 5, INNER + wrapper(1, 6, INNER)), "legacy.wrapper.not-nested", "structure", 2 * SECOND + 17,
        "message.value[2].message.attributes",
    ),
    "inner checksum": (
        wrapper(1, 5, INNER + damaged(V1, 12)), "legacy.crc.covers-magic-to-end", "checksum", 2 * SECOND + 12,
        "message.value[2].message.crc",
    ),
    "record in a compressed batch": (
        batch(gzip(RECORD + put(RECORD, 4, "03")), attributes=1, count=2), "length.not-negative", "structure", 19,
        "records[1].key.length",
    ),
}  # fmt: skip


def fault_of(data: bytes, flags: frozenset[str] = frozenset()) -> FormatError:
    with pytest.raises(FormatError) as caught:
        decode(data, flags=flags)
    return caught.value


@pytest.mark.parametrize("case", FAULTS)
def test_faults(case: str) -> None:
    data, rule, stage, offset, path = FAULTS[case]
    for before in (b"", THREE):
        error = fault_of(before + data)
        assert error.facts() == (rule, stage, len(before) + offset, path, False)
        assert error.entry == (1 if before else 0)


@pytest.mark.parametrize("case", INSIDE)
def test_faults_in_a_payload(case: str) -> None:
    """Their offset counts in the decompressed payload, so what stands before the entry does not
    move it."""
    data, rule, stage, offset, path = INSIDE[case]
    for before in (b"", THREE):
        error = fault_of(before + data)
        assert error.facts() == (rule, stage, offset, path, True)
        assert error.entry == (1 if before else 0)


def test_a_wrapper_with_bytes_behind_its_value() -> None:
    """The value is found from its start, not from the end of the entry."""
    loose = frozenset({"message-trailing-bytes"})
    broken = entry(0, message(1, b"\0\0", attributes=1, key=b"key", tail=b"tail"))
    assert fault_of(broken).facts() == ("legacy.message.fills-its-size", "structure", 39, "message_size", False)
    assert fault_of(broken, loose).facts() == ("compression.gzip.magic", "decompression", 37, "message.value", False)
    missing = entry(0, message(1, None, attributes=1, tail=b"tail"))
    assert fault_of(missing, loose).facts()[:3] == ("legacy.wrapper.value.not-null", "structure", 30)
    (decoded,) = decode(entry(7, message(1, gzip(V1), attributes=1, tail=b"tail")), flags=loose)
    assert decoded.offset == 7


def test_a_payload_over_the_limit() -> None:
    data = batch(gzip(RECORD * 100), attributes=1, count=100)
    assert len(decode(data, limit=1500)) == 100
    error = fault_of_limit(data, 1499)
    assert (error.rule, error.stage, error.path_text) == ("compression.limit", "resource", "records")


def fault_of_limit(data: bytes, limit: int) -> FormatError:
    with pytest.raises(FormatError) as caught:
        decode(data, limit=limit)
    return caught.value
