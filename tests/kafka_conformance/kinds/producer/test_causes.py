"""What a wrong producer does is named: one cause, for all that it writes."""

import time
from types import SimpleNamespace

import pytest
from kafka_conformance.kinds.producer.causes import diagnose_producer
from kafka_conformance.kinds.producer.judge import judge_sending
from kafka_conformance.kinds.producer.questions import order
from kafka_conformance.kinds.producer.sending import Sending, SentRequest
from kafka_conformance.kinds.producer.session import OrderReaction
from kafka_conformance.protocol.hello import FIELDS, Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import loader, orders
from kafka_format import records
from kafka_format.codec.prefix import prefix
from kafka_format.records import Header
from kafka_tools.server.state import Produced

ORDERS = [order(vector) for vector in loader.of_family(orders.FAMILY) if vector.format == "v2"]
ORDERS = [one for one in ORDERS if "several" not in one.vector.id and "large" not in one.vector.id]
VECTORS = {one.vector.id: one.vector for one in ORDERS}
HELLO = Hello(
    name="it",
    version="0",
    language="Python",
    formats=("v2",),
    codecs=("none", "gzip", "snappy", "lz4", "zstd"),
    fields=tuple(name for name in FIELDS if name in {"timestamp", "timestamp_type", "key", "value", "headers"}),
    checks_crc=True,
    settings=("headers", "idempotent", "transactional", "level", "acks"),
)
BATCH = prefix("record_batch")


def sent_records(asked):
    """Return the records of an order as a sound producer writes them."""
    has_id = asked.idempotent or asked.transactional
    return [
        record._replace(
            producer_id=7 if has_id else -1,
            producer_epoch=0 if has_id else -1,
            sequence=place if has_id else -1,
            transactional=asked.transactional,
        )
        for place, record in enumerate(asked.vector.records())
    ]


def requests(*apis):
    return [SentRequest(api, 1, SimpleNamespace(committed=api == "end_txn")) for api in apis]


class Sound:
    """A producer in which faults replace one step each."""

    apis = ("init_producer_id", "add_partitions_to_txn", "produce", "end_txn")
    partition = 0
    times = 1
    nameless = frozenset()

    def records(self, asked):
        return sent_records(asked)

    def codec(self, asked):
        return asked.codec

    def acks(self, asked):
        return -1 if asked.acks is None else asked.acks

    def batch(self, data):
        return data

    def sending(self, asked):
        data = self.batch(records.encode(self.records(asked), codec=self.codec(asked)))
        name = asked.topic if asked.transactional else None
        produced = Produced(asked.topic, 9, data, None, name, self.acks(asked), self.partition)
        made = requests(*self.apis) if asked.transactional else requests("produce")
        return Sending(made, [produced] * self.times, ids=range(7, 8), nameless=self.nameless)


def of_records(change):
    return type("Faulty", (Sound,), {"records": lambda _, asked: change(sent_records(asked))})


def each(**changed):
    """Return a producer that writes fields of each record otherwise."""
    return of_records(
        lambda made: [record._replace(**{name: change(record) for name, change in changed.items()}) for record in made]
    )


def of_batch(**changed):
    """Return a producer that writes fields of batches otherwise, and the checksum of that."""

    def change(_, data):
        written = bytearray(data)
        BATCH.write(written, **{name: change(BATCH.value(data, 0, name), data) for name, change in changed.items()})
        BATCH.seal(written, 0, len(written))
        return bytes(written)

    return type("Faulty", (Sound,), {"batch": change})


def with_(**steps):
    return type("Faulty", (Sound,), steps)


def numbered(made):
    """Return records with the offsets and sequences of their places."""
    return [
        record._replace(offset=place, sequence=place if record.producer_id >= 0 else -1)
        for place, record in enumerate(made)
    ]


FAULTS = {
    "drops the last record of a batch or wrapper": of_records(lambda made: made[:-1] or made),
    "writes the first record of a batch or wrapper twice": of_records(lambda made: numbered([made[0], *made])),
    "writes records in reverse order": of_records(lambda made: numbered(made[::-1])),
    "writes keys that are null as empty": each(key=lambda record: record.key or b""),
    "writes values that are null as empty": each(value=lambda record: record.value or b""),
    "writes no keys": each(key=lambda _: None),
    "writes keys of headers in capital letters": each(
        headers=lambda record: tuple(Header(key.upper(), value) for key, value in record.headers)
    ),
    "writes headers in reverse order": each(headers=lambda record: record.headers[::-1]),
    "drops headers whose value is null": each(
        headers=lambda record: tuple(header for header in record.headers if header.value is not None)
    ),
    "writes timestamps in seconds, not milliseconds": each(timestamp=lambda record: record.timestamp // 1000),
    "writes the current time instead of the timestamp that it was given": each(
        timestamp=lambda _: int(time.time() * 1000)
    ),
    "writes another producer epoch than InitProducerId told: it is 1 too high": each(
        producer_epoch=lambda record: record.producer_epoch + (record.producer_id >= 0)
    ),
    "writes 0 for the producer id, not the one that InitProducerId told": each(
        producer_id=lambda record: min(record.producer_id, 0)
    ),
    "begins its sequence numbers at 1, not at 0": each(
        sequence=lambda record: record.sequence + (record.producer_id >= 0)
    ),
    "writes batches of a transaction without the bit that says so": each(transactional=lambda _: False),
    "writes batches as those of markers of transactions": of_batch(attributes=lambda value, _: value | 32),
    "writes batches whose timestamps are to be the broker's": of_batch(attributes=lambda value, _: value | 8),
    "writes a last offset delta that is not that of the last record: it is 1 too high": of_batch(
        last_offset_delta=lambda value, _: value + 1
    ),
    "writes a count of records that is 1 too low": of_batch(record_count=lambda value, _: value - 1),
    "writes a wrong max timestamp of batches: that of the first record": of_batch(
        max_timestamp=lambda _, data: records.decode(data)[0].timestamp
    ),
    "writes a batch_length that is 1 too low": with_(
        batch=lambda _, data: data[:8] + (int.from_bytes(data[8:12], "big") - 1).to_bytes(4, "big") + data[12:]
    ),
    "compresses with gzip where lz4, snappy or zstd was asked for": with_(
        codec=lambda _, asked: "none" if asked.codec == "none" else "gzip"
    ),
    "does not compress where gzip or zstd was asked for": with_(codec=lambda *_: "none"),
    "asks for acks 1 where -1 or 0 was asked for": with_(acks=lambda *_: 1),
    "sends a batch twice, though no answer was late or lost": with_(times=2),
    "writes to partition 1, not to 0": with_(partition=1),
    "produces in a transaction without add_partitions_to_txn before": with_(
        apis=("init_producer_id", "produce", "end_txn")
    ),
    "sends add_partitions_to_txn only behind what it produces in a transaction": with_(
        apis=("init_producer_id", "produce", "add_partitions_to_txn", "end_txn")
    ),
    "sends init_producer_id without the id of its transaction": with_(
        apis=("add_partitions_to_txn", "produce", "end_txn"), nameless=frozenset({"init_producer_id"})
    ),
    "ends a transaction before it produces what belongs to it": with_(
        apis=("init_producer_id", "add_partitions_to_txn", "end_txn", "produce")
    ),
    "ends a transaction twice": with_(apis=(*Sound.apis, "end_txn")),
    "never ends a transaction that it was to commit": with_(apis=Sound.apis[:-1]),
}


def results(producer):
    for asked in ORDERS:
        sending = producer.sending(asked)
        reaction = OrderReaction(0, Reply(Status.ANSWER, sending.data), 0.0, sending=sending)
        yield judge_sending(asked, HELLO, "it", reaction)


def test_a_sound_producer_has_no_findings():
    assert [result for result in results(Sound()) if result.is_finding] == []


@pytest.mark.parametrize(("does", "producer"), FAULTS.items(), ids=FAULTS)
def test_one_cause_says_what_is_wrong(does, producer):
    found = [*results(producer())]
    assert any(result.is_finding for result in found)
    diagnosis = diagnose_producer("it", found, VECTORS, HELLO)
    assert [cause.does for cause in diagnosis.causes] == [does]
    assert diagnosis.unexplained == ()
