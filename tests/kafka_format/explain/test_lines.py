"""What is allowed and how much, in explanations."""

import pytest
from kafka_format import structure
from kafka_format.errors import Stage
from kafka_format.explain import lines
from kafka_format.explain.lines import explain, explain_structure, explain_v07
from kafka_format.records import Record, decode_v07, encode, encode_v07

from tests.fuzz.mutator import whole
from tests.kafka_format.wire import COMMIT

OVERLONG = structure("record_batch").encode({"records": bytes.fromhex("10 00 8000 00 01 02 61 00"), "record_count": 1})
ZSTD = encode([Record(0, 1, 0, None, b"hello")], codec="zstd")


def test_a_release_is_explained_as_it_reads() -> None:
    strict, as_kafka = explain(OVERLONG), explain(OVERLONG, as_kafka="3.9")
    assert strict.fault is not None
    assert (strict.fault.rule, as_kafka.fault) == ("varint.minimal", None)
    shown = {line.path: line.raw for line in as_kafka.lines}
    assert shown["records[0].timestamp_delta"] == b"\x80\0"


def test_what_a_flag_ignores_is_shown() -> None:
    data = whole(encode([Record(0, -1, -1, None, b"hello")], magic=0) + b"\0\7", 0)
    explained = explain(data, flags=frozenset({"message-trailing-bytes"}))
    assert explained.fault is None
    assert explained.lines[-1][2:5] == (len(data) - 2, b"\0\7", "ignored")


def test_what_came_after_a_release_is_its_fault() -> None:
    assert explain(ZSTD).fault is None
    fault = explain(ZSTD, as_kafka="2.0").fault
    assert fault is not None
    assert (fault.rule, fault.path_text) == ("v2.codec.known", "attributes.codec")
    fault = explain(COMMIT, as_kafka="0.10.2").fault
    assert fault is not None
    assert (fault.rule, fault.offset) == ("entry.magic.known", 16)


@pytest.mark.parametrize("limits", [{"limit": 10}, {"max_records": 0}])
def test_a_limit_leaves_the_payload_closed(limits: dict[str, int]) -> None:
    fault = explain(ZSTD, **limits).fault
    assert fault is not None
    assert fault.stage is Stage.RESOURCE
    assert b"".join(line.raw for line in explain(ZSTD, **limits).lines) == ZSTD


def test_limits_of_a_set_of_0_7() -> None:
    data = encode_v07([Record(0, -1, -1, None, b"a")] * 3, codec="gzip")
    assert explain_v07(data, max_records=3).fault is None
    fault = explain_v07(data, max_records=2).fault
    assert fault is not None
    assert fault.stage is Stage.RESOURCE


def test_a_structure_has_its_limit_too() -> None:
    assert explain_structure("record_batch", ZSTD).fault is None
    fault = explain_structure("record_batch", ZSTD, limit=10).fault
    assert fault is not None
    assert fault.rule == "compression.limit"


def test_bytes_behind_a_structure_are_its_fault() -> None:
    record = structure("record").encode({"value": b"a"})
    assert explain_structure("record", record).fault is None
    fault = explain_structure("record", record + b"\0").fault
    assert fault is not None
    assert fault.facts() == ("input.exact", "structure", len(record), "", False)
    assert explain_structure("record", record + b"\0").lines[-1][2:5] == (len(record), b"\0", "not read")


def test_no_such_flag() -> None:
    wrong = frozenset({"overlong-varints"})
    for call in (explain, explain_v07, decode_v07):
        with pytest.raises(ValueError, match="no flag `overlong-varints`; did you mean `overlong-varint`"):
            call(COMMIT, flags=wrong)
    with pytest.raises(ValueError, match=r"known are 4\.4, .*3\.9"):
        explain(COMMIT, as_kafka="3")


@pytest.mark.parametrize("magic", [0, 1, 2])
def test_of_an_entry_that_is_cut_off_the_header_is_shown(magic: int) -> None:
    """Cut after every byte: no byte is missing, and each field of the header is shown if it is
    whole."""
    entry = encode([Record(7, 1 if magic else -1, 0 if magic else -1, b"key", b"value")], magic=magic)
    values = {line.start: line.value for line in explain(entry).lines}
    for size in range(1, len(entry)):
        found = explain(entry[:size])
        assert found.fault is None
        assert b"".join(line.raw for line in found.lines) == entry[:size]
        *header, rest = found.lines
        assert rest.value == f"cut-off entry of {size} byte{'' if size == 1 else 's'}, left out as Kafka does"
        assert [line.value for line in header] == [values[line.start] for line in header]
    last = {0: "message.attributes", 1: "message.timestamp", 2: "record_count"}[magic]
    assert header[-1].path == last


@pytest.mark.parametrize("tail", [b"", bytes(100)], ids=["whole", "zeros"])
def test_sound_entries_are_left_out_where_they_are_too_many(tail: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = encode([Record(0, 5)])
    lines_each = len(explain(batch).lines)
    monkeypatch.setattr(lines, "MOST_LINES", lines_each + 1)
    found = explain(batch * 6 + batch[:-1] + b"x" + batch + tail)
    assert b"".join(line.raw for line in found.lines) == batch * 6 + batch[:-1] + b"x" + batch + tail
    [left_out] = [line for line in found.lines if "left out" in line.value]
    assert (left_out.start, left_out.value[:14]) == (2 * len(batch), "entries 2 to 5")
    assert found.fault is not None
    assert [line.start for line in found.lines if line.fault] == [found.fault.offset]
    sound = explain(batch * 3 + tail)
    assert b"".join(line.raw for line in sound.lines) == batch * 3 + tail
    assert sum("entry 2: sound" in line.value for line in sound.lines) == 1
