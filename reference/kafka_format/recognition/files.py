"""Bytes as a file of a data directory, by what is in it and by its name."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from kafka_format.codec.prefix import prefix
from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError, Stage
from kafka_format.explain.cut import CutError, CutReader
from kafka_format.log.names import FileKind, parse_file
from kafka_format.log.text import checkpoints, clean_shutdown, meta_properties, partition_metadata, quorum_state
from kafka_format.recognition.model import Candidate, Kind
from kafka_format.spec.layout import find

OFFSETS: Final = "recovery-point-offset-checkpoint"
"""Stands for the files of offsets, which their content does not tell apart."""

_TEXTS: Final = MappingProxyType(
    {
        partition_metadata.NAME: partition_metadata.decode,
        meta_properties.NAME: meta_properties.decode,
        quorum_state.NAME: quorum_state.decode,
        clean_shutdown.NAME: clean_shutdown.decode,
        checkpoints.EPOCH_FILE: checkpoints.decode_epochs,
        **dict.fromkeys(checkpoints.OFFSET_FILES, checkpoints.decode_offsets),
    }
)
_BINARY: Final = MappingProxyType(
    {
        FileKind.OFFSET_INDEX: "an offset index",
        FileKind.TIME_INDEX: "a time index",
        FileKind.TRANSACTION_INDEX: "a transaction index",
        FileKind.PRODUCER_SNAPSHOT: "a producer snapshot",
    }
)
_NAMED: Final = 70
"""The score of what the name alone tells."""

_BY_NAME: Final = 25
"""What a name adds to the score of what the content tells."""

_FIRST_TIME, _LAST_TIME = 946_684_800_000, 4_102_444_800_000
"""2000 to 2100, in milliseconds: times that a time index has."""

_MOST_CHECKED: Final = 10_000
"""Entries of an index that are looked at."""

_REMOTE_NAME: Final = "remote_log_snapshot"


class FileSign(NamedTuple):
    """A sign that bytes are a file: how good it is, and why."""

    name: str
    title: str
    score: int
    evidence: str


def candidates(data: bytes, name: str = "") -> Iterator[Candidate]:
    """Yield what bytes are as a file of a data directory; `name` is the file's, if it is known."""
    signs = [*_texts(data), *_binaries(data)]
    named = _of_name(name)
    for sign in signs:
        fits = sign.name == named or {sign.name, named} <= set(checkpoints.OFFSET_FILES)
        score = min(99, max(_NAMED, sign.score) + _BY_NAME) if fits else sign.score
        evidence = (sign.evidence, f"so the name `{name}` says") if fits else (sign.evidence,)
        against = (f"the name `{name}` says another",) if named and not fits else ()
        title = sign.title if not fits or sign.name not in checkpoints.OFFSET_FILES else f"{name}, {sign.title}"
        yield Candidate(Kind.FILE, title, score, evidence, against, name=named if fits else sign.name)
    if named and not any(sign.name == named or {sign.name, named} <= set(checkpoints.OFFSET_FILES) for sign in signs):
        title = _BINARY.get(named, named) if isinstance(named, FileKind) else named
        against = () if data else ("it is empty",)
        yield Candidate(Kind.FILE, title, _NAMED, (f"so the name `{name}` says",), against, name=named)


def _of_name(name: str) -> str:
    """Return what kind of file a name says; empty for segments, which are runs of entries."""
    if name in _TEXTS or name == _REMOTE_NAME:
        return name
    try:
        parsed = parse_file(name, frozenset({"log-name-of-any-width"}))
    except FormatError:
        return ""
    return parsed.kind if parsed is not None and parsed.kind in _BINARY else ""


def _texts(data: bytes) -> Iterator[FileSign]:
    if not data or len(data) > 16 << 20 or b"\0" in data[:1024]:
        return
    if data[:2] in (b"0\n", b"0\r"):
        yield from _checkpoints(data)
    if _reads(meta_properties.decode, data) and (b"broker.id=" in data or b"node.id=" in data):
        yield FileSign(meta_properties.NAME, "meta.properties, the ids of a broker and its directory", 95, "its keys")
    if data.startswith(b"version:") and _reads(partition_metadata.decode, data):
        yield FileSign(partition_metadata.NAME, "partition.metadata, the id of a topic", 96, "its two lines")
    if data[:1] == b"{":
        if b"brokerEpoch" in data and _reads(clean_shutdown.decode, data):
            yield FileSign(clean_shutdown.NAME, ".kafka_cleanshutdown, the marker of a clean stop", 95, "its keys")
        if b"leaderEpoch" in data and _reads(quorum_state.decode, data):
            yield FileSign(quorum_state.NAME, "quorum-state, what a KRaft node remembers", 95, "its keys")


def _checkpoints(data: bytes) -> Iterator[FileSign]:
    is_empty = len(data.split()) <= 2
    if _reads(checkpoints.decode_epochs, data):
        title = "leader-epoch-checkpoint, leader epochs and the offsets that they begin at"
        score = 60 if is_empty else 95
        yield FileSign(checkpoints.EPOCH_FILE, title, score, "version 0, and as many rows as it says")
    if _reads(checkpoints.decode_offsets, data):
        title = "a checkpoint of offsets of partitions, as recovery-point-offset-checkpoint"
        yield FileSign(OFFSETS, title, 60 if is_empty else 95, "version 0, and as many rows as it says")


def _reads(decode: Callable[[bytes], object], data: bytes) -> bool:
    try:
        decode(data)
    except FormatError:
        return False
    return True


def _binaries(data: bytes) -> Iterator[FileSign]:
    yield from _snapshot(data)
    yield from _index(data, FileKind.OFFSET_INDEX, ">Ii", _is_offset_index, 6)
    yield from _index(data, FileKind.TIME_INDEX, ">qI", _is_time_index, 28)
    yield from _index(data, FileKind.TRANSACTION_INDEX, ">hqqqq", _is_transaction_index, 20)


def _snapshot(data: bytes) -> Iterator[FileSign]:
    if len(data) < prefix("producer_snapshot_file").size or data[:2] != b"\0\1":
        return
    title, name = _BINARY[FileKind.PRODUCER_SNAPSHOT], FileKind.PRODUCER_SNAPSHOT
    try:
        structure("producer_snapshot_file").decode(data)
    except FormatError as error:
        if error.stage is Stage.CHECKSUM and _reads_but_for_its_checksum(data):
            yield FileSign(name, title, 45, "its version is 1, but its checksum is wrong")
        return
    yield FileSign(name, title, 97, "its checksum is right")


def _reads_but_for_its_checksum(data: bytes) -> bool:
    try:
        _, end = CutReader(data).read(find("producer_snapshot_file"), 0, len(data))
    except (FormatError, CutError):
        return False
    return end == len(data)


_Rows = list[tuple[int, ...]]


def _index(data: bytes, kind: FileKind, form: str, fits: Callable[[_Rows], bool], weight: int) -> Iterator[FileSign]:
    """Yield an index if all entries before the zeros at the end fit; each adds its weight."""
    size = struct.calcsize(form)
    used = -(-len(data.rstrip(b"\0")) // size)
    if len(data) % size or not used:
        return
    rows = list(struct.iter_unpack(form, data[: size * min(used, _MOST_CHECKED)]))
    if fits(rows):
        entries = f"{used} entr{'y' if used == 1 else 'ies'} in rising order"
        yield FileSign(kind, _BINARY[kind], min(88, 4 + weight * used), entries)


def _is_offset_index(rows: _Rows) -> bool:
    rises = all(one[0] < other[0] and one[1] < other[1] for one, other in pairwise(rows))
    return rises and all(offset < 1 << 31 and 0 <= position < 1 << 31 for offset, position in rows)


def _is_time_index(rows: _Rows) -> bool:
    rises = all(one[0] < other[0] and one[1] <= other[1] for one, other in pairwise(rows))
    return rises and all(_FIRST_TIME <= time < _LAST_TIME for time, _ in rows)


def _is_transaction_index(rows: _Rows) -> bool:
    return all(
        version == 0 and 0 <= producer < 1 << 48 and 0 <= first <= last and stable >= -1
        for version, producer, first, last, stable in rows
    )
