"""Which release wrote a data directory, and if it was copied from a running broker."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.index_writers import WRITERS, EntryStyle, writing
from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import FileKind, segment_name
from kafka_format.log.text import clean_shutdown, meta_properties, partition_metadata, quorum_state
from kafka_format.spec.layout.release_names import numbers

from kafka_tools.logs import internal_topics, log_paths

_LEVELS = {
    1: "3.0",
    2: "3.1",
    3: "3.2",
    4: "3.3",
    8: "3.4",
    9: "3.5",
    12: "3.6",
    15: "3.7",
    20: "3.8",
    21: "3.9",
    22: "4.0",
    26: "4.1",
    28: "4.2",
    30: "4.3",
    31: "4.4",
}
"""The first metadata.version of each release (server-common MetadataVersion)."""

_NAMES = {
    "timeindex": "0.10.1",
    "snapshot": "0.11",
    "txnindex": "0.11",
    "checkpoint": "2.8",
}


class ReleaseEvidence(NamedTuple):
    """Evidence of a release: the first and last one that writes so, and what it is."""

    since: str
    until: str
    what: str


def evidence(path: Path) -> list[ReleaseEvidence]:
    """Return what tells which release wrote a partition or a data directory, the newest first."""
    folders = log_paths.partitions(path)
    signs = set() if folders == [path] else set(_directory(path))
    for folder in folders:
        with suppress(FormatError), PartitionLog(folder) as log:
            signs |= set(_partition(log))
    return sorted(signs, key=lambda each: (numbers(each.since), each.what), reverse=True)


def release_line(release_evidences: list[ReleaseEvidence]) -> str:
    """Return the releases that all evidence allows."""
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


def copy_lines(path: Path) -> Iterator[str]:
    """Yield whether a data directory was closed, killed, or copied while its broker was running."""
    open_ones, closed = list[str](), list[str]()
    for folder in log_paths.partitions(path):
        with suppress(FormatError), PartitionLog(folder) as log:
            if log.segments and folder.name != FOLDER:
                (open_ones if _is_open(log) else closed).append(folder.name)
    data = path.resolve().parent if log_paths.is_partition(path) else path
    marker = (data / clean_shutdown.NAME).is_file()
    if open_ones and closed:
        yield f"indexes with room at their end: {', '.join(open_ones)}; closed: {', '.join(closed)}"
    if marker and open_ones:
        yield "copied from a running broker, or closed halfway: there is a marker of a clean stop, and open files"
    elif open_ones:
        yield "not stopped cleanly: the broker was killed, or the files were copied while it was running"
        if not (data / ".lock").exists() and (data / meta_properties.NAME).exists():
            yield "  .lock is missing, which a broker never removes: these files are a copy"
    else:
        yield "stopped cleanly" if marker else "all partitions are closed, and no marker says so: a copy without it"


def _is_open(log: PartitionLog) -> bool:
    last = log.segments[-1]
    has_room = bool(last.offset_index.zeros or last.time_index.zeros)
    return has_room or not (log.folder / segment_name(log.end_offset, FileKind.PRODUCER_SNAPSHOT)).is_file()


def _content(file: Path) -> bytes:
    """Return the bytes of a file; none of what is no file, since a pipe may never end.

    Raises:
        OSError: it cannot be read.
    """
    return file.read_bytes() if file.is_file() else b""


def _directory(path: Path) -> Iterator[ReleaseEvidence]:
    with suppress(FormatError, OSError):
        properties = meta_properties.decode(_content(path / meta_properties.NAME))
        if properties.version:
            yield ReleaseEvidence("3.0", "", "meta.properties has version 1 (KRaft)")
        if properties.directory_id:
            yield ReleaseEvidence("3.7", "", "meta.properties has the id of the directory")
    if (path / clean_shutdown.NAME).is_file():
        is_json = (path / clean_shutdown.NAME).stat().st_size > 0
        what = f"{clean_shutdown.NAME} {'has the epoch of the broker' if is_json else 'is empty'}"
        yield ReleaseEvidence("3.7", "", what) if is_json else ReleaseEvidence("0.8.1", "3.6", what)
    if (path / "bootstrap.checkpoint").is_file():
        yield ReleaseEvidence("3.3", "", "bootstrap.checkpoint is there")
    with suppress(FormatError, OSError):
        state = quorum_state.decode(_content(path / FOLDER / quorum_state.NAME))
        yield ReleaseEvidence(
            "3.9" if state.data_version else "2.7", "", f"quorum-state has data_version {state.data_version}"
        )
    levels = internal_topics.metadata_levels(path)
    if level := levels.get("broker"):
        release, is_last = _release(level)
        until = "" if is_last else release
        yield ReleaseEvidence(release, until, f"a broker registered that knows metadata.version up to {level}")
    elif level := levels.get("level"):
        yield ReleaseEvidence(_release(level)[0], "", f"metadata.version {level} is in force")


def _release(level: int) -> tuple[str, bool]:
    """Return the release of a metadata.version, and if that is the newest known one."""
    first = max((each for each in _LEVELS if each <= level), default=1)
    return _LEVELS[first], first == max(_LEVELS)


def _partition(log: PartitionLog) -> Iterator[ReleaseEvidence]:
    for file in log.files:
        if file.name is not None and file.name.kind in _NAMES:
            yield ReleaseEvidence(_NAMES[file.name.kind], "", f"files end in .{file.name.kind}")
        if file.path.name == partition_metadata.NAME:
            yield ReleaseEvidence("2.8", "", "partition.metadata is there")
    magics, has_horizon = set[int](), False
    for segment in log.segments:
        for batch in segment.whole_batches():
            magics.add(batch.magic)
            has_horizon |= batch.has("has_delete_horizon")
        for style, count in writing(segment).offsets.items():
            if count and style is not EntryStyle.LAST and style in WRITERS:
                yield ReleaseEvidence(*WRITERS[style], f"index entries have {style}")
    if has_horizon:
        yield ReleaseEvidence("3.1", "", "the cleaner wrote delete horizons")
    yield from (
        ReleaseEvidence({0: "0.8", 1: "0.10", 2: "0.11"}.get(each, "0.8"), "", f"batches of v{each}") for each in magics
    )
    bases = [segment.base_offset for segment in log.segments[1:]]
    kept = [base for base in bases if (log.folder / segment_name(base, FileKind.PRODUCER_SNAPSHOT)).is_file()]
    if len(bases) > 1 and kept == bases:
        yield ReleaseEvidence("2.8", "", "each segment has its producer snapshot")
