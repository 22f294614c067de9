"""Room at the end of the newest segment that a broker allocated, and has not written to yet.

With `preallocate=true` a segment is as long as `segment.bytes` from its first byte on (clients
FileRecords.open), and what follows the last batch is zeros, until the next segment begins or the
broker stops. After a power loss a file may end in zeros, too, where records were: so zeros are
taken for room only where something else tells of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.kraft import FOLDER
from kafka_format.log.mapped_file import content_end
from kafka_format.log.names import FileKind, parse_file, parse_partition
from kafka_format.log.segment import Segment
from kafka_format.log.text import clean_shutdown, meta_properties
from kafka_format.log.topic_names import METADATA, schema_records

_UNITS: Final = (1 << 20, 10_000)
"""Segments of whole MiB are what people set, and the default; or of round numbers, as 20,000: of
10,000 files that end where a batch does, one is as long by chance."""

_FILLED: Final = 3
"""Segments that ended just there: of one or two it may be chance."""

_LOOKED_AT: Final = 20
_TOPIC: Final = 2


def is_room(segment: Segment, start: int) -> bool:
    """Tell whether the bytes of the newest segment from a position on are room, and no loss.

    They are zeros, the broker was not stopped cleanly, and the length of the file is that of a
    preallocated one: some MiB, a round number of bytes, what earlier segments were filled to, or
    that of another segment in the data directory that ends in zeros; or the metadata says that the
    topic has such files.

    Raises:
        OSError: a file cannot be read.
    """
    data = segment.path.parent.parent
    if start >= segment.size or content_end(segment.path) > start or (data / clean_shutdown.NAME).is_file():
        return False
    if any(segment.size % unit == 0 for unit in _UNITS) or _is_filled_to(segment) or _is_not_alone(segment):
        return True
    return _topic(segment.path.parent) in _preallocated(data)


def _is_not_alone(segment: Segment) -> bool:
    """Tell whether a segment of another partition is as long, and ends in zeros, too."""
    for path in segment.path.parent.parent.glob(f"*/*.{FileKind.SEGMENT}"):
        is_as_long = path.parent != segment.path.parent and path.stat().st_size == segment.size
        if is_as_long and content_end(path) < segment.size:
            return True
    return False


def _is_filled_to(segment: Segment) -> bool:
    """Tell whether segments ended where the next batch would have made them longer than this."""
    before = [path for path in _segments(segment.path.parent) if path.name < segment.path.name]
    filled = 0
    for path, following in pairwise([*before[-_LOOKED_AT:], segment.path]):
        size = path.stat().st_size
        with Segment(following) as each:
            first = next(islice(each.whole_batches(), 1), None)
        filled += first is not None and size <= segment.size < size + first.size
    return filled >= _FILLED


def _segments(folder: Path) -> list[Path]:
    found = []
    for path in folder.glob(f"*.{FileKind.SEGMENT}"):
        try:
            name = parse_file(path.name)
        except FormatError:
            continue
        if name is not None and not name.markers:
            found.append(path)
    return sorted(found)


def _topic(folder: Path) -> str:
    try:
        return parse_partition(folder.name).topic
    except FormatError:
        return ""


def _preallocated(data: Path) -> frozenset[str]:
    """Return the topics whose settings ask for such files, as the metadata says.

    Of several data directories of a node one has the metadata; it mostly is beside the others.
    """
    for directory in (data, *_of_same_cluster(data)):
        log = directory / FOLDER
        if log.is_dir():
            return _read(log, log.stat().st_mtime_ns)
    return frozenset()


def _of_same_cluster(data: Path) -> Iterator[Path]:
    mine = _cluster(data)
    for log in sorted(data.parent.glob(f"*/{FOLDER}")) if mine else ():
        if _cluster(log.parent) == mine:
            yield log.parent


def _cluster(data: Path) -> str | None:
    with suppress(FormatError, OSError):
        return meta_properties.decode((data / meta_properties.NAME).read_bytes()).cluster_id
    return None


@lru_cache(maxsize=8)
def _read(log: Path, _: int) -> frozenset[str]:
    found = dict[str, bool]()
    for _key, record in schema_records(log, METADATA):
        if record is None or record.layout != "config_record":
            continue
        config = record.value
        if config.resource_type == _TOPIC and config.name == "preallocate":
            found[config.resource_name] = config.value == "true"
    return frozenset(topic for topic, is_set in found.items() if is_set)
