"""What a broker assigns: what it refuses first, then which bytes change and which do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import strategies, structure
from kafka_format.broker.offsets import Assigned, TopicState, assign, assign_positions
from kafka_format.errors import FormatError
from kafka_format.records import LOG_APPEND_TIME, Record, decode, encode, v07

from tests.kafka_format.examples import examples
from tests.kafka_format.logs import batch, flipped, messages
from tests.kafka_format.wire import COMMIT, EMPTY, THREE, V0, V1, V2

APPEND_TIME = TopicState(timestamp_type=LOG_APPEND_TIME, now=5000)
TOPICS = st.builds(
    TopicState,
    magic=st.integers(0, 2),
    codec=st.sampled_from(["producer", "none", "gzip", "snappy", "lz4", "zstd"]),
    timestamp_type=st.integers(0, 1),
    now=st.integers(-1, 1 << 40),
    leader_epoch=st.integers(-1, 9),
)


def refusal(data: bytes, topic: TopicState = TopicState()) -> FormatError:  # noqa: B008 - a tuple never changes
    with pytest.raises(FormatError) as caught:
        assign(data, 0, topic)
    return caught.value


@given(st.one_of(st.binary(max_size=200), strategies.entries()), TOPICS)
@examples()
def test_whatever_a_client_sends_is_taken_or_refused(data: bytes, topic: TopicState) -> None:
    try:
        assigned = assign(data, 7, topic)
    except FormatError:
        return
    decoded = decode(assigned.data)
    assert assigned.last_offset == 6 + len(decoded)
    if assigned.data[16] < 2 or not assigned.in_place:  # deltas of an uncompressed batch stay as they were
        assert [record.offset for record in decoded] == list(range(7, 7 + len(decoded)))


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "offsets.entries.some"),
        (V2[:-1], "offsets.entries.some"),
        (V2 + V2, "offsets.entries.one"),
        (V0 + V2, "offsets.magic.one"),
        (EMPTY, "offsets.v2.count"),
        (COMMIT, "offsets.v2.control"),
        (batch(0, [0, 1], last=2), "offsets.v2.count"),
        (batch(0, [0, 1], last=0), "offsets.v2.count"),
        (batch(0, producer_id=7, producer_epoch=0), "offsets.v2.sequence"),
        (flipped(V2), "v2.crc.covers-attributes-to-end"),
        (flipped(V1), "legacy.crc.covers-magic-to-end"),
        (V1[:16] + b"\3" + V1[17:], "entry.magic.known"),
    ],
)
def test_a_broker_refuses(data: bytes, rule: str) -> None:
    assert refusal(data).rule == rule


def test_an_error_says_where_in_all_that_was_sent_it_is() -> None:
    error = refusal(V1 + flipped(V1), TopicState(1))
    assert (error.entry, error.offset) == (1, len(V1) + 12)


@pytest.mark.parametrize("topic", [TopicState(3), TopicState(-1), TopicState(codec="brotli"), TopicState(codec="")])
def test_topics_that_cannot_be(topic: TopicState) -> None:
    with pytest.raises(ValueError, match="a topic cannot have magic"):
        assign(V2, 0, topic)


@pytest.mark.parametrize("offset", [-1, (1 << 63) - 3, 1 << 63])
def test_offsets_end_with_63_bits(offset: int) -> None:
    with pytest.raises(ValueError, match="cannot count 3 records"):
        assign(THREE, offset)
    assert assign(THREE, (1 << 63) - 4).last_offset == (1 << 63) - 2


@pytest.mark.parametrize(
    ("data", "topic"), [(V0, TopicState(0)), (V1, TopicState(1)), (V0 + V0, TopicState(0)), (V1 * 3, TopicState(1))]
)
def test_messages_get_their_offset_and_nothing_else(data: bytes, topic: TopicState) -> None:
    size = len(V0) if topic.magic == 0 else len(V1)
    written = [data[start : start + size] for start in range(0, len(data), size)]
    expected = b"".join((100 + index).to_bytes(8, "big") + one[8:] for index, one in enumerate(written))
    assigned = assign(data, 100, topic)
    assert (assigned.data, assigned.changed, assigned.checksum_recomputed) == (expected, ("offset",), False)


def test_a_batch_gets_base_offset_and_leader_epoch_outside_of_its_checksum() -> None:
    expected = (1 << 40).to_bytes(8, "big") + THREE[8:12] + (9).to_bytes(4, "big") + THREE[16:]
    changed = ("base_offset", "partition_leader_epoch")
    assigned = assign(THREE, 1 << 40, TopicState(leader_epoch=9))
    assert assigned == Assigned(expected, 1 << 40, (1 << 40) + 2, changed, max_timestamp=1005)


def test_append_time_is_in_the_header_and_changes_no_record() -> None:
    """KAFKA-5353: base timestamp and deltas stay the producer's."""
    assigned = assign(THREE, 0, APPEND_TIME)
    assert assigned.changed == ("crc", "attributes", "max_timestamp")
    assert (assigned.data[27:35], assigned.data[43:]) == (THREE[27:35], THREE[43:])
    assert {(record.timestamp, record.timestamp_type) for record in decode(assigned.data)} == {(5000, 1)}


def test_nothing_is_computed_where_nothing_changes() -> None:
    once = assign(THREE, 0, APPEND_TIME).data
    assert not assign(V1, 0, TopicState(1)).checksum_recomputed
    cleared = assign(once, 0)
    assert (cleared.changed, cleared.checksum_recomputed) == (("crc", "attributes"), True)


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4"])
def test_wrappers_of_v1_that_count_from_0_keep_their_payload(codec: str) -> None:
    wrapper = messages(1, 0, 1, 2, codec=codec)
    assigned = assign(wrapper, 500, TopicState(1))
    assert assigned.data == (502).to_bytes(8, "big") + wrapper[8:]
    assert [record.offset for record in decode(assigned.data)] == [500, 501, 502]


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4"])
@pytest.mark.parametrize("magic", [0, 1])
def test_wrappers_that_do_not_are_written_anew(codec: str, magic: int) -> None:
    assigned = assign(messages(magic, 10, 12, codec=codec), 500, TopicState(magic))
    assert (assigned.in_place, assigned.checksum_recomputed, assigned.changed) == (False, True, ())
    assert [(record.offset, record.value) for record in decode(assigned.data)] == [(500, b"10"), (501, b"12")]


def test_compressed_batches_that_do_not_are_refused() -> None:
    """The quirk of LogValidator since 2.4; a topic with another codec takes the same batch."""
    records = [Record(5, 1, value=b"a"), Record(6, 2, value=b"b")]
    data = encode(records, codec="gzip")
    assert refusal(data).rule == "offsets.v2.compressed"
    assert decode(assign(data, 0, TopicState(codec="none")).data) == [
        record._replace(offset=index) for index, record in enumerate(records)
    ]


@given(strategies.records(), st.sampled_from(["none", "gzip", "zstd"]), st.integers(0, 1 << 40))
@examples()
def test_records_stay_what_they_are(records: list[Record], codec: str, first_offset: int) -> None:
    sent = [
        record._replace(offset=index, control=False, transactional=False, timestamp_type=0, sequence=-1, producer_id=-1)
        for index, record in enumerate(records)
    ]
    sent = [record._replace(producer_epoch=-1) for record in sent]
    assigned = assign(encode(sent, codec=codec), first_offset)
    numbered = [record._replace(offset=first_offset + index) for index, record in enumerate(decode(assigned.data))]
    assert decode(assigned.data) == numbered
    assert [one[1:-1] for one in numbered] == [one[1:-1] for one in sent]
    assert assigned.in_place


def test_0_7_counts_bytes_and_changes_none() -> None:
    data = v07.encode([Record(0, -1, -1, value=b"abc"), Record(0, -1, -1, value=b"d")])
    size = 2 * (4 + 6) + 4
    assert assign_positions(data + data[:7], 1000) == Assigned(data, 1000, 1000 + size)
    assert [record.offset for record in v07.decode(data, 1000)][-1] == 1000 + size
    assert assign_positions(b"", 5) == Assigned(b"", 5, 5)
    with pytest.raises(FormatError, match=r"v07\.crc"):
        assign_positions(flipped(data), 0)


def test_a_wrapper_with_offset_minus_1_is_refused() -> None:
    """pony-kafka#40: brokers since 0.11 take the wrapper's offset for what it is."""
    inner = messages(1, 0, codec="gzip")
    error = refusal(b"\xff" * 8 + inner[8:], TopicState(1))
    assert error.rule == "v1.wrapper.offset.is-last"


def test_a_message_of_v1_with_a_short_size_is_refused() -> None:
    short = structure("message_set_entry").encode({"offset": 0, "message": {"magic": 0, "key": None, "value": None}})
    data = bytearray(short)
    data[16] = 1
    assert refusal(bytes(data), TopicState(1)).rule.startswith(("field", "length", "legacy"))
