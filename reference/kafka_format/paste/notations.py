"""How the rows of a dump write bytes: in hex, octal or decimal, one by one or in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple

SWAPPED: Final = "It has words of several bytes; they are read as a little-endian machine writes them."

_WORD: Final = re.compile(r"\S+")
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}){1,16}")
_CELL: Final = 4
"""Letters for a byte in the rows of od -c."""

_ESCAPES: Final = {"\\0": 0, "\\a": 7, "\\b": 8, "\\t": 9, "\\n": 10, "\\v": 11, "\\f": 12, "\\r": 13}


class Written(NamedTuple):
    """Some bytes of a row, and where in the row their word ends."""

    octets: bytes
    end: int


class Notation(NamedTuple):
    """A way to write bytes in rows.

    Attributes:
        words: yields the bytes of a row word by word, up to the first word that is none.
        note: what is to be said of bytes that are written so.
        is_swapped: whether words have the bytes in the order of the machine.
        radixes: the radixes that addresses may have, the likely one first.
        is_padded: whether the last word may have zeros behind the last byte.
        turned: the same words with their bytes in the other order.
    """

    words: Callable[[str], Iterator[Written]]
    note: str = ""
    is_swapped: bool = False
    radixes: tuple[int, ...] = (16, 8, 10)
    is_padded: bool = False
    turned: Notation | None = None


def _of_words(pattern: str, octets: Callable[[str], bytes | None]) -> Callable[[str], Iterator[Written]]:
    shape = re.compile(pattern)

    def words(rest: str) -> Iterator[Written]:
        for found in _WORD.finditer(rest):
            made = octets(found[0]) if shape.fullmatch(found[0]) else None
            if made is None:
                return
            yield Written(made, found.end())

    return words


def _number(base: int, size: int, order: Literal["little", "big"]) -> Callable[[str], bytes | None]:
    bits = 8 * size

    def octets(word: str) -> bytes | None:
        number = int(word, base)
        return (number % (1 << bits)).to_bytes(size, order) if -1 << bits - 1 <= number < 1 << bits else None

    return octets


def _words(pattern: str, base: int, size: int, radixes: tuple[int, ...] = (16, 8, 10)) -> Notation:
    """Return the notation of words of several bytes, in the order of a little-endian machine."""
    little, big = (_of_words(pattern, _number(base, size, order)) for order in ("little", "big"))
    turned = Notation(big, "", radixes=radixes, is_padded=True)
    return Notation(little, SWAPPED, is_swapped=True, radixes=radixes, is_padded=True, turned=turned)


def _reversed(word: str) -> bytes:
    return bytes.fromhex(word)[::-1]


def _decimal(word: str) -> bytes | None:
    number = int(word)
    return bytes((number & 0xFF,)) if -128 <= number <= 255 else None


def _cells(rest: str) -> Iterator[Written]:
    """Yield what od -c shows: a letter, an escape or three octal digits in each four columns."""
    for start in range(0, len(rest), _CELL):
        cell = rest[start : start + _CELL].strip()
        if not cell:
            cell = " " if start + _CELL <= len(rest) else ""
        if cell in _ESCAPES:
            octets = bytes((_ESCAPES[cell],))
        elif re.fullmatch("[0-3][0-7]{2}", cell):
            octets = bytes((int(cell, 8),))
        elif len(cell) == 1:
            octets = cell.encode(errors="replace")
        else:
            return
        yield Written(octets, min(start + _CELL, len(rest)))


_AS_WRITTEN: Final = Notation(
    _of_words(r"(?:[0-9a-fA-F]{2}){1,16}|0x[0-9a-fA-F]{2}", lambda word: bytes.fromhex(word.removeprefix("0x")))
)
_BITS: Final = Notation(_of_words("[01]{8}", lambda word: bytes((int(word, 2),))))
_SINGLE: Final = Notation(_of_words("[0-9a-fA-F]{2}", bytes.fromhex))
_WORDS: Final = tuple(_words(rf"(?:0x)?[0-9a-fA-F]{{{2 * size}}}", 16, size) for size in (2, 4, 8))
_SHORTENED: Final = tuple(
    Notation(_of_words(rf"(?:[0-9a-fA-F]{{2}}){{1,{size}}}", _reversed), SWAPPED, is_swapped=True) for size in (2, 4, 8)
)
"""Words of which the last one has as many digits as bytes are left: xxd -e."""

CELLS: Final = Notation(_cells)

MARKED: Final = (_BITS, _AS_WRITTEN, *_SHORTENED, *_WORDS)
"""Notations of rows with a mark behind their address: xxd, tcpdump, gdb, Netty."""

UNMARKED: Final = (
    _SINGLE,
    *_WORDS,
    Notation(_of_words("[0-3][0-7]{2}", lambda word: bytes((int(word, 8),)))),
    _words("[0-7]{6}", 8, 2, (8, 16, 10)),
    _words("[0-7]{11}", 8, 4, (8, 16, 10)),
    _words("[0-7]{22}", 8, 8, (8, 16, 10)),
    _words("[0-9]{5}", 10, 2),
    Notation(_of_words("-?[0-9]{1,3}", _decimal)),
    _words("-?[0-9]{1,5}", 10, 2),
    _words("-?[0-9]{1,10}", 10, 4),
    _words("-?[0-9]{1,20}", 10, 8),
    CELLS,
    _AS_WRITTEN,
)
"""Notations of rows without a mark: hexdump, od, Wireshark."""
