"""Replicas of a partition compared, as lines: differences, whom Kafka trusts, where to cut."""

from collections.abc import Iterator, Sequence
from itertools import islice

from kafka_format.log import Batch, PartitionLog
from kafka_format.log.comparison import (
    DifferenceKind,
    Replica,
    ReplicaDifference,
    differences,
    most_trusted,
    truncation,
)
from kafka_format.primitives.counts import byte_count

from kafka_tools.text import plural

_SHOWN = 5
_COUNTED = 100_000


def lines(logs: Sequence[PartitionLog], replicas: list[Replica]) -> Iterator[str]:
    """Yield lines: the offsets of each replica, the trusted one, and how the others differ."""
    leader = most_trusted(replicas)
    for log, each in zip(logs, replicas, strict=True):
        epochs = ", ".join(f"{row.epoch} from {row.start_offset}" for row in each.epochs[-_SHOWN:]) or "none"
        yield f"{log.folder}: offsets {each.start_offset} to {each.end_offset - 1}, leader epochs {epochs}"
    yield f"trusted: {logs[leader].folder}, which has {_why(replicas, leader)}"
    for number, (log, each) in enumerate(zip(logs, replicas, strict=True)):
        if number != leader:
            cut = truncation(each, replicas[leader])
            differing = list(islice(differences(logs[leader], log), _COUNTED))
            yield from _compare(log, each, cut, differing)


def differs(logs: Sequence[PartitionLog], replicas: list[Replica]) -> bool:
    """Tell whether a replica has other bytes than the trusted one, compaction apart."""
    leader = most_trusted(replicas)
    others = (log for number, log in enumerate(logs) if number != leader)
    return any(
        difference.kind is not DifferenceKind.COMPACTED
        for log in others
        for difference in differences(logs[leader], log)
    )


def _why(replicas: list[Replica], leader: int) -> str:
    best = replicas[leader]
    rivals = [each for number, each in enumerate(replicas) if number != leader]
    if all(each.last_epoch < best.last_epoch for each in rivals):
        return f"the newest leader epoch, {best.last_epoch}"
    if all((each.last_epoch, each.end_offset) < (best.last_epoch, best.end_offset) for each in rivals):
        return f"the newest leader epoch, {best.last_epoch}, and the longest log of those that have"
    return "as much as any other"


def _compare(log: PartitionLog, each: Replica, cut: int, replica_differences: list[ReplicaDifference]) -> Iterator[str]:
    yield f"{log.folder}:"
    if not replica_differences:
        yield "  the same bytes in all that both have"
    for difference in replica_differences[:_SHOWN]:
        yield f"  from offset {difference.offset}: {difference.kind}"
        yield f"    trusted: {_batch(difference.left)}; here: {_batch(difference.right)}"
    if len(replica_differences) > _SHOWN:
        more = f"{plural(len(replica_differences) - _SHOWN, 'more difference')}"
        yield f"  and {more}" + (" at least" if len(replica_differences) == _COUNTED else "")
    lost = each.end_offset - cut
    yield f"  as a follower it is cut at offset {cut}" + (
        f": {plural(lost, 'offset')} of its own go" if lost else ": nothing goes"
    )
    silent = [
        each
        for each in replica_differences
        if each.offset < cut and each.kind in {DifferenceKind.CONTENT, DifferenceKind.MISSING}
    ]
    if silent:
        count = plural(len(silent), "difference")
        yield f"  KAFKA DOES NOT NOTICE {count} below the cut, from offset {silent[0].offset} on"
        yield "  To do: find out which is right by `log verify`; empty the other folder while its broker is stopped"


def _batch(batch: Batch | None) -> str:
    if batch is None:
        return "nothing"
    return f"offsets {batch.offset} to {batch.last_offset}, epoch {batch.leader_epoch}, {byte_count(batch.size)}"
