"""What retention makes of the segments of a partition, in lines, and where it is misled."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

from kafka_format.log import PartitionLog
from kafka_format.log.retention import Aging, RetentionReason, Source

from kafka_tools.logs.lookups import moment
from kafka_tools.text import plural, size_text


def lines(log: PartitionLog, ageing: Sequence[Aging], now: int, retention_ms: int) -> Iterator[str]:
    """Yield lines that say for each segment if it would be deleted at a time, and why."""
    yield f"{log.folder.name} at {moment(now)}, retention.ms {_limit(retention_ms)}"
    for each in ageing:
        yield f"  {each.segment.path.name}: {each.reason}"
        yield f"    {each.source} {moment(each.largest)}{_age(now - each.largest)}"
        yield from _wrong_ages(each, now, retention_ms)
    gone = [each for each in ageing if each.goes]
    size = sum(each.segment.size for each in gone)
    yield f"{len(gone)} of {plural(len(ageing), 'segment')} would be deleted, {size_text(size)}"


def _wrong_ages(each: Aging, now: int, retention_ms: int) -> Iterator[str]:
    """Yield where the age that Kafka takes is not that of the batches."""
    if each.in_batches < 0 or each.largest == each.in_batches:
        if each.largest > now and each.reason is RetentionReason.YOUNG:
            until = moment(each.largest + max(retention_ms, 0))
            yield f"    its newest record is of the future: it stays until {until}"
        return
    yield f"    its batches go up to {moment(each.in_batches)}: {_wrong(each)}"
    if each.reason is RetentionReason.TIME and now - each.in_batches <= retention_ms:
        early = timedelta(milliseconds=each.in_batches + retention_ms - now)
        yield f"    DELETED TOO EARLY, by {_days(early)}"
    elif each.reason is RetentionReason.YOUNG and 0 <= retention_ms < now - each.in_batches:
        yield "    NOT DELETED though all its records are old enough"


def _wrong(each: Aging) -> str:
    if each.source is Source.FILE:
        return "the file of the time index is empty or missing; remove it while the broker is stopped, then recover"
    return "the time index is wrong; stop the broker, remove it together with the .index, and start"


def _limit(retention_ms: int) -> str:
    return "-1: no limit" if retention_ms < 0 else f"{retention_ms} ({_days(timedelta(milliseconds=retention_ms))})"


def _days(span: timedelta) -> str:
    return f"{span.total_seconds() / 86400:,.1f} days"


def _age(milliseconds: int) -> str:
    return f", {_days(timedelta(milliseconds=milliseconds))} ago" if milliseconds >= 0 else ", in the future"
