"""The lines of a large segment, made of columns: for many batches at once what `dump` does for one.

Where a batch is not of v2, or something about it is in doubt, `dump` makes its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from kafka_format import columnar
from kafka_format.columnar import Slices
from kafka_format.columnar.arrays import Ints
from kafka_format.columnar.byte_moves import SPILL, octets, window
from kafka_format.errors import FormatError
from kafka_format.log_columns.headers import BATCH, flag, row_type
from kafka_format.log_columns.pieces import Piece, pieces
from kafka_format.records import Record
from kafka_format.records.entries import OVERHEAD
from kafka_format.records.model import CODEC_MASK

from kafka_tools.logs import java_contents
from kafka_tools.logs.dump_lines import CODECS, RECORD_LINE, SEQUENCES, TIMES, V2_LINE
from kafka_tools.logs.line_parts import Listed, Titled
from kafka_tools.logs.line_table import LineTable, Placed, joined

_PIECE: Final = 4 << 20
_WORDS: Final = ("false", "true")

OtherLine = Callable[[Record, int], str]
"""Makes the line of a control record, given the position of its batch."""


class Dumped(NamedTuple):
    """The lines of a piece of a segment, None if columns cannot make them; where it ends."""

    text: memoryview | None
    end: int


def dump_pieces(path: Path, start: int, size: int, *, contents: bool | None, other_line: OtherLine) -> Iterator[Dumped]:
    """Yield the lines of a segment, many at a time, up to its end or the first batch in doubt.

    Args:
        path: the segment.
        start: where to begin; a batch does.
        size: bytes of the segment.
        contents: whether lines of records have keys and values; None for no lines of records.
        other_line: makes the lines of control records.

    Raises:
        OSError: the file cannot be read.
    """
    for piece in pieces(path, start, size, _PIECE):
        if piece.starts.size:
            yield Dumped(_text(piece, contents=contents, other_line=other_line), piece.position + piece.size)


def _text(piece: Piece, *, contents: bool | None, other_line: OtherLine) -> memoryview | None:
    row = row_type(BATCH)
    heads = window(octets(piece.data), row.itemsize)[piece.starts].view(row).reshape(-1)
    positions = piece.starts + piece.position
    of_batches = _batch_lines(heads, positions)
    if contents is None:
        return joined([Placed(of_batches, np.arange(positions.size))])
    try:
        data = bytes(memoryview(piece.data)[: piece.size + SPILL])
        columns = columnar.decode_at(data, piece.starts, piece.size)
    except FormatError:
        return None
    at = np.arange(len(columns)) + columns.entry + 1
    firsts = np.arange(positions.size) + np.searchsorted(columns.entry, np.arange(positions.size))
    others = {
        int(at[row]): other_line(columns.records(row, row + 1)[0], int(positions[columns.entry[row]]))
        for row in columns.control.nonzero()[0].tolist()
    }
    if others:
        at, columns = at[~columns.control], columns.take((~columns.control).nonzero()[0])
    shown = [columns.headers.columns["key"], *((columns.key, columns.value) if contents else ())]
    rest = Placed(of_batches, firsts)
    text = joined((Placed(_record_lines(columns, shown), at), rest), columns.data, others)
    if java_contents.is_utf8(text):
        return text
    data, shown = java_contents.as_utf8(columns.data, shown)
    return joined((Placed(_record_lines(columns, shown), at), rest), data, others)


def _batch_lines(heads: npt.NDArray[Any], positions: Ints) -> LineTable:
    def column(name: str) -> Ints:
        return heads[name].astype(np.int64)

    base, delta, sequence = column("base_offset"), column("last_offset_delta"), column("base_sequence")
    return LineTable(
        V2_LINE,
        positions.size,
        (
            base,
            base + delta,
            column("record_count"),
            sequence,
            np.where(sequence < 0, -1, (sequence + delta) % SEQUENCES),
            column("producer_id"),
            column("producer_epoch"),
            column("partition_leader_epoch"),
            _words(flag(heads, "is_transactional"), _WORDS),
            _words(flag(heads, "is_control"), _WORDS),
            _horizons(flag(heads, "has_delete_horizon"), heads),
            positions,
            _words(flag(heads, "timestamp_type"), TIMES),
            column("max_timestamp"),
            column("batch_length") + OVERHEAD,
            "2",
            _codecs(column("attributes") & CODEC_MASK),
            column("crc"),
            "true",
        ),
    )


def _words(flags: npt.NDArray[np.bool_], words: Sequence[str]) -> str | list[str]:
    if (flags == flags[0]).all():
        return words[int(flags[0])]
    return [words[is_set] for is_set in flags.tolist()]


def _horizons(flags: npt.NDArray[np.bool_], heads: npt.NDArray[Any]) -> str | list[str]:
    if not flags.any():
        return "OptionalLong.empty"
    rows = zip(flags.tolist(), heads["base_timestamp"].tolist(), strict=True)
    return [f"OptionalLong[{time}]" if is_set else "OptionalLong.empty" for is_set, time in rows]


def _codecs(numbers: Ints) -> str | list[str]:
    if (numbers == numbers[0]).all():
        return CODECS.get(int(numbers[0]), str(numbers[0]))
    return [CODECS.get(number, str(number)) for number in numbers.tolist()]


def _record_lines(columns: columnar.Columns, shown: Sequence[Slices]) -> LineTable:
    """Return the lines of records; `shown` are the keys of headers, and perhaps keys and values."""
    if not len(columns):
        return LineTable("", 0, ())
    counts = columns.headers.counts.astype(np.int64)
    titled = [Titled(title, slices) for title, slices in zip((" key: ", " payload: "), shown[1:], strict=False)]
    return LineTable(
        RECORD_LINE + "%s" * len(titled),
        len(columns),
        (
            columns.offset,
            _words(columns.timestamp_type.astype(bool), TIMES),
            columns.timestamp,
            columns.key.lengths,
            columns.value.lengths,
            columns.sequence,
            Listed(counts, shown[0]) if counts.any() else "",
            *titled,
        ),
    )
