"""The oracle's adapter encodes: the bytes that Kafka writes, and a text for what cannot be
written."""

import pytest

from tests.kafka_conformance.targets import sample_batches as samples
from tests.kafka_conformance.targets.adapter_client import Adapter, AnswerRecord
from tests.kafka_conformance.targets.sample_batches import KEY, VALUE, batch

pytestmark = pytest.mark.oracle

ENCODED = {
    "v0": (0, samples.V0_ANSWER, samples.V0),
    "v1": (1, samples.V1_ANSWER, samples.V1),
    "v2": (2, samples.V2_ANSWER, samples.V2),
    "three records": (2, samples.THREE_ANSWER, samples.THREE),
    "commit marker": (2, samples.COMMIT_ANSWER, samples.COMMIT),
    "nothing": (2, [], b""),
}


@pytest.mark.parametrize("name", ENCODED)
def test_encodes_the_bytes_that_kafka_writes(kafka: Adapter, name: str) -> None:
    magic, answer, data = ENCODED[name]
    (result,) = kafka.encode(magic, 0, answer)
    assert (result.status, result.content.hex()) == (0, data.hex())


@pytest.mark.parametrize("codec", [2, 3])
def test_encodes_the_stream_that_kafka_writes(kafka: Adapter, codec: int) -> None:
    (result,) = kafka.encode(2, codec, samples.V2_ANSWER)
    assert result.content == batch(samples.STREAMS[codec], attributes=codec)


@pytest.mark.parametrize(("magic", "checksum"), [(0, 0x1A), (1, 0x82)])
def test_lz4_header_checksum_is_kafkas_own_in_v0_only(kafka: Adapter, magic: int, checksum: int) -> None:
    (result,) = kafka.encode(magic, 3, [AnswerRecord(timestamp_type=magic - 1, value=VALUE)])
    assert bytes.fromhex("04224d186040") + bytes([checksum]) in result.content


FAITHFUL = {
    "gap in offsets": [AnswerRecord(5, 1000, 0, KEY, VALUE), AnswerRecord(9, 900, 0, b"", None)],
    "log append time": [AnswerRecord(5, 2000, 1, KEY, VALUE), AnswerRecord(6, 2000, 1, KEY, VALUE)],
    "no timestamp": [AnswerRecord(2**40, -1, 0, None, b"")],
}
FAITHFUL_V2 = {
    "headers": [AnswerRecord(0, 0, 0, KEY, VALUE, ((b"a", b""), (b"a", None), ("\u00fc\U0001f600".encode(), b"\0")))],
    "transaction": [
        AnswerRecord(7, 1, 0, KEY, VALUE, (), 2**62, 32767, 2**31 - 1, 1),
        AnswerRecord(8, 1, 0, KEY, VALUE, (), 2**62, 32767, 0, 1),
    ],
}


@pytest.mark.parametrize("codec", range(5))
@pytest.mark.parametrize("name", [*FAITHFUL, *FAITHFUL_V2])
def test_what_is_encoded_decodes_to_the_same_answer(kafka: Adapter, name: str, codec: int) -> None:
    answer = [record._replace(codec=codec) for record in (FAITHFUL | FAITHFUL_V2)[name]]
    for magic in [1, 2] if name in FAITHFUL and codec < 4 else [2]:
        (encoded,) = kafka.encode(magic, codec, answer)
        assert encoded.status == 0, encoded.text
        (decoded,) = kafka.decode(encoded.content)
        assert decoded.answer == answer


NOT_ENCODED = {
    "zstd in v1": (1, 4, samples.V1_ANSWER, 1, "ZStandard compression is not supported for magic 1"),
    "headers in v1": (
        1,
        0,
        [AnswerRecord(timestamp_type=0, headers=((b"a", b"b"),))],
        1,
        "does not support record headers",
    ),
    "falling offsets": (2, 0, [AnswerRecord(2, 0, 0), AnswerRecord(1, 0, 0)], 1, "Illegal offset 1"),
    "negative timestamp": (2, 0, [AnswerRecord(0, -2, 0)], 1, "Invalid negative timestamp -2"),
    "no timestamp type in v2": (2, 0, samples.V0_ANSWER, 1, "TimestampType must be set"),
    "codec 5": (2, 5, samples.V2_ANSWER, 1, "Unknown compression type id: 5"),
    "transaction without a producer": (2, 0, [AnswerRecord(0, 0, 0, flags=1)], 1, "without a valid producer ID"),
    "unknown control type": (2, 0, [samples.COMMIT_ANSWER[0]._replace(key=b"\0\0\0\x63")], 1, "unknown control record"),
    "two timestamp types": (2, 0, [AnswerRecord(0, 0, 0), AnswerRecord(1, 0, 1)], 2, "do not fit one batch"),
    "two append times": (2, 0, [AnswerRecord(0, 5, 1), AnswerRecord(1, 6, 1)], 2, "one log append time"),
    "sequence that jumps": (
        2,
        0,
        [AnswerRecord(place, 0, 0, producer_id=1, producer_epoch=0, sequence=5 * place) for place in (0, 1)],
        2,
        "does not follow",
    ),
    "header key that is not utf-8": (2, 0, [AnswerRecord(0, 0, 0, headers=((b"\xff", b""),))], 2, "not UTF-8"),
    "null header key": (2, 0, [AnswerRecord(0, 0, 0, headers=((None, b""),))], 2, "header key is null"),
}


@pytest.mark.parametrize("name", NOT_ENCODED)
def test_what_cannot_be_encoded_is_said(kafka: Adapter, name: str) -> None:
    magic, codec, answer, status, text = NOT_ENCODED[name]
    (result,) = kafka.encode(magic, codec, answer)
    assert result.status == status
    assert text in result.text
