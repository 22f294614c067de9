"""Bytes at many places at once: copies, rows and varints, without a loop over the places.

The trick in all of it is a window: a view of a buffer as overlapping items of some width, one at each byte. Reading or
writing items of a window at a list of places moves whole pieces, whatever their width, at the cost of a few bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Ints, Octets, Words


def window(octets: Octets, width: int) -> npt.NDArray[np.void]:
    """View a buffer as items of `width` bytes, one starting at each byte; the buffer has at least `width`."""
    return np.ndarray((octets.size - width + 1,), f"V{width}", octets, 0, (1,))


def write_rows(out: Octets, at: Ints, rows: npt.NDArray[np.void]) -> None:
    """Write each row at its place."""
    if rows.size:
        window(out, rows.itemsize)[at] = rows.view(f"V{rows.itemsize}")


def copy(out: Octets, at: Ints, source: Octets, starts: Ints, lengths: Ints) -> None:
    """Copy pieces of any length; those of length 0 or less are left out.

    Each is copied as two pieces of the greatest power of two that it holds, one from its start and one up to its end:
    where they overlap, both write the same bytes.
    """
    longest = int(lengths.max(initial=0))
    width = 1
    while width <= longest:
        here = np.flatnonzero((lengths >= width) & (lengths < 2 * width))
        if here.size:
            read, written = window(source, width), window(out, width)
            first, place = starts[here], at[here]
            written[place] = read[first]
            rest = lengths[here] - width
            written[place + rest] = read[first + rest]
        width *= 2


def zigzag(numbers: Ints) -> Words:
    """Turn signed numbers into what varints carry: 0, -1, 1, -2 become 0, 1, 2, 3."""
    return ((numbers << 1) ^ (numbers >> 63)).view(np.uint64)


def varint_sizes(words: Words) -> Ints:
    """Count the bytes of each varint, 1 to 10."""
    sizes = np.ones(words.size, np.int64)
    here = np.flatnonzero(words > 0x7F)
    rest = words[here] >> np.uint64(7)
    while here.size:
        sizes[here] += 1
        longer = np.flatnonzero(rest > 0x7F)
        here, rest = here[longer], rest[longer] >> np.uint64(7)
    return sizes


def write_varints(out: Octets, at: Ints, words: Words) -> None:
    """Write each word as a varint at its place: groups of 7 bits, least significant first."""
    while words.size:
        more = words > 0x7F
        out[at] = (words & 0x7F).astype(np.uint8) | more.view(np.uint8) << 7
        here = np.flatnonzero(more)
        words, at = words[here] >> np.uint64(7), at[here] + 1


def slices(data: bytes, starts: Ints, ends: Ints) -> list[bytes]:
    """Cut pieces out of bytes."""
    return [data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def octets(data: Any) -> Octets:
    """View bytes as an array, without a copy."""
    return np.frombuffer(data, np.uint8)
