"""What is wrong with what a producer sent: its requests, its batches, and their records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from kafka_format import compression, records, structure
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records import Record
from kafka_format.records.entries import split
from kafka_format.records.formats import MAGICS
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, NO_PRODUCER, TIMESTAMP_TYPE_BIT, TRANSACTIONAL_BIT

from kafka_conformance.judging.difference import Difference
from kafka_conformance.kinds.producer.questions import Order
from kafka_conformance.kinds.producer.sending import Sending

_ZSTD_SINCE: Final = 7
"""The version of Produce since which batches may be compressed with zstd (KIP-110)."""

CHOSEN: Final = ("timestamp", "timestamp_type", "key", "value", "headers")
"""The fields of a record that an application chooses."""

_ALL: Final = -1
_BATCH: Final = prefix("record_batch")
_SEVERAL: Final = 2
_OF_BROKERS: Final = {"is_control": CONTROL_BIT, "is_append_time": TIMESTAMP_TYPE_BIT}
_MUCH: Final = 0.7
_OFFSET: Final = prefix("message_set_entry").packers["offset"].size


class SentBatch(NamedTuple):
    """An entry that was sent.

    Attributes:
        request: the number of its request.
        place: where it is in that.
        magic: its magic.
        data: its bytes.
        version: the version of the request.
    """

    request: int
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
            yield SentBatch(number, f".records[{index}]", magic, produced.records[start:end], produced.version)


def with_offset(batch: SentBatch) -> bytes:
    """Return an entry with the offset that a broker gives it, where producers write what they like.

    A wrapper has the offset of its last message. In v1, those of its messages are relative to it.
    """
    inner = records.decode(batch.data)
    if batch.magic == MAGICS["v2"] or len(inner) < _SEVERAL:
        return batch.data
    last = len(inner) - 1 if batch.magic == MAGICS["v1"] else inner[-1].offset
    return last.to_bytes(_OFFSET, "big", signed=True) + batch.data[_OFFSET:]


def of_requests(order: Order, sending: Sending) -> Iterator[Difference]:
    """Yield what is wrong with requests, whatever is in them."""
    for fault in sending.faults:
        yield Difference("request", "requests that keep the rules", fault, "the protocol's rules")
    acks = _ALL if order.acks is None or order.idempotent else order.acks
    for number, request in enumerate(sending.produced_records):
        if request.partition:
            yield Difference(".partition", "0", str(request.partition), "what was asked for", number)
        if request.acks != acks and (order.acks is not None or order.idempotent):
            yield Difference(".acks", str(acks), str(request.acks), "what was asked for", number)
        if request.version >= _BATCHES_SINCE and len(list(split(request.records))) != 1:
            entries = len(list(split(request.records)))
            yield Difference(".records", "one batch", f"{entries} entries", "clients ProduceRequest", number)
    if order.transactional:
        yield from _of_transaction(sending)


_BATCHES_SINCE: Final = 3
"""The version of Produce since which a partition has exactly one batch of format v2 (KIP-98)."""


def of_brokers(sending: Sending) -> Iterator[Difference]:
    """Yield the batches with a bit that only brokers set: of markers, or of the time of the log.

    Raises:
        FormatError: the bytes are no batches, or their checksum is wrong.
    """
    for sent in batches(sending):
        if sent.magic != MAGICS["v2"]:
            continue
        _BATCH.check(sent.data, 0, len(sent.data))
        for name, bit in _OF_BROKERS.items():
            if _BATCH.value(sent.data, 0, "attributes") & bit:
                yield Difference(f"{sent.place}.{name}", "False", "True", "brokers set it", sent.request)


def of_formats(order: Order, sending: Sending) -> Iterator[Difference]:
    """Yield the entries of another format than the versions of the broker ask for."""
    magic = MAGICS[order.vector.format]
    for sent in batches(sending):
        fits = _magic_of(sent.version)
        if sent.magic != fits:
            why = f"Produce {sent.version} carries format v{fits}"
            yield Difference(f"{sent.place}.magic", str(fits), str(sent.magic), why, sent.request)
        elif sent.magic != magic:
            why = "the versions that the broker has"
            yield Difference(f"{sent.place}.magic", str(magic), str(sent.magic), why, sent.request)


def of_repeats(order: Order, sending: Sending) -> Iterator[Difference]:
    """Yield the requests that came more than once, if more records came than are due.

    No answer was late or lost. Two equal records in requests of their own are no repeat.
    """
    if len(sent_records(sending)) <= len(order.records):
        return
    seen = Counter(request.records for request in sending.produced_records)
    for number, request in enumerate(sending.produced_records):
        if seen[request.records] > 1:
            times = f"{seen[request.records]} times"
            yield Difference(".repeats", "each batch once", times, "no answer was lost", number)


def of_batches(order: Order, sending: Sending) -> Iterator[Difference]:
    """Yield what is wrong with batches, beside their records."""
    sequence = 0
    for sent in batches(sending):
        if sent.magic == MAGICS["v2"]:
            batch: Any = structure("record_batch").decode(sent.data)
            for unlike in (*_of_batch(order, sent, batch, sequence), *_of_ids(sent.place, batch, sending.ids)):
                yield unlike._replace(request=sent.request)
            sequence += len(batch.records)


def _magic_of(version: int) -> int:
    """Return the format that a version of Produce carries (KIP-32, KIP-98)."""
    return 0 if version < 2 else 1 if version < _BATCHES_SINCE else 2


def _of_batch(order: Order, sent: SentBatch, batch: Any, sequence: int) -> Iterator[Difference]:
    place, codec = sent.place, compression.NAMES[batch.attributes & CODEC_MASK]
    if codec not in {order.codec, "none"} or (codec == "none" and _shrinks(order.codec, sent.data)):
        yield Difference(f"{place}.attributes.codec", order.codec, codec, "what was asked for")
    if codec == "zstd" and sent.version < _ZSTD_SINCE:
        yield Difference(f"{place}.attributes.codec", "no zstd", f"zstd in Produce {sent.version}", "KIP-110")
    deltas = [record.offset_delta for record in batch.records]
    last, due = batch.last_offset_delta, len(deltas) - 1
    if deltas != list(range(len(deltas))):
        yield Difference(f"{place}.records.offset_delta", f"0 to {due}", str(deltas[:10]), "LogValidator")
    if last != due:
        yield Difference(f"{place}.last_offset_delta", str(due), str(last), "LogValidator")
    if is_transactional(batch) != order.transactional:
        is_one = str(is_transactional(batch))
        yield Difference(f"{place}.is_transactional", str(order.transactional), is_one, "KIP-98")
    yield from _of_producer(order, place, batch, sequence)


def _shrinks(codec: str, data: bytes) -> bool:
    """Tell whether a codec makes a batch much smaller; producers may leave what it does not."""
    return codec != "none" and len(records.encode(records.decode(data), codec=codec)) < _MUCH * len(data)


def _of_producer(order: Order, place: str, batch: Any, sequence: int) -> Iterator[Difference]:
    """Yield what is wrong with the producer's id and sequence."""
    has_producer = batch.producer_id != NO_PRODUCER
    if has_producer != (order.idempotent or order.transactional):
        due = "an id" if order.idempotent else "-1"
        yield Difference(f"{place}.producer_id", due, str(batch.producer_id), "KIP-98")
    if has_producer and batch.base_sequence != sequence:
        why = "KIP-98: sequences have no gaps"
        yield Difference(f"{place}.base_sequence", str(sequence), str(batch.base_sequence), why)


def _of_ids(place: str, batch: Any, ids: range | None) -> Iterator[Difference]:
    """Yield where a batch has another id or epoch than InitProducerId told.

    No error has raised the epoch.
    """
    if ids is None or batch.producer_id == NO_PRODUCER:
        return
    if batch.producer_id not in ids:
        yield Difference(f"{place}.producer_id", "the id of InitProducerId", str(batch.producer_id), "KIP-98")
    if batch.producer_epoch != 0:
        yield Difference(f"{place}.producer_epoch", "0", str(batch.producer_epoch), "KIP-98: of InitProducerId")


def is_transactional(batch: Any) -> bool:
    """Tell whether the bit of transactions is set."""
    return bool(batch.attributes & TRANSACTIONAL_BIT)


def _of_transaction(sending: Sending) -> Iterator[Difference]:
    apis = [request.api for request in sending.requests]
    for number, sent in enumerate(sending.produced_records):
        if not sent.transactional_id:
            yield Difference(".transactional_id", "the id", "null", "KIP-98", number)
    first = apis.index("produce") if "produce" in apis else len(apis)
    for api in ("init_producer_id", "add_partitions_to_txn"):
        if api not in apis[:first]:
            got = "behind it" if api in apis else "without the id" if api in sending.nameless else "none"
            yield Difference("requests", f"{api} before produce", got, "KIP-98")
    ends = [request for request in sending.requests if request.api == "end_txn"]
    said = ", ".join("commits" if end.body.committed else "aborts" for end in ends) or "none"
    if [end.body.committed for end in ends] != [True]:
        yield Difference("requests", "one end_txn that commits", said, "KIP-98")
    elif "produce" in apis[apis.index("end_txn") :]:
        yield Difference("requests", "end_txn behind produce", "end_txn before it", "KIP-98")


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


def as_chosen(got: Sequence[Record], expected: Sequence[Record]) -> Iterator[Record]:
    """Yield the records that came, as if a producer had left alone what no application chooses."""
    surplus = (expected[-1]._replace(offset=index) for index in range(len(expected), len(got)))
    for record, due in zip(got, (*expected, *surplus), strict=False):
        yield due._replace(**{name: getattr(record, name) for name in CHOSEN})
