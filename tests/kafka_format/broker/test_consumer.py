"""What a consumer delivers: broken responses first, then offsets, control batches, transactions."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import structure
from kafka_format.broker.consumer import READ_COMMITTED, READ_UNCOMMITTED, Delivery, Reason, Skipped, deliver
from kafka_format.strategies import damaged, encoded, entries

from tests.kafka_format.examples import examples
from tests.kafka_format.logs import ABORT, Segment, batch, fetched, flipped, marker, messages, transactional


def offsets(delivery: Delivery) -> list[int]:
    return [record.offset for record in delivery.records]


def outcome(delivery: Delivery) -> tuple[list[int], int, str]:
    """Delivered offsets, next offset, and the rule that stopped the reading."""
    return offsets(delivery), delivery.next_offset, delivery.error.rule if delivery.error else ""


@pytest.mark.parametrize("isolation", [READ_UNCOMMITTED, READ_COMMITTED])
@given(
    st.one_of(st.binary(max_size=200), entries(), damaged(encoded("record_batch"), "record_batch")), st.integers(0, 9)
)
@examples()
def test_no_bytes_raise_anything(isolation: str, data: bytes, fetch_offset: int) -> None:
    delivery = deliver(data, fetch_offset, isolation, [(0, 0), (7, 1 << 62)])
    assert delivery.next_offset >= fetch_offset
    assert delivery.error is None or delivery.error.entry is not None


@pytest.mark.parametrize("isolation", ["", "READ_COMMITTED", "serializable"])
def test_isolation_levels_are_two(isolation: str) -> None:
    with pytest.raises(ValueError, match=r"read_uncommitted, read_committed"):
        deliver(b"", 0, isolation)


@pytest.mark.parametrize("size", [1, 11, 12, 17, 40, 61, 69])
def test_a_cut_entry_alone_is_too_small_a_fetch(size: int) -> None:
    data = batch(5, [0, 1])[:size]
    assert deliver(data, 5) == Delivery([], 5, [], too_small=True)


@pytest.mark.parametrize("size", [1, 11, 12, 17, 40, 61])
def test_a_cut_entry_behind_a_whole_one_is_none(size: int) -> None:
    assert outcome(deliver(batch(5) + batch(6)[:size], 5)) == ([5], 6, "")


def test_no_bytes_are_no_error() -> None:
    assert deliver(b"", 5) == Delivery([], 5, [])


def test_the_error_says_where_in_the_whole_response_it_is() -> None:
    first = batch(0)
    error = deliver(first + flipped(batch(1)), 0).error
    assert error is not None
    assert (error.rule, error.offset, error.entry) == ("v2.crc.covers-attributes-to-end", len(first) + 17, 1)


@pytest.mark.parametrize(
    ("before", "delivered", "next_offset"),
    [
        (b"", [], 0),
        (batch(0), [0], 1),
        (batch(0, [0, 1], last=8), [0, 1], 2),
        (batch(0, [], last=4), [], 0),
        (marker(0, 7), [], 0),
        (batch(0) + marker(1, 7), [0], 2),
        (messages(0, 0, 1), [0, 1], 2),
        (messages(1, 0, 3, codec="gzip"), [0, 3], 4),
    ],
)
def test_what_comes_before_an_error_is_delivered(before: bytes, delivered: list[int], next_offset: int) -> None:
    """And without anything delivered the consumer does not move: it would skip what it never told
    of."""
    rule = "v2.crc.covers-attributes-to-end"
    assert outcome(deliver(before + flipped(batch(20)), 0)) == (delivered, next_offset, rule)


def test_short_and_negative_control_keys_stop_read_committed_only() -> None:
    for key in (b"", b"\0\0\0", bytes.fromhex("ffff0000")):
        data = marker(0, 7, key)
        assert outcome(deliver(data, 0)) == ([], 1, "")
        assert outcome(deliver(data, 0, READ_COMMITTED)) == ([], 0, "consumer.control.key")


def test_an_aborted_batch_is_not_decompressed() -> None:
    bomb = batch(
        0, attributes=0x11, producer_id=7, producer_epoch=0, base_sequence=0, record_count=1, records=b"no gzip at all"
    )
    assert outcome(deliver(bomb, 0, READ_COMMITTED, [(7, 0)])) == ([], 1, "")
    assert outcome(deliver(bomb, 0, READ_COMMITTED)) == ([], 0, "compression.gzip.magic")


def test_a_batch_below_its_smallest_size_is_an_error() -> None:
    small = structure("record_batch").encode({"base_offset": 0, "batch_length": 20, "records": []})[:32]
    for isolation in (READ_UNCOMMITTED, READ_COMMITTED):
        assert outcome(deliver(small, 0, isolation, [(1, 0)])) == ([], 0, "v2.batch-length.minimum")


def test_offsets_wrap_as_javas_do() -> None:
    last = (1 << 63) - 1
    assert outcome(deliver(batch(last), last)) == ([last], last, "")


@pytest.mark.parametrize(("fetch_offset", "delivered"), [(38, [38, 40]), (39, [40]), (40, [40]), (41, []), (42, [])])
def test_records_before_the_fetch_offset_are_skipped(fetch_offset: int, delivered: list[int]) -> None:
    """sarama#1005: a batch with 38 and 40 that ends at 41."""
    delivery = deliver(batch(38, [0, 2], last=3), fetch_offset)
    assert outcome(delivery) == (delivered, 42, "")


def test_what_was_skipped_is_told() -> None:
    data = batch(0, [0, 1, 2]) + marker(3, 7) + transactional(4, 8, [0, 1]) + messages(1, 6)
    delivery = deliver(data, 2, READ_COMMITTED, [(8, 4)])
    assert offsets(delivery) == [2, 6]
    assert delivery.skipped == [
        Skipped(0, Reason.BEFORE_FETCH_OFFSET, 0, 1),
        Skipped(1, Reason.CONTROL, 3, 3),
        Skipped(2, Reason.ABORTED, 4, 5),
    ]


def test_brod_659_only_the_second_of_three_transactions_is_filtered() -> None:
    steps = [transactional(0, 1), marker(1, 1), transactional(2, 1), marker(3, 1, ABORT), transactional(4, 1)]
    assert outcome(deliver(b"".join(steps), 0, READ_COMMITTED, [(1, 2)])) == ([0, 4], 5, "")


def test_the_abort_marker_of_another_producer_ends_nothing() -> None:
    steps = [transactional(0, 1), marker(1, 2, ABORT), transactional(2, 1), marker(3, 1, ABORT), transactional(4, 1)]
    assert outcome(deliver(b"".join(steps), 0, READ_COMMITTED, [(1, 0)])) == ([4], 5, "")


def test_the_list_counts_under_read_committed_only() -> None:
    data = transactional(0, 1)
    assert offsets(deliver(data, 0, READ_UNCOMMITTED, [(1, 0)])) == [0]
    assert offsets(deliver(data, 0, READ_COMMITTED, [(1, 0)])) == []


def test_offsets_far_ahead_in_the_list_do_not_count_yet() -> None:
    data = transactional(0, 1) + transactional(1, 1)
    assert offsets(deliver(data, 0, READ_COMMITTED, [(1, 1)])) == [0]


GAPS = st.integers(1, 3)
KINDS = st.sampled_from(["data", "data", "control", "v0", "v1", "gzip"])


@st.composite
def logs(draw: st.DrawFn) -> list[Segment]:
    """A compacted log: holes within and between entries, batches left empty, wrappers, markers."""
    log: list[Segment] = []
    base = draw(st.integers(0, 1 << 40))
    for kind in draw(st.lists(KINDS, min_size=1, max_size=6)):
        deltas = [delta - 1 for delta in accumulate(draw(st.lists(GAPS, max_size=3)))]
        kept = tuple(base + delta for delta in deltas)
        last = kept[-1] if kept else base
        if kind == "control":
            log.append(Segment(marker(base, 7), base, base))
            last = base
        elif kind == "data" or not kept:
            last += draw(st.integers(0, 2))
            log.append(Segment(batch(base, deltas, last=last - base), base, last, kept))
        else:
            magic, codec = (0, "none") if kind == "v0" else (1, "none") if kind == "v1" else (1, "gzip")
            groups = [kept] if codec == "gzip" else [(offset,) for offset in kept]
            log.extend(Segment(messages(magic, *group, codec=codec), group[0], group[-1], group) for group in groups)
        base = last + draw(GAPS)
    return log


@given(logs(), st.integers(0, 5), st.lists(st.integers(1, 400), min_size=1))
@examples()
def test_successive_fetches_lose_nothing_and_repeat_nothing(log: list[Segment], behind: int, sizes: list[int]) -> None:
    start = log[0].first + behind
    position, found, turns = start, [], 0
    while position <= log[-1].last:
        delivery = deliver(fetched(log, position, sizes[turns % len(sizes)]), position)
        assert delivery.error is None
        assert delivery.next_offset > position, "the consumer is stuck"
        found += offsets(delivery)
        position, turns = delivery.next_offset, turns + 1
    assert found == [offset for segment in log for offset in segment.records if offset >= start]


@st.composite
def transactions(draw: st.DrawFn) -> tuple[list[Segment], list[tuple[int, int, int]], list[int]]:
    """A log of interleaved transactions: entries, aborted ones with first and last offset, offsets
    of the committed."""
    log: list[Segment] = []
    open_since: dict[int, list[int]] = {}
    aborted, committed, base = [], [], 0
    steps = draw(st.lists(st.tuples(st.sampled_from("dddac"), st.integers(1, 3), st.integers(1, 3)), max_size=14))
    for step, producer, size in [*steps, *[("a", producer, 1) for producer in (1, 2, 3)]]:
        if step == "d":
            kept = tuple(range(base, base + size))
            log.append(Segment(transactional(base, producer, range(size)), base, kept[-1], kept))
            open_since.setdefault(producer, []).extend(kept)
            base += size
        elif producer in open_since:
            mine = open_since.pop(producer)
            log.append(Segment(marker(base, producer, ABORT if step == "a" else bytes.fromhex("00000001")), base, base))
            committed += mine if step == "c" else []
            aborted += [(producer, mine[0], base)] if step == "a" else []
            base += 1
    return log, aborted, sorted(committed)


@given(transactions(), st.lists(st.integers(1, 500), min_size=1))
@examples()
def test_read_committed_delivers_what_was_committed(
    drawn: tuple[list[Segment], list[tuple[int, int, int]], list[int]], sizes: list[int]
) -> None:
    log, aborted, committed = drawn
    position, found, turns = 0, [], 0
    while log and position <= log[-1].last:
        data = fetched(log, position, sizes[turns % len(sizes)])
        # As a broker lists them: those that reach beyond the fetch offset.
        told = [(producer, first) for producer, first, last in aborted if last >= position]
        delivery = deliver(data, position, READ_COMMITTED, told)
        assert delivery.next_offset > position
        found += offsets(delivery)
        position, turns = delivery.next_offset, turns + 1
    assert found == committed


def test_flags_reach_the_framing() -> None:
    """A cut entry of an unknown magic: an error, unless the flag of the releases that looked later
    is given."""
    data = batch(0) + batch(1)[:16] + b"\3"
    assert outcome(deliver(data, 0)) == ([0], 1, "entry.magic.known")
    assert outcome(deliver(data, 0, flags=frozenset({"cut-entry-any-magic"}))) == ([0], 1, "")
