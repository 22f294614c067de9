"""Records behind the metadata log: some do not decode, some contradict what is before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from kafka_generator.start_vectors import contents, edits
from kafka_generator.start_vectors.cases.case import NEWEST, Case
from kafka_generator.start_vectors.cases.facts import LOG, Facts
from kafka_generator.start_vectors.contents import metadata

_UNKNOWN_ID: Final = b"\7" * 16
_KRAFT_VERSION, _VOTERS = 5, 6
_TOPIC_RESOURCE, _BROKER_RESOURCE = 2, 4

Values = list[bytes | None]

_OF_NEW: Final = {
    "value-cut",
    "unknown-type",
    "fence-stale",
    "partition-of-no-topic",
    "topic-twice",
    "feature-level",
    "transaction-open",
    "topic-removed",
    "config-no-number",
    "config-small-segments",
}
"""What is put behind a log of 4.4.0 as well."""


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    for base in ("static", "dynamic"):
        known, releases = facts[base], ("3.9.2", "4.4.0") if base == "static" else NEWEST
        for name, title, values in (*_undecodable(known), *_contradictions(known), *_taken(known), *_configs()):
            if base == "dynamic" and name not in _OF_NEW:
                continue
            change = edits.append(LOG, contents.of_metadata(known.end(), *values))
            yield Case(f"record/{base}/{name}", title, base, (change,), releases=releases)
        for name, title, data in _batches(known):
            yield Case(f"record/{base}/{name}", title, base, (edits.append(LOG, data),), releases=releases)
    known = facts["dynamic"]
    for name, title, values in _newer():
        change = edits.append(LOG, contents.of_metadata(known.end(), *values))
        yield Case(f"record/dynamic/{name}", title, "dynamic", (change,), releases=NEWEST)
    for name, title, values in _downgrades(facts["static"]):
        change = edits.append(LOG, contents.of_metadata(facts["static"].end(), *values))
        yield Case(f"downgrade/{name}", title, "static", (change,))


def _config(name: str, value: str | None, *, resource: int = _TOPIC_RESOURCE, of: str = "plain") -> bytes:
    return metadata("config_record", 0, resource_type=resource, resource_name=of, name=name, value=value)


def _undecodable(facts: Facts) -> Iterator[tuple[str, str, Values]]:
    config = _config("retention.ms", "1")
    yield "value-cut", "A record is cut inside a text.", [config[:-9]]
    yield "bytes-behind", "Three bytes stand behind a record.", [config + b"\1\2\3"]
    yield "frame-0", "A record has the frame version 0.", [contents.framed(20, 0, b"\0", frame=0)]
    yield "frame-2", "A record has the frame version 2.", [contents.framed(20, 0, b"\0", frame=2)]
    yield "unknown-type", "A record has the type 99.", [contents.framed(99, 0, b"\0")]
    yield "empty-value", "A record has an empty value.", [b""]
    yield "null-value", "A record has no value.", [None]
    yield "frame-only", "A record ends behind its type.", [b"\1\2"]
    removed = metadata("topic_record", 0, name="late", topic_id=_UNKNOWN_ID)
    yield (
        "unknown-version",
        "A topic record has the version 7, which no release has.",
        [removed[:2] + b"\7" + removed[3:]],
    )
    endpoint = contents.part(
        "register_broker_record", 0, "broker_endpoint", name="PLAINTEXT", host="127.0.0.1", port=9092
    )
    broker = metadata("register_broker_record", 0, broker_id=8, broker_epoch=facts.end(), end_points=[endpoint])
    yield "unknown-version-nested", "A record of version 9 has an element in it.", [broker[:2] + b"\x09" + broker[3:]]
    yield (
        "behind-sound-ones",
        "Three sound records stand before one of type 99.",
        [
            *[metadata("no_op_record")] * 3,
            contents.framed(99, 0, b"\0"),
        ],
    )


def _contradictions(facts: Facts) -> Iterator[tuple[str, str, Values]]:
    epoch, plain, gone = facts.broker_epoch, facts.topic_ids["plain"], facts.topic_ids["gone"]

    def of_broker(layout: str, node: int, known: int, **more: Any) -> bytes:
        field = "id" if layout != "broker_registration_change_record" and "unregister" not in layout else "broker_id"
        epoch_field = "epoch" if field == "id" else "broker_epoch"
        return metadata(layout, 0, **{field: node, epoch_field: known, **more})

    yield "fence-stale", "A broker is fenced in an old epoch.", [of_broker("fence_broker_record", 1, epoch - 1)]
    yield "unfence-stale", "A broker is unfenced in an old epoch.", [of_broker("unfence_broker_record", 1, epoch - 1)]
    yield "fence-unknown", "A broker is fenced that is not registered.", [of_broker("fence_broker_record", 5, 1)]
    yield (
        "change-stale",
        "A registration is changed in an old epoch.",
        [of_broker("broker_registration_change_record", 1, epoch - 1, fenced=1)],
    )
    yield (
        "change-odd",
        "A registration is changed to a value that is none.",
        [of_broker("broker_registration_change_record", 1, epoch, fenced=2)],
    )
    yield (
        "unregister-stale",
        "A broker is unregistered in an old epoch.",
        [of_broker("unregister_broker_record", 1, epoch - 1)],
    )
    yield (
        "unregister-unknown",
        "A broker is unregistered that is not there.",
        [of_broker("unregister_broker_record", 5, 1)],
    )
    change = {"partition_id": 0, "isr": [1]}
    yield (
        "partition-of-no-topic",
        "A partition is changed whose topic is not there.",
        [metadata("partition_change_record", 0, topic_id=_UNKNOWN_ID, **change)],
    )
    yield (
        "partition-of-removed-topic",
        "A partition is changed whose topic was removed.",
        [metadata("partition_change_record", 0, topic_id=gone, **change)],
    )
    yield (
        "no-partition",
        "A partition is changed that is not there.",
        [metadata("partition_change_record", 0, topic_id=plain, partition_id=9, isr=[1])],
    )
    new = {"replicas": [1], "isr": [1], "leader": 1, "leader_epoch": 0, "partition_epoch": 0}
    yield (
        "new-partition-of-no-topic",
        "A partition is made of a topic that is not there.",
        [metadata("partition_record", 0, partition_id=0, topic_id=_UNKNOWN_ID, **new)],
    )
    yield (
        "remove-no-topic",
        "A topic is removed that is not there.",
        [metadata("remove_topic_record", 0, topic_id=_UNKNOWN_ID)],
    )
    yield (
        "topic-twice",
        "A topic is made again, with its id.",
        [metadata("topic_record", 0, name="plain", topic_id=plain)],
    )
    yield (
        "topic-name-twice",
        "A topic is made with a name that is taken.",
        [metadata("topic_record", 0, name="plain", topic_id=_UNKNOWN_ID)],
    )
    yield "metadata-version-unknown", "metadata.version is set to 99.", [_feature("metadata.version", 99)]
    yield "metadata-version-below", "metadata.version is set to 3.", [_feature("metadata.version", 3)]
    yield "feature-unknown", "A feature is set that no release has.", [_feature("colour.version", 1)]
    yield "feature-unknown-zero", "A feature that no release has is set to 0.", [_feature("colour.version", 0)]
    yield "feature-level", "group.version is set to 9.", [_feature("group.version", 9)]
    yield (
        "remove-no-acl",
        "An entry of access control is removed that is not there.",
        [metadata("remove_access_control_entry_record", 0, id=_UNKNOWN_ID)],
    )
    begin, end, abort = (metadata(f"{verb}_transaction_record", 0) for verb in ("begin", "end", "abort"))
    yield "begin-twice", "A transaction of metadata begins twice.", [begin, begin]
    yield "end-without-begin", "A transaction of metadata ends that did not begin.", [end]
    yield "abort-without-begin", "A transaction of metadata is aborted that did not begin.", [abort]
    yield (
        "unregister-controller",
        "A controller is unregistered that is not there.",
        [metadata("unregister_controller_record", 0, controller_id=5)],
    )
    yield (
        "remove-no-token",
        "A delegation token is removed that is not there.",
        [_no_token()],
    )
    yield (
        "remove-no-scram",
        "A SCRAM credential is removed that is not there.",
        [metadata("remove_user_scram_credential_record", 0, name="nobody", mechanism=1)],
    )
    yield (
        "producer-ids-back",
        "The next producer id goes back.",
        [metadata("producer_ids_record", 0, broker_id=1, broker_epoch=epoch, next_producer_id=0)],
    )
    yield (
        "producer-ids-other",
        "Producer ids are for a broker that is not registered.",
        [metadata("producer_ids_record", 0, broker_id=5, broker_epoch=1, next_producer_id=9000)],
    )


def _no_token() -> bytes:
    return metadata("remove_delegation_token_record", 0, token_id="none")  # noqa: S106 - an id


def _feature(name: str, level: int) -> bytes:
    return metadata("feature_level_record", 0, name=name, feature_level=level)


def _taken(facts: Facts) -> Iterator[tuple[str, str, Values]]:
    """Yield records that Kafka takes without an error, so that something is another than before."""
    plain, epoch = facts.topic_ids["plain"], facts.broker_epoch
    yield "no-op", "A record that means nothing stands there.", [metadata("no_op_record")]
    begin = metadata("begin_transaction_record", 0, name="creation")
    yield (
        "transaction-open",
        "A transaction of metadata begins, and does not end.",
        [begin, _config("retention.ms", "5")],
    )
    end = metadata("end_transaction_record", 0)
    yield "transaction-whole", "A transaction of metadata begins and ends.", [begin, _config("retention.ms", "5"), end]
    abort = metadata("abort_transaction_record", 0, reason="why not")
    yield (
        "transaction-aborted",
        "A transaction of metadata is aborted that removes a topic that is not there.",
        [
            begin,
            metadata("remove_topic_record", 0, topic_id=_UNKNOWN_ID),
            abort,
        ],
    )
    yield (
        "transaction-open-contradiction",
        "A transaction that does not end removes a topic that is not there.",
        [
            begin,
            metadata("remove_topic_record", 0, topic_id=_UNKNOWN_ID),
        ],
    )
    scram = metadata(
        "user_scram_credential_record",
        0,
        name="me",
        mechanism=9,
        salt=b"s",
        stored_key=b"k",
        server_key=b"k",
        iterations=4096,
    )
    yield "scram-unknown", "A SCRAM credential has an unknown mechanism.", [scram]
    yield "config-unknown-resource", "A setting is of an unknown kind of resource.", [_config("a", "b", resource=99)]
    yield (
        "config-of-no-topic",
        "A setting is of a topic that is not there.",
        [_config("retention.ms", "5", of="nobody")],
    )
    yield (
        "register-again",
        "A broker is registered again.",
        [
            metadata(
                "register_broker_record",
                0,
                broker_id=1,
                broker_epoch=facts.end(),
                incarnation_id=b"\5" * 16,
                fenced=True,
            )
        ],
    )
    yield (
        "topic-removed",
        "A topic is removed whose folder is there.",
        [metadata("remove_topic_record", 0, topic_id=plain)],
    )
    yield (
        "partition-elsewhere",
        "A partition is moved to another broker.",
        [
            metadata(
                "register_broker_record",
                0,
                broker_id=8,
                broker_epoch=facts.end(),
                incarnation_id=b"\5" * 16,
                fenced=True,
            ),
            metadata("partition_change_record", 0, topic_id=plain, partition_id=0, replicas=[8], isr=[8], leader=8),
        ],
    )
    yield (
        "partition-added",
        "A partition is made that has no folder.",
        [
            metadata(
                "partition_record",
                0,
                partition_id=2,
                topic_id=plain,
                replicas=[1],
                isr=[1],
                leader=1,
                leader_epoch=0,
                partition_epoch=0,
            )
        ],
    )
    yield (
        "unregister",
        "The broker itself is unregistered.",
        [metadata("unregister_broker_record", 0, broker_id=1, broker_epoch=epoch)],
    )
    yield (
        "quota",
        "A client quota is set.",
        [
            metadata(
                "client_quota_record",
                0,
                key="producer_byte_rate",
                value=1000.0,
                remove=False,
                entity=[contents.part("client_quota_record", 0, "entity_data", entity_type="user", entity_name="me")],
            )
        ],
    )
    yield (
        "quota-unknown-entity",
        "A client quota is of an unknown kind of entity.",
        [
            metadata(
                "client_quota_record",
                0,
                key="producer_byte_rate",
                value=1000.0,
                remove=False,
                entity=[contents.part("client_quota_record", 0, "entity_data", entity_type="colour", entity_name="me")],
            )
        ],
    )


def _configs() -> Iterator[tuple[str, str, Values]]:
    """Yield settings of topics; a broker reads those of its partitions when it loads them."""
    yield "config-no-number", "retention.ms of a topic is no number.", [_config("retention.ms", "abc")]
    yield "config-small-segments", "segment.bytes of a topic is 16384.", [_config("segment.bytes", "16384")]
    yield "config-tiny-segments", "segment.bytes of a topic is 10.", [_config("segment.bytes", "10")]
    yield "config-unknown", "A topic has an unknown setting.", [_config("colour", "blue")]
    yield (
        "config-other-topic",
        "retention.ms of a topic without a folder is no number.",
        [_config("retention.ms", "abc", of="nobody")],
    )
    yield "config-policy", "cleanup.policy of a topic is unknown.", [_config("cleanup.policy", "burn")]
    yield "config-boolean", "preallocate of a topic is neither true nor false.", [_config("preallocate", "maybe")]
    yield "config-ratio", "min.cleanable.dirty.ratio of a topic is 7.", [_config("min.cleanable.dirty.ratio", "7")]
    yield (
        "config-broker",
        "A setting of the broker is no number.",
        [_config("log.cleaner.threads", "abc", resource=_BROKER_RESOURCE, of="1")],
    )
    yield (
        "config-format",
        "message.format.version of a topic, which 4.0 removed.",
        [_config("message.format.version", "2.8")],
    )


def _batches(facts: Facts) -> Iterator[tuple[str, str, bytes]]:
    """Yield whole batches."""
    end = facts.end()
    no_op = metadata("no_op_record")
    yield "key", "A record has a key.", contents.batch(end, (b"k", no_op))
    yield "control-unknown", "A control record has the type 42.", contents.control(end, 42, bytes(2))
    yield (
        "control-key-short",
        "A control record has a key of two bytes.",
        contents.batch(end, (b"\0\0", bytes(2)), attributes=contents.CONTROL),
    )
    yield (
        "kraft-version-unknown",
        "kraft.version is set to 7.",
        contents.control(end, _KRAFT_VERSION, contents.schema("kraft_version_record", kraft_version=7)),
    )
    yield "gap", "An offset is left out before the last batch.", contents.of_metadata(end + 5, no_op)
    yield (
        "epoch-back",
        "The last batch is of an older epoch than the one before.",
        contents.of_metadata(end, no_op, epoch=0),
    )
    yield (
        "compressed",
        "The last batch says that it is compressed, and is not.",
        contents.batch(end, (None, no_op), attributes=1),
    )
    voter = contents.part(
        "voters_record",
        0,
        "voter",
        voter_id=2,
        voter_directory_id=b"\5" * 16,
        endpoints=[contents.part("voters_record", 0, "endpoint", name="CONTROLLER", host="127.0.0.1", port=9093)],
        kraft_version_feature=contents.part(
            "voters_record", 0, "kraft_version_feature", min_supported_version=0, max_supported_version=1
        ),
    )
    yield (
        "voters-without-me",
        "The voters are others than this node.",
        contents.control(end, _VOTERS, contents.schema("voters_record", voters=[voter])),
    )


def _newer() -> Iterator[tuple[str, str, Values]]:
    yield "share-version", "share.version is set to 9.", [_feature("share.version", 9)]
    yield (
        "clear-elr",
        "The eligible leader replicas of a topic that is not there are cleared.",
        [metadata("clear_elr_record", 0, topic_name="nobody")],
    )


def _downgrades(facts: Facts) -> Iterator[tuple[str, str, Values]]:
    yield "metadata-version", "metadata.version is 33, that of 4.4.", [_feature("metadata.version", 33)]
    yield "share-version", "share.version is 1, that of 4.2 and newer.", [_feature("share.version", 1)]
    yield "clear-elr", "A record of a kind that 4.0 brought.", [metadata("clear_elr_record", 0, topic_name="plain")]
    yield "unregister-controller-type", "A record of a kind that 4.4 brought.", [contents.framed(29, 0, b"\0\0\0\5\0")]
    broker = metadata(
        "register_broker_record", 4, broker_id=8, broker_epoch=facts.end(), incarnation_id=b"\5" * 16, fenced=True
    )
    yield "broker-version", "A registration in the version of 4.3, without endpoints.", [broker]
    endpoint = contents.part(
        "register_broker_record", 4, "broker_endpoint", name="PLAINTEXT", host="127.0.0.1", port=9092
    )
    nested = metadata(
        "register_broker_record",
        4,
        broker_id=8,
        broker_epoch=facts.end(),
        incarnation_id=b"\5" * 16,
        fenced=True,
        end_points=[endpoint],
    )
    yield "broker-version-nested", "A registration in the version of 4.3, with an endpoint.", [nested]
