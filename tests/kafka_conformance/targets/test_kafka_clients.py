"""The oracle's adapter decodes: bytes that Kafka wrote, bytes it must refuse, broken requests."""

import gzip
import struct

import pytest
from kafka_conformance.targets.manifest import Manifest

from tests.kafka_conformance.targets import sample_batches as samples
from tests.kafka_conformance.targets.adapter_client import Adapter, AnswerRecord, read_partial
from tests.kafka_conformance.targets.sample_batches import KEY, RECORD, VALUE, batch, damaged, entry, message

ALL_CODECS = ["none", "gzip", "snappy", "lz4", "zstd"]
ALL_FIELDS = ["offset", "timestamp", "timestamp_type", "key", "value", "headers"]
ALL_FIELDS += ["producer_id", "producer_epoch", "sequence", "transactional", "control", "codec"]

pytestmark = pytest.mark.oracle


def refusal(adapter: Adapter, data: bytes) -> str:
    (result,) = adapter.decode(data)
    assert result.status == 1
    return result.text


def test_hello_declares_what_the_manifest_claims(
    kafka: Adapter, oracle_version: str, oracle_manifest: Manifest
) -> None:
    hello = kafka.hello()
    assert (hello["protocol"], hello["language"]) == (1, "Java")
    assert (hello["name"], hello["version"]) == (oracle_manifest.name, oracle_version)
    assert hello["formats"] == list(oracle_manifest.formats) == ["v0", "v1", "v2"]
    assert hello["codecs"] == list(oracle_manifest.codecs) == ALL_CODECS
    assert hello["fields"] == ALL_FIELDS
    assert hello["checks_crc"] is True
    assert hello["directions"] == ["decode", "encode"]
    assert hello["url"] == oracle_manifest.url


SAMPLES = {
    "v0": (samples.V0, samples.V0_ANSWER),
    "v1": (samples.V1, samples.V1_ANSWER),
    "v2": (samples.V2, samples.V2_ANSWER),
    "three records": (samples.THREE, samples.THREE_ANSWER),
    "empty batch": (samples.EMPTY, []),
    "commit marker": (samples.COMMIT, samples.COMMIT_ANSWER),
    "nothing": (b"", []),
    "all formats in one run": (samples.V0 + samples.V1 + samples.V2, [*samples.V0_ANSWER, *samples.V1_ANSWER * 2]),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_decode(kafka: Adapter, name: str) -> None:
    data, answer = SAMPLES[name]
    (result,) = kafka.decode(data)
    assert result.answer == answer


@pytest.mark.parametrize("codec", samples.STREAMS)
def test_compressed_batch_decodes_and_names_its_codec(kafka: Adapter, codec: int) -> None:
    (result,) = kafka.decode(batch(samples.STREAMS[codec], attributes=codec))
    assert result.answer == [samples.V2_ANSWER[0]._replace(codec=codec)]


def test_wrapper_decodes_to_absolute_offsets_and_its_own_codec(kafka: Adapter) -> None:
    inner = b"".join(entry(offset, message(VALUE, timestamp=1000 + offset)) for offset in (0, 1, 4))
    wrapper = entry(104, message(gzip.compress(inner), attributes=1, timestamp=1004))
    (result,) = kafka.decode(wrapper)
    assert result.answer == [AnswerRecord(100 + place, 1000 + place, 0, None, VALUE, codec=1) for place in (0, 1, 4)]


def test_null_and_empty_are_told_apart(kafka: Adapter) -> None:
    (result,) = kafka.decode(entry(0, message(None, key=b"")) + entry(1, message(b"", key=None)))
    assert [(record.key, record.value) for record in result.answer] == [(b"", None), (None, b"")]


def test_headers_keep_order_duplicates_and_null_values(kafka: Adapter) -> None:
    headers = bytes.fromhex("06 02 61 02 31 02 61 01 00 00")  # a=1, a=null, ""=""
    record = bytes([2 * (5 + len(headers))]) + bytes.fromhex("00 00 00 01 01") + headers
    (result,) = kafka.decode(batch(record))
    assert result.answer[0].headers == ((b"a", b"1"), (b"a", None), (b"", b""))


def test_header_key_that_is_not_utf_8_is_replaced(kafka: Adapter) -> None:
    record = bytes.fromhex("12 00 00 00 01 01 02 02 ff 01")
    (result,) = kafka.decode(batch(record))
    assert result.answer[0].headers == (("\ufffd".encode(), None),)


def test_log_append_time_is_the_batchs_maximum(kafka: Adapter) -> None:
    (result,) = kafka.decode(batch(RECORD, attributes=8, max_timestamp=2000))
    assert result.answer == [AnswerRecord(0, 2000, 1, KEY, VALUE)]


def test_sequence_wraps_after_the_largest_int(kafka: Adapter) -> None:
    second = RECORD[:3] + b"\x02" + RECORD[4:]
    data = batch(RECORD + second, count=2, last_offset_delta=1, producer=(7, 3, 2**31 - 1), attributes=16)
    (result,) = kafka.decode(data)
    assert [record[6:10] for record in result.answer] == [(7, 3, 2**31 - 1, 1), (7, 3, 0, 1)]


@pytest.mark.parametrize("cut", [1, 11, 12, 16, 17, 40, 60, 75])
def test_partial_last_entry_is_passed_over(kafka: Adapter, cut: int) -> None:
    alone, after = kafka.decode(samples.V2[:cut], samples.V1 + samples.V2[:cut])
    assert alone.answer == []
    assert after.answer == samples.V1_ANSWER


@pytest.mark.parametrize("sample", [samples.V0, samples.V1, samples.V2, samples.THREE])
def test_damaged_byte_is_refused(kafka: Adapter, sample: bytes) -> None:
    assert refusal(kafka, damaged(sample)).startswith("CorruptRecordException: ")


def test_refusal_says_how_many_records_came_before(kafka: Adapter) -> None:
    assert refusal(kafka, samples.THREE + damaged(samples.V2)).endswith(" after 3 records")
    assert refusal(kafka, samples.V0 + damaged(samples.V1)).endswith(" after 1 record")


def test_records_before_an_error_are_a_partial_answer_to_a_runner_that_knows_it(oracle_command: list[str]) -> None:
    with Adapter(oracle_command) as kafka:
        assert kafka.hello(partial=True)["partial"] is True
        inputs = samples.V1 + samples.V2 + damaged(samples.V2), damaged(samples.V1), samples.V1
        partial, refused, answered = kafka.decode(*inputs)
    records, text = read_partial(partial.content)
    assert (partial.status, refused.status, answered.status) == (3, 1, 0)
    assert records == [*samples.V1_ANSWER, *samples.V2_ANSWER]
    assert text.startswith("CorruptRecordException: ")


REFUSED = {
    "magic 3": (batch(RECORD, magic=3), "CorruptRecordException: "),
    "codec 5": (batch(RECORD, attributes=5), "IllegalArgumentException: "),
    "count above the records": (batch(RECORD, count=2), "InvalidRecordException: "),
    "count below the records": (batch(RECORD * 2, count=1), "InvalidRecordException: "),
    "broken lz4 header checksum": (
        batch(samples.LZ4.replace(b"\x40\x82", b"\x40\x1a"), attributes=3),
        "KafkaException: ",
    ),
    "wrapper without a value": (entry(0, message(None, attributes=1)), "InvalidRecordException: "),
    "marker with a short key": (
        batch(bytes.fromhex("10 00 00 00 04 0001 01 00"), attributes=0x30, producer=(7, 0, -1)),
        "InvalidRecordException: ",
    ),
    "size below the least message": (struct.pack(">qi", 0, 13) + bytes(13), "CorruptRecordException: "),
}


@pytest.mark.parametrize("name", REFUSED)
def test_malformed_is_refused_with_kafkas_exception(kafka: Adapter, name: str) -> None:
    data, start = REFUSED[name]
    assert refusal(kafka, data).startswith(start)


def test_huge_length_claim_is_a_refusal_and_no_end(kafka: Adapter) -> None:
    claim = bytes.fromhex("fe ff ff ff 0f")  # a record of 2^31 - 1 bytes
    stream = bytes.fromhex("28b52ffd 00 58") + struct.pack("<I", len(claim) << 3 | 1)[:3] + claim
    refused, fine = kafka.decode(batch(stream, attributes=4), samples.V2)
    assert refused.status == 1
    assert fine.answer == samples.V2_ANSWER


def test_results_stand_in_the_order_of_the_inputs(kafka: Adapter) -> None:
    results = kafka.decode(samples.V0, damaged(samples.V1), samples.V2)
    assert [result.status for result in results] == [0, 1, 0]


def test_message_set_of_0_7_is_not_supported(kafka: Adapter) -> None:
    (result,) = kafka.decode(b"", input_kind=1)
    assert result.status == 2
    assert "not supported" in result.text


def test_end_of_input_is_a_clean_end(oracle_command: list[str]) -> None:
    with Adapter(oracle_command) as adapter:
        assert adapter.finish() == (0, b"", "")


BROKEN = {
    "unknown kind": (b"\0\0\0\1X", "unknown kind 88"),
    "negative length": (b"\xff\xff\xff\xffD", "a frame has length -1"),
    "text": (b"hello\n", "a frame has length 1751477356"),
    "cut frame": (b"\0\0\0\5D", "the input ended inside a frame"),
    "cut length": (b"\0\0", "the input ended inside a frame"),
    "block cut short": (b"\0\0\0\3D\0\0", "a frame ends before its last field"),
    "input longer than its frame": (b"\0\0\0\x0fD" + struct.pack(">ibii", 1, 0, 1, 99) + b"\0", "a length is 99"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_request_ends_the_adapter_with_a_word(oracle_command: list[str], name: str) -> None:
    data, text = BROKEN[name]
    with Adapter(oracle_command) as adapter:
        status, output, log = adapter.finish(data)
    assert (status, output) == (2, b"")
    assert text in log
    assert "\tat " not in log
