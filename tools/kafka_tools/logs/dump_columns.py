"""The lines of a large segment, made of columns: for many batches at once what `dump` does for one.

Where a batch is not of v2, or something about it is in doubt, `dump` makes its lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from kafka_format import columnar
from kafka_format.columnar.arrays import Ints
from kafka_format.columnar.byte_moves import octets, window
from kafka_format.errors import FormatError
from kafka_format.log_columns.headers import BATCH, flag, row_type
from kafka_format.log_columns.pieces import Piece, pieces
from kafka_format.records import Record
from kafka_format.records.entries import OVERHEAD
from kafka_format.records.model import CODEC_MASK

from kafka_tools.logs import java_text
from kafka_tools.logs.dump_lines import CODECS, RECORD_LINE, SEQUENCES, TIMES, V2_LINE

_PIECE: Final = 4 << 20
_WORDS: Final = ("false", "true")

_FIELD: Final = re.compile("%[ds]")

Column = npt.NDArray[Any] | Sequence[object] | str
"""The values of a field, a row each; a text where all rows have that."""

OtherLine = Callable[[Record, int], str]
"""Makes the line of a control record, given the position of its batch."""


class Dumped(NamedTuple):
    """The lines of a piece of a segment, None if columns cannot make them; where it ends."""

    text: str | None
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


def _text(piece: Piece, *, contents: bool | None, other_line: OtherLine) -> str | None:
    row = row_type(BATCH)
    heads = window(octets(piece.data), row.itemsize)[piece.starts].view(row).reshape(-1)
    positions = (piece.starts + piece.position).tolist()
    lines = _batch_lines(heads, positions)
    if contents is None:
        return "\n".join(lines)
    try:
        columns = columnar.decode(bytes(memoryview(piece.data)[: piece.size]))
    except FormatError:
        return None
    counts = np.bincount(columns.entry, minlength=len(positions)).tolist()
    of_records = _record_lines(columns, contents=contents)
    for at in np.flatnonzero(columns.control).tolist():
        (record,) = columns.records(at, at + 1)
        of_records[at] = other_line(record, positions[int(columns.entry[at])])
    return "\n".join(_alternated(lines, of_records, counts))


def _alternated(lines: Sequence[str], of_records: Sequence[str], counts: Sequence[int]) -> Iterator[str]:
    """Yield the line of each batch, and after it those of its records."""
    if all(count == 1 for count in counts):
        return chain.from_iterable(zip(lines, of_records, strict=True))
    ends = np.cumsum(counts).tolist()
    return chain.from_iterable(
        (line, *of_records[end - count : end]) for line, end, count in zip(lines, ends, counts, strict=True)
    )


def _batch_lines(heads: npt.NDArray[Any], positions: Sequence[int]) -> list[str]:
    def column(name: str) -> npt.NDArray[np.int64]:
        return heads[name].astype(np.int64)

    base, delta, sequence = column("base_offset"), column("last_offset_delta"), column("base_sequence")
    return _filled(
        V2_LINE,
        len(positions),
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


def _filled(template: str, count: int, columns: Sequence[Column]) -> list[str]:
    """Return a line for each of `count` rows, one at least.

    What is the same in all of them is written into the template, once.
    """
    texts, varying = _FIELD.split(template), list[Sequence[object]]()
    line = texts[0]
    for text, values in zip(texts[1:], columns, strict=True):
        column = _constant(values)
        if isinstance(column, str):
            line += column.replace("%", "%%") + text
        else:
            line += "%s" + text
            varying.append(column)
    rows = zip(*varying, strict=True) if varying else repeat((), count)
    return list(map(line.__mod__, rows))


def _constant(values: Column) -> str | Sequence[object]:
    """Return what all rows have, else a value for each."""
    if isinstance(values, np.ndarray):
        return str(values[0]) if (values == values[0]).all() else values.tolist()
    return values


def _words(flags: npt.NDArray[np.bool_], words: Sequence[str]) -> str | list[str]:
    if (flags == flags[0]).all():
        return words[int(flags[0])]
    return [words[is_set] for is_set in flags.tolist()]


def _horizons(flags: npt.NDArray[np.bool_], heads: npt.NDArray[Any]) -> str | list[str]:
    if not flags.any():
        return "OptionalLong.empty"
    rows = zip(flags.tolist(), heads["base_timestamp"].tolist(), strict=True)
    return [f"OptionalLong[{time}]" if is_set else "OptionalLong.empty" for is_set, time in rows]


def _codecs(numbers: npt.NDArray[np.int64]) -> str | list[str]:
    if (numbers == numbers[0]).all():
        return CODECS.get(int(numbers[0]), str(numbers[0]))
    return [CODECS.get(number, str(number)) for number in numbers.tolist()]


def _record_lines(columns: columnar.Columns, *, contents: bool) -> list[str]:
    if not columns.offset.size:
        return []
    template, more = RECORD_LINE, list[Column]()
    for title, slices in (("key", columns.key), ("payload", columns.value)) if contents else ():
        template += "%s"
        more.append(_titled(title, columns.data, slices.starts, slices.lengths))
    return _filled(
        template,
        columns.offset.size,
        (
            columns.offset,
            _words(columns.timestamp_type.astype(bool), TIMES),
            columns.timestamp,
            columns.key.lengths,
            columns.value.lengths,
            columns.sequence,
            _header_keys(columns),
            *more,
        ),
    )


def _titled(title: str, data: bytes, starts: Ints, lengths: Ints) -> str | list[str]:
    """Return each content behind its title; nothing where there is none."""
    if (lengths < 0).all():
        return ""
    texts = _texts(data, starts, lengths)
    if (lengths >= 0).all():
        return [f" {title}: {text}" for text in texts]
    return [f" {title}: {text}" if there else "" for there, text in zip((lengths >= 0).tolist(), texts, strict=True)]


def _texts(data: bytes, starts: Ints, lengths: Ints) -> list[str]:
    """Return contents as text; most are ASCII, which has a character a byte."""
    bounds = list(zip(starts.tolist(), (starts + np.maximum(lengths, 0)).tolist(), strict=True))
    whole = data.decode("latin-1")
    found = [whole[start:end] for start, end in bounds]
    if all(map(str.isascii, found)):
        return found
    return [
        text if text.isascii() else java_text.decode(data[start:end])
        for text, (start, end) in zip(found, bounds, strict=True)
    ]


def _header_keys(columns: columnar.Columns) -> str | list[str]:
    """Return for each record the keys of its headers, with commas between them."""
    if not columns.headers.counts.any():
        return ""
    keys = columns.headers.columns["key"]
    texts = _texts(columns.data, keys.starts, keys.lengths)
    ends = np.cumsum(columns.headers.counts, dtype=np.int64).tolist()
    return [
        ",".join(texts[end - count : end]) for end, count in zip(ends, columns.headers.counts.tolist(), strict=True)
    ]
