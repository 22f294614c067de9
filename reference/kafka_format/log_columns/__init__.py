"""Log directories as columns: segments scanned many batches at once, in slices, by many processes.

What `kafka_format.log` says of a log batch by batch is found out here for whole pieces of a file:
where all is as it should be, that is all there is to say. Where something is not, or may not be,
this is reported as a doubt, and the rules of `kafka_format.log.verification` decide.

- `slices`: segments cut into slices, each from one batch to another
- `pieces`: a slice read piece by piece, with the first byte of each batch and its checksum compared
- `headers`: what the headers of a piece's batches say, a column a field
- `scan`: what is found of a slice; `index_checks`: its part of the indexes
- `producer_batches`: the few batches that are enough to follow producers by
- `joints`: the slices of a log put together again
- `same_bytes`: replicas that are the same bytes
- `tables`: records as tables of pyarrow; `table_ranges`: which part of a log they are read from

This package needs numpy, and `tables` pyarrow.
"""

from kafka_format.log_columns.joints import SegmentFindings, judge_segment, sound_segment, verify_log, verify_partition
from kafka_format.log_columns.scan import SliceScan, scan
from kafka_format.log_columns.slices import LogSlice, slices

__all__ = [
    "LogSlice",
    "SegmentFindings",
    "SliceScan",
    "judge_segment",
    "scan",
    "slices",
    "sound_segment",
    "verify_log",
    "verify_partition",
]
