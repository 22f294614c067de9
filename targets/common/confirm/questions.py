"""What a scenario asks, over a plain socket: `questions.py HOST:PORT SCENARIO` asks any broker.

Each question shows one difference, in a version that the brokers of the targets and Kafka 4.4 have
in common, and prints what comes. The programs `ask.py` of the brokers start one, and ask it.
"""

import sys
from collections.abc import Callable, Mapping
from socket import socket

import cluster_questions as cluster
import group_questions as groups
import log_questions as log
import producer_questions as producers
import topic_questions as topics
from apis import AT_ERROR, FIND_COORDINATOR, GROUP, ONE, PRODUCER
from plain import ask_ready, connected, text

ASK: Mapping[str, Callable[[socket], None]] = {
    "scenario/access/scram-of-nobody": cluster.scram_of_nobody,
    "scenario/access/scram-refused": cluster.scram_refused,
    "scenario/cluster/api-versions-names": cluster.api_versions_with_wrong_names,
    "scenario/cluster/api-versions-of-no-version": cluster.api_versions_of_no_version,
    "scenario/cluster/move-to-no-dir": cluster.move_to_no_directory,
    "scenario/cluster/reassign": cluster.reassign_to_nobody,
    "scenario/configs/coordinator-of-nothing": cluster.coordinator_of_nothing,
    "scenario/configs/describe": topics.describe,
    "scenario/configs/quotas-refused": cluster.alter_quotas,
    "scenario/configs/refused": topics.alter,
    "scenario/fetch/sessions": log.fetch_in_no_session,
    "scenario/fetch/unknown-topic": log.fetch_of_nothing,
    "scenario/fetch/what-was-written": log.fetch_first,
    "scenario/groups/empty-id": groups.join_nothing,
    "scenario/groups/join": groups.join,
    "scenario/groups/list": groups.describe_group,
    "scenario/groups/no-protocols": groups.join_without_protocols,
    "scenario/groups/static-member": groups.join_as_static_member,
    "scenario/list-offsets/deleted-records": log.delete_records,
    "scenario/list-offsets/earliest": log.list_earliest,
    "scenario/list-offsets/max-timestamp": log.list_max_timestamp,
    "scenario/list-offsets/newer-leader-epoch": log.list_with_a_newer_epoch,
    "scenario/list-offsets/no-such-special-time": log.list_offsets_of_no_time,
    "scenario/list-offsets/time-in-nothing": log.list_offsets_in_nothing,
    "scenario/list-offsets/unknown-topic": log.list_offsets_of_no_topic,
    "scenario/offsets/commit-and-fetch": groups.commit_and_fetch,
    "scenario/offsets/metadata-too-large": groups.commit_a_long_note,
    "scenario/offsets/null-metadata": groups.commit_null,
    "scenario/offsets/unknown-group": groups.offsets_of_no_group,
    "scenario/offsets/unknown-partition": groups.commit_for_no_partition,
    "scenario/shares/join": groups.share_group,
    "scenario/topics/create-defaults": topics.create_defaults,
    "scenario/topics/empty-name": topics.say_create(""),
    "scenario/topics/metadata-by-id": topics.fetch_by_id,
    "scenario/topics/metadata-of-no-topics": topics.metadata_of_no_topics,
    "scenario/topics/name-with-a-blank": topics.say_create("two words"),
    "scenario/topics/negative-partitions": topics.say_create(partitions=-2),
    "scenario/topics/twice-in-a-request": topics.create_twice,
    "scenario/topics/unknown-config": topics.say_create(configs=ONE + text("no.such.setting") + text("1")),
    "scenario/transactions/end-of-nobody": producers.end_of_nobody,
    "scenario/transactions/end-of-nothing": producers.end_of_nothing,
    "scenario/transactions/init": producers.init_twice,
    "scenario/transactions/init-empty-id": producers.init_nothing,
    "scenario/transactions/init-long-timeout": producers.init_for_long,
    "scenario/transactions/offsets": producers.offsets_of_a_transaction,
}
"""What asks about a scenario, by its id."""


def answer(connection: socket, scenario: str) -> None:
    """Ask about a scenario; what needs a coordinator waits until there is one."""
    kinds = {"groups": (GROUP, 0), "offsets": (GROUP, 0), "shares": (GROUP, 0), "transactions": (PRODUCER, 1)}
    name, kind = kinds.get(scenario.split("/")[1], (None, 0))
    if name is not None:
        ask_ready(connection, FIND_COORDINATOR, 1, text(name) + bytes([kind]), AT_ERROR)
    ASK[scenario](connection)


if __name__ == "__main__":
    ADDRESS, SCENARIO = sys.argv[1:]
    with connected(ADDRESS) as ONE_BROKER:
        answer(ONE_BROKER, SCENARIO)
