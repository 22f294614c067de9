"""Open and aborted transactions, the last stable offset, and what read_committed is shown."""

from pathlib import Path

import pytest
from kafka_format.log import PartitionLog
from kafka_format.log.builder import LogBuilder
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.transaction_index import AbortedTransaction, encode
from kafka_format.log.transactions import Transactions, collect_aborted, transactions

from tests.kafka_format.logs import ABORT, marker, transactional

TWO_PRODUCERS = (
    transactional(0, 1),
    marker(1, 1, ABORT),
    transactional(2, 1),
    transactional(3, 2),
    marker(4, 1, ABORT),
    marker(5, 2),
)
"""P1 data, P1 abort, P1 data, P2 data, P1 abort, P2 commit."""

RIGHT = [AbortedTransaction(1, 0, 1, 2), AbortedTransaction(1, 2, 4, 3)]
"""What Kafka 4.3.0 wrote for these when they were appended one by one."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "payments-0"
    builder = LogBuilder(path)
    for data in TWO_PRODUCERS:
        builder.append(data)
    builder.close()
    return path


def read(folder: Path) -> Transactions:
    with PartitionLog(folder) as log:
        return transactions(log)


def test_what_was_aborted_is_told_and_nothing_of_it_shown(folder: Path) -> None:
    found = read(folder)
    assert list(found.aborted) == RIGHT
    assert (found.open, found.shown_batches, found.last_stable_offset) == ((), (), 6)


def test_an_entry_whose_last_stable_offset_is_too_large_lets_aborted_records_through(folder: Path) -> None:
    """A follower of 4.3.0 that takes the first four batches in one append writes 3 for 2: a fetch
    at 2 ends there."""
    wrong = [RIGHT[0]._replace(last_stable_offset=3), RIGHT[1]]
    (folder / segment_name(0, FileKind.TRANSACTION_INDEX)).write_bytes(encode(wrong))
    [shown] = read(folder).shown_batches
    assert (shown.first_offset, shown.last_offset, shown.producer_id) == (2, 2, 1)


def test_an_entry_that_is_missing_lets_aborted_records_through(folder: Path) -> None:
    (folder / segment_name(0, FileKind.TRANSACTION_INDEX)).unlink()
    assert [shown.first_offset for shown in read(folder).shown_batches] == [0, 2]


def test_a_broker_sends_what_overlaps_the_fetch() -> None:
    """TransactionIndexTest of Kafka asks so: the search ends where the last stable offset reaches
    the fetch's end."""
    entries = tuple(
        AbortedTransaction(*each) for each in ((0, 0, 10, 11), (1, 5, 15, 13), (2, 18, 35, 25), (3, 32, 50, 40))
    )
    expected = {
        (0, 100): [0, 1, 2, 3],
        (0, 32): [0, 1, 2],
        (0, 35): [0, 1, 2, 3],
        (10, 35): [0, 1, 2, 3],
        (11, 35): [1, 2, 3],
        (20, 41): [2, 3],
    }
    for (offset, upper), producers in expected.items():
        assert [entry.producer_id for entry in collect_aborted([(0, entries)], offset, upper)] == producers


def test_an_open_transaction_holds_the_last_stable_offset(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "payments-0"
    builder = LogBuilder(folder)
    for data in (transactional(0, 1), marker(1, 1), transactional(2, 1), transactional(3, 2), marker(4, 2)):
        builder.append(data)
    builder.close()
    found = read(folder)
    [transaction] = found.open
    assert (transaction.producer_id, transaction.first_offset, transaction.last_offset) == (1, 2, 2)
    assert transaction.timestamp == 1000
    assert (found.high_watermark, found.last_stable_offset) == (5, 2)
    (folder.parent / "replication-offset-checkpoint").write_bytes(b"0\n1\npayments 0 1\n")
    assert read(folder).last_stable_offset == 0  # the marker at 1 is not below it (firstUnstableOffset)


def test_real_brokers_leave_one_open_and_show_nothing(directory: Path) -> None:
    """`Fill.java`: of eight rounds one producer aborts the even ones, the other every third; a
    ninth stays open."""
    found = read(directory / "payments-0")
    assert len(found.aborted) == 4 + 2
    [transaction] = found.open
    assert transaction.first_offset == found.last_stable_offset == 32
    assert found.shown_batches == ()
