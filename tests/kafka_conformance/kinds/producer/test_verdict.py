"""What is wrong with batches and requests that no record shows."""

from types import SimpleNamespace

import pytest
from kafka_conformance.judging.result import produced
from kafka_conformance.kinds.producer import verdict
from kafka_conformance.kinds.producer.questions import order
from kafka_conformance.kinds.producer.sending import Sending, SentRequest
from kafka_conformance.vectors import loader, orders
from kafka_format import records
from kafka_format.records import Record
from kafka_tools.server.state import Produced

ORDERS = {vector.id: order(vector) for vector in loader.of_family(orders.FAMILY)}
MANY = ORDERS["produce/v2/many/none"]
IDEMPOTENT = ORDERS["produce/v2/idempotent/none"]
TRANSACTION = ORDERS["produce/v2/transaction/none"]


def batch(sequence=-1, count=2, producer=-1, **more):
    made = [
        Record(index, 1, 0, None, b"v", (), producer, 0 if producer >= 0 else -1, sequence + index, **more)
        if producer >= 0
        else Record(index, 1, 0, None, b"v")
        for index in range(count)
    ]
    return records.encode(made)


def paths(order, *sent, version=9):
    sending = Sending(produced_records=[Produced("t", version, one, acks=-1) for one in sent])
    found = (
        *verdict.of_formats(order, sending),
        *verdict.of_batches(order, sending),
        *verdict.of_requests(order, sending),
    )
    return [one.path if one.request is None else produced(one.request) + one.path for one in found]


def test_plain_batches():
    assert paths(MANY, batch()) == []
    assert paths(MANY, batch(sequence=0, producer=7)) == ["produce[0].records[0].producer_id"]


def test_equal_records_in_requests_of_their_own_are_no_repeat():
    order = ORDERS["produce/v2/headers-of-some"]
    alone = [records.encode([Record(0, 1, 0, None, b"v")])] * len(order.records)
    sending = Sending(produced_records=[Produced("t", 9, one, acks=-1) for one in alone])
    assert not [*verdict.of_repeats(order, sending)]
    sending.produced_records.append(sending.produced_records[0])
    assert [*verdict.of_repeats(order, sending)]


def test_sequences_go_on_from_batch_to_batch():
    assert paths(IDEMPOTENT, batch(0, producer=7), batch(2, producer=7)) == []
    assert paths(IDEMPOTENT, batch(0, producer=7), batch(3, producer=7)) == ["produce[1].records[0].base_sequence"]
    assert paths(IDEMPOTENT, batch()) == ["produce[0].records[0].producer_id"]


@pytest.mark.parametrize(
    ("producer", "epoch", "found"),
    [
        (1, 0, []),
        (2, 0, []),
        (3, 0, ["producer_id"]),
        (2, 1, ["producer_epoch"]),
        (0, 7, ["producer_id", "producer_epoch"]),
    ],
)
def test_id_and_epoch_are_those_that_the_broker_gave(producer, epoch, found):
    sent = records.encode([Record(0, 1, 0, None, b"v", (), producer, epoch, 0)])
    sending = Sending(produced_records=[Produced("t", 9, sent, acks=-1)], ids=range(1, 3))
    assert [one.path for one in verdict.of_batches(IDEMPOTENT, sending)] == [f".records[0].{name}" for name in found]


def test_a_partition_of_a_request_has_one_batch():
    assert paths(MANY, batch() + batch()) == ["produce[0].records"]


@pytest.mark.parametrize(("version", "found"), [(9, 0), (3, 0), (2, 1), (1, 1)])
def test_the_format_fits_the_version(version, found):
    assert sum("magic" in path for path in paths(MANY, batch(), version=version)) == found


def test_a_transaction():
    data = batch(0, producer=7, transactional=True)
    end = SentRequest("end_txn", 3, SimpleNamespace(committed=True))
    asked = [SentRequest(api, 3, None) for api in ("init_producer_id", "add_partitions_to_txn", "produce")]
    produced = [Produced("t", 9, data, None, "id", -1)]
    sound = Sending([*asked, end], produced)
    assert not [*verdict.of_batches(TRANSACTION, sound), *verdict.of_requests(TRANSACTION, sound)]
    late = Sending([asked[0], asked[2], asked[1], end], produced)
    assert [wrong.expected for wrong in verdict.of_requests(TRANSACTION, late)] == [
        "add_partitions_to_txn before produce"
    ]
    open_ended = Sending(asked, produced)
    assert [wrong.expected for wrong in verdict.of_requests(TRANSACTION, open_ended)] == ["one end_txn that commits"]
