"""Move bytes from many places to many places at once, without a loop over the places.

The trick in all of it is a window: a view of a buffer as overlapping items of some width, one at
each byte. Reading or writing items of a window at a list of places moves whole slices, whatever
their width, at the cost of a few bytes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Ints, Octets, bounds

SPILL: Final = 128
"""Bytes after a slice that copying it may overwrite."""

_AT_ONCE: Final = 4096
"""Slices that are copied at once: half a megabyte is read before it is written."""


def window(octets: Octets, width: int) -> npt.NDArray[np.void]:
    """View a buffer as overlapping items of `width` bytes, one at each byte.

    The buffer has at least `width` bytes.
    """
    return np.ndarray((octets.size - width + 1,), f"V{width}", octets, 0, (1,))


def write_rows(out: Octets, at: Ints, rows: npt.NDArray[np.void]) -> None:
    """Write each row at its place."""
    if rows.size:
        window(out, rows.itemsize)[at] = rows.view(f"V{rows.itemsize}")


def copy(out: Octets, at: Ints, source: Octets, starts: Ints, lengths: Ints) -> None:
    """Copy slices of any length.

    It overwrites up to `SPILL` bytes after each; lengths below 1 are empty.

    `SPILL` bytes are copied as quickly as one, and more quickly than a length is looked at. So that
    many are copied of every slice, in the order of their places: what one overwrites of those
    after it, they put right. What long slices have beyond that is there before, and ends where
    they end.

    Args:
        out: where to; there are `SPILL` bytes after the last place.
        at: the place of each slice, growing. Numpy goes through a list in its order; its
            documentation does not promise that, so a test makes sure of it.
        source: where from.
        starts: where each slice begins there.
        lengths: bytes of each.
    """
    width = min(SPILL, 1 << (int(lengths.max(initial=1)) - 1).bit_length())
    source = _readable(source, starts)
    (long,) = (lengths > width).nonzero()
    _copy_long(out, at.take(long), source, starts.take(long), lengths.take(long), width)
    read, written = window(source, width), window(out, width)
    for first in range(0, at.size, _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        written[at[some]] = read[starts[some]]


def _copy_long(out: Octets, at: Ints, source: Octets, starts: Ints, lengths: Ints, width: int) -> None:
    """Copy slices of more bytes than `width`, and overwrite nothing else.

    Each is copied as two slices of the greatest `width`, doubled again and again, that it holds,
    one from its start and one up to its end: where they overlap, both write the same bytes.
    """
    longest = int(lengths.max(initial=0))
    while width < longest:
        (here,) = ((lengths > width) & (lengths <= 2 * width)).nonzero()
        if here.size:
            read, written = window(source, width), window(out, width)
            first, place, rest = starts.take(here), at.take(here), lengths.take(here) - width
            written[place] = read[first]
            written[place + rest] = read[first + rest]
        width *= 2


def join(source: Octets, starts: Ints, lengths: Ints) -> tuple[Octets, Ints]:
    """Copy slices one after the other; return the bytes, each start, and the last end."""
    places = bounds(np.maximum(lengths, 0))
    out = np.empty(places[-1] + SPILL, np.uint8)
    copy(out, places[:-1], source, starts, lengths)
    return out[: places[-1]], places


def _readable(source: Octets, starts: Ints) -> Octets:
    """Return the buffer with `SPILL` bytes to read at each of these places."""
    missing = int(starts.max(initial=0)) + SPILL - source.size
    return source if missing <= 0 else np.concatenate((source, np.zeros(missing, np.uint8)))


def octets(data: Any) -> Octets:
    """View bytes as an array, without a copy."""
    return np.frombuffer(data, np.uint8)
