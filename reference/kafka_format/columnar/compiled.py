"""The loops that numba compiles: the entries of inputs with their checksums, and the fields of structures.

Each does what numpy does in entries.py, record_walk.py and fields.py, in the obvious way: byte by byte. Positions are
checked before they are read, since compiled code does not check them.

Only numba_loader.py imports this module. Everything is compiled then, or taken from numba's cache. The cache is renewed
when this file changes, and only then, so constants stand here or are passed as arguments. Helpers take numbers only:
numba counts the references to an array that is passed on, which takes longer than to read a varint.
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
    """Return what each byte, with 0 to 15 bytes behind it, adds to a CRC-32C, so that 16 bytes take one step."""
    tables = np.zeros((_STEP, 256), np.uint32)
    tables[0] = np.arange(256)
    for _ in range(8):
        tables[0] = tables[0] >> 1 ^ (tables[0] & 1) * np.uint32(_CASTAGNOLI)
    for behind in range(1, _STEP):
        tables[behind] = tables[behind - 1] >> 8 ^ tables[0][tables[behind - 1] & 0xFF]
    return tables


_CRC: Final = _tables()


def _compile(signature: Any = None) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for these types, and keep the outcome where there is a folder for it."""

    def compiled(function: Callable[..., Any]) -> Any:
        try:
            return njit(signature, cache=True)(function)
        except RuntimeError:  # "cannot cache function": neither this folder nor one of the user can be written
            return njit(signature)(function)

    return compiled


@_compile()
def _crc_of_word(word: Any, behind: int) -> Any:
    """Return what four bytes, the first of them lowest, with some more behind them, add to a CRC-32C."""
    return (
        _CRC[behind + 3, word & np.uint32(0xFF)]
        ^ _CRC[behind + 2, word >> np.uint32(8) & np.uint32(0xFF)]
        ^ _CRC[behind + 1, word >> np.uint32(16) & np.uint32(0xFF)]
        ^ _CRC[behind, word >> np.uint32(24)]
    )


@_compile()
def _uint32(first: int, second: int, third: int, fourth: int) -> Any:
    """Put four bytes together, the greatest first."""
    return np.uint32(first) << 24 | np.uint32(second) << 16 | np.uint32(third) << 8 | np.uint32(fourth)


@_compile(types.UniTuple(_INT, 2)(_BYTES, _WORDS, types.UniTuple(_GIVEN, 2), types.UniTuple(_INT, 6), *[_FILLED] * 3))
def find_entries(
    octets: Any, words: Any, inputs: Any, layout: Any, found: Any, counts: Any, wrong: Any
) -> tuple[int, int]:
    """Find where the entries of inputs begin, and compare their checksums.

    Args:
        octets: the buffer.
        words: the same as words of four bytes, one at each byte.
        inputs: first byte of each, and byte behind each.
        layout: in an entry, the place of its size, of its checksum, and where that begins to count; the bytes that its
            size does not count, and the least size that there is; 1 if checksums are compared.
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
            at = position + size_at
            size = np.int64(np.int32(_uint32(octets[at], octets[at + 1], octets[at + 2], octets[at + 3])))
            if size < smallest:
                break
            at, place = position + crc_at, position + covered
            found[entries] = position
            position += overhead + size
            if check_crc:
                end, crc = min(position, octets.size), np.uint32(0xFFFFFFFF)
                while place <= end - _STEP:  # what waits for the last step comes last
                    crc = (
                        _crc_of_word(words[place + 12], 0)
                        ^ _crc_of_word(words[place + 8], 4)
                        ^ _crc_of_word(words[place + 4], 8)
                        ^ _crc_of_word(words[place] ^ crc, 12)
                    )
                    place += _STEP
                while place <= end - 4:
                    crc = _crc_of_word(words[place] ^ crc, 0)
                    place += 4
                while place < end:
                    crc = crc >> np.uint32(8) ^ _CRC[0, (crc ^ octets[place]) & np.uint32(0xFF)]
                    place += 1
                if np.uint32(~crc) != _uint32(octets[at], octets[at + 1], octets[at + 2], octets[at + 3]):
                    wrong[wrongs] = entries
                    wrongs += 1
            entries += 1
        if position < stop:  # what is left is an entry too
            found[entries] = position
            entries += 1
        counts[index] = entries - before
    return entries, wrongs


@_compile()
def _number(word: Any, last: Any, size: int, bits: int, end: int, far: int) -> Any:
    """Return the number that a zigzag varint stands for and the position behind it; 0 and `far` if it breaks a rule."""
    too_long = last == 0 and size > 1
    too_great = (size == _LONGEST and last > 1) or (bits < 64 and word >> bits != 0)
    if last >= _MORE or too_long or too_great:
        return 0, far
    return np.int64(np.uint64(word) >> np.uint64(1)) ^ -(word & 1), end


@_compile(types.void(_BYTES, _GIVEN, _GIVEN, _GIVEN_ROWS, _INT, types.UniTuple(_FILLED_ROWS, 2), _FILLED))
def read_fields(octets: Any, at: Any, counts: Any, fields: Any, far: int, columns: Any, ends: Any) -> None:
    """Read groups of structures that stand one behind the other, and hold nothing but varints and contents.

    Args:
        octets: the buffer.
        at: where the first structure of each group begins.
        counts: how many structures each group has.
        fields: of a structure, a row each: the bits of its varint; 1 if that is the length of a content; the least
            number that is allowed then.
        far: the position that stands for "broken".
        columns: take, of each field of all structures in order, the position behind its varint, and what that says.
        ends: takes the position behind each group.
    """
    starts, numbers = columns
    row = 0
    for group in range(at.size):
        position = at[group]
        for _ in range(counts[group]):
            for field in range(fields.shape[0]):
                if position < octets.size and octets[position] < _MORE:
                    byte = np.int64(octets[position])
                    number = byte >> 1 ^ -(byte & 1)
                    position += 1
                else:
                    first, stop = position, min(position + _LONGEST, octets.size)
                    word, last = np.int64(0), np.int64(_MORE)
                    while last >= _MORE and position < stop:
                        last = np.int64(octets[position])
                        word |= (last & _GROUP) << 7 * (position - first)
                        position += 1
                    number, position = _number(word, last, position - first, fields[field, 0], position, far)
                is_content = fields[field, 1] == 1
                if is_content and number < fields[field, 2]:
                    number, position = np.int64(0), far
                starts[field, row], numbers[field, row] = position, number
                if is_content and number > 0:
                    position += number
            row += 1
        ends[group] = position
