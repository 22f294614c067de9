"""What a user's path is: data directories, a partition's folder, or a single file."""

from pathlib import Path

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import FileKind, folder_name, parse_file, parse_partition
from kafka_format.log.text import checkpoints, clean_shutdown, meta_properties, quorum_state
from kafka_format.log.topic_names import METADATA
from kafka_format.log.verification.directory import partition_folders

from kafka_tools.errors import UsageError

_LOOSE = frozenset({"log-name-of-any-width"})
_OWN = (meta_properties.NAME, clean_shutdown.NAME, *checkpoints.OFFSET_FILES)
"""Files by which a data directory without partitions is known."""


def is_partition(folder: Path) -> bool:
    """Tell whether a folder is that of a partition: by a segment in it, or by its name.

    A data directory may be called like a partition too, such as kafka-1: it has other folders. Of a
    folder that cannot be read, the name decides.
    """
    try:
        if any(each.suffix == f".{FileKind.SEGMENT}" for each in folder.iterdir()):
            return True
        return _is_named(folder) and not any(_is_named(each) for each in folder.iterdir() if each.is_dir())
    except OSError:
        return _is_named(folder)


def _is_named(folder: Path) -> bool:
    try:
        parse_partition(folder_name(folder))
    except FormatError:
        return False
    return True


def is_data(folder: Path) -> bool:
    """Tell whether a folder is a data directory: by its own files, or by partitions in it.

    Raises:
        OSError: it cannot be read.
    """
    if any((folder / name).is_file() for name in _OWN):
        return True
    return any(each.is_dir() and is_partition(each) for each in folder.iterdir())


def data_directories(path: Path) -> list[Path]:
    """Return the data directories that a folder means: itself, or those in it; none of a partition.

    Raises:
        OSError: the folder cannot be read.
    """
    if is_partition(path):
        return []
    if is_data(path):
        return [path]
    return [folder for folder in sorted(path.iterdir()) if folder.is_dir() and _is_readable_data(folder)]


def _is_readable_data(folder: Path) -> bool:
    try:
        return not is_partition(folder) and is_data(folder)
    except OSError:
        return False


def partitions(path: Path) -> list[Path]:
    """Return the partitions that a path means: itself, or those in its data directories.

    A segment is the log of a partition by itself. A data directory may have none.

    Raises:
        UsageError: the path is no segment, no partition and no data directory.
        OSError: the folder cannot be read.
    """
    if not path.is_dir():
        if not is_segment(path):
            raise UsageError(f"{path} is not a segment.", "Name the folder of a partition, such as data/orders-0.")
        return [path]
    if is_partition(path):
        return [path]
    directories = data_directories(path)
    if not directories:
        raise UsageError(f"{path} has no folders of partitions.", "They have names like orders-0.")
    folders = (folder for data in directories for folder in partition_folders(data))
    return [folder for folder in folders if is_partition(folder)]


def quorum_folders(path: Path) -> list[Path]:
    """Return the folders of metadata logs that a path means: itself, or those in data directories.

    Raises:
        UsageError: there is none.
    """
    if folder_name(path).startswith(METADATA) or (path / quorum_state.NAME).exists():
        return [path]
    directories = data_directories(path) if path.is_dir() else ()
    found = [data / FOLDER for data in directories if (data / FOLDER).is_dir()]
    if not found:
        raise UsageError(f"{path} has no metadata log.", f"Name a data directory with a {FOLDER}, or that folder.")
    return found


def title(path: Path, partition: Path) -> str:
    """Return what a partition of a path is called: its name, or where it is below the path."""
    return partition.name if partition == path else str(partition.relative_to(path))


def partition(path: Path, *, padded: bool = False, any_width: bool = False) -> PartitionLog:
    """Open the log of a partition: in a folder, or of a segment alone.

    The last two are those of `PartitionLog`.

    Raises:
        UsageError: it cannot be opened.
    """
    try:
        return PartitionLog(path, padded=padded, any_width=any_width)
    except OSError as error:
        raise UsageError(f"{path} cannot be opened: {error.strerror}.") from None
    except FormatError as error:
        hint = "A broker does not start with it. Copy the folder, and move that file out of the copy."
        raise UsageError(f"{path} cannot be opened: {error}.", hint) from None


def is_segment(path: Path) -> bool:
    """Tell whether a path is a file that is called like a segment."""
    try:
        name = parse_file(path.name, _LOOSE)
    except FormatError:
        return False
    return name is not None and name.kind is FileKind.SEGMENT and path.is_file()


def files(path: Path) -> list[Path]:
    """Return a file itself, or the files of a partition's folder, in the order of their names.

    Raises:
        OSError: the folder cannot be read.
    """
    return [path] if path.is_file() else sorted(file for file in path.iterdir() if file.is_file())
