"""The table of kinds: a row each, in the order in which a target is asked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from kafka_conformance.kinds.broker.kind import KIND as BROKER
from kafka_conformance.kinds.consumer.kind import KIND as CONSUMER
from kafka_conformance.kinds.conversation.kind import KIND as CONVERSATION
from kafka_conformance.kinds.decoder.kind import KIND as DECODER
from kafka_conformance.kinds.kind import AnyKind
from kafka_conformance.kinds.log_reader.kind import KIND as LOG_READER
from kafka_conformance.kinds.message.kind import KIND as MESSAGE
from kafka_conformance.kinds.producer.kind import KIND as PRODUCER
from kafka_conformance.kinds.scenario.kind import KIND as SCENARIO
from kafka_conformance.kinds.serde.kind import KIND as SERDE
from kafka_conformance.targets.target_kind import TargetKind

KINDS: Final[tuple[AnyKind, ...]] = (
    DECODER,
    MESSAGE,
    LOG_READER,
    SERDE,
    CONSUMER,
    CONVERSATION,
    PRODUCER,
    BROKER,
    SCENARIO,
)
"""Every kind."""

ABOUT: Final = tuple(dict.fromkeys(kind.about for kind in KINDS))
"""What a run can be about, as `--about` names it."""


def kinds_of(target: TargetKind, about: Collection[str] = ABOUT) -> tuple[AnyKind, ...]:
    """Return the kinds that a target is asked, of those that a run is about."""
    return tuple(kind for kind in KINDS if target in kind.targets and kind.about in about)
