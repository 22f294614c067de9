"""The lines of batches and records of v2, as kafka-dump-log prints them."""

from typing import Final

from kafka_format.spec.layout import specification

SEQUENCES: Final = 1 << 31
"""Numbers of records of a producer, after which they begin again."""

CODECS: Final = specification().enums["codec"].values
TIMES: Final = ("CreateTime", "LogAppendTime")
"""By type of timestamp."""

V2_LINE: Final = (
    "baseOffset: %d lastOffset: %d count: %d baseSequence: %d lastSequence: %d producerId: %d producerEpoch: %d"
    " partitionLeaderEpoch: %d isTransactional: %s isControl: %s deleteHorizonMs: %s position: %d %s: %d size: %d"
    " magic: %d compresscodec: %s crc: %d isvalid: %s"
)

RECORD_LINE: Final = "| offset: %d %s: %d keySize: %d valueSize: %d sequence: %d headerKeys: [%s]"
