"""The sound batches of a broken log, also those after a fault, where Kafka's own recovery stops.

A batch is sound if its size, its magic and its checksum are. After a fault the search goes on
where the broken batch says that it ends, else byte by byte with what a batch begins with: an offset
that can follow, a size that fits, a magic that is known, and a checksum. Offsets are kept, so that
what is lost is a gap.

Sound batches may stand in another order than that of their offsets, and more than once. They are
put in order; of those with the same offsets one is kept, that of the newest leader epoch.
"""

from kafka_format.log.rescue.epochs import OddEpoch, odd_epochs
from kafka_format.log.rescue.files import FileRescue, other_files, write_rescued
from kafka_format.log.rescue.found import LeftOut, LostBytes, Mended, SegmentRescue, are_moved
from kafka_format.log.rescue.gaps import MissingOffsets, missing_offsets
from kafka_format.log.rescue.sound import find_sound

__all__ = [
    "FileRescue",
    "LeftOut",
    "LostBytes",
    "Mended",
    "MissingOffsets",
    "OddEpoch",
    "SegmentRescue",
    "are_moved",
    "find_sound",
    "missing_offsets",
    "odd_epochs",
    "other_files",
    "write_rescued",
]
