"""Contents of records as Java shows them: many slices of a buffer at once, as UTF-8."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from kafka_format.columnar.arrays import Ints, bounds
from kafka_format.columnar.byte_moves import octets
from kafka_format.columnar.slices import Slices

from kafka_tools.logs import java_text

_ASCII: Final = 128


def is_utf8(text: memoryview) -> bool:
    """Tell whether bytes are UTF-8. So contents in it are, if ASCII stands around them."""
    if not len(text) or octets(text).max() < _ASCII:
        return True
    try:
        str(text, "utf-8")
    except UnicodeDecodeError:
        return False
    return True


def as_utf8(data: bytes, contents: Sequence[Slices]) -> tuple[bytes, list[Slices]]:
    """Return a buffer that begins with the one given, and slices of it: the contents as UTF-8.

    Those that are no UTF-8 are what Java makes of them, see `java_text`.
    """
    high = (octets(data) >= _ASCII).nonzero()[0]
    shown, added, end = list[Slices](), list[bytes](), len(data)
    for slices in contents:
        rows = _not_ascii(high, slices)
        texts = [
            java_text.decode(content).encode() for content in slices.take(rows).contents(data, slice(None)) if content
        ]
        places = end + bounds(np.fromiter(map(len, texts), np.int64, len(texts)))
        end = int(places[-1])
        added += texts
        shown.append(_replaced(slices, rows, places))
    return (b"".join((data, *added)) if added else data), shown


def _not_ascii(high: Ints, slices: Slices) -> Ints:
    """Return the rows with a byte above 127; `high` is where such bytes are."""
    first = np.searchsorted(high, slices.starts)
    stop = np.searchsorted(high, slices.starts + slices.lengths)
    return (first < stop).nonzero()[0]


def _replaced(slices: Slices, rows: Ints, places: Ints) -> Slices:
    """Return slices, some rows of which stand elsewhere."""
    if not rows.size:
        return slices
    starts, lengths = slices.starts.copy(), slices.lengths.copy()
    starts[rows], lengths[rows] = places[:-1], np.diff(places)
    return Slices(starts, lengths)
