"""Dumps with addresses: xxd, hexdump, od, tcpdump, Wireshark, gdb, Netty, PowerShell.

A row is an address, the bytes in some notation, and perhaps the same as text. Addresses tell how
many bytes a row has, so that neither they nor the text are taken for bytes.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from kafka_format.paste.model import Pasted, PasteError
from kafka_format.paste.notations import CELLS, MARKED, UNMARKED, Notation, Written

WAY: Final = "a dump with addresses"

_ROW: Final = re.compile(r"[ \t]*(?:0[xX])?([0-9a-fA-F]{4,16})h?(?:[ \t]*<[^<>]*>)?([:|]|(?=[ \t]|$))(.*)")
_ADDRESS: Final = re.compile("[0-9a-fA-F]{4,16}")
_NAMES: Final = re.compile(r"(?:Label|Path): .*|-? ?[Oo]ffset.*|[-= ]+")
_CELLS: Final = re.compile(r"(?: {3}[!-~]| {4}| {2}\\[0abtnvfr]| [0-3][0-7]{2}){2,}")
_HEX_WORD: Final = re.compile(r" [0-9a-fA-F]{2,16}(?= |$)")
_SEVEN_BITS: Final = frozenset(
    re.findall(
        "[a-z0-4]+",
        "nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs "
        "rs us sp del",
    )
)
"""What `od -a` calls bytes without their highest bit."""

_LONGEST_ROW: Final = 1000
_MOST: Final = 16 << 20
"""Bytes that a dump may unfold to, where a star stands for rows like the one before."""


class _Row(NamedTuple):
    """A line of a dump; a star has no address.

    Attributes:
        address: its digits.
        mark: what stands behind the address: a colon, a bar, or nothing.
        words: what says the bytes.
        text: what stands behind a bar.
    """

    address: str
    mark: str
    words: str
    text: str


def read(text: str) -> Pasted | None:
    """Read the first dump in a text; None if there is none.

    Raises:
        PasteError: rows are missing in it.
    """
    rows, others = _rows(text)
    dump, is_more = _first_dump(rows)
    if not dump or others > max(3, len(rows)) or (len(dump) == 1 and not _is_plainly_a_row(dump[0])):
        return None
    made = _read(dump)
    if made is None:
        _refuse(dump)
        return None
    left = f"{others} lines that are no rows of the dump are left out." if others > 1 else ""
    left = "One line that is no row of the dump is left out." if others == 1 else left
    more = "More than one dump is there; the first is read." if is_more else ""
    alone = "The first digits are taken for an address, not for bytes." if len(dump) == 1 and not dump[0].mark else ""
    return made.noting(left, more, alone)


def _rows(text: str) -> tuple[list[_Row], int]:
    """Return the rows, with stars, and how many other lines there are but for blanks and frames."""
    rows: list[_Row] = []
    others = 0
    for line in text.splitlines():
        plain = line.strip()
        if not plain or not plain.strip("+-|") or _is_head(plain.strip("|").split()):
            continue
        bare = plain[1:] if plain.startswith("|") else line
        found = _ROW.fullmatch(bare) if len(bare) <= _LONGEST_ROW else None
        if plain == "*" and rows:
            rows.append(_Row("", "*", "", ""))
        elif found is not None:
            rows.append(_Row(found[1], found[2], *_columns(found[3])))
        else:
            others += 1
    return rows, others


def _columns(rest: str) -> tuple[str, str]:
    """Return what says the bytes, and the text if it stands between bars or angles."""
    plain = rest.rstrip()  # blanks at its end may be text
    for opening, closing in ("||", "><"):
        start = plain.find(opening)
        if start > 0 and plain[start - 1] in " \t" and plain.endswith(closing) and start < len(plain) - 1:
            return plain[:start].rstrip(), plain[start + 1 : -1]
    return rest, ""


def read_cells(text: str) -> Pasted | None:
    """Read what `od -An -c` shows: a letter, an escape or three digits in each four columns."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or not all(_CELLS.fullmatch(line) for line in lines):
        return None
    data = b"".join(written.octets for line in lines for written in CELLS.words(line))
    return Pasted(data, "letters and escapes in columns")


def refuse_what_is_lost(text: str) -> None:
    """Refuse rows that do not say all of the bytes.

    Raises:
        PasteError: rows are left out without an address that tells how many, or a bit of each byte
            is.
    """
    lines = [line.split() for line in text.splitlines()]
    if ["*"] in lines:
        detail = "a line `*` stands for rows like the one before, and no address tells how many."
        raise PasteError(detail, "Dump it with addresses, or with `-v`.")
    words = [word for line in lines for word in line]
    names = sum(word in _SEVEN_BITS for word in words)
    if names > 1 and all(len(word) == 1 or word in _SEVEN_BITS or _ADDRESS.fullmatch(word) for word in words):
        detail = "`od -a` leaves out the highest bit of each byte, so that it does not say the bytes."
        raise PasteError(detail, "`od -An -tx1` does.")


def _is_head(words: list[str]) -> bool:
    """Tell whether a line numbers or names the columns, as Netty and PowerShell do."""
    return _NAMES.fullmatch(" ".join(words)) is not None or [word.lower().lstrip("0") or "0" for word in words] == list(
        "0123456789abcdef"
    )


def _is_plainly_a_row(row: _Row) -> bool:
    """Tell whether a single line is a row, by a mark behind its address or by its text column."""
    words = row.words.split()
    if not words:
        return False
    is_spaced = row.words.startswith(("  ", "\t")) and re.fullmatch("[0-9a-fA-F]{2}", words[0]) is not None
    return bool(row.mark or row.text) or (is_spaced and not int(row.address, 16))


def _first_dump(rows: list[_Row]) -> tuple[list[_Row], bool]:
    """Return the rows up to where addresses begin again, and whether they do."""
    for index, row in enumerate(rows):
        if index and row.address and int(row.address, 16) <= int(rows[0].address, 16):
            return rows[:index], True
    return rows, False


def _refuse(rows: list[_Row]) -> None:
    """Say why rows with marks cannot be read; others may be no dump.

    Raises:
        PasteError: rows with marks cannot be read.
    """
    stars = [following.address for row, following in pairwise(rows) if row.mark == "*"]
    if rows[0].mark or stars:
        before = f" before {stars[0]}" if stars else ""
        raise PasteError(
            f"the addresses do not fit the bytes of the dump: lines are missing{before}, or digits in one.",
            "Dump all of it; `hexdump -C -v` leaves no lines out.",
        )


def _read(rows: list[_Row]) -> Pasted | None:
    """Read a dump in the first notation whose bytes fit its addresses; None if none do.

    Addresses of six digits are those of `od -Ax`: its others have seven.
    """
    is_short = all(len(row.address) in {0, 6} and not row.mark.strip("*") for row in rows)
    for radixes in ((16,), (8, 10)) if is_short else ((16, 8, 10),):
        for notation in MARKED if rows[0].mark else UNMARKED:
            made = _read_as(rows, notation, [radix for radix in notation.radixes if radix in radixes])
            if made is not None:
                return made
    return None


def _read_as(rows: list[_Row], notation: Notation, radixes: list[int]) -> Pasted | None:
    found = [(data, radix) for radix in radixes if (data := _of_radix(rows, radix, notation)) is not None]
    if not found:
        return None if notation.turned is None else _read_as(rows, notation.turned, radixes)
    data, radix = found[0]
    either = "Its addresses can be hex or octal, and a line stands for others." if data != found[-1][0] else ""
    other = None if notation.turned is None else _of_radix(rows, radix, notation.turned)
    return Pasted(data, WAY, other=other).noting(notation.note, either)


def _of_radix(rows: list[_Row], radix: int, notation: Notation) -> bytes | None:
    try:
        places = [int(row.address, radix) if row.address else None for row in rows]
    except ValueError:
        return None
    return _unfold(rows, places, notation)


def _unfold(rows: list[_Row], places: list[int | None], notation: Notation) -> bytes | None:
    """Return the bytes of all rows; None if a row has others than its address says."""
    data, first, row_size, is_even = bytearray(), places[0] or 0, 0, True
    for row, place, following in zip(rows, places, [*places[1:], None], strict=True):
        count = None if following is None else following - first - len(data)
        if row.mark == "*":
            if count is None or not row_size or count % row_size or not 0 <= count <= _MOST - len(data):
                return None
            data += bytes(data[-row_size:]) * (count // row_size)
            continue
        if place != first + len(data):
            return None
        if not row.words.strip():
            break  # the address behind the last byte
        found = _octets(row, notation, count, row_size if is_even else 0)
        if found is None:
            return None
        data += found
        is_even = is_even and row_size in {0, len(found)}
        row_size = len(found)
    return bytes(data)


def _octets(row: _Row, notation: Notation, count: int | None, row_size: int) -> bytes | None:
    """Return the bytes of a row: as many as the next address says, or as its text has letters."""
    octets, best, end = bytearray(), None, 0
    for written in notation.words(row.words):
        octets += written.octets
        text = row.text or row.words[written.end :]
        if _reads_swapped(octets, text, written, notation):
            return None
        is_shown = _shows(text, octets)
        if count is not None and len(octets) >= count:
            is_exact = len(octets) == count or (notation.is_padded and not any(octets[count:]))
            is_exact = is_exact and len(row.text.rstrip()) <= count
            is_end = bool(row.text) or is_shown or not text.strip() or _is_text(text, notation)
            return bytes(octets[:count]) if is_exact and is_end else None
        if count is None and is_shown:
            return bytes(octets)
        if not row_size or len(octets) <= row_size:
            best, end = bytes(octets), written.end
    rest = row.words[end:]
    is_end = bool(row.text) or rest.startswith(("  ", "\t")) or not rest.strip() or not _HEX_WORD.match(rest)
    return best if count is None and is_end else None


def _is_text(rest: str, notation: Notation) -> bool:
    """Tell whether what follows the bytes of a row is a column of text, and no further bytes."""
    ends = [written.end for written in notation.words(rest)]
    return rest.startswith(("  ", "\t")) and (not ends or bool(rest[ends[-1] :].strip()))


def _reads_swapped(octets: bytearray, text: str, written: Written, notation: Notation) -> bool:
    """Tell whether the text says that words have the bytes in the order of the machine."""
    size = len(written.octets)
    if notation.is_swapped and size > 1 and len(octets) % size == 0 and len(set(octets)) > size:
        words = (octets[at : at + size] for at in range(0, len(octets), size))
        return _shows(text, b"".join(bytes(reversed(word)) for word in words)) and not _shows(text, octets)
    if notation.is_swapped or size < 2 or len(octets) % size or not text.strip() or _shows(text, octets):
        return False
    words = (octets[at : at + size] for at in range(0, len(octets), size))
    return _shows(text, b"".join(bytes(reversed(word)) for word in words))


def _shows(text: str, octets: bytes | bytearray) -> bool:
    """Tell whether a text column shows bytes: letters as they are, others as a dot.

    Blanks around it may be of the column, or of the bytes.
    """
    start = len(text) - len(text.lstrip()) - (len(octets) - len(octets.lstrip(b" ")))
    shown = text[max(start, 0) :].rstrip().ljust(len(octets))
    return (
        bool(text.strip())
        and len(shown) == len(octets)
        and all(
            letter == chr(octet) if 32 <= octet < 127 else letter in ". \u00b7\ufffd" or ord(letter) > 126
            for letter, octet in zip(shown, octets, strict=True)
        )
    )
