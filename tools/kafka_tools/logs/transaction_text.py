"""A partition's transactions, as lines: the last stable offset, and what read_committed shows."""

from collections.abc import Iterator

from kafka_format.log import PartitionLog
from kafka_format.log.transactions import OpenTransaction, Transactions

from kafka_tools.logs.internal_topics import Transaction
from kafka_tools.logs.lookups import moment
from kafka_tools.text import plural

_SHOWN = 10
SOUND = "read_committed consumers are shown no aborted record"


def lines(log: PartitionLog, transactions: Transactions, coordinator: dict[int, Transaction]) -> Iterator[str]:
    """Yield where read_committed waits, for which producer, and which aborted records show."""
    yield f"{log.folder.name}: end {log.end_offset}, high watermark {transactions.high_watermark}"
    yield f"last stable offset {transactions.last_stable_offset}: {_why(transactions)}"
    for each in transactions.open:
        yield from _open(each, coordinator.get(each.producer_id))
    yield f"{plural(len(transactions.aborted), 'transaction')} aborted"
    for shown in transactions.shown_batches[:_SHOWN]:
        yield (
            f"  SHOWN to read_committed: offsets {shown.first_offset} to {shown.last_offset} of producer"
            f" {shown.producer_id}, aborted; the .txnindex of segment {shown.marker_segment} does not say so"
        )
    if len(transactions.shown_batches) > _SHOWN:
        yield f"  and {len(transactions.shown_batches) - _SHOWN} more batches"
    if transactions.shown_batches:
        yield "to do: stop the broker, remove the .txnindex and .index files of these segments, and start"
    else:
        yield SOUND


def _why(transactions: Transactions) -> str:
    if transactions.open and transactions.last_stable_offset == transactions.open[0].first_offset:
        waiting = transactions.high_watermark - transactions.last_stable_offset
        return f"held by an open transaction; {plural(waiting, 'offset')} below the high watermark wait after it"
    if transactions.open:
        return "the high watermark; transactions are open above it"
    return "the high watermark; no transaction is open"


def _open(each: OpenTransaction, known: Transaction | None) -> Iterator[str]:
    epochs = f"epoch {each.producer_epoch}, coordinator epoch {each.coordinator_epoch}"
    yield f"  open: producer {each.producer_id} ({epochs}) since offset {each.first_offset}, last at {each.last_offset}"
    yield f"    its newest batch is of {moment(each.timestamp)}"
    if known is None:
        yield "    whose it is, the log of __transaction_state tells: no partition here has the producer"
        yield (
            f"    to end it: kafka-transactions.sh abort --topic TOPIC --partition N --start-offset {each.first_offset}"
        )
        return
    began = f", begun {moment(known.start_ms)}" if known.start_ms >= 0 else ""
    yield f"    transactional id `{known.transactional_id}`: {known.state}{began}, timeout {known.timeout_ms} ms"
    if known.state not in {"ongoing", "prepare_commit", "prepare_abort"}:
        yield "    it HANGS: its coordinator holds it for done, and will not end it"
