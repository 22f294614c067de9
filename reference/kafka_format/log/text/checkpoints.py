"""Checkpoint files: offsets of partitions, and leader epochs with the offsets that they begin at.

    0                   version
    2                   how many rows follow
    orders 0 12         topic, partition, offset; in leader-epoch-checkpoint epoch and start offset
    orders 1 7

(server-common CheckpointFile; storage OffsetCheckpointFile and LeaderEpochCheckpointFile.) A file
without a byte, or with the version alone, has no rows. The order of offsets means nothing; the last
row of a partition counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeVar

from kafka_format.log.text.lines import Line, number, split, text_error

VERSION: Final = 0

RECOVERY_FILE: Final = "recovery-point-offset-checkpoint"
WATERMARK_FILE: Final = "replication-offset-checkpoint"
CLEANER_FILE: Final = "cleaner-offset-checkpoint"

OFFSET_FILES: Final = {
    RECOVERY_FILE: "the recovery point: all below it is on the disk",
    WATERMARK_FILE: "the high watermark",
    "log-start-offset-checkpoint": "where the log starts, if that is above the base offset of its first segment",
    CLEANER_FILE: "all below it is compacted",
}
"""The files with offsets of partitions, in each data directory, and what an offset says."""

EPOCH_FILE: Final = "leader-epoch-checkpoint"
"""The file with leader epochs, in each partition."""

LOOSE: Final = "checkpoint-loose-text"
"""The flag that allows what `java.lang.Long.parseLong` and a split at white space allow."""

_SPACE: Final = " \t\v\f"
_BLANKS: Final = re.compile(r"\s+", re.ASCII)


class OffsetRow(NamedTuple):
    """An offset of a partition."""

    topic: str
    partition: int
    offset: int


class EpochRow(NamedTuple):
    """A leader epoch, and the offset of its first record."""

    epoch: int
    start_offset: int


_Row = TypeVar("_Row", OffsetRow, EpochRow)


def decode_offsets(data: bytes, flags: frozenset[str] = frozenset()) -> tuple[OffsetRow, ...]:
    """Read a file with offsets of partitions.

    Raises:
        FormatError: a broker cannot read it. What that costs depends on the file.
    """
    return _decode(data, lambda line: _offset_row(line, loose=LOOSE in flags), flags)


def decode_epochs(data: bytes, flags: frozenset[str] = frozenset()) -> tuple[EpochRow, ...]:
    """Read a file of leader epochs.

    Raises:
        FormatError: a broker cannot read it, and takes the data directory offline; or rows do not
            rise, which Kafka mends as it reads (flag `epochs-made-to-rise`): a row removes those
            before it that are not below it.
    """
    rows = _decode(data, lambda line: _epoch_row(line, loose=LOOSE in flags), flags)
    kept: list[EpochRow] = []
    for row, line in zip(rows, [line for line in split(data) if line.text][2:], strict=False):
        if min(row) < 0:
            raise text_error("log.epochs.not-negative", f"epoch {row.epoch}, start {row.start_offset}", line.offset)
        if kept and not (row.epoch > kept[-1].epoch and row.start_offset > kept[-1].start_offset):
            if "epochs-made-to-rise" not in flags:
                detail = (
                    f"epoch {row.epoch} from {row.start_offset} follows {kept[-1].epoch} from {kept[-1].start_offset}"
                )
                raise text_error("log.epochs.rising", detail, line.offset)
            kept = [
                epoch_row
                for epoch_row in kept
                if epoch_row.epoch < row.epoch and epoch_row.start_offset < row.start_offset
            ]
        kept.append(row)
    return tuple(kept)


def encode(rows: Iterable[OffsetRow] | Iterable[EpochRow]) -> bytes:
    """Write a checkpoint file; every line ends in a newline."""
    lines = [" ".join(map(str, row)) for row in rows]
    return "".join(f"{line}\n" for line in (VERSION, len(lines), *lines)).encode()


def _decode(data: bytes, row_of: Callable[[Line], _Row], flags: frozenset[str]) -> tuple[_Row, ...]:
    lines = list(split(data))
    loose = LOOSE in flags
    if not lines:
        return ()
    _check_version(number(lines[0].text, 32, loose=loose))
    if len(lines) == 1:
        return ()
    count = number(lines[1].text, 32, loose=loose)
    if count is None or count < 0:
        raise text_error(
            "log.checkpoint.count", f"`{lines[1].text:.40}` is not a number of rows", lines[1].offset, "count"
        )
    rows = tuple(row_of(line) for line in lines[2:])
    _check_count(len(rows), count, lines[1])
    if not data.endswith(b"\n") and not loose:
        raise text_error(
            "log.checkpoint.text", "the last line does not end in a newline; the file may be cut", len(data)
        )
    return rows


def _check_version(version: int | None) -> None:
    if version != VERSION:
        what = "is not a number" if version is None else f"is {version}, known is {VERSION}"
        raise text_error("log.checkpoint.version", f"the version {what}", 0, "version")


def _check_count(rows: int, count: int, line: Line) -> None:
    if rows != count:
        detail = f"the file announces {count} rows, and has {rows}"
        raise text_error("log.checkpoint.count", detail, line.offset, "count")


def _offset_row(line: Line, *, loose: bool) -> OffsetRow:
    topic, partition, offset = _fields(line, 3, "topic, partition and offset", loose=loose)
    return OffsetRow(topic, _number(line, partition, 32, loose=loose), _number(line, offset, 64, loose=loose))


def _epoch_row(line: Line, *, loose: bool) -> EpochRow:
    epoch, start = _fields(line, 2, "epoch and start offset", loose=loose)
    return EpochRow(_number(line, epoch, 32, loose=loose), _number(line, start, 64, loose=loose))


def _fields(line: Line, count: int, what: str, *, loose: bool) -> list[str]:
    fields = _BLANKS.split(line.text.rstrip(_SPACE)) if loose else line.text.split(" ")
    if len(fields) != count:
        raise text_error("log.checkpoint.row", f"`{line.text:.40}` is not {what}", line.offset)
    return fields


def _number(line: Line, text: str, bits: int, *, loose: bool) -> int:
    value = number(text, bits, loose=loose)
    if value is None:
        raise text_error(
            "log.checkpoint.number", f"`{text:.40}` is not an int{bits}", line.offset + line.text.find(text)
        )
    return value
