"""What a controller checks of a record of metadata besides what the image does.

Each function takes the image before the record, the record's value, and the release; it raises
`Refused` where the manager throws that replays the record (metadata, package controller).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from kafka_format.log.contents.features import range_text, supported
from kafka_format.log.contents.image import Image, Topic
from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.releases import Release
from kafka_format.log.text.lines import id_text

_RUNTIME: Final = "RuntimeException"


def check_transaction(image: Image, name: str, offset: int, *, in_snapshot: bool) -> None:
    """Check where a transaction of metadata begins or ends (OffsetControlManager).

    Raises:
        Refused: it does not begin or end there.
    """
    kind = "".join(part.capitalize() for part in name.split("_")) + "Record"
    if in_snapshot:
        raise Refused(_RUNTIME, f"{kind} cannot appear within a snapshot.")
    if name == "begin_transaction" and image.transaction is not None:
        why = f"because the transaction at {image.transaction} was never closed."
        raise Refused(_RUNTIME, f"Can't replay a BeginTransactionRecord at {offset} {why}")
    if name != "begin_transaction" and image.transaction is None:
        raise Refused(_RUNTIME, f"Can't replay an {kind} at {offset} because there is no open transaction.")


def _check_registration(image: Image, number: int, epoch: int) -> None:
    broker = image.brokers.get(number)
    if broker is None:
        raise Refused(_RUNTIME, "no broker registration found for that id")
    if broker.epoch != epoch:
        raise Refused(_RUNTIME, "no broker registration with that epoch found")


def _check_id(image: Image, record: Any, _release: Release) -> None:
    _check_registration(image, record.id, record.epoch)


def _check_broker_id(image: Image, record: Any, _release: Release) -> None:
    _check_registration(image, record.broker_id, record.broker_epoch)


def _check_directories(image: Image, number: int, directories: list[bytes] | None) -> None:
    """Check whose directories they are (ClusterControlManager.updateDirectories)."""
    before = image.brokers[number].log_dirs if number in image.brokers else ()
    if len(set(before)) < len(before):
        raise Refused("IllegalStateException", "BUG: directory ")
    for directory in map(id_text, directories or ()):
        for other, broker in image.brokers.items():
            if other != number and directory in broker.log_dirs:
                said = f"BUG: directory {directory} already assigned to broker {other}"
                raise Refused("IllegalStateException", said)


def _check_registered(image: Image, record: Any, _release: Release) -> None:
    _check_directories(image, record.broker_id, getattr(record, "log_dirs", None))


def _check_change(image: Image, record: Any, _release: Release) -> None:
    _check_registration(image, record.broker_id, record.broker_epoch)
    _check_directories(image, record.broker_id, getattr(record, "log_dirs", None))


def _check_topic(image: Image, record: Any, _release: Release) -> None:
    known, number = image.topic_id(record.name), id_text(record.topic_id)
    if known == number:
        raise Refused(_RUNTIME, f"Found duplicate TopicRecord for {record.name} with topic ID {number}")
    if known is not None:
        more = f"with a different ID than before. Previous ID was {known} and new ID is {number}"
        raise Refused(_RUNTIME, f"Found duplicate TopicRecord for {record.name} {more}")


def _check_partition(image: Image, record: Any, _release: Release) -> None:
    _check_topic_of(image, record)


def _check_topic_of(image: Image, record: Any) -> Topic:
    number = id_text(record.topic_id)
    topic = image.topics.get(number)
    if topic is None:
        why = "but no topic with that ID was found."
        raise Refused(_RUNTIME, f"Tried to create partition {number}:{record.partition_id}, {why}")
    return topic


def _check_changed_partition(image: Image, record: Any, _release: Release) -> None:
    if record.partition_id not in _check_topic_of(image, record).partitions:
        at = f"{id_text(record.topic_id)}:{record.partition_id}"
        raise Refused(_RUNTIME, f"Tried to create partition {at}, but no partition with that id was found.")


def _check_removed_topic(image: Image, record: Any, _release: Release) -> None:
    number = id_text(record.topic_id)
    if number not in image.topics:
        raise Refused("UnknownTopicIdException", f"Can't find topic with ID {number} to remove.")


def _check_feature(_image: Image, record: Any, known_by: Release) -> None:
    least, most = supported(record.name, known_by)
    if not least <= record.feature_level <= most:
        said = f"but this controller only supports versions {range_text(record.name, known_by)}"
        raise Refused(_RUNTIME, said)


def _check_removed_acl(image: Image, record: Any, _release: Release) -> None:
    if id_text(record.id) not in image.acls:
        raise Refused(_RUNTIME, "no acl with that ID found.")


def _check_removed_credential(image: Image, record: Any, _release: Release) -> None:
    if (record.name, record.mechanism) not in image.credentials:
        raise Refused(_RUNTIME, "Unable to find credential to delete: ")


def _check_producer_ids(image: Image, record: Any, _release: Release) -> None:
    known = image.next_producer_id
    if known is not None and record.next_producer_id <= known:
        raise Refused(_RUNTIME, f"Next Producer ID from replayed record ({record.next_producer_id}) is not greater")


def _check_controller(image: Image, record: Any, _release: Release) -> None:
    if record.controller_id not in image.controllers:
        raise Refused(_RUNTIME, "no controller registration found for that id")


CHECKS: Final[dict[str, Callable[[Image, Any, Release], None]]] = {
    "register_broker": _check_registered,
    "unregister_broker": _check_broker_id,
    "fence_broker": _check_id,
    "unfence_broker": _check_id,
    "broker_registration_change": _check_change,
    "topic": _check_topic,
    "partition": _check_partition,
    "partition_change": _check_changed_partition,
    "remove_topic": _check_removed_topic,
    "feature_level": _check_feature,
    "remove_access_control_entry": _check_removed_acl,
    "remove_user_scram_credential": _check_removed_credential,
    "producer_ids": _check_producer_ids,
    "unregister_controller": _check_controller,
}
