"""What `machine_code` has compiled, all in one file: numba keeps what it compiled for as long as the file is the same.

`write` is the loop of writing/by_numba.py. It writes structures one by one, from the last byte of the last one
backwards, because a part may say how many bytes follow it: whoever comes from behind knows. A part is 64 bytes of
memory, eight words: what it is, and the addresses of the next numbers of its columns, which each step moves on. All is
done with addresses, and nothing is checked but contents: by_numba.py sees to it that columns are as long as they must
be, and that there is room.

`mix` is that of sampler/hashing.py. `checksums` writes
CRC-32C by the instruction that the crc32c package uses too: a call of that for each batch takes longer than the sum.

What is imported here for compiled code are numbers of formats that never change; numba would not notice if they did.
"""

from __future__ import annotations

import platform
from typing import Any, Final

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import njit, types
from numba.extending import intrinsic

from kafka_format.sampler.hashing import MIX_FIRST, MIX_SECOND
from kafka_format.sampler.writing.parts import (
    DIGIT_BITS,
    MARSHAL_BYTES,
    MARSHAL_INT,
    MARSHAL_LONG,
    MARSHAL_NONE,
    MARSHAL_TAG,
)

END, CONSTANT, GREATEST_FIRST, LEAST_FIRST, REST, VARINT, VARINT_REST, PIECE, MARSHALLED, MARSHALLED_PIECE, EACH = (
    range(11)
)
"""What a part is. The words behind that; columns are addresses of their last numbers:

- `END`: the address of the `EACH` whose item ends;
- `CONSTANT`: up to 8 bytes as a word, how many;
- `GREATEST_FIRST`, `LEAST_FIRST`: numbers, bytes of each;
- `REST`: bytes of the number, greatest first;
- `VARINT`, `MARSHALLED`: numbers;
- `PIECE`, `MARSHALLED_PIECE`: starts, lengths, the source, its size, where to put places or 0, the first start;
- `EACH`: counts, the address of the first part (`FIRST`), then room for: items that are `LEFT`, the end of the
  structure `AROUND` them; where to put `PLACES` or 0.
"""

FIRST, LEFT, AROUND, PLACES = range(2, 6)
"""The words of an `EACH` behind its counts."""

WORD: Final = 8
WORDS: Final = 8
ROW: Final = WORDS * WORD
"""Bytes of a part."""

AT_ONCE: Final = 32
"""Bytes that are copied at once, which may spoil as many before a place."""

_AHEAD: Final = 16 * WORD
_BAD: Final = -1

_ONE, _TWO, _THREE, _FOUR, _FIVE, _SIX = (WORD * place for place in range(1, 7))
_FIRST, _LEFT, _AROUND, _PLACES = (WORD * place for place in (FIRST, LEFT, AROUND, PLACES))
_INT32: Final = 1 << 31
_DIGIT: Final = (1 << DIGIT_BITS) - 1


def _pointer(builder: Any, address: Any, kind: ir.Type) -> Any:
    return builder.inttoptr(address, kind.as_pointer())


@intrinsic
def _load(_: Any, address: Any) -> Any:
    """Read a word."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.load(_pointer(builder, arguments[0], ir.IntType(64)), align=1)

    return types.int64(types.int64), code


@intrinsic
def _store(_: Any, address: Any, word: Any) -> Any:
    """Write a word, least byte first, which is the order of the machines that this is for."""

    def code(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        builder.store(arguments[1], _pointer(builder, arguments[0], ir.IntType(64)), align=1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


@intrinsic
def _store_byte(_: Any, address: Any, word: Any) -> Any:
    """Write the least byte of a word."""

    def code(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        byte = ir.IntType(8)
        builder.store(builder.trunc(arguments[1], byte), _pointer(builder, arguments[0], byte))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


@intrinsic
def _copy(_: Any, to: Any, source: Any) -> Any:
    """Copy `AT_ONCE` bytes."""

    def code(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        to, source = (_pointer(builder, address, ir.VectorType(ir.IntType(8), AT_ONCE)) for address in arguments)
        builder.store(builder.load(source, align=1), to, align=1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


@intrinsic
def _copy_byte(_: Any, to: Any, source: Any) -> Any:
    """Copy a byte."""

    def code(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        to, source = (_pointer(builder, address, ir.IntType(8)) for address in arguments)
        builder.store(builder.load(source), to)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), code


@intrinsic
def _fetch(_: Any, address: Any) -> Any:
    """Ask for memory that will be read soon."""

    def code(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        ask = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        how = [ir.Constant(number, value) for value in (0, 3, 1)]  # to read, keep it near, data
        builder.call(ask, [builder.inttoptr(arguments[0], byte), *how])
        return context.get_dummy_value()

    return types.void(types.int64), code


@intrinsic
def _turned(_: Any, word: Any) -> Any:
    """Turn the bytes of a word round."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return types.int64(types.int64), code


@intrinsic
def _bits(_: Any, word: Any) -> Any:
    """Count the bits of a word up to the highest that is set; it is not 0."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 64), zeros)

    return types.int64(types.uint64), code


@njit(inline="always")
def _next(row: int) -> int:
    """Take a number of a column."""
    at = _load(row)
    _store(row, at - WORD)
    return _load(at)


@njit(inline="always")
def _put(pos: int, word: int, size: int) -> int:
    """Write up to 8 bytes: those of a word, least byte first."""
    _store(pos - WORD, word << 8 * (WORD - size))
    return pos - size


@njit(inline="always")
def _put_varint(pos: int, number: int) -> int:
    word = np.uint64(number << 1 ^ number >> 63)
    size = (_bits(word | np.uint64(1)) + 6) // 7
    last = np.uint64(0x80) << np.uint64(8 * (size - 1))
    if size > WORD:
        beyond = np.int64(word >> np.uint64(7 * WORD))  # 8 bits at most
        pos = _put(pos, beyond if size == WORD + 1 else beyond & 0x7F | 0x180, size - WORD)
        size, last = WORD, np.uint64(0)
    spread = (word & np.uint64(0x000000000FFFFFFF)) | (word & np.uint64(0x00FFFFFFF0000000)) << np.uint64(4)
    spread = (spread & np.uint64(0x00003FFF00003FFF)) | (spread & np.uint64(0x0FFFC0000FFFC000)) << np.uint64(2)
    spread = (spread & np.uint64(0x007F007F007F007F)) | (spread & np.uint64(0x3F803F803F803F80)) << np.uint64(1)
    return _put(pos, np.int64((spread | np.uint64(0x8080808080808080)) ^ last), size)


@njit(inline="always")
def _put_content(pos: int, source: int, size: int, start: int, length: int) -> int:
    """Copy a content; `source` and `size` are the buffer that it is a piece of."""
    first, left = pos - length, length
    while left > 0 and start + left >= AT_ONCE:
        _copy(first + left - AT_ONCE, source + start + left - AT_ONCE)
        left -= AT_ONCE
    for place in range(left):  # so near to the start of the buffer that less is there
        _copy_byte(first + place, source + start + place)
    return first


@njit(inline="always")
def _put_marshalled(pos: int, number: int) -> int:
    if -_INT32 <= number < _INT32:
        return _put(pos, number << 8 | MARSHAL_INT, MARSHAL_TAG)
    magnitude = np.uint64(-number if number < 0 else number)
    bits = _bits(magnitude)
    digits = (bits + DIGIT_BITS - 1) // DIGIT_BITS
    four = (
        np.int64(magnitude) & _DIGIT
        | (np.int64(magnitude >> np.uint64(DIGIT_BITS)) & _DIGIT) << 16
        | (np.int64(magnitude >> np.uint64(2 * DIGIT_BITS)) & _DIGIT) << 32
        | (np.int64(magnitude >> np.uint64(3 * DIGIT_BITS)) & _DIGIT) << 48
    )
    if digits > 4:
        pos = _put(_put(pos, np.int64(magnitude >> np.uint64(4 * DIGIT_BITS)), 2), four, WORD)
    else:
        pos = _put(pos, four, 2 * digits)
    return _put(pos, (-digits if number < 0 else digits) << 8 | MARSHAL_LONG, MARSHAL_TAG)


def _compiled(signature: Any) -> Any:
    """Compile a function now, and keep the outcome where there is a folder for it."""

    def decorate(function: Any) -> Any:
        try:
            return njit(signature, cache=True)(function)
        except RuntimeError:  # "cannot cache function": no folder beside this file or at home can be written
            return njit(signature)(function)

    return decorate


_INT = types.int64


@_compiled(_INT(_INT, _INT, _INT))
def write(root: int, pos: int, lowest: int) -> int:
    """Write all items of an `EACH`.

    Args:
        root: its address; how many items are left is there already.
        pos: address behind the last byte.
        lowest: address of the lowest byte that may be written; there are `AT_ONCE` bytes before it.

    Returns:
        The address of the first byte; -1 if a content is not within its buffer, or there is no room.
    """
    row, end = _load(root + _FIRST), pos
    while True:
        what = _load(row)
        if what == VARINT:
            pos = _put_varint(pos, _next(row + _ONE))
        elif what == PIECE or what == MARSHALLED_PIECE:  # noqa: PLR1714, SIM109 - numba would make a set each time
            at = _load(row + _ONE)
            start, source, size = _load(at), _load(row + _THREE), _load(row + _FOUR)
            _store(row + _ONE, at - WORD)
            length = _next(row + _TWO)
            _fetch(source + _load(max(at - _AHEAD, _load(row + _SIX))))
            if length > 0:
                if start < 0 or length > size - start or length > pos - lowest:
                    return _BAD
                pos = _put_content(pos, source, size, start, length)
            if what == PIECE:
                places = _load(row + _FIVE)
                _store(row + _FIVE, places - WORD)
                _store(places, pos)
            elif length < 0:
                pos = _put(pos, MARSHAL_NONE, 1)
            else:
                pos = _put(pos, length << 8 | MARSHAL_BYTES, MARSHAL_TAG)
        elif what == CONSTANT:
            pos = _put(pos, _load(row + _ONE), _load(row + _TWO))
        elif what == MARSHALLED:
            pos = _put_marshalled(pos, _next(row + _ONE))
        elif what == VARINT_REST:
            pos = _put_varint(pos, end - pos)
        elif what == LEAST_FIRST:
            pos = _put(pos, _next(row + _ONE), _load(row + _TWO))
        elif what == GREATEST_FIRST:
            _store(pos - WORD, _turned(_next(row + _ONE)))
            pos -= _load(row + _TWO)
        elif what == REST:
            _store(pos - WORD, _turned(end - pos))
            pos -= _load(row + _ONE)
        elif what == EACH:
            items = _next(row + _ONE)
            if items > 0:
                _store(row + _LEFT, items)
                _store(row + _AROUND, end)
                row, end = _load(row + _FIRST), pos
                continue
        else:
            array = _load(row + _ONE)
            places, left = _load(array + _PLACES), _load(array + _LEFT) - 1
            _store(array + _LEFT, left)
            if places:
                _store(places, pos)
                _store(array + _PLACES, places - WORD)
            if left:
                row, end = _load(array + _FIRST), pos
                continue
            if array == root:
                return pos
            row, end = array, _load(array + _AROUND)
        row += ROW


@_compiled(
    types.void(types.Array(types.uint64, 1, "C", readonly=True), types.uint64, types.Array(types.uint64, 1, "C"))
)
def mix(words: Any, addend: Any, out: Any) -> None:
    """Mix each word and an addend, see `hashing.mix`."""
    for place in range(words.size):
        word = words[place] + addend
        word = (word ^ word >> np.uint64(30)) * np.uint64(MIX_FIRST)
        word = (word ^ word >> np.uint64(27)) * np.uint64(MIX_SECOND)
        out[place] = word ^ word >> np.uint64(31)


HAS_CHECKSUMS: Final = platform.machine() in {"x86_64", "AMD64"} and get_host_cpu_features().get("sse4.2", False)
"""True if this processor has the instruction, and we know its name."""


@intrinsic
def _crc_of_word(_: Any, crc: Any, word: Any) -> Any:
    """Go on with a checksum: 8 bytes."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        return builder.call(builder.module.declare_intrinsic("llvm.x86.sse42.crc32.64.64", (), kind), arguments)

    return types.int64(types.int64, types.int64), code


@intrinsic
def _crc_of_byte(_: Any, crc: Any, address: Any) -> Any:
    """Go on with a checksum: the byte at an address."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        word, half, byte = ir.IntType(64), ir.IntType(32), ir.IntType(8)
        kind = ir.FunctionType(half, [half, byte])
        step = builder.module.declare_intrinsic("llvm.x86.sse42.crc32.32.8", (), kind)
        value = builder.load(_pointer(builder, arguments[1], byte))
        return builder.zext(builder.call(step, [builder.trunc(arguments[0], half), value]), word)

    return types.int64(types.int64, types.int64), code


@njit(inline="always")
def _crc(here: int, end: int) -> int:
    """Return the CRC-32C of the bytes between two addresses."""
    crc = 0xFFFFFFFF
    while here + WORD <= end:
        crc = _crc_of_word(crc, _load(here))
        here += WORD
    while here < end:
        crc = _crc_of_byte(crc, here)
        here += 1
    return crc ^ 0xFFFFFFFF


def _checksums(data: int, bounds: int, count: int, at: int, first: int) -> None:
    """Write the CRC-32C of each structure, greatest byte first.

    Args:
        data: address of the first structure.
        bounds: address of where each begins behind `data`, and where the last one ends.
        count: how many structures.
        at: where in a structure its checksum stands.
        first: from where to the end it counts.
    """
    for place in range(count):
        start, end = data + _load(bounds + WORD * place), data + _load(bounds + WORD * (place + 1))
        word = _turned(_crc(start + first, end) << 32)
        for byte in range(4):
            _store_byte(start + at + byte, word >> 8 * byte)


checksums = _compiled(types.void(*[_INT] * 5))(_checksums) if HAS_CHECKSUMS else None
