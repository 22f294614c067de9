"""Transactions, as far as producers insist: everything is agreed to, and nothing is written."""

from __future__ import annotations

from typing import Any

from kafka_tools.server.state import Call


async def init_producer_id(call: Call) -> Any:
    """Give a producer id, or the next epoch to who has one."""
    known, epoch = call.field("producer_id", -1), call.field("producer_epoch", -1)
    if known >= 0:
        return call.answer(producer_id=known, producer_epoch=epoch + 1)
    call.state.producer_ids += 1
    return call.answer(producer_id=call.state.producer_ids, producer_epoch=0)


async def add_partitions_to_txn(call: Call) -> Any:
    """Agree."""
    partition, topic = "add_partitions_to_txn_partition_result", "add_partitions_to_txn_topic_result"
    results = []
    for older_topic in call.body.v3_and_below_topics:
        agreed = [call.make(partition, partition_index=index) for index in older_topic.partitions]
        results.append(call.make(topic, name=older_topic.name, results_by_partition=agreed))
    return call.answer(results_by_topic_v3_and_below=results)


async def add_offsets_to_txn(call: Call) -> Any:
    """Agree."""
    return call.answer()


async def end_txn(call: Call) -> Any:
    """Agree; since version 5 a producer gets the epoch of its next transaction (KIP-890)."""
    return call.answer(producer_id=call.body.producer_id, producer_epoch=call.body.producer_epoch + 1)
