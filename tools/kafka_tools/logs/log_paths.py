"""What a user's path is: a partition's folder, a data directory, or a single file."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog, Segment
from kafka_format.log.contents.releases import NEWEST, Release
from kafka_format.log.names import FileKind, folder_name, parse_file, parse_partition
from kafka_format.log.text import checkpoints, clean_shutdown, meta_properties
from kafka_format.log.verification import Breach, contents, verify_partition
from kafka_format.log.verification.directory import partition_folders, verify_marks, verify_own_files

from kafka_tools.errors import UsageError

_CONTENTS = "log.contents."
_LOOSE = frozenset({"log-name-of-any-width"})
_OWN = (meta_properties.NAME, clean_shutdown.NAME, *checkpoints.OFFSET_FILES)
"""Files by which a data directory without partitions is known."""

_LARGE = 4 << 20
"""Bytes of a partition from which on columns are worth it."""


def is_partition(folder: Path) -> bool:
    """Tell whether a folder is that of a partition: by a segment in it, or by its name.

    A data directory may be called like a partition too, such as kafka-1: it has other folders.
    """
    if any(folder.glob("*.log")):
        return True
    return _is_named(folder) and not any(_is_named(each) for each in folder.iterdir() if each.is_dir())


def _is_named(folder: Path) -> bool:
    try:
        parse_partition(folder_name(folder))
    except FormatError:
        return False
    return True


def partitions(path: Path) -> list[Path]:
    """Return the folders of partitions that a path means: itself, or those in it.

    Raises:
        UsageError: there is no such folder, or no partition in it.
    """
    if not path.is_dir():
        raise UsageError(f"{path} is not a folder.", "Name the folder of a partition, such as data/orders-0.")
    if is_partition(path):
        return [path]
    folders = sorted(folder for folder in path.iterdir() if folder.is_dir() and is_partition(folder))
    if not folders:
        raise UsageError(f"{path} has no folders of partitions.", "They have names like orders-0.")
    return folders


def partition(path: Path, *, any_width: bool = False) -> PartitionLog:
    """Open the log of a partition: in a folder, or of a segment alone.

    Args:
        path: the folder.
        any_width: whether segments are read that no broker reads, see `PartitionLog`.

    Raises:
        UsageError: the path is neither.
    """
    if path.is_dir() and not is_partition(path):
        names = ", ".join(folder.name for folder in partitions(path)[:5])
        raise UsageError(f"{path} is a data directory.", f"Name one of its partitions: {names} ...")
    try:
        return PartitionLog(path, any_width=any_width)
    except OSError as error:
        raise UsageError(f"{path} cannot be opened: {error}.") from None
    except FormatError as error:
        hint = "A broker does not start with it. Copy the folder, and move that file out of the copy."
        raise UsageError(f"{path} cannot be opened: {error}.", hint) from None


def segment(path: Path) -> Segment | None:
    """Open a path as a segment; None if it is no segment's file.

    Raises:
        UsageError: it is one and cannot be read.
    """
    try:
        name = parse_file(path.name, _LOOSE)
        return Segment(path) if name is not None and name.kind is FileKind.SEGMENT and path.is_file() else None
    except (OSError, FormatError) as error:
        raise UsageError(f"{path} cannot be opened: {error}.") from None


def breaches(path: Path, release: Release = NEWEST) -> Iterator[Breach]:
    """Yield the rules that a partition breaks, or a data directory with all its partitions.

    Args:
        path: the folder.
        release: the release that is to load the records of Kafka's own topics.

    Raises:
        UsageError: the path is neither, or cannot be read.
    """
    unread = list[str]()
    for check, at in _checks(path):
        try:
            yield from check(at) if release == NEWEST else _as_release(check(at), at, release)
        except OSError as error:
            unread.append(f"{error.filename or at} ({error.strerror})")
    if unread:
        hint = "Other partitions were checked; the rest of what these belong to was not."
        raise UsageError(f"Cannot read {', '.join(dict.fromkeys(unread))}.", hint)


def _verify(folder: Path) -> Iterator[Breach]:
    """Yield the rules that a partition breaks; of a large one by columns, which find the same."""
    size = sum(file.stat().st_size for file in folder.glob(f"*.{FileKind.SEGMENT}") if file.is_file())
    if size < _LARGE or find_spec("numpy") is None:
        return verify_partition(folder)
    from kafka_format import log_columns  # noqa: PLC0415 - numpy is only needed here

    return log_columns.verify_partition(folder)


def _as_release(found: Iterator[Breach], folder: Path, release: Release) -> Iterator[Breach]:
    """Yield the rules that are broken, with those of contents as a release reads them."""
    yield from (breach for breach in found if not breach.rule.startswith(_CONTENTS))
    if is_partition(folder):
        with PartitionLog(folder) as log:
            yield from contents.verify(log, release)


def _has_partitions(path: Path) -> bool:
    return is_partition(path) or any(is_partition(each) for each in path.iterdir() if each.is_dir())


def _checks(path: Path) -> Iterator[tuple[Callable[[Path], Iterator[Breach]], Path]]:
    """Yield the checks of a path: a file that cannot be read stops only its own."""
    if path.is_dir() and not _has_partitions(path):
        if any((path / name).is_file() for name in _OWN):
            yield verify_own_files, path
            return
        if inner := [each for each in sorted(path.iterdir()) if each.is_dir() and _has_partitions(each)]:
            for data in inner:
                yield from _checks(data)
            return
    if partitions(path) == [path]:
        yield _verify, path
        return
    for folder in partition_folders(path):
        yield _verify, folder
        yield verify_marks, folder
    yield verify_own_files, path


def files(path: Path) -> Iterator[Path]:
    """Yield the files of a path: itself, or those of its partitions, in the order of their names.

    Raises:
        UsageError: there is no such file or folder.
    """
    if path.is_file():
        yield path
        return
    for folder in partitions(path):
        yield from sorted(file for file in folder.iterdir() if file.is_file())
