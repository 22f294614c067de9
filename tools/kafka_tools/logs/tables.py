"""A partition's statistics on the terminal: a row a segment, then codecs, formats, producers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from kafka_format.log.statistics import SegmentStatistics, total
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from kafka_tools.logs.lookups import moment
from kafka_tools.text import plural

_BAR = 20
_TITLES = ("segment", "first", "last", "batches", "records", "missing", "bytes", "largest timestamp", "share")
_NUMBERS = 7
_GAP = 3
_PRODUCERS = 10


def segments(segment_statistics: Sequence[SegmentStatistics], console: Console) -> Table:
    """Return a table with a row for each segment; a bar shows its share of the bytes.

    On a terminal that is too narrow, bar and timestamps are left out, so that no number is cut.
    """
    largest = max((statistics.size for statistics in segment_statistics), default=0)
    rows = [_TITLES, *(_row(statistics, largest) for statistics in segment_statistics)]
    widths, count = [max(map(len, column)) for column in zip(*rows, strict=True)], len(_TITLES)
    while count > _NUMBERS and sum(widths[:count]) + _GAP * (count - 1) > console.width:
        count -= 1
    table = Table(box=SIMPLE_HEAD if console.is_terminal else None, pad_edge=False, show_edge=False)
    for number, title in enumerate(_TITLES[:count]):
        table.add_column(title, justify="right" if number < _NUMBERS else "left", no_wrap=True)
    for row in rows[1:]:
        table.add_row(*row[:count])
    return table


def _row(statistics: SegmentStatistics, largest: int) -> tuple[str, ...]:
    numbers = (statistics.first_offset, statistics.last_offset, statistics.batches, statistics.records)
    rest = (statistics.missing, statistics.size)
    time = "-" if statistics.last_timestamp is None else moment(statistics.last_timestamp).partition("(")[2][:-1]
    bar = "#" * round(_BAR * statistics.size / largest) if largest else ""
    return str(statistics.base_offset), *map(_number, (*numbers, *rest)), time, bar


def lines(segment_statistics: Sequence[SegmentStatistics]) -> Iterator[str]:
    """Yield lines with the totals of all segments, and with oddities of single segments."""
    records, batches = (
        sum(each.records for each in segment_statistics),
        sum(each.batches for each in segment_statistics),
    )
    yield f"{plural(records, 'record')} in {plural(batches, 'batch').replace('batchs', 'batches')}"
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
    for each in segment_statistics:
        if each.fault is not None:
            yield f"segment {each.base_offset}: {each.fault}"
        elif each.tail:
            yield f"segment {each.base_offset}: {plural(each.tail, 'byte')} after the last whole batch"


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
