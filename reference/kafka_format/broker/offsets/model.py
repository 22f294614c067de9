"""The input of an assignment of offsets beside the bytes, and its output."""

from __future__ import annotations

from typing import Final, NamedTuple

from kafka_format.records.model import CREATE_TIME, NO_TIMESTAMP

PRODUCER: Final = "producer"
"""The codec setting of a topic that keeps the codec of the producer (`compression.type`)."""


class Assigned(NamedTuple):
    """The entries that a broker appends, with their offsets.

    Attributes:
        data: the entries as they stand in the log.
        first_offset: offset of the first record.
        last_offset: offset of the last record.
        changed: names of the header fields whose bytes differ from the producer's, in wire order,
            if `in_place`.
        checksum_recomputed: True if the broker computed a checksum anew.
        in_place: True if the records are the producer's bytes; False if the broker wrote them anew.
        max_timestamp: the largest timestamp, as the broker notes it for its time index; -1 for
            none.
    """

    data: bytes
    first_offset: int
    last_offset: int
    changed: tuple[str, ...] = ()
    checksum_recomputed: bool = False
    in_place: bool = True
    max_timestamp: int = NO_TIMESTAMP


class TopicState(NamedTuple):
    """The settings of a topic that count, and the broker's state.

    Attributes:
        magic: the message format of the topic: 0 for 0.8 and 0.9, 1 for 0.10, 2 from 0.11 on.
        codec: name of the codec that records are kept in, or `producer`.
        timestamp_type: 0 create time, 1 log append time.
        now: the broker's clock, in milliseconds since 1970-01-01 UTC.
        leader_epoch: epoch of the partition's leader, for v2; -1 for none.
    """

    magic: int = 2
    codec: str = PRODUCER
    timestamp_type: int = CREATE_TIME
    now: int = NO_TIMESTAMP
    leader_epoch: int = -1
