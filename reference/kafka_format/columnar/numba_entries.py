"""The loops through entries that numba compiles: where each begins, and its checksum.

They do what numpy does in entries.py, byte by byte.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.extending import intrinsic

from kafka_format.columnar.numba_compiler import BYTES, FILLED, GIVEN, INT, PAIR, WORDS, compiled

_CASTAGNOLI: Final = 0x82F63B78
"""The polynomial of CRC-32C, the least bit first."""

_STEP: Final = 16


def _tables() -> Any:
    """Return what a byte adds to a CRC-32C with 0 to 15 bytes after it.

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


@compiled(inline="always")
def _uint32(octets: Any, at: int) -> Any:
    """Read four bytes, the greatest first."""
    first, second, third, fourth = octets[at], octets[at + 1], octets[at + 2], octets[at + 3]
    return np.uint32(first) << 24 | np.uint32(second) << 16 | np.uint32(third) << 8 | np.uint32(fourth)


@compiled()
def _crc_of_half(half: Any, behind: int) -> Any:
    """Return what four bytes add to a CRC-32C, the lowest first, with more bytes after them."""
    return (
        _CRC[behind + 3, half & np.uint32(0xFF)]
        ^ _CRC[behind + 2, half >> np.uint32(8) & np.uint32(0xFF)]
        ^ _CRC[behind + 1, half >> np.uint32(16) & np.uint32(0xFF)]
        ^ _CRC[behind, half >> np.uint32(24)]
    )


@compiled(inline="always")
def _crc32c_by_tables(octets: Any, words: Any, at: int, end: int) -> Any:
    """Return the CRC-32C of some bytes.

    `words` is a view of them: a word of eight bytes at each byte.
    """
    crc = np.uint32(0xFFFFFFFF)
    while at <= end - _STEP:  # what waits for the last step comes last
        first, second = words[at], words[at + 8]
        crc = (
            _crc_of_half(np.uint32(second >> np.uint64(32)), 0)
            ^ _crc_of_half(np.uint32(second), 4)
            ^ _crc_of_half(np.uint32(first >> np.uint64(32)), 8)
            ^ _crc_of_half(np.uint32(first) ^ crc, 12)
        )
        at += _STEP
    while at < end:
        crc = crc >> np.uint32(8) ^ _CRC[0, (crc ^ octets[at]) & np.uint32(0xFF)]
        at += 1
    return np.uint32(~crc)


def _instruction(name: str, crc: Any, content: Any) -> Any:
    """Return a function for compiled code: one instruction of the processor, by LLVM's name."""

    @intrinsic  # type: ignore[untyped-decorator]  # numba has no types
    def instruction(_: Any, before: Any, added: Any) -> Any:  # noqa: ARG001 - numba asks for their types
        def generate(context: Any, builder: Any, _: Any, given: Any) -> Any:
            crc_type, content_type = context.get_value_type(crc), context.get_value_type(content)
            called = ir.FunctionType(crc_type, [crc_type, content_type])
            return builder.call(get_or_insert_function(builder.module, called, name), given)

        return crc(crc, content), generate

    return instruction


_crc_of_word = _instruction("llvm.x86.sse42.crc32.64.64", types.uint64, types.uint64)
_crc_of_byte = _instruction("llvm.x86.sse42.crc32.32.8", types.uint32, types.uint8)


@compiled(inline="always")
def _crc32c_by_instruction(octets: Any, words: Any, at: int, end: int) -> Any:
    """Return the same in a third of the time, on processors that compute it themselves."""
    wide = np.uint64(0xFFFFFFFF)
    while at <= end - 8:
        wide = _crc_of_word(wide, words[at])
        at += 8
    crc = np.uint32(wide)
    while at < end:
        crc = _crc_of_byte(crc, octets[at])
        at += 1
    return np.uint32(~crc)


_HAS_INSTRUCTION: Final = binding.get_host_cpu_features().get("sse4.2", False)
_crc32c = _crc32c_by_instruction if _HAS_INSTRUCTION else _crc32c_by_tables


@compiled(PAIR(BYTES, WORDS, types.UniTuple(GIVEN, 2), types.UniTuple(INT, 6), *[FILLED] * 3))
def find_entries(
    octets: Any, words: Any, inputs: Any, layout: Any, entry_starts: Any, counts: Any, wrong: Any
) -> tuple[int, int]:
    """Find where the entries of inputs begin, and compare their checksums.

    Args:
        octets: the buffer.
        words: the same as words of eight bytes, one at each byte.
        inputs: first byte of each, and byte after each.
        layout: in an entry, the place of its size, of its checksum, and where that begins to count;
            the bytes that its size does not count, and the least size that there is; 1 if checksums
            are compared.
        entry_starts: takes the first byte of each entry.
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
            entry_starts[entries] = start = position
            position += overhead + size
            if check_crc:
                crc = _crc32c(octets, words, start + covered, min(position, octets.size))
                if crc != _uint32(octets, start + crc_at):
                    wrong[wrongs] = entries
                    wrongs += 1
            entries += 1
        if position < stop:  # what is left is an entry too
            entry_starts[entries] = position
            entries += 1
        counts[index] = entries - before
    return entries, wrongs


@compiled(PAIR(BYTES, WORDS, INT, types.UniTuple(INT, 8), FILLED))
def find_batches(octets: Any, words: Any, end: int, layout: Any, batch_starts: Any) -> tuple[int, int]:
    """Find where record batches begin, up to the first one that is not whole or not right.

    Args:
        octets: the buffer, which begins with a batch.
        words: the same as words of eight bytes, one at each byte.
        end: the byte after the last one that may be read.
        layout: in a batch, the place of its size, of its magic byte, of its checksum, and where
            that begins to count; the bytes that its size does not count, the least size that there
            is, and the magic byte; 1 if checksums are compared.
        batch_starts: takes the first byte of each batch.

    Returns:
        How many batches there are, and the byte after the last.
    """
    size_at, magic_at, crc_at, covered, overhead, smallest, magic, check_crc = layout
    batches = position = 0
    while position <= end - overhead - smallest:
        size = np.int64(np.int32(_uint32(octets, position + size_at)))
        stop = position + overhead + size
        if size < smallest or stop > end or octets[position + magic_at] != magic:
            break
        if check_crc and _crc32c(octets, words, position + covered, stop) != _uint32(octets, position + crc_at):
            break
        batch_starts[batches] = position
        batches += 1
        position = stop
    return batches, position
