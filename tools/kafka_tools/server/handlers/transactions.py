"""Transactions: everything is agreed to, unless the settings say that the broker looks at them."""

from __future__ import annotations

from typing import Any, Final

from kafka_tools.server.error_codes import NO_ERROR
from kafka_tools.server.producers import Fate
from kafka_tools.server.state import Call

_EPOCH_RISES: Final = 5
"""The version of EndTxn since which a producer gets the epoch of its next transaction (KIP-890)."""


async def init_producer_id(call: Call) -> Any:
    """Give a producer id, or the next epoch to a transaction that has one.

    Without a transactional id, and to one that is new, Kafka gives a new id whatever id is asked
    with (TransactionCoordinator.handleInitProducerId).
    """
    known, epoch = call.field("producer_id", -1), call.field("producer_epoch", -1)
    if _is_checked(call):
        error, known, epoch = call.state.producers.init(call.body.transactional_id, known, epoch)
        return call.answer(error_code=error, producer_id=known, producer_epoch=epoch)
    if call.body.transactional_id is not None and known in call.state.producers.ids:
        return call.answer(producer_id=known, producer_epoch=epoch + 1)
    return call.answer(producer_id=call.state.producers.new_id(), producer_epoch=0)


async def add_partitions_to_txn(call: Call) -> Any:
    """Take partitions into a transaction."""
    body, error = call.body, NO_ERROR
    if _is_checked(call):
        topics = (topic.name for topic in body.v3_and_below_topics)
        said = body.v3_and_below_transactional_id, body.v3_and_below_producer_id, body.v3_and_below_producer_epoch
        error = call.state.producers.add(*said, topics)
    partition, topic = "add_partitions_to_txn_partition_result", "add_partitions_to_txn_topic_result"
    results = []
    for older_topic in body.v3_and_below_topics:
        told = [
            call.make(partition, partition_index=index, partition_error_code=error) for index in older_topic.partitions
        ]
        results.append(call.make(topic, name=older_topic.name, results_by_partition=told))
    return call.answer(results_by_topic_v3_and_below=results)


async def add_offsets_to_txn(call: Call) -> Any:
    """Agree."""
    return call.answer()


async def end_txn(call: Call) -> Any:
    """End a transaction; since version 5 a producer gets the epoch of its next one."""
    body, rises = call.body, call.version >= _EPOCH_RISES
    if not _is_checked(call):
        return call.answer(producer_id=body.producer_id, producer_epoch=body.producer_epoch + 1)
    fate = Fate.COMMITTED if body.committed else Fate.ABORTED
    said = body.transactional_id, body.producer_id, body.producer_epoch
    error, epoch = call.state.producers.end(*said, fate, raises=rises)
    return call.answer(error_code=error, producer_id=-1 if error else body.producer_id, producer_epoch=epoch)


def _is_checked(call: Call) -> bool:
    return call.state.settings.checks_producers and not call.state.is_refusing
