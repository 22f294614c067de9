"""One conversation with a producer: its application does one thing after another."""

from __future__ import annotations

from typing import Final

from kafka_tools.server.state import BrokerState

from kafka_conformance.kinds.conversation.dialog import TOPIC, cluster, faults
from kafka_conformance.kinds.conversation.requests_seen import RequestsSeen
from kafka_conformance.kinds.conversation.script import Conversation
from kafka_conformance.kinds.producer.driver import ProducerDriver

_BAD: Final = {"unsent", "failed", "dead"}
"""Events that are errors."""


def produce(driver: ProducerDriver, conversation: Conversation) -> RequestsSeen:
    """Have a producer take part in a conversation, and return what it did.

    Raises:
        TargetLostError: the producer was lost.
    """
    with cluster(conversation) as (broker, server):
        seen = server.seen
        said = driver.do(broker.address, TOPIC, conversation.settings, conversation.does, lambda: len(seen.requests))
        seen.events = tuple(" ".join(line.split("\t")) for line in said)
        seen.got.errors += [event for event in seen.events if event.split()[0] in _BAD]
        seen.faults = faults(broker.state)
        seen.log = visible_values(broker.state)
        seen.at_close = len(seen.requests)
    return seen


def visible_values(state: BrokerState) -> list[str]:
    """Return the values that a reader sees of the topic; those of producers are text."""
    return [(value or b"").decode("utf-8", "replace") for value in state.producers.visible(TOPIC)]
