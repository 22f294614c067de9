"""Conversion: what cannot be converted first, then what comes out and what is lost."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from kafka_format import strategies
from kafka_format.broker.conversion import ConversionLoss, Converted, LossKind, down_convert
from kafka_format.broker.offsets import TopicState, assign
from kafka_format.errors import FormatError
from kafka_format.records import Header, Record, decode, encode

from tests.kafka_conformance.targets.sample_batches import COMMIT, EMPTY, KEY, V0, V1, V2, VALUE
from tests.kafka_format.examples import examples
from tests.kafka_format.logs import batch, flipped, messages

HEADERS = (Header(b"h", None),)


def moved(entry: bytes, offset: int) -> bytes:
    return offset.to_bytes(8, "big") + entry[8:]


@given(st.one_of(st.binary(max_size=200), strategies.entries()), st.integers(0, 2), st.integers(0, 1 << 20))
@examples()
def test_entries_are_converted_or_refused(data: bytes, magic: int, first_offset: int) -> None:
    try:
        converted = down_convert(data, magic, first_offset)
    except FormatError:
        return
    before = decode(data)
    # Kafka, too, makes wrappers of negative offsets that it cannot read.
    assume(all(record.offset >= 0 for record in before))
    after = decode(converted.data)
    assert len(after) <= len(before)
    gone = sum(len(lost.offsets) for lost in converted.losses if lost.loss == LossKind.BEFORE_FIRST_OFFSET)
    control = sum(record.control for record in before) if magic < 2 else 0
    assert len(after) == len(before) - gone - control


@pytest.mark.parametrize("magic", [-1, 3])
def test_magics_are_three(magic: int) -> None:
    with pytest.raises(ValueError, match="there is no magic"):
        down_convert(V2, magic)


@pytest.mark.parametrize("magic", [0, 1])
def test_zstd_is_refused_with_the_place(magic: int) -> None:
    with pytest.raises(FormatError, match="zstd") as caught:
        down_convert(V2 + encode([Record(1, 1, value=b"a")], codec="zstd"), magic)
    assert (caught.value.rule, caught.value.entry, caught.value.offset) == ("conversion.zstd.refused", 1, len(V2))


def test_damaged_entries_are_not_converted() -> None:
    with pytest.raises(FormatError) as caught:
        down_convert(V1 + flipped(V2), 0)
    assert (caught.value.entry, caught.value.offset) == (1, len(V1) + 17)


@pytest.mark.parametrize(("magic", "expected"), [(0, V0), (1, V1)])
def test_kafkas_own_sample_converts_to_kafkas_own_samples(magic: int, expected: bytes) -> None:
    data = encode([Record(5, 1000, 0, KEY, VALUE, HEADERS)])
    lost = [
        ConversionLoss(0, LossKind.HEADERS, (5,)),
        *([ConversionLoss(0, LossKind.TIMESTAMPS, (5,))] if magic == 0 else []),
    ]
    assert down_convert(data, magic) == Converted(moved(expected, 5), lost)


def test_control_and_empty_batches_vanish() -> None:
    lost = [ConversionLoss(0, LossKind.CONTROL_BATCH), ConversionLoss(1, LossKind.EMPTY_BATCH)]
    assert down_convert(COMMIT + EMPTY, 1) == Converted(b"", lost)
    assert down_convert(COMMIT + EMPTY, 2) == Converted(COMMIT + EMPTY, [])


def test_an_uncompressed_batch_begins_at_the_fetch_offset() -> None:
    """KAFKA-5360; a compressed one keeps what comes before."""
    records = [Record(offset, 1000, value=b"a") for offset in (5, 6, 7)]
    plain, packed = encode(records), encode(records, codec="gzip")
    assert [record.offset for record in decode(down_convert(plain, 1, 7).data)] == [7]
    assert [record.offset for record in decode(down_convert(packed, 1, 7).data)] == [5, 6, 7]


def test_a_wrapper_counts_from_its_first_record() -> None:
    """Not from the base offset, which compaction keeps."""
    data = batch(100, [2, 7], last=9, attributes=0)
    assert [record.offset for record in decode(down_convert(data, 0).data)] == [102, 107]
    assert down_convert(data, 1).losses == [ConversionLoss(0, LossKind.OFFSET_RANGE)]


def test_what_a_batch_alone_knows_is_told_as_lost() -> None:
    data = batch(0, attributes=0x50, producer_id=7, producer_epoch=0, base_sequence=0, partition_leader_epoch=2)
    assert [lost.loss for lost in down_convert(data, 1).losses] == [
        LossKind.PRODUCER,
        LossKind.TRANSACTION,
        LossKind.LEADER_EPOCH,
        LossKind.DELETE_HORIZON,
    ]


@pytest.mark.parametrize("codec", ["none", "gzip"])
def test_append_time_is_every_messages(codec: str) -> None:
    data = encode([Record(0, 5000, 1, value=b"a"), Record(1, 5000, 1, value=b"b")], codec=codec)
    decoded = decode(down_convert(data, 1).data)
    assert {(record.timestamp, record.timestamp_type) for record in decoded} == {(5000, 1)}


@given(strategies.records(), st.sampled_from(["none", "gzip", "snappy", "lz4"]), st.integers(0, 1))
@examples()
def test_down_keeps_what_the_formats_share(records: list[Record], codec: str, magic: int) -> None:
    kept = [record._replace(control=False) for record in records]
    decoded = decode(down_convert(encode(kept, codec=codec), magic).data)
    assert [(record.offset, record.key, record.value) for record in decoded] == [
        (record.offset, record.key, record.value) for record in kept
    ]
    if magic:
        assert [one[1:3] for one in decoded] == [one[1:3] for one in kept]


@given(st.lists(st.tuples(st.integers(-1, 1 << 62), st.none() | st.binary(), st.none() | st.binary()), min_size=1))
@examples()
def test_up_and_down_again_gives_the_same_bytes(contents: list[tuple[int, bytes | None, bytes | None]]) -> None:
    records = [Record(index, time, 0, key, value) for index, (time, key, value) in enumerate(contents)]
    data = encode(records, magic=1)
    up = assign(data, 0, TopicState(magic=2))
    assert decode(up.data) == records
    assert down_convert(up.data, 1) == Converted(data, [])


@pytest.mark.parametrize("codec", ["none", "gzip", "lz4"])
def test_v0_goes_up_without_timestamps(codec: str) -> None:
    decoded = decode(assign(messages(0, 3, 4, codec=codec), 10, TopicState(magic=2)).data)
    assert [(record.offset, record.timestamp, record.timestamp_type, record.value) for record in decoded] == [
        (10, -1, 0, b"3"),
        (11, -1, 0, b"4"),
    ]


def test_many_records_before_the_first_offset_are_told_apart():
    # Each was looked for among all that are kept: minutes for a batch of 100,000.
    data = encode([Record(index, 1, 0, None, b"v") for index in range(20_000)])
    lost = down_convert(data, 1, 10_000).losses
    assert ConversionLoss(0, LossKind.BEFORE_FIRST_OFFSET, tuple(range(10_000))) in lost
