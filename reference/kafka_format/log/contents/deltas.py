"""What a record of metadata does to the image, as the deltas of Kafka's image do it.

Each function takes the image, the record's value, and the release; it raises `Refused` where the
delta of the same name throws (metadata, package image).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kafka_format.log.contents.features import METADATA_VERSION, check_metadata_version
from kafka_format.log.contents.image import Broker, Image, Partition, Topic
from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.releases import Release
from kafka_format.log.text.lines import id_text

_TOPIC: Final = 2
_ISE: Final = "IllegalStateException"
_RUNTIME: Final = "RuntimeException"
_WITHOUT_ZOOKEEPER: Final = (4, 0)
_MIGRATION_STATES: Final = range(5)
_SECURITY_PROTOCOLS: Final = range(4)


def _register_broker(image: Image, record: Any, _release: Release) -> None:
    image.brokers[record.broker_id] = Broker(
        record.broker_epoch,
        id_text(record.incarnation_id),
        record.fenced,
        bool(getattr(record, "in_controlled_shutdown", False)),
        tuple(id_text(each) for each in getattr(record, "log_dirs", ())),
        tuple(f"{each.name}://{each.host}:{each.port}" for each in record.end_points),
        {each.name: (each.min_supported_version, each.max_supported_version) for each in record.features},
        record.rack,
    )


def _broker(image: Image, number: int, epoch: int, action: str) -> Broker:
    broker = image.brokers.get(number)
    if broker is None:
        raise Refused(_ISE, f"Tried to {action} broker {number}, but that broker was not registered.")
    if broker.epoch != epoch:
        given = f"but the given epoch, {epoch}, did not match the current broker epoch, {broker.epoch}"
        raise Refused(_ISE, f"Tried to {action} broker {number}, {given}")
    return broker


def _unregister_broker(image: Image, record: Any, _release: Release) -> None:
    image.brokers.pop(record.broker_id, None)


def _fence(image: Image, record: Any, _release: Release) -> None:
    _broker(image, record.id, record.epoch, "fence").fenced = True


def _unfence(image: Image, record: Any, _release: Release) -> None:
    _broker(image, record.id, record.epoch, "unfence").fenced = False


def _change_broker(image: Image, record: Any, _release: Release) -> None:
    broker = _broker(image, record.broker_id, record.broker_epoch, "change")
    shutdown = getattr(record, "in_controlled_shutdown", 0)
    if record.fenced not in {-1, 0, 1}:
        raise Refused(_ISE, f"unknown value for fenced field: {record.fenced}")
    if shutdown not in {0, 1}:
        raise Refused(_ISE, f"unknown value for inControlledShutdown field: {shutdown}")
    if record.fenced:
        broker.fenced = record.fenced > 0
    if shutdown:
        broker.in_controlled_shutdown = True
    if getattr(record, "log_dirs", None):
        broker.log_dirs = tuple(id_text(each) for each in record.log_dirs)


def _register_controller(image: Image, record: Any, _release: Release) -> None:
    for each in record.end_points:
        if each.security_protocol not in _SECURITY_PROTOCOLS:
            raise Refused(_RUNTIME, f"Unknown security protocol {each.security_protocol}")
    image.controllers[record.controller_id] = record


def _unregister_controller(image: Image, record: Any, _release: Release) -> None:
    image.controllers.pop(record.controller_id, None)


def _topic(image: Image, record: Any, _release: Release) -> None:
    number = id_text(record.topic_id)
    known = image.topics.get(number)
    if known is not None:
        image.forgotten |= {(number, at): partition.isr for at, partition in known.partitions.items()}
    image.topics[number] = Topic(record.name)


def _topic_of(image: Image, raw: bytes) -> Topic:
    topic = image.topics.get(id_text(raw))
    if topic is None:
        raise Refused("NullPointerException")
    return topic


def _check_recovery(value: int, *, may_stay: bool) -> None:
    """Refuse a state that is none (LeaderRecoveryState.of)."""
    if value not in {0, 1} and not (may_stay and value == _SAME_STATE):
        raise Refused("IllegalArgumentException", f"Value {value} is not a valid leader recovery state")


def _check_lengths(record: Any) -> None:
    """Refuse directories that are not as many as replicas (PartitionRegistration)."""
    directories = getattr(record, "directories", None)
    if record.replicas is not None and directories and len(directories) != len(record.replicas):
        raise Refused("InvalidReplicaDirectoriesException", "The lengths for replicas and directories do not match: ")


def _partition(image: Image, record: Any, _release: Release) -> None:
    topic = _topic_of(image, record.topic_id)
    _check_lengths(record)
    _check_recovery(getattr(record, "leader_recovery_state", 0), may_stay=False)
    topic.partitions[record.partition_id] = Partition(
        tuple(record.replicas),
        tuple(record.isr),
        record.leader,
        record.leader_epoch,
        record.partition_epoch,
        tuple(id_text(each) for each in getattr(record, "directories", None) or ()),
        tuple(record.adding_replicas),
        tuple(record.removing_replicas),
    )
    image.forgotten.pop((id_text(record.topic_id), record.partition_id), None)


_NO_CHANGE: Final = -2
_SAME_STATE: Final = -1
_MIGRATING: Final = "A" * 22


def _change_partition(image: Image, record: Any, _release: Release) -> None:
    topic = _topic_of(image, record.topic_id)
    before = topic.partitions.get(record.partition_id)
    if before is None:
        raise Refused(_RUNTIME, f"Unable to find partition {id_text(record.topic_id)}:{record.partition_id}")
    changed: dict[str, Any] = {"partition_epoch": before.partition_epoch + 1}
    for name in ("replicas", "isr", "adding_replicas", "removing_replicas"):
        given = getattr(record, name, None)
        if given is not None:
            changed[name] = tuple(given)
    if record.leader != _NO_CHANGE:
        changed |= {"leader": record.leader, "leader_epoch": before.leader_epoch + 1}
    directories = getattr(record, "directories", None)
    if directories is not None:
        _check_lengths(record)
        changed["directories"] = tuple(id_text(each) for each in directories)
    _check_recovery(getattr(record, "leader_recovery_state", _SAME_STATE), may_stay=True)
    after = before._replace(**changed)
    is_assigned = any(each != _MIGRATING for each in after.directories)
    if is_assigned and len(after.directories) != len(after.replicas):
        raise Refused("IllegalArgumentException", "The lengths for replicas and directories do not match.")
    topic.partitions[record.partition_id] = after


def _remove_topic(image: Image, record: Any, _release: Release) -> None:
    number = id_text(record.topic_id)
    topic = image.topics.pop(number, None)
    if topic is None:
        raise Refused(_RUNTIME, f"Unable to delete topic with id {number}: no such topic found.")
    image.configs.pop((_TOPIC, topic.name), None)


def _config(image: Image, record: Any, _release: Release) -> None:
    at = (record.resource_type, record.resource_name)
    values = image.configs.setdefault(at, {})
    if record.value is None:
        values.pop(record.name, None)
    else:
        values[record.name] = record.value
    if not values:
        del image.configs[at]


def _feature(image: Image, record: Any, known_by: Release) -> None:
    if record.name == METADATA_VERSION:
        check_metadata_version(record.feature_level, known_by)
    if record.feature_level:
        image.features[record.name] = record.feature_level
    else:
        image.features.pop(record.name, None)


def _quota(image: Image, record: Any, _release: Release) -> None:
    entity = tuple(sorted((each.entity_type, each.entity_name) for each in record.entity))
    values = image.quotas.setdefault(entity, {})
    if record.remove:
        values.pop(record.key, None)
    else:
        values[record.key] = record.value
    if not values:
        del image.quotas[entity]


def _acl(image: Image, record: Any, _release: Release) -> None:
    image.acls[id_text(record.id)] = record


def _remove_acl(image: Image, record: Any, _release: Release) -> None:
    if image.acls.pop(id_text(record.id), None) is None:
        raise Refused(_ISE, f"Failed to find existing ACL with ID {id_text(record.id)} in either image or changes")


def _credential(image: Image, record: Any, _release: Release) -> None:
    image.credentials[record.name, record.mechanism] = record


def _remove_credential(image: Image, record: Any, _release: Release) -> None:
    image.credentials.pop((record.name, record.mechanism), None)


def _token(image: Image, record: Any, _release: Release) -> None:
    image.tokens[record.token_id] = record


def _remove_token(image: Image, record: Any, _release: Release) -> None:
    image.tokens.pop(record.token_id, None)


def _producer_ids(image: Image, record: Any, _release: Release) -> None:
    image.next_producer_id = record.next_producer_id


def _clear_elr(image: Image, record: Any, _release: Release) -> None:
    if record.topic_name and image.topic_id(record.topic_name) is None:
        said = f"Unable to clear elr for topic with name {record.topic_name}: no such topic found."
        raise Refused(_RUNTIME, said)


def _migration(_image: Image, record: Any, known_by: Release) -> None:
    """Refuse a state that is none (ZkMigrationState.of); 4.0 and later do not look at it."""
    if known_by < _WITHOUT_ZOOKEEPER and record.zk_migration_state not in _MIGRATION_STATES:
        said = f"Value {record.zk_migration_state} is not a valid Zk migration state"
        raise Refused("IllegalArgumentException", said)


DELTAS: Final[dict[str, Callable[[Image, Any, Release], None]]] = {
    "register_broker": _register_broker,
    "unregister_broker": _unregister_broker,
    "fence_broker": _fence,
    "unfence_broker": _unfence,
    "broker_registration_change": _change_broker,
    "register_controller": _register_controller,
    "unregister_controller": _unregister_controller,
    "topic": _topic,
    "partition": _partition,
    "partition_change": _change_partition,
    "remove_topic": _remove_topic,
    "config": _config,
    "feature_level": _feature,
    "client_quota": _quota,
    "access_control_entry": _acl,
    "remove_access_control_entry": _remove_acl,
    "user_scram_credential": _credential,
    "remove_user_scram_credential": _remove_credential,
    "delegation_token": _token,
    "remove_delegation_token": _remove_token,
    "producer_ids": _producer_ids,
    "clear_elr": _clear_elr,
    "zk_migration_state": _migration,
}
