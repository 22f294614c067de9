"""Bytes at many places at once: copies, rows and varints, without a loop over the places.

The trick in all of it is a window: a view of a buffer as overlapping items of some width, one at each byte. Reading or
writing items of a window at a list of places moves whole pieces, whatever their width, at the cost of a few bytes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Ints, Octets, Words, bounds

SPILL: Final = 128
"""Bytes behind a piece that copying it may spoil."""

_AT_ONCE: Final = 4096
"""Pieces that are copied at once: half a megabyte is read before it is written."""

_GROUP_BITS: Final = 7
_GROUP: Final = (1 << _GROUP_BITS) - 1


def window(octets: Octets, width: int) -> npt.NDArray[np.void]:
    """View a buffer as items of `width` bytes, one starting at each byte; the buffer has at least `width`."""
    return np.ndarray((octets.size - width + 1,), f"V{width}", octets, 0, (1,))


def write_rows(out: Octets, at: Ints, rows: npt.NDArray[np.void]) -> None:
    """Write each row at its place."""
    if rows.size:
        window(out, rows.itemsize)[at] = rows.view(f"V{rows.itemsize}")


def copy(out: Octets, at: Ints, source: Octets, starts: Ints, lengths: Ints) -> None:
    """Copy pieces of any length, which spoils up to `SPILL` bytes behind each. Pieces of 0 or less are empty.

    `SPILL` bytes are copied as quickly as one, and more quickly than a length is looked at. So that many are copied of
    every piece, in the order of their places: what one piece spoils of those behind it, they put right. What long
    pieces have beyond that is there before, and ends where they end.

    Args:
        out: where to; there are `SPILL` bytes behind the last place.
        at: the place of each piece, growing. Numpy goes through a list in its order; its documentation does not
            promise that, so a test makes sure of it.
        source: where from.
        starts: where each piece begins there.
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
    """Copy pieces of more bytes than `width`, and spoil nothing.

    Each is copied as two pieces of the greatest `width`, doubled again and again, that it holds, one from its start and
    one up to its end: where they overlap, both write the same bytes.
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


def joined(source: Octets, starts: Ints, lengths: Ints) -> tuple[Octets, Ints]:
    """Copy pieces one behind the other; return them, and where each begins and the last one ends."""
    places = bounds(np.maximum(lengths, 0))
    out = np.empty(places[-1] + SPILL, np.uint8)
    copy(out, places[:-1], source, starts, lengths)
    return out[: places[-1]], places


def _readable(source: Octets, starts: Ints) -> Octets:
    """Return the buffer with `SPILL` bytes to read at each of these places."""
    missing = int(starts.max(initial=0)) + SPILL - source.size
    return source if missing <= 0 else np.concatenate((source, np.zeros(missing, np.uint8)))


def zigzag(numbers: Ints) -> Words:
    """Turn signed numbers into what varints carry: 0, -1, 1, -2 become 0, 1, 2, 3."""
    return ((numbers << 1) ^ (numbers >> 63)).view(np.uint64)


def varint_sizes(words: Words) -> Ints:
    """Count the bytes of each varint, 1 to 10."""
    sizes = np.ones(words.size, np.uint8)
    most, limit = int(words.max(initial=0)), 1 << _GROUP_BITS
    while limit <= most:
        sizes += words >= limit
        limit <<= _GROUP_BITS
    return sizes.astype(np.int64)


def write_varints(out: Octets, at: Ints, words: Words) -> None:
    """Write each word as a varint at its place: groups of 7 bits, least significant first."""
    while words.size:
        more = words > _GROUP
        group = words.astype(np.uint8)
        group |= more.view(np.uint8) << 7
        out[at] = group
        (here,) = more.nonzero()
        words, at = words.take(here) >> np.uint64(_GROUP_BITS), at.take(here) + 1


def slices(data: bytes, starts: Ints, ends: Ints) -> list[bytes]:
    """Cut pieces out of bytes."""
    return [data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def octets(data: Any) -> Octets:
    """View bytes as an array, without a copy."""
    return np.frombuffer(data, np.uint8)
