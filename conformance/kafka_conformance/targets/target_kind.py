"""What kinds of targets there are."""

from enum import StrEnum


class TargetKind(StrEnum):
    """What a target is; spec/schema/target.schema.json tells the kinds apart."""

    DECODER = "decoder"
    CONSUMER = "consumer"
    PRODUCER = "producer"
    BROKER = "broker"
    LOG_READER = "log_reader"
