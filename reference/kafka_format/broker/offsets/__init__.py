"""Assigns offsets, the leader epoch and timestamps, as a broker does to records that it appends.

From 0.8 on the offset counts records, and a broker writes it into what it appends. How much it
writes differs. The offset of an uncompressed message and the base offset of a v2 batch stand
outside the checksum and are changed in place. A wrapper of v0 holds absolute offsets, so a broker
decompresses it and compresses it again. Relative offsets (v1, KIP-31) made that needless if they
count from 0, and v2 (KIP-98) kept them. The steps are those of storage LogValidator, which took
over from kafka.message.ByteBufferMessageSet (0.8 to 0.10.1) and kafka.log.LogValidator.

0.7 counts bytes: an offset is a position in the log, and nothing is written at all.

Not looked at, because they are settings of a topic and not of the format: the largest message, the
difference that a timestamp may have to the broker's clock, keys on compacted topics.
"""

from kafka_format.broker.offsets.assignment import assign, assign_positions
from kafka_format.broker.offsets.model import PRODUCER, Assigned, TopicState

__all__ = ["PRODUCER", "Assigned", "TopicState", "assign", "assign_positions"]
