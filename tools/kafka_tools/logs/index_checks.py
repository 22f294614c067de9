"""What Kafka's sanityCheck of an index looks at: its last entry, and its size.

Brokers of up to 2.2 checked so at their start, and kafka-dump-log does with --index-sanity-check.
"""

from kafka_format.errors import FormatError, Stage
from kafka_format.log.indexes import OffsetIndex, TimeIndex


def check_offsets(index: OffsetIndex) -> None:
    """Check an offset index.

    Raises:
        FormatError: it is corrupt.
    """
    if len(index) and index.last_offset < index.base_offset:
        raise _corrupt("log.offset-index.offset", f"the last offset, {index.last_offset}, is below {index.base_offset}")
    _check_size(index, "log.offset-index.size")


def check_times(index: TimeIndex) -> None:
    """Check a time index.

    Raises:
        FormatError: it is corrupt.
    """
    if len(index):
        first, last = index[0], index.last
        if last.timestamp < first.timestamp:
            detail = f"the last timestamp, {last.timestamp}, is below the first one, {first.timestamp}"
            raise _corrupt("log.time-index.rising", detail)
        if last.offset < index.base_offset:
            raise _corrupt("log.time-index.offset", f"the last offset, {last.offset}, is below {index.base_offset}")
    _check_size(index, "log.time-index.size")


def _check_size(index: OffsetIndex | TimeIndex, rule: str) -> None:
    if index.trailing:
        raise _corrupt(rule, f"its size, {index.size}, is no multiple of {index.entry_size}")


def _corrupt(rule: str, detail: str) -> FormatError:
    return FormatError(detail, rule=rule, stage=Stage.FRAMING, offset=0)
