"""What kinds of targets there are."""

from enum import StrEnum


class TargetKind(StrEnum):
    """What a target is; spec/schema/target.schema.json tells the kinds apart."""

    DECODER = "decoder"
    CONSUMER = "consumer"
    PRODUCER = "producer"
    BROKER = "broker"
    LOG_READER = "log_reader"
    SERDE = "serde"


ADAPTERS = frozenset({TargetKind.DECODER, TargetKind.LOG_READER, TargetKind.SERDE})
"""What speaks the blocks of the adapter protocol: its hello says what it reads."""
