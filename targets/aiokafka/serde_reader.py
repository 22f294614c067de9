"""aiokafka's readers of what members of groups tell, behind adapter protocol 1."""

from typing import Any

import aiokafka
from aiokafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from aiokafka.coordinator.protocol import ConsumerProtocolMemberAssignment, ConsumerProtocolMemberMetadata
from serde import Question, serve

VERSION_SIZE = 2


def read(question: Question) -> dict[str, Any]:
    """Read content of a group."""
    data = question.data or b""
    if question.content == "sticky-user-data":
        return {"value": sticky(data)}
    if question.content == "consumer-protocol-assignment":
        assigned = ConsumerProtocolMemberAssignment.decode(data)
        partitions = [{"topic": topic, "partitions": list(found or ())} for topic, found in assigned.assignment]
        value = {"version": assigned.version, "assignedPartitions": partitions}
        return {"value": value | {"userData": octets(assigned.user_data)}}
    if int.from_bytes(data[:VERSION_SIZE], "big", signed=True) > 0:
        raise NotImplementedError("it reads a later version as version 0, and leaves what is behind")
    told = ConsumerProtocolMemberMetadata.decode(data)
    return {"value": {"version": told.version, "topics": told.subscription, "userData": octets(told.user_data)}}


def sticky(data: bytes) -> dict[str, Any]:
    """Read the user data of a sticky assignor, as its leader does."""
    told = StickyPartitionAssignor.parse_member_metadata(ConsumerProtocolMemberMetadata(0, [], data))
    previous: dict[str, list[int]] = {}
    for topic, partition in told.partitions:
        previous.setdefault(topic, []).append(partition)
    shown = [{"topic": topic, "partitions": partitions} for topic, partitions in previous.items()]
    return {"previous_assignment": shown, "generation": told.generation}


def octets(data: bytes | None) -> str | None:
    """Return bytes in hex."""
    return None if data is None else bytes(data).hex()


KINDS = ("consumer-protocol-subscription", "consumer-protocol-assignment", "sticky-user-data")

serve("aiokafka", aiokafka.__version__, {kind: ["value"] for kind in KINDS}, read)
