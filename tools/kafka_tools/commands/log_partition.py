"""`kafka-format log`: questions about a partition that has a problem."""

import time
from contextlib import ExitStack
from pathlib import Path

import click
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, kraft
from kafka_format.log.comparison import replica
from kafka_format.log.contents import coordinators
from kafka_format.log.contents.releases import NEWEST
from kafka_format.log.names import folder_name
from kafka_format.log.retention import NO_LIMIT, WEEK, judge
from kafka_format.log.transactions import transactions

from kafka_tools.commands.number_types import Whole
from kafka_tools.commands.partition_answers import Answer, Unread, ask, print_lines
from kafka_tools.commands.paths import FOLDER, PLACE
from kafka_tools.errors import UsageError
from kafka_tools.logs import (
    compare_text,
    coordinator_text,
    index_text,
    internal_topics,
    log_paths,
    retention_text,
    transaction_text,
)
from kafka_tools.text import plural

_LONG = (1 << 63) - 1


@click.command(name="transactions")
@click.argument("path", metavar="PATH", type=PLACE)
def transactions_command(*, path: Path) -> int:
    """Show where consumers with read_committed wait, for whom, and if they see aborted records.

    \b
    kafka-format log transactions data/payments-0

    Transactional ids are read from the log of __transaction_state, if its partition is in the same
    data directory; of such a partition itself each id is shown as its coordinator has it after
    loading. Exit status 1 if a transaction is open, aborted records are shown, or a record of a
    coordinator cannot be loaded.
    """  # noqa: D301 - \b keeps the lines of a paragraph

    def question(log: PartitionLog, folder: Path) -> Answer:
        del folder
        if log.name is not None and log.name.topic == coordinators.TRANSACTIONS:
            return _of_coordinator(log)
        try:
            listing = transactions(log)
        except FormatError as error:
            raise UsageError(f"{log.folder}: the transactions cannot be read: {error}", "Try `log verify`.") from None
        coordinator = internal_topics.transactions(log.folder.resolve().parent) if listing.open else {}
        lines = list(transaction_text.lines(log, listing, coordinator))
        is_odd = listing.open or listing.shown_batches
        return Answer(lines, 1 if is_odd else 0, lines[1] if is_odd else transaction_text.SOUND)

    return ask(path, question)


def _of_coordinator(log: PartitionLog) -> Answer:
    loaded = coordinators.load(log, coordinators.TRANSACTIONS, NEWEST)
    lines = list(coordinator_text.lines(log.folder.name, loaded))
    is_odd = loaded.unloaded or any(map(coordinator_text.is_open, loaded.transactions.values()))
    return Answer(lines, 1 if is_odd else 0, lines[0])


@click.command(name="retention")
@click.argument("path", metavar="PATH", type=PLACE)
@click.option(
    "--retention-ms",
    type=Whole(-1, _LONG),
    metavar="MS",
    default=WEEK,
    show_default=True,
    help="Setting retention.ms of the topic.",
)
@click.option(
    "--retention-bytes",
    type=Whole(-1, _LONG),
    metavar="BYTES",
    default=NO_LIMIT,
    show_default=True,
    help="Setting retention.bytes of the topic; -1 is no limit.",
)
@click.option("--at", "now", type=Whole(0, _LONG), metavar="MS", help="The broker's time [default: now].")
def retention_command(*, path: Path, retention_ms: int, retention_bytes: int, now: int | None) -> int:
    """Show which segments a broker would delete, and why, and which time indexes are wrong.

    \b
    kafka-format log retention data/orders-0 --retention-ms 86400000

    The two settings are those of the topic. Zeros at the end of indexes are treated as by a broker
    that opens the files. Exit status 1 if a time index disagrees with the records.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    moment = int(time.time() * 1000) if now is None else now

    def question(log: PartitionLog, folder: Path) -> Answer:
        if folder_name(log.folder) == kraft.FOLDER:
            return Answer(
                [f"{kraft.FOLDER}: a node deletes its segments once a snapshot covers them, by no setting of topics"], 0
            )
        with PartitionLog(folder, padded=_is_stopped(log.folder)) as opened:
            try:
                ageing = judge(opened, moment, retention_ms=retention_ms, retention_bytes=retention_bytes)
            except FormatError as error:
                hint = "Try `log recover`."
                raise UsageError(f"{log.folder}: the log cannot be read to its end: {error}", hint) from None
            lines = list(retention_text.lines(opened, ageing, moment, retention_ms))
        wrong = sum(each.in_batches not in {-1, each.largest} for each in ageing)
        said = f"; {plural(wrong, 'time index')} that disagrees with the records" if wrong else ""
        return Answer(lines, 1 if wrong else 0, lines[-1] + said, is_brief=True)

    return ask(path, question)


def _is_stopped(path: Path) -> bool:
    """Tell whether the broker was stopped cleanly.

    It then takes zeros at the end of indexes for entries.
    """
    return (path.resolve().parent / ".kafka_cleanshutdown").is_file()


@click.command(name="indexes")
@click.argument("path", metavar="PATH", type=PLACE)
def indexes_command(*, path: Path) -> int:
    """Show whether a partition's indexes can be trusted, and which releases write such entries.

    \b
    kafka-format log indexes data/orders-0

    Releases write entries in different ways. All of them are sound, but kafka-dump-log reports some
    as a mismatch. Exit status 1 if an index breaks a rule.
    """  # noqa: D301 - \b keeps the lines of a paragraph

    def question(log: PartitionLog, folder: Path) -> Answer:
        breaches = index_text.index_breaches(folder)
        lines = list(index_text.lines(log, breaches))
        return Answer(lines, 1 if breaches else 0, "not to be trusted" if breaches else index_text.TRUSTED)

    return ask(path, question)


@click.command(name="compare")
@click.argument("paths", metavar="PATH PATH...", nargs=-1, required=True, type=FOLDER)
def compare_command(*, paths: tuple[Path, ...]) -> int:
    """Compare replicas of a partition: where they differ, which one Kafka trusts, where it cuts.

    \b
    kafka-format log compare broker1/orders-0 broker2/orders-0 broker3/orders-0

    Batches are compared byte for byte over the offsets that both replicas cover. After compaction,
    only records that both have are compared. Exit status 1 if one has other records than the
    trusted one. Of data directories, each partition is compared that two or more have.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if len(paths) < 2:
        raise UsageError("one replica cannot be compared.", "Name the folders of two or more.")
    if all(map(log_paths.is_partition, paths)):
        lines, status = _compare(paths)
        print_lines(lines)
        return status
    return _compare_directories(paths)


def _compare_directories(paths: tuple[Path, ...]) -> int:
    """Compare each partition that several of the data directories have."""
    unread, status, alike = Unread(), 0, 0
    found = [{folder.name: folder for folder in log_paths.partitions(path)} for path in paths]
    for name in sorted({name for each in found for name in each}):
        replicas = tuple(each[name] for each in found if name in each)
        if len(replicas) < 2:
            continue
        with unread.noted(replicas[0]):
            lines, differs = _compare(replicas)
            status |= differs
            alike += not differs
            print_lines(lines if differs else ())
    alone = {name for each in found for name in each if sum(name in other for other in found) == 1}
    print_lines([f"{plural(alike, 'partition')} without a difference; in one directory alone: {len(alone)}"])
    unread.tell()
    return status


def _compare(paths: tuple[Path, ...]) -> tuple[list[str], int]:
    with ExitStack() as stack:
        logs = [stack.enter_context(log_paths.partition(path)) for path in paths]
        try:
            replicas = [replica(log) for log in logs]
        except FormatError as error:
            raise UsageError(f"leader-epoch-checkpoint: {error}", "Move it away; epochs are in the batches.") from None
        return list(compare_text.lines(logs, replicas)), int(compare_text.differs(logs, replicas))
