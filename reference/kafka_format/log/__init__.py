"""Log directories: segments, indexes, snapshots, checkpoints, as a broker keeps them on its disk.

    >>> from kafka_format.log import PartitionLog, find_offset
    >>> with PartitionLog(Path("/var/lib/kafka/orders-0")) as log:
    ...     lookup = find_offset(log, 4711)
    >>> lookup.outcome, lookup.batch, lookup.next_offset

Files are mapped into memory and never written to.

- `partition`: the folder of a partition; `segment`: a segment with its indexes; `batches`: the
  batches in it
- `indexes`, `transaction_index`: the entries of indexes; `index_search`: how Kafka searches
  them
- `offset_lookup`, `time_lookup`: finding an offset or a time, with every step that Kafka takes;
  `special_times`: what brokers answer to the negative times
- `recovery`: what a start after a crash would do; `producer_states`: producers and transactions,
  folded over batches
- `verification`: every rule, checked
- `builder`: a log written as a broker of a release writes it
- `rebuild`: indexes and snapshots, rebuilt in another folder
- `rescue`: the sound batches of a broken log, after a fault too, and a log of them in another
  folder
- `preallocation`: room at the end of the newest segment
- `kraft`: the snapshots of a metadata quorum; `remote_snapshot`: metadata of remote segments, up to
  3.7
- `comparison`, `retention`, `transactions`, `leftovers`, `index_writers`: what operators want to
  know of a log
- `names`: what the names of files and folders say; `text`: the files that are text
- `mapped_file`: files in memory
"""

from kafka_format.log.batches import Batch
from kafka_format.log.offset_lookup import LookupOutcome, OffsetLookup, find_offset
from kafka_format.log.partition import PartitionLog
from kafka_format.log.recovery import Recovery, recover
from kafka_format.log.segment import Segment
from kafka_format.log.time_lookup import TimeLookup, find_time

__all__ = [
    "Batch",
    "LookupOutcome",
    "OffsetLookup",
    "PartitionLog",
    "Recovery",
    "Segment",
    "TimeLookup",
    "find_offset",
    "find_time",
    "recover",
]
