"""What a start does to partitions, in lines."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.start import PartitionStart, StartFate
from kafka_format.log.start.outcome import NOT_NAMED

from kafka_tools.logs import recovery_text
from kafka_tools.logs.start_advice import advice_on_stray, why_stray
from kafka_tools.text import first_few


def lines(partitions: Iterable[PartitionStart], shown: int | None) -> Iterator[str]:
    """Yield lines about the partitions that do not come up as they were, by what becomes of them.

    Args:
        partitions: what a start does to each.
        shown: how many of a kind are told; None for all.
    """
    started = list(partitions)
    for tell in (_stray, _absent, _not_served, _replacing, _recovery):
        told = (said for said in map(list, map(tell, started)) if said)
        yield from first_few(told, shown, "partition")


def _stray(each: PartitionStart) -> Iterator[str]:
    if is_new_stray(each):
        name = each.path.name
        yield f"BEGINS EMPTY: {name}"
        yield (
            f"  {why_stray(each)}: it is renamed to {name}.ID-stray, and a new one is begun if the "
            "partition is this broker's"
        )
        yield f"  To do: {advice_on_stray(each)}"


def _absent(each: PartitionStart) -> Iterator[str]:
    if each.fate is StartFate.ABSENT:
        was = f", and was at offset {each.high_watermark}" if each.high_watermark else ""
        if each.why == NOT_NAMED:
            yield f"PERHAPS EMPTY: {each.path.name}"
            yield "  the metadata has it in a data directory that was not named"
            yield "  To do: Name all data directories of the node. Without that one, the partition begins empty."
            return
        yield f"BEGINS EMPTY: {each.path.name}"
        if each.why == "directory-offline":
            yield f"  its folder is in a data directory that is offline, or gone{was}"
            yield "  To do: Mend the data directory before the start, else it begins anew in another one."
            return
        yield f"  it has no folder{was}"
        yield "  To do: Bring its folder back, unless it is new, or in another data directory, or on other replicas."


def _not_served(each: PartitionStart) -> Iterator[str]:
    if each.fate is StartFate.NOT_SERVED:
        yield f"NOT SERVED: {each.path.name}: {each.error}"
        yield "  the broker starts, and neither leads nor follows it"


def _replacing(each: PartitionStart) -> Iterator[str]:
    name, end = each.path.name, each.end_offset
    if each.fate is StartFate.REPLACES:
        yield f"REPLACES THE LOG IN ITS PLACE: {name}, up to offset {end}"
    elif each.fate is StartFate.REPLACED:
        yield f"REPLACED: {name}, up to offset {end}: a -future folder takes its place, and it is removed"


def _recovery(each: PartitionStart) -> Iterator[str]:
    recovery, shown = each.recovery, each.high_watermark or 0
    if recovery is None or each.fate is StartFate.DELETED:
        return
    if not (recovery.lost_bytes or recovery.emptied or shown > (each.end_offset or 0)):
        return
    said = list[str]()
    with suppress(FormatError, OSError), PartitionLog(each.path) as log:
        said = list(recovery_text.lines(log, recovery))[1:]
        reasons = [
            f"  {segment.path.name} {_why_read(has_index=segment.has_index)}"
            for segment in log.segments
            if segment.is_unsound
        ]
        yield f"{each.path.name}: {_how(each)}"
        yield from reasons
    yield from said if recovery.lost_bytes or recovery.emptied else said[:-1]
    if recovery.end_offset < shown:
        yield _shown_line(each, shown)


def _how(each: PartitionStart) -> str:
    return "taken as it is" if each.recovered_from is None else f"recovered from offset {each.recovered_from}"


def _why_read(*, has_index: bool) -> str:
    what = "its .txnindex has entries of earlier segments" if has_index else "it has no .index"
    return f"is read and cut, and its indexes are rebuilt: {what}"


def _shown_line(each: PartitionStart, shown: int) -> str:
    lost = each.recovery is not None and each.recovery.lost_bytes
    what = "consumers may have read what goes" if lost else "it ends too early"
    first, last = each.end_offset or 0, shown - 1
    gone = f"offset {first} is gone" if first == last else f"offsets {first} to {last} are gone"
    return f"{what}: the high watermark was {shown}, and {gone}"


def is_new_stray(each: PartitionStart) -> bool:
    """Tell whether this start makes a folder a stray."""
    return each.fate is StartFate.STRAY and each.why != "stray"
