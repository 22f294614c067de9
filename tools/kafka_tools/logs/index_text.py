"""Trust in a partition's indexes, as lines: what is broken, and which releases write so."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from kafka_format.log import PartitionLog
from kafka_format.log.index_writers import WRITERS, EntryStyle, Writing, writing
from kafka_format.log.verification import Breach

from kafka_tools.logs import checks

TRUSTED = "to be trusted: every entry leads a lookup to where it must"
_RULES = ("log.offset-index.", "log.time-index.", "log.transaction-index.")


def index_breaches(path: Path) -> list[Breach]:
    """Return the rules that the indexes of a partition break, or of a segment."""
    return [breach for breach in checks.breaches(path) if breach.rule.startswith(_RULES)]


def lines(log: PartitionLog, breaches: list[Breach]) -> Iterator[str]:
    """Yield lines about the indexes of each segment, and whether they can be trusted."""
    alarms = entries = 0
    for segment in log.segments:
        ways = writing(segment)
        alarms += ways.dump_alarms
        entries += ways.offsets.total() + ways.times.total()
        yield f"{segment.path.name}: {_entries('offset', ways.offsets)}; {_entries('time', ways.times)}"
        yield from (f"  written by {release}" for release in _writers(ways))
        base = f"{segment.base_offset:020}."
        yield from (f"  {breach.rule}: {breach.detail}" for breach in breaches if breach.path.name.startswith(base))
    if breaches:
        yield "not to be trusted: stop the broker, remove these files, and start; or `log recover --out` writes them"
    elif entries:
        yield TRUSTED
    else:
        yield "there is no entry to trust or not: lookups read segments from their first batch on"
    if alarms:
        yield f"kafka-dump-log calls {alarms} of the entries a mismatch or not found; that is how those releases write"


def _entries(name: str, counted: Counter[EntryStyle]) -> str:
    total = counted.total()
    if not total:
        return f"no {name} entries"
    styles = ", ".join(f"{count}: {style}" for style, count in counted.most_common())
    return f"{total} {name} entries ({styles})"


def _writers(ways: Writing) -> Iterator[str]:
    for style, (since, until) in WRITERS.items():
        if ways.offsets[style]:
            yield f"{since} to {until}" if until else f"{since} or later"
    if ways.times[EntryStyle.RECORD]:
        yield "a leader of 0.10.1 to 3.6, by its time index"
