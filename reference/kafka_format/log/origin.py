"""Which release wrote a partition or a data directory, by what is in its files."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError
from kafka_format.log.batches import Batch
from kafka_format.log.index_writers import WRITERS, EntryStyle, writing
from kafka_format.log.kraft import FOLDER
from kafka_format.log.names import FileKind
from kafka_format.log.partition import PartitionLog
from kafka_format.log.text import checkpoints, clean_shutdown, meta_properties, partition_metadata, quorum_state
from kafka_format.log.topic_names import METADATA, read_records, schema_records
from kafka_format.protocol.records import KEYED
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.release_table import numbers, release_rows

_NAMES = {
    "timeindex": "0.10.1",
    "snapshot": "0.11",
    "txnindex": "0.11",
    "checkpoint": "2.8",
}

_SAMPLE = 2000
"""Records of a coordinator's partition that are looked at, from its newest segment on."""

_DELETED = "delete"
_MANY = 5
_LEFT = 3


class ReleaseEvidence(NamedTuple):
    """Evidence of a release: the first and last one that writes so, and what it is."""

    since: str
    until: str
    what: str


_NO_PROPERTIES = ReleaseEvidence("0.8", "0.8.2", "there is no meta.properties")

_ABSENT = {
    FileKind.TIME_INDEX: ReleaseEvidence("0.8", "0.10.0", "no file ends in .timeindex"),
    checkpoints.EPOCH_FILE: ReleaseEvidence("0.8", "0.10.2", "no partition has a leader-epoch-checkpoint"),
    partition_metadata.NAME: ReleaseEvidence("0.8", "2.8", "no partition has a partition.metadata"),
}
"""By a name that no partition of a data directory has."""


def evidence(folders: Iterable[Path], data: Path | None = None) -> list[ReleaseEvidence]:
    """Return what tells which release wrote partitions, the newest first.

    Args:
        folders: the partitions.
        data: the data directory that they are all of, to be looked at too.
    """
    signs = set() if data is None else set(_directory(data))
    names, has_batches = set[str](), False
    for folder in folders:
        with suppress(FormatError), PartitionLog(folder) as log:
            if log.name is not None and log.name.marker == _DELETED:
                continue
            signs |= {*_partition(log), *_schemas(log)}
            if data is not None and (data / clean_shutdown.NAME).is_file():
                signs |= set(_snapshots(log))
            names |= {file.name.kind if file.name else file.path.name for file in log.files}
            has_batches = has_batches or next(_first_batches(log), None) is not None
    if data is not None and has_batches:
        signs |= set(_absent(data, names, signs))
    return sorted(signs, key=lambda each: (numbers(each.since), each.what), reverse=True)


def _absent(data: Path, names: set[str], signs: Iterable[ReleaseEvidence]) -> Iterator[ReleaseEvidence]:
    """Yield what a missing file tells: that an old release wrote the directory, if it is whole.

    Of a copy, files are missing for other reasons. Each release writes the high watermarks of a
    directory that has partitions; what newer releases wrote says that files were left out.
    """
    if not any((data / name).is_file() for name in checkpoints.OFFSET_FILES):
        return
    newest = max((numbers(each.since) for each in signs), default=())
    missing = [each for name, each in _ABSENT.items() if name not in names]
    missing += [] if (data / meta_properties.NAME).exists() else [_NO_PROPERTIES]
    yield from (each for each in missing if numbers(each.until) >= newest)


def is_open(log: PartitionLog) -> bool:
    """Tell whether a broker has not closed a log: indexes with room at their end, no snapshot.

    Releases before 0.11 write no snapshots, and none writes one of a log without records. What is
    left of a deleted topic is not closed any more.
    """
    if log.name is not None and log.name.marker == _DELETED:
        return False
    last, end = log.segments[-1], log.end_offset
    if last.offset_index.zeros or last.time_index.zeros:
        return True
    snapshots = [each.name.offset for each in log.files if each.name and each.name.kind is FileKind.PRODUCER_SNAPSHOT]
    is_since_0_11 = bool(snapshots) or any(batch.is_v2 for batch in _first_batches(log))
    return is_since_0_11 and end > log.segments[0].base_offset and max(snapshots, default=-1) < end


def _first_batches(log: PartitionLog) -> Iterator[Batch]:
    """Yield the first batch of each segment, from the last one on."""
    for segment in reversed(log.segments):
        yield from islice(segment.whole_batches(), 1)


def _content(file: Path) -> bytes:
    """Return the bytes of a file; none of what is no file, since a pipe may never end.

    Raises:
        OSError: it cannot be read.
    """
    return file.read_bytes() if file.is_file() else b""


def _directory(path: Path) -> Iterator[ReleaseEvidence]:
    with suppress(FormatError, OSError):
        properties = meta_properties.decode(_content(path / meta_properties.NAME))
        if (path / meta_properties.NAME).is_file():
            yield ReleaseEvidence("0.9", "", "meta.properties is there")
        if properties.version:
            yield ReleaseEvidence("3.0", "", "meta.properties has version 1 (KRaft)")
        elif properties.cluster_id:
            yield ReleaseEvidence("2.4", "", "meta.properties has the id of the cluster")
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
    levels = _metadata_levels(path)
    if level := levels.get("broker"):
        release, is_last = _release(level)
        until = "" if is_last else release
        yield ReleaseEvidence(release, until, f"a broker registered that knows metadata.version up to {level}")
    elif level := levels.get("level"):
        yield ReleaseEvidence(_release(level)[0], "", f"metadata.version {level} is in force")


def _metadata_levels(data: Path) -> dict[str, int]:
    """Return the metadata.version in force (`level`), and the newest that a `broker` supports."""
    levels: dict[str, int] = {}
    for _, value in schema_records(data / FOLDER, METADATA) if (data / FOLDER).is_dir() else ():
        if value is None:
            continue
        if value.layout == "feature_level_record" and value.value.name == "metadata.version":
            levels["level"] = value.value.feature_level
        for feature in getattr(value.value, "features", ()) if value.layout == "register_broker_record" else ():
            if feature.name == "metadata.version":
                levels["broker"] = feature.max_supported_version
    return levels


def _release(level: int) -> tuple[str, bool]:
    """Return the release of a metadata.version, and if that is the newest known one."""
    known = {row.metadata_version: row.name for row in release_rows().values() if row.metadata_version}
    first = max((each for each in known if each <= level), default=1)
    return known[first], first == max(known)


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


def _schemas(log: PartitionLog) -> Iterator[ReleaseEvidence]:
    """Yield the newest schemas in the records of a coordinator; older ones may be asked for."""
    topic = "" if log.name is None else log.name.topic
    newest: dict[str, int] = {}
    segments = reversed(log.segments) if topic in KEYED else ()
    records = (record for segment in segments for record in read_records(segment.whole_batches(), topic))
    for _, value in islice(records, _SAMPLE):
        if value is not None:
            newest[value.layout] = max(newest.get(value.layout, 0), value.version)
    for layout, version in newest.items():
        known = specification().versioned[layout]
        release = known.since[version].removesuffix(".0")
        yield ReleaseEvidence(release, "", f"{topic} has a {known.title.lower()} of version {version}")


def _snapshots(log: PartitionLog) -> Iterator[ReleaseEvidence]:
    """Yield how a clean stop leaves the producer snapshots of a log with many segments.

    Up to 2.7 it leaves the last three alone (KAFKA-9393).
    """
    bases = {segment.base_offset for segment in log.segments[1:]}
    kept = {each.name.offset for each in log.files if each.name and each.name.kind is FileKind.PRODUCER_SNAPSHOT}
    if len(bases) >= _MANY and kept:
        if bases <= kept:
            yield ReleaseEvidence("2.8", "", "each segment has its producer snapshot")
        elif len(kept) <= _LEFT:
            yield ReleaseEvidence("0.11", "2.7", "old producer snapshots were removed")
