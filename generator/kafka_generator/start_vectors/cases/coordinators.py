"""Records in the topics of coordinators; a coordinator loads them when the broker has started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.cases.case import DATA, NEWEST, Case
from kafka_generator.start_vectors.cases.facts import Facts
from kafka_generator.start_vectors.contents import key, value

_OFFSETS: Final = f"{DATA}/__consumer_offsets-0/{0:020}.log"
_TRANSACTIONS: Final = f"{DATA}/__transaction_state-0/{0:020}.log"
_SHARE: Final = f"{DATA}/__share_group_state-0/{0:020}.log"
_UPDATE: Final = "remote_log_segment_metadata_update_record"
_UNKNOWN_VERSION: Final = b"\0\x09" + bytes(20)

Records = tuple[str, str, list[tuple[bytes | None, bytes | None]]]


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    known = facts["static"]
    yield from _appended(known, "offsets/static", _OFFSETS, _offsets())
    yield from _appended(known, "transactions/static", _TRANSACTIONS, _transactions())
    yield _remote()
    known = facts["dynamic"]
    yield from _appended(known, "offsets/dynamic", _OFFSETS, _groups())
    yield from _appended(known, "share/dynamic", _SHARE, _share(known))


def _remote() -> Case:
    """Return a variant with remote log metadata; no start loads it without remote storage."""
    folder = f"{DATA}/__remote_log_metadata-0"
    partition = contents.part(_UPDATE, 0, "topic_id_partition_entry", name="plain", id=bytes(16), partition=0)
    segment = contents.part(_UPDATE, 0, "remote_log_segment_id_entry", topic_id_partition=partition, id=b"\3" * 16)
    update = contents.metadata(_UPDATE, 0, remote_log_segment_id=segment, broker_id=1, remote_log_segment_state=9)
    return Case(
        "remote/static/state-9",
        "A segment of remote storage has the state 9; RemoteLogMetadataSerde says that it cannot be null.",
        "static",
        (
            edits.write(f"{folder}/{0:020}.log", contents.batch(0, (None, update), epoch=0)),
            edits.write(f"{folder}/partition.metadata", b"version: 0\ntopic_id: 0123456789ABCDEFGHIJKA"),
        ),
        breaks=("log.contents.remote",),
    )


def _appended(facts: Facts, where: str, path: str, records: Iterator[Records]) -> Iterator[Case]:
    """Yield variants with records behind a log."""
    for name, title, content in records:
        change = edits.append(path, contents.batch(facts.end(path), *content, epoch=1))
        yield Case(
            f"{where}/{name}",
            title,
            facts.name,
            (change,),
            releases=("3.9.2", "4.4.0") if facts.name == "static" else NEWEST,
        )


def _offsets() -> Iterator[Records]:
    commit = key("offset_commit_key", group="group-a", topic="plain", partition=0)
    group = key("group_metadata_key", group="group-a")
    good = value("offset_commit_value", 3, offset=6, leader_epoch=-1, metadata="", commit_timestamp=1_790_000_000_000)
    yield "sound", "A sound offset is committed.", [(commit, good)]
    yield "value-cut", "A committed offset is cut.", [(commit, good[:4])]
    yield "value-empty", "A committed offset has no bytes.", [(commit, b"")]
    yield "value-behind", "Three bytes stand behind a committed offset.", [(commit, good + b"\1\2\3")]
    yield "value-version", "A committed offset has the version 9.", [(commit, _UNKNOWN_VERSION)]
    yield "group-version", "A group has the version 9.", [(group, _UNKNOWN_VERSION)]
    yield "key-unknown", "A key has the type 99.", [(b"\0\x63" + commit[2:], good)]
    yield "key-empty", "A key has no bytes.", [(b"", good)]
    yield "key-null", "A record has no key.", [(None, good)]
    yield "key-cut", "A key is cut.", [(commit[:-2], good)]
    yield (
        "tombstones-of-none",
        "Tombstones of what never was.",
        [
            (key("group_metadata_key", group="nobody"), None),
            (key("offset_commit_key", group="nobody", topic="plain", partition=0), None),
        ],
    )
    beyond = [
        ("plain", 0, 5000),
        ("plain", 1, -1),
        ("nobody", 0, 3),
        ("plain", 77, 3),
    ]
    yield (
        "offsets-outside",
        "Offsets are committed that no log has.",
        [
            (
                key("offset_commit_key", group="group-a", topic=topic, partition=partition),
                value(
                    "offset_commit_value",
                    3,
                    offset=offset,
                    leader_epoch=-1,
                    metadata="",
                    commit_timestamp=1_790_000_000_000,
                ),
            )
            for topic, partition, offset in beyond
        ],
    )


def _groups() -> Iterator[Records]:
    """Yield records of groups of newer protocols, which only a new coordinator reads."""
    member = {"group_id": "group-d", "member_id": "member-1"}
    consumer = key("consumer_group_metadata_key", group_id="group-d")
    assignment = key("consumer_group_current_member_assignment_key", **member)
    epoch = value("consumer_group_metadata_value", 0, epoch=2)
    metadata = value(
        "consumer_group_member_metadata_value",
        0,
        client_id="me",
        client_host="/127.0.0.1",
        subscribed_topic_names=["plain"],
        rebalance_timeout_ms=1000,
    )
    held = value("consumer_group_current_member_assignment_value", 0, member_epoch=2, previous_member_epoch=1)
    yield (
        "consumer-over-classic",
        "A consumer group has the name of a classic group with members.",
        [
            (key("group_metadata_key", group="group-e"), _classic(generation=3)),
            (key("consumer_group_metadata_key", group_id="group-e"), epoch),
        ],
    )
    yield (
        "classic-over-consumer",
        "A classic group has the name of a consumer group.",
        [
            (key("group_metadata_key", group="group-c"), _classic(generation=3)),
        ],
    )
    whole = [
        (key("consumer_group_member_metadata_key", **member), metadata),
        (consumer, epoch),
        (
            key("consumer_group_target_assignment_member_key", **member),
            value("consumer_group_target_assignment_member_value", 0),
        ),
        (
            key("consumer_group_target_assignment_metadata_key", group_id="group-d"),
            value("consumer_group_target_assignment_metadata_value", 0, assignment_epoch=2),
        ),
        (assignment, held),
    ]
    yield "consumer-whole", "A consumer group with a member.", list(whole)
    yield (
        "member-removed-early",
        "A member is removed whose assignment is still there.",
        [
            *whole,
            (key("consumer_group_member_metadata_key", **member), None),
        ],
    )
    yield "group-removed-early", "A consumer group is removed whose member is still there.", [*whole, (consumer, None)]
    yield (
        "target-removed-early",
        "The target of a consumer group is removed, and that of its member is there.",
        [
            *whole,
            (key("consumer_group_target_assignment_metadata_key", group_id="group-d"), None),
        ],
    )
    yield "assignment-alone", "A member of a group that never was has an assignment.", [(assignment, held)]
    yield (
        "expression-alone",
        "A group that never was has a regular expression.",
        [
            (
                key("consumer_group_regular_expression_key", group_id="group-d", regular_expression="a.*"),
                value("consumer_group_regular_expression_value", 0, topics=["plain"], version=1, timestamp=1),
            ),
        ],
    )
    yield (
        "share-over-consumer",
        "A share group has the name of a consumer group.",
        [
            (key("share_group_metadata_key", group_id="group-c"), value("share_group_metadata_value", 0, epoch=2)),
        ],
    )
    yield (
        "share-member-of-consumer",
        "A member of a share group is in a consumer group.",
        [
            (
                key("share_group_member_metadata_key", group_id="group-c", member_id="m"),
                value(
                    "share_group_member_metadata_value",
                    0,
                    client_id="me",
                    client_host="/127.0.0.1",
                    subscribed_topic_names=["plain"],
                ),
            ),
        ],
    )
    yield (
        "partition-metadata",
        "A record of a kind that 4.1 no longer writes.",
        [
            (
                key("consumer_group_partition_metadata_key", group_id="group-d"),
                value("consumer_group_partition_metadata_value", 0),
            ),
        ],
    )
    yield (
        "partition-metadata-tombstone",
        "A tombstone of a kind that 4.1 no longer writes.",
        [
            (key("consumer_group_partition_metadata_key", group_id="group-c"), None),
        ],
    )


def _classic(generation: int) -> bytes:
    member = contents.part(
        "group_metadata_value",
        3,
        "member_metadata",
        member_id="m",
        client_id="c",
        client_host="/127.0.0.1",
        rebalance_timeout=1000,
        session_timeout=1000,
        subscription=bytes(10),
        assignment=bytes(10),
    )
    return value(
        "group_metadata_value",
        3,
        protocol_type="consumer",
        generation=generation,
        protocol="range",
        leader="m",
        current_state_timestamp=1_790_000_000_000,
        members=[member],
    )


def _transactions() -> Iterator[Records]:
    name = key("transaction_log_key", transactional_id="payer-0")

    def state(status: int, partitions: Any = (), **more: Any) -> bytes:
        values = {
            "producer_id": 2,
            "producer_epoch": 5,
            "transaction_timeout_ms": 60_000,
            "transaction_status": status,
            "transaction_partitions": partitions,
            "transaction_last_update_timestamp_ms": 1_790_000_000_000,
            "transaction_start_timestamp_ms": 1_790_000_000_000,
        }
        return value("transaction_log_value", 0, **(values | more))

    yield "sound", "A transactional id gets an epoch.", [(name, state(0, None))]
    yield "value-cut", "A value is cut.", [(name, state(0, None)[:9])]
    yield "value-empty", "A value has no bytes.", [(name, b"")]
    yield "value-behind", "Three bytes stand behind a value.", [(name, state(0, None) + b"\1\2\3")]
    yield "value-version", "A value has the version 9.", [(name, _UNKNOWN_VERSION)]
    yield "key-null", "A record has no key.", [(None, state(0, None))]
    yield "key-empty", "A key has no bytes.", [(b"", state(0, None))]
    yield "key-cut", "A key is cut.", [(name[:-3], state(0, None))]
    yield "key-version", "A key has the version 5.", [(b"\0\5" + name[2:], state(0, None))]
    yield "status-8", "A state is 8.", [(name, state(8))]
    yield "status-negative", "A state is -1.", [(name, state(-1))]
    yield "partitions-null", "A transaction is ongoing, and its partitions are null.", [(name, state(1, None))]
    yield (
        "partitions-null-complete",
        "A transaction is complete, and its partitions are null.",
        [(name, state(4, None))],
    )
    yield "dead", "A state is Dead.", [(name, state(6))]
    yield "epoch-fence", "A state is PrepareEpochFence.", [(name, state(7))]
    yield "epoch-negative", "An epoch is -32768.", [(name, state(0, None, producer_epoch=-32768))]
    yield "empty-with-partitions", "A state is Empty, with partitions.", [(name, state(0, _partitions("plain")))]
    yield (
        "commit-of-no-topic",
        "A transaction of a topic that is not there is to be committed.",
        [(name, state(2, _partitions("nobody")))],
    )
    yield "tombstone", "A transactional id is removed.", [(name, None)]
    yield (
        "behind-a-fault",
        "A state is cut, and another id stands behind it.",
        [
            (name, state(0, None)[:9]),
            (key("transaction_log_key", transactional_id="late"), state(0, None)),
        ],
    )


def _partitions(topic: str) -> list[Any]:
    return [contents.part("transaction_log_value", 0, "partitions_schema", topic=topic, partition_ids=[0])]


def _share(facts: Facts) -> Iterator[Records]:
    at = {"group_id": "group-s", "topic_id": facts.topic_ids["plain"], "partition": 0}
    snapshot, update = key("share_snapshot_key", **at), key("share_update_key", **at)
    run = contents.part(
        "share_update_value", 0, "state_batch", first_offset=12, last_offset=17, delivery_state=2, delivery_count=1
    )
    good = value("share_update_value", 0, snapshot_epoch=0, leader_epoch=0, start_offset=12, state_batches=[run])
    whole = value(
        "share_snapshot_value",
        0,
        snapshot_epoch=3,
        state_epoch=2,
        leader_epoch=0,
        start_offset=12,
        create_timestamp=1,
        write_timestamp=1,
    )
    yield "sound", "A sound update.", [(update, good)]
    yield "value-cut", "An update is cut.", [(update, good[:9])]
    yield "value-version", "An update has the version 9.", [(update, b"\0\x09" + good[2:])]
    yield "value-empty", "A snapshot has no bytes.", [(snapshot, b"")]
    yield "key-unknown", "A key has the type 9.", [(b"\0\x09" + update[2:], good)]
    yield "key-null", "A record has no key.", [(None, good)]
    yield "key-cut", "A key is cut.", [(update[:-2], good)]
    late = key("share_update_key", group_id="group-t", topic_id=facts.topic_ids["plain"], partition=0)
    yield "update-alone", "An update of a group without a snapshot.", [(late, good)]
    yield (
        "epochs-back",
        "A snapshot has lower epochs than before.",
        [
            (snapshot, whole),
            (
                snapshot,
                value(
                    "share_snapshot_value",
                    0,
                    snapshot_epoch=1,
                    state_epoch=1,
                    leader_epoch=-1,
                    start_offset=0,
                    create_timestamp=1,
                    write_timestamp=1,
                ),
            ),
        ],
    )
    odd = contents.part(
        "share_update_value", 0, "state_batch", first_offset=17, last_offset=12, delivery_state=9, delivery_count=-1
    )
    yield (
        "batches-odd",
        "A run of records ends before it begins, in a state that is none.",
        [
            (
                update,
                value("share_update_value", 0, snapshot_epoch=0, leader_epoch=0, start_offset=12, state_batches=[odd]),
            )
        ],
    )
    yield "tombstone", "The state of a partition is removed.", [(snapshot, None)]
