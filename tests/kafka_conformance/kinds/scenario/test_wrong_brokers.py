"""Brokers with one fault each that answer as Kafka in all else: each is found, and named first."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from kafka_conformance.kinds.scenario.causes import diagnose_scenarios
from kafka_conformance.kinds.scenario.steps import End

from tests.kafka_conformance.kinds.scenario.test_scenarios import ALL, NEWEST, results

NONE = 0


def put(field: str, old: Any, new: Any) -> Callable[[Any], Any]:
    """What gives a field another value wherever it stands; `old` is a value, or tells values."""

    def changed(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: of(item) if key == field else changed(item) for key, item in value.items()}
        return [changed(item) for item in value] if isinstance(value, list) else value

    def of(item: Any) -> Any:
        is_it = old(item) if callable(old) else item == old
        return (new(item) if callable(new) else new) if is_it else item

    return changed


def more(number: str) -> str:
    return str(int(number) + 1)


def is_offset(value: str) -> bool:
    return int(value) >= 0


FAULTS = {
    "the coordinator is never the one that is asked": (
        "offset_commit",
        put("errorCode", NONE, 25),
        "OffsetCommit/UNKNOWN_MEMBER_ID/NONE",
    ),
    "committed offsets are one too large": (
        "offset_fetch",
        put("committedOffset", is_offset, more),
        "OffsetFetch/committedOffset",
    ),
    "epochs of members are not looked at": (
        "consumer_group_heartbeat",
        put("errorCode", 110, NONE),
        "ConsumerGroupHeartbeat/NONE/FENCED_MEMBER_EPOCH",
    ),
    "a topic is made twice": ("create_topics", put("errorCode", 36, NONE), "CreateTopics/NONE/TOPIC_ALREADY_EXISTS"),
    "any name is taken": ("create_topics", put("errorCode", 17, NONE), "CreateTopics/NONE/INVALID_TOPIC_EXCEPTION"),
    "the end of the log is one too early": (
        "list_offsets",
        put("offset", is_offset, lambda offset: str(max(0, int(offset) - 1))),
        "ListOffsets/offset",
    ),
    "markers of transactions take no offset": (
        "produce",
        put("baseOffset", lambda offset: int(offset) > 1, lambda offset: str(int(offset) - 1)),
        "Produce/baseOffset",
    ),
    "gaps in sequences are let through": (
        "produce",
        put("errorCode", 45, NONE),
        "Produce/NONE/OUT_OF_ORDER_SEQUENCE_NUMBER",
    ),
    "who was fenced may end a transaction": (
        "end_txn",
        put("errorCode", lambda code: code in {47, 90}, NONE),
        "EndTxn/NONE/PRODUCER_FENCED",
    ),
    "a transaction that was not begun is ended": (
        "end_txn",
        put("errorCode", 48, NONE),
        "EndTxn/NONE/INVALID_TXN_STATE",
    ),
    "generations are not looked at": ("heartbeat", put("errorCode", 22, NONE), "Heartbeat/NONE/ILLEGAL_GENERATION"),
    "all groups are listed as empty": ("list_groups", put("groupState", "Stable", "Empty"), "ListGroups/groupState"),
    "any setting is taken": (
        "incremental_alter_configs",
        put("errorCode", 40, NONE),
        "IncrementalAlterConfigs/NONE/INVALID_CONFIG",
    ),
    "epochs of sessions are not looked at": (
        "fetch",
        put("errorCode", 71, NONE),
        "Fetch/NONE/INVALID_FETCH_SESSION_EPOCH",
    ),
    "offsets out of range are served": ("fetch", put("errorCode", 1, NONE), "Fetch/NONE/OFFSET_OUT_OF_RANGE"),
    "a group is gone as soon as its members are": (
        "describe_groups",
        put("groupState", "Empty", "Dead"),
        "DescribeGroups/groupState",
    ),
    "aborted transactions are not told": ("fetch", put("abortedTransactions", bool, []), "Fetch/abortedTransactions"),
    "an abort commits": ("fetch", put("control", "abort", "commit"), "Fetch/control"),
    "what is deleted is still the beginning": ("fetch", put("logStartOffset", "2", "0"), "Fetch/logStartOffset"),
    "an open transaction is not waited for": (
        "list_offsets",
        put("offset", "0", "3"),
        "ListOffsets/offset",
    ),
    "deliveries are not counted": ("share_fetch", put("deliveryCount", 2, 1), "ShareFetch/deliveryCount"),
    "a partition is given to two members": (
        "consumer_group_heartbeat",
        put("partitions", [0], [0, 1]),
        "ConsumerGroupHeartbeat/partitions",
    ),
    "the end of a transaction brings no epoch": ("end_txn", put("producerEpoch", 2, 1), "EndTxn/producerEpoch"),
    "a leader epoch is not kept": (
        "offset_fetch",
        put("committedLeaderEpoch", 3, -1),
        "OffsetFetch/committedLeaderEpoch",
    ),
    "settings are told as defaults": ("describe_configs", put("configSource", 1, 5), "DescribeConfigs/configSource"),
    "sessions of share groups are not looked at": (
        "share_acknowledge",
        put("errorCode", 122, NONE),
        "ShareAcknowledge/NONE/SHARE_SESSION_NOT_FOUND",
    ),
}


def faulty(api: str, change: Callable[[Any], Any], question: Any) -> Callable[[int, Any], Any]:
    """What changes the answers of one API in a scenario."""
    return lambda number, answer: change(answer) if question.scenario.steps[number].api == api else answer


@pytest.mark.parametrize("fault", FAULTS)
def test_each_wrong_broker_is_found_and_its_fault_is_the_first_cause(fault):
    api, change, cause = FAULTS[fault]
    recorded = [each for each in ALL if End.NEWEST is each.end and each.end in each.scenario.kafka.get(NEWEST, {})]
    asked = [each for each in recorded if any(step.api == api for step in each.scenario.steps)]
    found, _ = results(asked, each=partial(faulty, api, change), seconds=0.1)
    causes = diagnose_scenarios("it", found, {each.vector.id: each.vector for each in asked}).causes
    assert causes[0].id == cause, [each.id for each in causes]
