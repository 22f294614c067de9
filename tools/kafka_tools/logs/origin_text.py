"""The origin of files in words: which releases, and if they were copied from a running broker."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.kraft import FOLDER
from kafka_format.log.origin import ReleaseEvidence, is_open
from kafka_format.log.text import clean_shutdown, meta_properties
from kafka_format.spec.layout.release_table import numbers

from kafka_tools.logs import log_paths

_SHOWN = 3


def release_line(release_evidences: list[ReleaseEvidence]) -> str:
    """Return the releases that all evidence allows."""
    if not release_evidences:
        return "nothing here tells which release wrote it"
    since = max((each.since for each in release_evidences), key=numbers, default="0.8")
    until = min((each.until for each in release_evidences if each.until), key=numbers, default="")
    if until and numbers(until) < numbers(since):
        return f"written by several releases: some files by {until} or earlier, some by {since} or later"
    return f"written by {span(since, until)}"


def span(since: str, until: str) -> str:
    """Return releases in words: `3.9`, `2.0 to 4.0.0`, `3.7 or later`."""
    if since == until:
        return since
    return f"{since} to {until}" if until else f"{since} or later"


def copy_lines(path: Path, folders: Iterable[Path]) -> Iterator[str]:
    """Yield whether a data directory was closed, killed, or copied while its broker was running.

    Args:
        path: the data directory, a partition or a segment.
        folders: the partitions in it.
    """
    open_ones, closed = list[str](), list[str]()
    for folder in folders:
        with suppress(FormatError), PartitionLog(folder) as log:
            if log.segments and log.segments[-1].has_index and folder.name != FOLDER:
                (open_ones if is_open(log) else closed).append(folder.name)
    is_data = path.is_dir() and not log_paths.is_partition(path)
    data = path if is_data else (path if path.is_dir() else path.parent).resolve().parent
    marker = (data / clean_shutdown.NAME).is_file()
    if open_ones and closed:
        yield f"not closed: {_few(open_ones)}; closed: {_few(closed)}"
    if marker and open_ones:
        yield "copied from a running broker, or closed halfway: there is a marker of a clean stop, and open files"
    elif open_ones:
        yield "not stopped cleanly: the broker was killed, or the files were copied while it was running"
        if not (data / ".lock").exists() and (data / meta_properties.NAME).exists():
            yield "  .lock is missing, which a broker never removes: these files are a copy"
    elif marker:
        yield "stopped cleanly"
    elif closed:
        yield "all partitions are closed, and no marker says so: a copy without it"
    else:
        yield "nothing here tells whether a broker was running: no partition has indexes"


def _few(names: list[str]) -> str:
    """Return some names, and how many others there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
