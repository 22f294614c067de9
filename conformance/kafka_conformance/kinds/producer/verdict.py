"""What is wrong with what a producer sent: its requests, its batches, and their records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from kafka_format import compression, records, structure
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_format.records.entries import split
from kafka_format.records.formats import MAGICS
from kafka_format.records.model import CODEC_MASK, NO_PRODUCER, TRANSACTIONAL_BIT

from kafka_conformance.kinds.producer.questions import Order
from kafka_conformance.kinds.producer.sending import Sending

_ZSTD_SINCE: Final = 7
"""The version of Produce since which batches may be compressed with zstd (KIP-110)."""

_ALL: Final = -1
_SEVERAL: Final = 2
_OFFSET: Final = prefix("message_set_entry").packers["offset"].size


class Wrong(NamedTuple):
    """What a producer sent, and had to send.

    Attributes:
        path: where: a field of a request or batch.
        expected: what it had to be.
        got: what it is.
        why: the rule, in words.
    """

    path: str
    expected: str
    got: str
    why: str


class SentBatch(NamedTuple):
    """An entry that was sent: its place, its magic, its bytes, and the version of the request."""

    place: str
    magic: int
    data: bytes
    version: int


def batches(sending: Sending) -> Iterator[SentBatch]:
    """Yield the entries of all requests.

    Raises:
        FormatError: the bytes are no entries.
    """
    for number, produced in enumerate(sending.produced_records):
        for index, (start, end, magic) in enumerate(split(produced.records)):
            yield SentBatch(f"produce[{number}].records[{index}]", magic, produced.records[start:end], produced.version)


def with_offset(batch: SentBatch) -> bytes:
    """Return an entry with the offset that a broker gives it, where producers write what they like.

    A wrapper has the offset of its last message. In v1, those of its messages are relative to it.
    """
    inner = records.decode(batch.data)
    if batch.magic == MAGICS["v2"] or len(inner) < _SEVERAL:
        return batch.data
    last = len(inner) - 1 if batch.magic == MAGICS["v1"] else inner[-1].offset
    return last.to_bytes(_OFFSET, "big", signed=True) + batch.data[_OFFSET:]


def of_requests(order: Order, sending: Sending) -> Iterator[Wrong]:
    """Yield what is wrong with requests, whatever is in them."""
    for fault in sending.faults:
        yield Wrong("request", "requests that keep the rules", fault, "the protocol's rules")
    acks = _ALL if order.acks is None or order.idempotent else order.acks
    for number, request in enumerate(sending.produced_records):
        if request.acks != acks and (order.acks is not None or order.idempotent):
            yield Wrong(f"produce[{number}].acks", str(acks), str(request.acks), "what was asked for")
        if request.version >= _BATCHES_SINCE and len(list(split(request.records))) != 1:
            entries = len(list(split(request.records)))
            yield Wrong(f"produce[{number}].records", "one batch", f"{entries} entries", "clients ProduceRequest")
    if order.transactional:
        yield from _of_transaction(sending)


_BATCHES_SINCE: Final = 3
"""The version of Produce since which a partition has exactly one batch of format v2 (KIP-98)."""


def of_batches(order: Order, sending: Sending) -> Iterator[Wrong]:
    """Yield what is wrong with batches and messages, beside their records."""
    magic = MAGICS[order.vector.format]
    sequence = 0
    for sent in batches(sending):
        fits = _magic_of(sent.version)
        if sent.magic != fits:
            yield Wrong(
                f"{sent.place}.magic", str(fits), str(sent.magic), f"Produce {sent.version} carries format v{fits}"
            )
        elif sent.magic != magic:
            yield Wrong(f"{sent.place}.magic", str(magic), str(sent.magic), "the versions that the broker has")
        if sent.magic == MAGICS["v2"]:
            batch: Any = structure("record_batch").decode(sent.data)
            yield from _of_batch(order, sent, batch, sequence)
            sequence += len(batch.records)


def _magic_of(version: int) -> int:
    """Return the format that a version of Produce carries (KIP-32, KIP-98)."""
    return 0 if version < 2 else 1 if version < _BATCHES_SINCE else 2


def _of_batch(order: Order, sent: SentBatch, batch: Any, sequence: int) -> Iterator[Wrong]:
    place, codec = sent.place, compression.NAMES[batch.attributes & CODEC_MASK]
    if codec not in {order.codec, "none"}:
        yield Wrong(f"{place}.attributes.codec", order.codec, codec, "what was asked for")
    if codec == "zstd" and sent.version < _ZSTD_SINCE:
        yield Wrong(f"{place}.attributes.codec", "no zstd", f"zstd in Produce {sent.version}", "KIP-110")
    deltas = [record.offset_delta for record in batch.records]
    if deltas != list(range(len(deltas))):
        yield Wrong(f"{place}.records.offset_delta", f"0 to {len(deltas) - 1}", str(deltas[:10]), "LogValidator")
    if batch.last_offset_delta != len(deltas) - 1:
        yield Wrong(f"{place}.last_offset_delta", str(len(deltas) - 1), str(batch.last_offset_delta), "LogValidator")
    if is_transactional(batch) != order.transactional:
        yield Wrong(f"{place}.is_transactional", str(order.transactional), str(is_transactional(batch)), "KIP-98")
    has_producer = batch.producer_id != NO_PRODUCER
    if has_producer != (order.idempotent or order.transactional):
        yield Wrong(f"{place}.producer_id", "an id" if order.idempotent else "-1", str(batch.producer_id), "KIP-98")
    if has_producer and batch.base_sequence != sequence:
        yield Wrong(f"{place}.base_sequence", str(sequence), str(batch.base_sequence), "KIP-98: sequences have no gaps")


def is_transactional(batch: Any) -> bool:
    """Tell whether the bit of transactions is set."""
    return bool(batch.attributes & TRANSACTIONAL_BIT)


def _of_transaction(sending: Sending) -> Iterator[Wrong]:
    apis = [request.api for request in sending.requests]
    for number, sent in enumerate(sending.produced_records):
        if not sent.transactional_id:
            yield Wrong(f"produce[{number}].transactional_id", "the id", "null", "KIP-98")
    first = apis.index("produce") if "produce" in apis else len(apis)
    for api in ("init_producer_id", "add_partitions_to_txn"):
        if api not in apis[:first]:
            yield Wrong("requests", f"{api} before produce", ", ".join(apis[:first]), "KIP-98")
    ends = [request for request in sending.requests if request.api == "end_txn"]
    if [end.body.committed for end in ends] != [True]:
        yield Wrong("requests", "one end_txn that commits", f"{len(ends)}", "KIP-98")


def sent_records(sending: Sending) -> list[Record]:
    """Return the records of all requests.

    Raises:
        FormatError: the bytes break a rule.
    """
    return [record for request in sending.produced_records for record in records.decode(request.records)]


def format_error(sending: Sending) -> FormatError | None:
    """Return the rule that bytes break; None if they keep all."""
    try:
        sent_records(sending)
    except FormatError as error:
        return error
    return None


def due_records(got: Sequence[Record], expected: Sequence[Record]) -> list[Record]:
    """Return the records that are due with the fields of those that came which nobody asked for.

    A producer leaves offsets to the broker; what is in a batch for all records is looked at there.
    """
    return [
        record._replace(
            offset=here.offset,
            producer_id=here.producer_id,
            producer_epoch=here.producer_epoch,
            sequence=here.sequence,
            transactional=here.transactional,
            codec=here.codec,
        )
        for record, here in zip(expected, [*got, *expected[len(got) :]], strict=False)
    ]
