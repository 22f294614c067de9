"""kafka-python's readers of what members of groups tell, behind adapter protocol 1."""

from typing import Any

import kafka
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.protocol.consumer.metadata import ConsumerProtocolAssignment, ConsumerProtocolSubscription
from serde import Question, serve


def read(question: Question) -> dict[str, Any]:
    """Read content of a group."""
    data = question.data or b""
    if question.content == "sticky-user-data":
        return {"value": sticky(data)}
    if question.content == "consumer-protocol-assignment":
        assigned = ConsumerProtocolAssignment.decode(data)
        partitions = topics(assigned.assigned_partitions)
        return {
            "value": {
                "version": assigned.version,
                "assignedPartitions": partitions,
                "userData": octets(assigned.user_data),
            }
        }
    told = ConsumerProtocolSubscription.decode(data)
    value = {"version": told.version, "topics": told.topics, "userData": octets(told.user_data)}
    value |= {"ownedPartitions": topics(told.owned_partitions)} if told.version >= 1 else {}
    value |= {"generationId": told.generation_id} if told.version >= 2 else {}
    return {"value": value | ({"rackId": told.rack_id} if told.version >= 3 else {})}


def sticky(data: bytes) -> dict[str, Any]:
    """Read the user data of a sticky assignor, as its leader does."""
    told = StickyPartitionAssignor.parse_member_metadata(ConsumerProtocolSubscription(0, [], data))
    previous: dict[str, list[int]] = {}
    for topic, partition in told.partitions:
        previous.setdefault(topic, []).append(partition)
    shown = [{"topic": topic, "partitions": partitions} for topic, partitions in previous.items()]
    return {"previous_assignment": shown, "generation": told.generation}


def topics(found: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - arrays of the library
    """Return partitions by topic."""
    return [{"topic": each.topic, "partitions": each.partitions} for each in found or ()]


def octets(data: Any) -> str | None:  # noqa: ANN401 - bytes, or what the library made of them
    """Return bytes in hex."""
    return None if data is None else bytes(data).hex()


KINDS = ("consumer-protocol-subscription", "consumer-protocol-assignment", "sticky-user-data")

serve("kafka-python", kafka.__version__, {kind: ["value"] for kind in KINDS}, read)
