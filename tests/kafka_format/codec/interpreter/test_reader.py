"""The reader knows where the bytes of every field are, also when it has to stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import strategies, structure
from kafka_format.codec import interpreter
from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.errors import FormatError
from kafka_format.spec.layout import find, specification

from tests.kafka_format.examples import examples
from tests.kafka_format.wire import RECORD, V1, V2, batch, gzip, put


def spans_of(name: str, data: bytes) -> list[Span]:
    reader = SpanReader(data)
    reader.read(find(name), 0, len(data))
    return reader.spans


def test_the_spans_of_a_record() -> None:
    assert [(span.path_text, span.start, span.end, span.value) for span in spans_of("record", RECORD)] == [
        ("length", 0, 1, 14),
        ("attributes", 1, 2, 0),
        ("timestamp_delta", 2, 3, 0),
        ("offset_delta", 3, 4, 0),
        ("key.length", 4, 5, 3),
        ("key", 5, 8, b"key"),
        ("value.length", 8, 9, 5),
        ("value", 9, 14, b"value"),
        ("header_count", 14, 15, 0),
    ]


def test_the_spans_of_a_message() -> None:
    spans = [(span.path_text, span.start, span.end) for span in spans_of("message_set_entry", V1)]
    assert spans[:4] == [("offset", 0, 8), ("message_size", 8, 12), ("message.crc", 12, 16), ("message.magic", 16, 17)]
    assert spans[-1] == ("message.value", 37, 42)


def test_the_spans_of_a_compressed_batch() -> None:
    stream = gzip(RECORD)
    spans = spans_of("record_batch", batch(stream, attributes=1))
    inside = [span for span in spans if span.payload]
    outside = [span for span in spans if not span.payload]
    assert (outside[-1].path_text, outside[-1].start, outside[-1].end) == ("records", 61, 61 + len(stream))
    assert (inside[0].path_text, inside[0].start) == ("records[0].length", 0)
    assert (inside[-1].path_text, inside[-1].end) == ("records[0].header_count", len(RECORD))


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", sorted(specification().layouts))
@given(data=st.data())
@examples(20)
def test_spans_cover_every_byte_once(name: str, data: st.DataObject) -> None:
    encoded = data.draw(strategies.encoded(name))
    position = 0
    for span in spans_of(name, encoded):
        if not span.payload:
            assert (span.start, span.raw) == (position, encoded[span.start : span.end])
            position = span.end
    assert position == len(encoded)


@given(strategies.damaged(strategies.encoded("record_batch"), "record_batch"))
@examples(50)
def test_spans_before_a_fault_are_kept(data: bytes) -> None:
    reader = SpanReader(data)
    try:
        reader.read(find("record_batch"), 0, len(data))
    except FormatError:
        assert b"".join(span.raw for span in reader.spans if not span.payload) == data[: _end(reader.spans)]


def _end(spans: list[Span]) -> int:
    return max((span.end for span in spans if not span.payload), default=0)


def test_what_is_read_lies_within_its_structure() -> None:
    """A record whose length ends before its value may not take bytes of the next one."""
    short = put(RECORD, 0, "12") + RECORD
    with pytest.raises(FormatError) as caught:
        interpreter.decode(find("record_batch"), batch(short, count=2))
    assert caught.value.facts() == ("length.within", "structure", 69, "records[0].value.length", False)


def test_plain_gives_dictionaries_all_the_way_down() -> None:
    value = interpreter.as_mappings(structure("record_batch").decode(V2))
    assert value == interpreter.decode(find("record_batch"), V2)
    assert type(value["records"][0]) is dict
