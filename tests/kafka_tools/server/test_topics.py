"""Where a log is served from, and where it begins and ends."""

import pytest
from kafka_format import records
from kafka_format.records import Record
from kafka_tools.server import Topic
from kafka_tools.server.topics import EntryIndex, first_offset


def batch(first, count=2, **more):
    made = [Record(first + delta, 5, 0, None, b"v") for delta in range(count)]
    return records.encode(made, **more)


LOG = b"".join(map(batch, (10, 12, 20)))
SIZE = len(batch(10))


def test_bytes_that_are_no_whole_entry_are_served_to_whoever_gets_that_far():
    index = EntryIndex(LOG + b"\xff" * 30)
    assert index.start(22) == index.start(1 << 62) == 3 * SIZE


def test_an_offset_beyond_the_log_gets_nothing():
    assert EntryIndex(LOG).start(22) == len(LOG)
    assert EntryIndex(b"").start(0) == 0


@pytest.mark.parametrize(("offset", "entry"), [(-5, 0), (10, 0), (11, 0), (12, 1), (14, 2), (21, 2)])
def test_an_offset_is_in_the_first_entry_that_ends_there_or_behind_it(offset, entry):
    assert EntryIndex(LOG).start(offset) == entry * SIZE


def test_entries_whose_offsets_go_back_hide_none_before_them():
    assert EntryIndex(batch(20) + batch(10) + batch(30)).start(11) == 0
    assert EntryIndex(batch(20) + batch(10) + batch(30)).start(22) == 2 * SIZE


def test_a_topic_that_gets_another_log_serves_that_one():
    topic = Topic("t", LOG, 10, 22)
    assert topic.span(12) == (SIZE, len(LOG))
    topic.data = batch(12)
    assert topic.span(12) == (0, SIZE)


def test_read_committed_gets_nothing_of_open_transactions():
    topic = Topic("t", LOG, 10, 22, last_stable_offset=12)
    assert topic.span(10, is_committed=True) == (0, SIZE)
    assert topic.span(20, is_committed=True) == (2 * SIZE, 2 * SIZE)
    assert topic.span(10) == (0, len(LOG))


@pytest.mark.parametrize("data", [b"", b"\xff", b"\xff" * 11, b"\xff" * 40])
def test_a_log_of_rubbish_begins_at_0(data):
    assert first_offset(data) == 0


def test_a_log_that_begins_with_a_wrapper_begins_with_its_first_message():
    made = [Record(offset, 5, 0, None, b"v") for offset in range(4, 7)]
    assert first_offset(records.encode(made, magic=1, codec="gzip")) == 4
    assert first_offset(LOG) == 10
