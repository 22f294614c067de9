"""The rules that what a user named breaks: data directories, a partition, a single file."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.contents.releases import NEWEST, Release
from kafka_format.log.names import FileKind, parse_file, segment_name
from kafka_format.log.verification import Breach, contents, presence, verify_partition
from kafka_format.log.verification.breach import of_error
from kafka_format.log.verification.directory import partition_folders, verify_marks, verify_own_files
from kafka_format.log.verification.partition import verify_segment

from kafka_tools.errors import UsageError
from kafka_tools.logs import log_paths

_CONTENTS = "log.contents."
_LOOSE = frozenset({"log-name-of-any-width"})
_LARGE = 4 << 20
"""Bytes of a partition from which on columns are worth it."""


def breaches(path: Path, release: Release = NEWEST) -> Iterator[Breach]:
    """Yield the rules that a partition breaks, a data directory with all its partitions, or a file.

    Args:
        path: where it is.
        release: the release that is to load the records of Kafka's own topics.

    Raises:
        UsageError: the path is none of these, or cannot be read.
    """
    unread = list[str]()
    for check, at in _checks(path):
        try:
            yield from check(at) if release == NEWEST else _as_release(check(at), at, release)
        except OSError as error:
            unread.append(f"{error.filename or at} ({error.strerror})")
    if unread:
        hint = "All else was checked; the rest of what these belong to was not."
        raise UsageError(f"Cannot read {', '.join(dict.fromkeys(unread))}.", hint)


def bare_folders(path: Path) -> Iterator[Path]:
    """Yield the partitions of a path that have nothing but segments."""
    for check, folder in _checks(path) if path.is_dir() else ():
        if check is _verify:
            with suppress(FormatError, OSError), PartitionLog(folder) as log:
                if log.segments and presence.is_bare(log):
                    yield folder


def _checks(path: Path) -> Iterator[tuple[Callable[[Path], Iterator[Breach]], Path]]:
    """Yield the checks of a path: a file that cannot be read stops only its own."""
    if not path.is_dir():
        yield _verify_file, path
        return
    if log_paths.partitions(path) == [path]:
        yield _verify, path
        return
    for data in log_paths.data_directories(path):
        for folder in partition_folders(data):
            yield _verify, folder
            yield verify_marks, folder
        yield verify_own_files, data


def _verify(folder: Path) -> Iterator[Breach]:
    """Yield the rules that a partition breaks; of a large one by columns, which find the same."""
    files = (file for file in folder.glob(f"*.{FileKind.SEGMENT}") if file.is_file())
    size = sum(file.stat().st_size for file in files)
    if size < _LARGE or find_spec("numpy") is None:
        return verify_partition(folder)
    from kafka_format import log_columns  # noqa: PLC0415 - numpy is only needed here

    return log_columns.verify_partition(folder)


def _verify_file(path: Path) -> Iterator[Breach]:
    """Yield the rules that a file breaks: of a segment those of its indexes too."""
    try:
        name = parse_file(path.name, _LOOSE)
    except FormatError as error:
        yield of_error(error, path)._replace(position=None)
        return
    segment = None if name is None else path.with_name(segment_name(name.offset, FileKind.SEGMENT, *name.markers))
    if log_paths.is_segment(path) or (segment is not None and segment.is_file() and path.suffix != ".snapshot"):
        bases = [file for file in path.parent.iterdir() if log_paths.is_segment(file)]
        with PartitionLog(path if log_paths.is_segment(path) or segment is None else segment) as log:
            for each in log.segments:
                found = verify_segment(each, [], is_last=each.path.name >= max(file.name for file in bases))
                yield from (breach for breach in found if breach.path == path or log_paths.is_segment(path))
        return
    from kafka_tools.logs import annotation  # noqa: PLC0415 - only single files are read in this way

    fault = annotation.annotate(path).fault
    if fault is not None:
        yield of_error(fault, path)


def _as_release(found: Iterator[Breach], path: Path, release: Release) -> Iterator[Breach]:
    """Yield the rules that are broken, with those of contents as a release reads them."""
    yield from (breach for breach in found if not breach.rule.startswith(_CONTENTS))
    if path.is_dir() and log_paths.is_partition(path):
        with PartitionLog(path) as log:
            yield from contents.verify(log, release)
