"""What keys and values are, by bytes that serializers of Confluent, AWS and MirrorMaker wrote."""

import random
from uuid import UUID

import pytest
from kafka_format.content import Evidence, Reading, read_key, read_value

PREFIX = bytes.fromhex("00 0000002a")
GUID = UUID("89791762-2323-3621-8f41-80d5d1a5b4d6")
GLUE = bytes.fromhex("03 00 b7b4a7f09c964e4aa687fb5de9ef0c63 0278")
SYNC_KEY = bytes.fromhex("0006 6f7264657273 00000000")
HEARTBEAT = bytes.fromhex("0000 0000018bcfe56800")


def found(reading: Reading | None) -> Reading:
    assert reading is not None
    return reading


def test_an_id_in_front_is_a_guess() -> None:
    reading = found(read_value(PREFIX + b"\2x"))
    assert (reading.evidence, reading.is_sure) == (Evidence.BYTES, False)
    assert (dict(reading.fields), reading.payload) == ({"schema_id": 42}, b"\2x")


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        (PREFIX, {"schema_id": 42}),
        (PREFIX + b"\0", {"schema_id": 42, "indexes": [0]}),
        (PREFIX + bytes.fromhex("0402 00"), {"schema_id": 42, "indexes": [1, 0]}),
        (b"\1" + GUID.bytes, {"guid": GUID}),
        (b"\1" + GUID.bytes + b"\0", {"guid": GUID, "indexes": [0]}),
        (b"\0\xff\xff\xff\xff", {"schema_id": 2**32 - 1}),
    ],
)
@pytest.mark.parametrize("part", ["key", "value"])
def test_a_header_that_names_a_schema_is_sure(part: str, value: bytes, fields: dict[str, object]) -> None:
    read, other = (read_key, read_value) if part == "key" else (read_value, read_key)
    headers = [(f"__{part}_schema_id".encode(), value)]
    reading = found(read(b"{}", headers))
    assert (reading.is_sure, dict(reading.fields), reading.payload) == (True, fields, b"{}")
    assert other(b"{}", headers) is None


@pytest.mark.parametrize(
    "value", [b"", b"\0", PREFIX[:-1], b"\2" + PREFIX[1:], b"\1" + GUID.bytes[:-1], PREFIX + b"\1", PREFIX + b"\2"]
)
def test_a_header_that_does_not_fit_says_nothing(value: bytes) -> None:
    assert read_value(b"{}", [(b"__value_schema_id", value)]) is None


def test_a_guid_in_front_is_a_guess() -> None:
    reading = found(read_value(b"\1" + GUID.bytes + b"\0\x0a"))
    assert (reading.is_sure, dict(reading.fields), reading.payload) == (False, {"guid": GUID}, b"\0\x0a")


@pytest.mark.parametrize(("compression", "word"), [(0, "none"), (5, "zlib")])
def test_glue(compression: int, word: str) -> None:
    reading = found(read_value(GLUE[:1] + bytes([compression]) + GLUE[2:]))
    schema = UUID("b7b4a7f0-9c96-4e4a-a687-fb5de9ef0c63")
    assert dict(reading.fields) == {"compression": word, "schema_version_id": schema}
    assert (reading.is_sure, reading.payload) == (False, b"\2x")


def test_headers_of_others() -> None:
    cloud = found(read_value(b"{}", [(b"ce_specversion", b"1.0"), (b"ce_id", b"a-1"), (b"other", b"x")]))
    assert (cloud.is_sure, dict(cloud.fields)) == (True, {"specversion": "1.0", "id": "a-1"})
    structured = found(read_value(b"{}", [(b"content-type", b"application/cloudevents+json; charset=utf-8")]))
    assert (structured.name, structured.is_sure) == ("CloudEvents", True)
    azure = found(read_value(b"x", [(b"content-type", b"avro/binary+0123abc")]))
    assert dict(azure.fields) == {"schema_id": "0123abc"}
    apicurio = found(read_key(b"x", [(b"apicurio.key.globalId", (7).to_bytes(8, "big"))]))
    assert (apicurio.is_sure, dict(apicurio.fields)) == (True, {"globalId": 7})


@pytest.mark.parametrize("kind", [b"application/json", b"avro/binary", b"avro/binary+", b""])
def test_a_content_type_alone_says_nothing(kind: bytes) -> None:
    assert read_value(b"x", [(b"content-type", kind)]) is None


def test_what_mirror_maker_writes_is_told_by_the_topic() -> None:
    key = found(read_key(SYNC_KEY, (), "mm2-offset-syncs.b.internal"))
    assert (key.evidence, key.is_sure, dict(key.fields)) == (Evidence.TOPIC, False, {"topic": "orders", "partition": 0})
    value = found(read_value(HEARTBEAT, (), "a.heartbeats"))
    assert dict(value.fields) == {"timestamp": 1700000000000}
    assert read_key(SYNC_KEY, (), "orders") is None


@pytest.mark.parametrize("data", [SYNC_KEY[:-1], SYNC_KEY + b"\0", b"", b"\xff\xff" + bytes(4)])
def test_what_does_not_fit_is_not_mirror_makers(data: bytes) -> None:
    assert read_key(data, (), "mm2-offset-syncs.b.internal") is None


@pytest.mark.parametrize(
    "data",
    [
        (1700000000000).to_bytes(8, "big"),
        (42).to_bytes(4, "big"),
        bytes(16),
        GUID.bytes,
        b"",
        b"\0",
        PREFIX,
        bytes(5) + b"x",
        b"\0\xff\xff\xff\xffx",
        b"\1" + bytes(20),
        b"\3\1" + GLUE[2:],
        b'{"a": 1}',
        b"plain text",
        b"Obj\1",
        b"\xc3\1" + bytes(12),
    ],
)
def test_what_is_none_of_these_is_not_guessed(data: bytes) -> None:
    assert (read_key(data), read_value(data)) == (None, None)


def test_noise_is_hardly_ever_guessed() -> None:
    dice = random.Random(35)  # noqa: S311 - the same each time
    guessed = sum(read_value(dice.randbytes(dice.randrange(40))) is not None for _ in range(20_000))
    assert guessed <= 3


@pytest.mark.parametrize("text", ["616263", "61" * 300, "00"])
def test_a_text_behind_its_size_is_no_schema(text: str) -> None:
    data = bytes.fromhex(text)
    assert read_value(len(data).to_bytes(4, "big") + data) is None
    assert found(read_value((len(data) + 1).to_bytes(4, "big") + data + b"xy")).evidence is Evidence.BYTES
