"""The decoders of kafka-dump-log: what 3.9.2, 4.3.1 and 4.4.0 printed of Kafka's own topics.

Every type and version of records that has vectors;
`kafka_generator.recordings.log_directories.dump_parity --keep` asked.
"""

import base64
import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from kafka_format.errors import FormatError
from kafka_format.log.names import FileKind, segment_name
from kafka_format.records import Record, encode
from kafka_tools.commands.log_dump_options import parse
from kafka_tools.errors import UsageError
from kafka_tools.logs import java_json
from kafka_tools.logs.dump import dump

with gzip.open(Path(__file__).parent / "dumps.json.gz", "rt", encoding="utf-8") as kept:
    DUMPS: list[dict[str, Any]] = json.load(kept)

SEGMENT = segment_name(0, FileKind.SEGMENT)


def lines(data: bytes, options: list[str], release: str, folder: Path) -> list[str]:
    path = folder / SEGMENT
    path.write_bytes(data)
    return list(dump(path, SEGMENT, parse(options, release)))


@pytest.mark.parametrize("told", DUMPS, ids=lambda told: " ".join([told["release"], *told["options"]]))
def test_decoders_print_what_kafka_prints(told: dict[str, Any], tmp_path: Path) -> None:
    """Up to where the tool stops, if it does: at a state of a transaction that there is not."""
    path = tmp_path / SEGMENT
    path.write_bytes(base64.b64decode(told["segment"]))
    loaded = dump(path, SEGMENT, parse(told["options"], told["release"][:3]))
    if told["ended_by"]:
        whole = told["lines"][:-1]
        assert list(islice(loaded, len(whole))) == whole
    else:
        assert "\n".join(loaded).split("\n") == told["lines"]


def test_dumps_are_of_every_topic() -> None:
    assert {told["topic"] for told in DUMPS} == {
        "__consumer_offsets-0",
        "__transaction_state-0",
        "__share_group_state-0",
        "__cluster_metadata-0",
        "__remote_log_metadata-0",
    }


@pytest.mark.parametrize(
    ("options", "key", "value", "expected"),
    [
        (
            ["--key-decoder-class", "org.apache.kafka.tools.api.LongDecoder"],
            bytes(7) + b"\7",
            b"v",
            "key: 7 payload: v",
        ),
        (["--value-decoder-class", "integer"], None, b"\xff\xff\xff\xfe", "payload: -2"),
        (["--value-decoder-class", "integer"], b"k", None, "key: k"),
        (["--value-decoder-class", "kafka.serializer.DefaultDecoder"], b"k", b"\xff\x01", "key: k payload: ff01"),
        (["--value-decoder-class", "org.apache.kafka.tools.api.StringDecoder"], b"k", b"v", "key: k payload: v"),
        (["--print-data-log"], b"\xff", b"", "key: � payload: "),
    ],
)
def test_plain_decoders(
    options: list[str], key: bytes | None, value: bytes | None, expected: str, tmp_path: Path
) -> None:
    data = encode([Record(0, 1, key=key, value=value)])
    assert lines(data, options, "4.3", tmp_path)[-1].endswith(f"headerKeys: [] {expected}")


def test_without_metadata_a_value_alone_has_a_stroke_since_the_tool_is_in_java(tmp_path: Path) -> None:
    """What 3.9.2 and 4.3.1 print of a record without a key."""
    data, options = encode([Record(0, 1, value=b"v")]), ["--print-data-log", "--skip-record-metadata"]
    assert lines(data, options, "3.9", tmp_path)[-1] == " payload: v"
    assert lines(data, options, "4.3", tmp_path)[-1] == "| payload: v"


def test_what_is_no_number_stops_the_dump(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="2 bytes, which no long number has"):
        lines(encode([Record(0, 1, value=b"ab")]), ["--value-decoder-class", "long"], "4.3", tmp_path)


def test_a_record_without_a_key_stops_the_dump(tmp_path: Path) -> None:
    """The tool ends there with a RuntimeException."""
    with pytest.raises(FormatError, match="no key"):
        lines(encode([Record(0, 1, value=b"ab")]), ["--offsets-decoder"], "4.3", tmp_path)


def test_most_bytes_are_those_of_whole_batches_and_no_tail_is_told(tmp_path: Path) -> None:
    one = encode([Record(0, 1, value=b"a")])
    data = one + encode([Record(1, 1, value=b"b")]) + b"tail"
    for most, count in ((len(one) - 1, 0), (len(one), 1), (2 * len(one) - 1, 1), (len(data), 2)):
        assert len(lines(data, ["--max-bytes", str(most)], "4.3", tmp_path)) == 2 + count
    assert lines(data, [], "4.3", tmp_path)[-1].startswith("Found 4 invalid bytes")


@pytest.mark.parametrize(
    ("kind", "content", "rule"),
    [
        (FileKind.OFFSET_INDEX, "ffffffff00000010", "log.offset-index.offset"),
        (FileKind.OFFSET_INDEX, "000000010000001000", "log.offset-index.size"),
        (FileKind.TIME_INDEX, "000000000000000700000001000000000000000300000002", "log.time-index.rising"),
        (FileKind.TIME_INDEX, "0000000000000007ffffffff", "log.time-index.offset"),
        (FileKind.TIME_INDEX, "000000000000000700000001ff", "log.time-index.size"),
    ],
)
def test_a_corrupt_index_passes_no_check(kind: FileKind, content: str, rule: str, tmp_path: Path) -> None:
    path = tmp_path / segment_name(9, kind)
    path.write_bytes(bytes.fromhex(content))
    with pytest.raises(FormatError) as caught:
        list(dump(path, path.name, parse(["--index-sanity-check"], "4.3")))
    assert caught.value.rule == rule


def test_a_sound_index_passes_or_is_verified_without_its_entries(tmp_path: Path) -> None:
    path = tmp_path / segment_name(9, FileKind.OFFSET_INDEX)
    path.write_bytes(bytes.fromhex("0000000100000010"))
    assert list(dump(path, "x", parse(["--index-sanity-check"], "4.3"))) == ["Dumping x", "x passed sanity check."]
    assert list(dump(path, "x", parse(["--verify-index-only"], "4.3"))) == ["Dumping x"]


def test_one_decoder_is_enough() -> None:
    with pytest.raises(UsageError, match="more than one"):
        parse(["--offsets-decoder", "--cluster-metadata-decoder"], "4.3")
    with pytest.raises(UsageError, match=r"no decoder 'com.example.Mine'"):
        parse(["--key-decoder-class", "com.example.Mine"], "4.3")


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1.0, "1.0"), (9999999.0, "9999999.0"), (1e7, "1.0E7"), (16909067.5, "1.69090675E7"), (0.0005, "5.0E-4")],
)
def test_numbers_are_written_as_by_java(number: float, expected: str) -> None:
    """The texts are those of Double.toString."""
    assert java_json.text(number) == expected
