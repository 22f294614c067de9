"""The loops that numba compiles: entries of inputs with their checksums, and fields of structures.

Each does what numpy does in entries.py, record_walk.py and fields.py, in the obvious way: byte by
byte. Positions are checked before they are read, since compiled code does not check them.

Only numba_loader.py imports this module. Everything is compiled then, or taken from numba's cache.
The cache is renewed when this file changes, and only then, so constants stand here or are passed as
arguments. Helpers that take arrays are inlined: else numba counts references to them, which takes
longer than to read a varint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numba import njit, types

_INT: Final = types.int64
_BYTES: Final = types.Array(types.uint8, 1, "C", readonly=True)
_WORDS: Final = types.Array(types.uint32, 1, "A", readonly=True, aligned=False)
_GIVEN: Final = types.Array(_INT, 1, "C", readonly=True)
_GIVEN_ROWS: Final = types.Array(_INT, 2, "C", readonly=True)
_FILLED: Final = types.Array(_INT, 1, "C")
_FILLED_ROWS: Final = types.Array(_INT, 2, "C")

_MORE: Final = 0x80
_GROUP: Final = 0x7F
_LONGEST: Final = 10
_CASTAGNOLI: Final = 0x82F63B78
"""The polynomial of CRC-32C, the least bit first."""

_STEP: Final = 16


def _tables() -> Any:
    """Return what a byte adds to a CRC-32C with 0 to 15 bytes behind it.

    With these tables, 16 bytes take one step.
    """
    tables = np.zeros((_STEP, 256), np.uint32)
    tables[0] = np.arange(256)
    for _ in range(8):
        tables[0] = tables[0] >> 1 ^ (tables[0] & 1) * np.uint32(_CASTAGNOLI)
    for behind in range(1, _STEP):
        tables[behind] = tables[behind - 1] >> 8 ^ tables[0][tables[behind - 1] & 0xFF]
    return tables


_CRC: Final = _tables()


def _compile(signature: Any = None, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for these types, and keep the outcome where there is a folder for it."""

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return njit(signature, cache=True, **options)(function)
        except RuntimeError:  # "cannot cache function": neither this folder nor one of the user can be written
            return njit(signature, **options)(function)

    return compiled


@_compile(inline="always")
def _uint32(octets: Any, at: int) -> Any:
    """Read four bytes, the greatest first."""
    first, second, third, fourth = octets[at], octets[at + 1], octets[at + 2], octets[at + 3]
    return np.uint32(first) << 24 | np.uint32(second) << 16 | np.uint32(third) << 8 | np.uint32(fourth)


@_compile()
def _crc_of_word(word: Any, behind: int) -> Any:
    """Return what four bytes add to a CRC-32C, the lowest first, with more bytes behind them."""
    return (
        _CRC[behind + 3, word & np.uint32(0xFF)]
        ^ _CRC[behind + 2, word >> np.uint32(8) & np.uint32(0xFF)]
        ^ _CRC[behind + 1, word >> np.uint32(16) & np.uint32(0xFF)]
        ^ _CRC[behind, word >> np.uint32(24)]
    )


@_compile(inline="always")
def _crc32c(octets: Any, words: Any, at: int, end: int) -> Any:
    """Return the CRC-32C of some bytes.

    `words` is a view of them: a word of four bytes at each byte.
    """
    crc = np.uint32(0xFFFFFFFF)
    while at <= end - _STEP:  # what waits for the last step comes last
        crc = (
            _crc_of_word(words[at + 12], 0)
            ^ _crc_of_word(words[at + 8], 4)
            ^ _crc_of_word(words[at + 4], 8)
            ^ _crc_of_word(words[at] ^ crc, 12)
        )
        at += _STEP
    while at <= end - 4:
        crc = _crc_of_word(words[at] ^ crc, 0)
        at += 4
    while at < end:
        crc = crc >> np.uint32(8) ^ _CRC[0, (crc ^ octets[at]) & np.uint32(0xFF)]
        at += 1
    return np.uint32(~crc)


@_compile(types.UniTuple(_INT, 2)(_BYTES, _WORDS, types.UniTuple(_GIVEN, 2), types.UniTuple(_INT, 6), *[_FILLED] * 3))
def find_entries(
    octets: Any, words: Any, inputs: Any, layout: Any, found: Any, counts: Any, wrong: Any
) -> tuple[int, int]:
    """Find where the entries of inputs begin, and compare their checksums.

    Args:
        octets: the buffer.
        words: the same as words of four bytes, one at each byte.
        inputs: first byte of each, and byte behind each.
        layout: in an entry, the place of its size, of its checksum, and where that begins to count;
            the bytes that its size does not count, and the least size that there is; 1 if checksums
            are compared.
        found: takes the first byte of each entry.
        counts: takes the number of entries of each input.
        wrong: takes the indices of the entries with a wrong checksum.

    Returns:
        How many entries there are, and how many of them are wrong.
    """
    starts, ends = inputs
    size_at, crc_at, covered, overhead, smallest, check_crc = layout
    entries = wrongs = 0
    for index in range(starts.size):
        before, position, stop = entries, starts[index], ends[index]
        while position <= stop - overhead - smallest:
            size = np.int64(np.int32(_uint32(octets, position + size_at)))
            if size < smallest:
                break
            found[entries] = start = position
            position += overhead + size
            if check_crc:
                crc = _crc32c(octets, words, start + covered, min(position, octets.size))
                if crc != _uint32(octets, start + crc_at):
                    wrong[wrongs] = entries
                    wrongs += 1
            entries += 1
        if position < stop:  # what is left is an entry too
            found[entries] = position
            entries += 1
        counts[index] = entries - before
    return entries, wrongs


@_compile()
def _signed(word: int) -> Any:
    """Return the number that a zigzag varint stands for: 0, 1, 2, 3 become 0, -1, 1, -2."""
    return np.int64(np.uint64(word) >> np.uint64(1)) ^ -(word & 1)


@_compile(inline="always")
def _long_varint(octets: Any, at: int, bits: int, far: int) -> Any:
    """Read a zigzag varint: its number and the position behind it; 0 and `far` if invalid."""
    word, last, size = np.int64(0), np.int64(_MORE), 0
    while last >= _MORE and size < _LONGEST and at + size < octets.size:
        last = np.int64(octets[at + size])
        word |= (last & _GROUP) << 7 * size
        size += 1
    too_long = last == 0 and size > 1
    too_great = (size == _LONGEST and last > 1) or (bits < 64 and word >> bits != 0)
    if last >= _MORE or too_long or too_great:
        return np.int64(0), far
    return _signed(word), at + size


@_compile(types.void(_BYTES, _GIVEN, _GIVEN, _GIVEN_ROWS, _INT, types.UniTuple(_FILLED_ROWS, 2), _FILLED))
def read_fields(octets: Any, at: Any, counts: Any, fields: Any, far: int, columns: Any, ends: Any) -> None:
    """Read groups of adjacent structures that hold nothing but varints and contents.

    Args:
        octets: the buffer.
        at: where the first structure of each group begins.
        counts: how many structures each group has.
        fields: of a structure, a row each: the bits of its varint; 1 if that is the length of a
            content; the least number that is allowed then.
        far: the position that stands for "broken".
        columns: take, of each field of all structures in order, the position behind its varint, and
            what that says.
        ends: takes the position behind each group.
    """
    starts, numbers = columns
    row = 0
    for group in range(at.size):
        position = at[group]
        for _ in range(counts[group]):
            for field in range(fields.shape[0]):
                if position < octets.size and octets[position] < _MORE:
                    number, position = _signed(np.int64(octets[position])), position + 1
                else:
                    number, position = _long_varint(octets, position, fields[field, 0], far)
                is_content = fields[field, 1] == 1
                if is_content and number < fields[field, 2]:
                    number, position = np.int64(0), far
                starts[field, row], numbers[field, row] = position, number
                if is_content and number > 0:
                    position += number
            row += 1
        ends[group] = position
