"""A partition's statistics on the terminal: a row a segment, then codecs, formats, producers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from kafka_format.log.statistics import SegmentStatistics, last_offset, total, turns
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from kafka_tools.logs.lookups import moment
from kafka_tools.text import plural, size_text

_BAR = 20
_TITLES = ("segment", "first", "last", "batches", "records", "missing", "bytes", "largest timestamp", "share")
_PARTITION_TITLES = ("partition", "first", "last", "segments", "batches", "records", "missing", "size", "newest")
_NUMBERS = 7
_ENDS = 10
"""Segments at each end of a long partition that are shown."""

_ROWS = 40
"""Partitions that are shown."""

_GAP = 3
_PRODUCERS = 10


class PartitionFigures(NamedTuple):
    """The figures of a partition.

    Attributes:
        name: what it is called.
        start_offset: where its log starts.
        segments: the figures of each segment.
        holes: lines about the offsets that are missing.
    """

    name: str
    start_offset: int
    segments: list[SegmentStatistics]
    holes: list[str]

    def sum(self, name: str) -> int:
        """Return the sum of a figure over the segments."""
        return sum(getattr(each, name) for each in self.segments)


def segments(segment_statistics: Sequence[SegmentStatistics], console: Console, *, show_all: bool = True) -> Table:
    """Return a table with a row for each segment; a bar shows its share of the bytes.

    On a terminal that is too narrow, bar and timestamps are left out, so that no number is cut.
    Unless all are shown, of many segments those in the middle are left out.
    """
    largest = max((statistics.size for statistics in segment_statistics), default=0)
    rows = [_row(statistics, largest) for statistics in segment_statistics]
    if not show_all and len(rows) > 2 * _ENDS:
        between = (f"{len(rows) - 2 * _ENDS:,} more", *[""] * (len(_TITLES) - 1))
        rows = [*rows[:_ENDS], between, *rows[-_ENDS:]]
    return _table(_TITLES, rows, console, left=())


def partitions(figures: Sequence[PartitionFigures], console: Console) -> Table:
    """Return a table with a row for each partition; of many, for the largest ones."""
    largest = sorted(figures, key=lambda each: -each.sum("size"))[:_ROWS]
    rows = [_partition_row(each) for each in figures if each in largest]
    if len(figures) > _ROWS:
        rows.append((f"{len(figures) - _ROWS:,} smaller ones", *[""] * (len(_PARTITION_TITLES) - 1)))
    return _table(_PARTITION_TITLES, rows, console, left=(0,))


def _partition_row(each: PartitionFigures) -> tuple[str, ...]:
    last = last_offset(each.segments, each.start_offset)
    counts = (each.start_offset, last, len(each.segments), each.sum("batches"), each.sum("records"))
    times = (segment.last_timestamp for segment in each.segments if segment.last_timestamp is not None)
    is_counted = all(segment.missing is not None for segment in each.segments)
    missing = each.sum("missing") if is_counted else None
    return each.name, *map(_number, (*counts, missing)), size_text(each.sum("size")), _time(max(times, default=None))


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]], console: Console, left: Sequence[int]) -> Table:
    widths, count = [max(map(len, column)) for column in zip(titles, *rows, strict=True)], len(titles)
    while count > _NUMBERS and sum(widths[:count]) + _GAP * (count - 1) > console.width:
        count -= 1
    table = Table(box=SIMPLE_HEAD if console.is_terminal else None, pad_edge=False, show_edge=False)
    for number, title in enumerate(titles[:count]):
        is_left = number in left or number >= _NUMBERS
        table.add_column(title, justify="left" if is_left else "right", no_wrap=number not in left, overflow="fold")
    for row in rows:
        table.add_row(*row[:count])
    return table


def oddities(figures: Sequence[PartitionFigures]) -> Iterator[str]:
    """Yield the segments of partitions that end in something that is no batch."""
    for each in figures:
        for line in _odd(each.segments):
            yield f"{each.name}, {line}"


def empty_lines(figures: Iterable[PartitionFigures]) -> Iterator[str]:
    """Yield a line for the empty partitions of each topic: their numbers, and where they are."""
    by_topic: dict[tuple[str, int], list[str]] = {}
    for each in figures:
        topic, _, number = each.name.rpartition("-")
        end = max((segment.base_offset for segment in each.segments), default=0)
        by_topic.setdefault((topic, end), []).append(number)
    for (topic, end), numbers in by_topic.items():
        name = "-".join(filter(None, (topic, numbers[0])))
        more = f" and {plural(len(numbers) - 1, 'other partition')} of the topic" if len(numbers) > 1 else ""
        yield f"{name}{more}: empty, at offset {end}"


def total_line(figures: Sequence[PartitionFigures]) -> str:
    """Return how many partitions, segments, records and bytes there are."""
    counts = (
        plural(len(figures), "partition"),
        plural(sum(len(each.segments) for each in figures), "segment"),
        plural(sum(each.sum("records") for each in figures), "record"),
        size_text(sum(each.sum("size") for each in figures)),
    )
    return ", ".join(counts)


def _row(statistics: SegmentStatistics, largest: int) -> tuple[str, ...]:
    numbers = (statistics.first_offset, statistics.last_offset, statistics.batches, statistics.records)
    rest = (statistics.missing, statistics.size)
    time = _time(statistics.last_timestamp)
    bar = "#" * round(_BAR * statistics.size / largest) if largest else ""
    return str(statistics.base_offset), *map(_number, (*numbers, *rest)), time, bar


def _time(timestamp: int | None) -> str:
    return "-" if timestamp is None else moment(timestamp).partition("(")[2][:-1] or str(timestamp)


def lines(segment_statistics: Sequence[SegmentStatistics]) -> Iterator[str]:
    """Yield lines with the totals of all segments, and with oddities of single segments."""
    records, batches = (
        sum(each.records for each in segment_statistics),
        sum(each.batches for each in segment_statistics),
    )
    yield f"{plural(records, 'record')} in {plural(batches, 'batch')}"
    codecs, formats = (total(name, segment_statistics) for name in ("codecs", "formats"))
    yield f"codecs: {_shares(codecs)}; formats: {_shares(formats, 'v')}"
    producers = total("producers", segment_statistics)
    if producers:
        more = f" and {len(producers) - _PRODUCERS} more" if len(producers) > _PRODUCERS else ""
        shares = ", ".join(f"{name} ({number:,})" for name, number in producers.most_common(_PRODUCERS))
        yield f"producers, with their records: {shares}{more}"
    for name, words in (("control", "control batches"), ("empty", "batches without records")):
        if number := sum(getattr(each, name) for each in segment_statistics):
            yield f"{words}: {number:,}"
    yield from _odd(segment_statistics)


def _odd(segment_statistics: Sequence[SegmentStatistics]) -> Iterator[str]:
    for each in segment_statistics:
        if each.fault is not None:
            yield f"segment {each.base_offset}: {each.fault}"
        elif each.tail:
            yield f"segment {each.base_offset}: {plural(each.tail, 'byte')} after the last whole batch"
    for base_offset, position in turns(segment_statistics):
        yield f"segment {base_offset}: offsets go back at byte {position}: see `log verify`; none is called missing"


def document(segment_statistics: Sequence[SegmentStatistics]) -> list[dict[str, Any]]:
    """Return the statistics as what `json.dumps` takes."""
    names = [
        name
        for name in SegmentStatistics.__slots__
        if name not in {"fault", "formats", "codecs", "producers", "first_holes"}
    ]
    return [
        {name: getattr(each, name) for name in names}
        | {"fault": None if each.fault is None else str(each.fault)}
        | {
            name: {str(key): number for key, number in getattr(each, name).items()}
            for name in ("formats", "codecs", "producers")
        }
        | {"first_holes": [hole._asdict() for hole in each.first_holes]}
        for each in segment_statistics
    ]


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _shares(counts: Counter[object], prefix: str = "") -> str:
    return ", ".join(f"{prefix}{name} ({number:,})" for name, number in counts.most_common()) or "none"
