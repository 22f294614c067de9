"""`kafka-format log find`: an offset or a time in a partition, step by step."""

from collections.abc import Iterable
from pathlib import Path

import click
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, find_offset, find_time
from kafka_format.log.special_times import Isolation, SpecialTime, UnknownTimeError, find_special, upper_limit

from kafka_tools.commands.log_dump_options import release_option
from kafka_tools.commands.number_types import LogTime, Whole
from kafka_tools.commands.partition_answers import Answer, ask
from kafka_tools.commands.paths import PLACE
from kafka_tools.errors import UsageError
from kafka_tools.logs import lookups, reasons

_LONG = (1 << 63) - 1


@click.command(name="find")
@click.argument("path", metavar="PATH", type=PLACE)
@click.option("--offset", type=Whole(-_LONG, _LONG), metavar="N", help="Find that offset.")
@click.option("--time", "timestamp", type=LogTime(), metavar="TIME", help="Find the first record at or after it.")
@click.option(
    "--isolation",
    type=click.Choice([each.value for each in Isolation]),
    help="Who reads: a consumer of either isolation, or a replica, to the end of the log"
    " [default: read_uncommitted for times].",
)
@release_option
def find_command(*, path: Path, offset: int | None, timestamp: int | None, isolation: str | None, release: str) -> int:
    """Find an offset or a time in a partition, by each step: segment, index, position, batch.

    \b
    kafka-format log find data/orders-0 --offset 4711
    kafka-format log find data/orders-0 --time 1700000000000
    kafka-format log find data/orders-0 --time 2023-11-14T22:13:20Z
    kafka-format log find data/orders-0 --time latest --isolation read_committed

    A time is a number of milliseconds since 1970, a date and time in ISO 8601 (UTC unless it says
    otherwise), or one of latest (-1), earliest (-2), max-timestamp (-3), earliest-local (-4),
    latest-tiered (-5) and earliest-pending-upload (-6). Of a data directory each partition answers
    in a line. Exit status 1 if it is nowhere.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if (offset is None) == (timestamp is None):
        raise UsageError("give either --offset or --time.", "For example: --offset 4711")
    reader = None if isolation is None else Isolation(isolation)

    def question(log: PartitionLog, path: Path) -> Answer:
        del path
        try:
            if offset is not None:
                return _find_offset(log, offset, reader, release)
            return _find_time(log, timestamp or 0, reader or Isolation.READ_UNCOMMITTED, release)
        except UnknownTimeError as error:
            raise UsageError(f"{error}.") from None
        except FormatError as error:
            raise UsageError(
                f"the lookup stops: {error}", "Kafka answers such a fetch with a corrupt record."
            ) from None

    return ask(path, question, status_of=min)


def _find_offset(log: PartitionLog, offset: int, reader: Isolation | None, release: str) -> Answer:
    lookup = find_offset(log, offset, release)
    lines = [*lookups.offset_lines(log, lookup), *reasons.lines(log, lookup)]
    is_there = lookup.batch is not None and reasons.fault(lookup) is None
    if reader is not None and not lookup.outcome.is_out_of_range:
        limit = upper_limit(log, reader)
        lines.append(lookups.limit_line(offset, limit, reader))
        is_there = is_there and offset < limit
    return Answer(lines, 0 if is_there else 1, lookups.offset_line(lookup), is_brief=True)


def _find_time(log: PartitionLog, timestamp: int, reader: Isolation, release: str) -> Answer:
    if timestamp < 0:
        found = find_special(log, SpecialTime(timestamp), reader, release)
        return _answer(lookups.special_lines(log, SpecialTime(timestamp), reader, found), is_there=found.offset >= 0)
    by_time = find_time(log, timestamp, release)
    lines = list(lookups.time_lines(log, by_time))
    if by_time.record is None:
        return _answer(lines, is_there=False)
    limit = upper_limit(log, reader)
    if by_time.record.offset < limit:
        return _answer(lines, is_there=True)
    return _answer([*lines, lookups.limit_line(by_time.record.offset, limit, reader)], is_there=False)


def _answer(lines: Iterable[str], *, is_there: bool) -> Answer:
    said = list(lines)
    return Answer(said, 0 if is_there else 1, is_brief=True)
