"""Digits without addresses: hex in any spelling, decimal numbers, and base64."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from kafka_format.paste.model import Pasted, PasteError

_BETWEEN: Final = re.compile(r"0[xX]|\\x|[\s,:;_%'\"\[\]{}()-]")
_HEX: Final = re.compile(r"[0-9a-fA-F]*")
_SPLIT: Final = re.compile(r"[\s,;]+")
_DECIMAL: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,3})")
_LARGE: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,19})")
"""A number of a list whose numbers have any number of digits: words of several bytes."""

_BITS: Final = re.compile("(?:0b)?[01]{8}")
_OCTAL_WORD: Final = re.compile("[01][0-7]{5}")
_OCTAL: Final = re.compile("[0-3][0-7]{2}")
_LOOSE: Final = re.compile(r"(?<![0-9a-fA-F])[-_]|[-_](?![0-9a-fA-F])")
"""Hyphens and underscores that are not between digits: signs of base64."""

_SHORT_HEX: Final = re.compile(r"[0-9a-fA-F]{1,2}")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_ARMOUR: Final = re.compile(r"^-----[^\n]*-----$|^data:[^,\n]*;base64,", re.MULTILINE)
_WORD_GROUPS: Final = re.compile(r"\s*(?:[0-9a-fA-F]{4}\s+)+[0-9a-fA-F]{4}\s*")
_EDGES: Final = "[](){}<> \t\r\n"

WORDS: Final = "Groups of four digits are read as they stand; `od -An -x` changes the places of the bytes in each."
HEX: Final = "hex digits"
NUMBERS: Final = "a list of decimal numbers"
NUMBERS_OF_BITS: Final = "a list of bits"
BASE64: Final = "base64"


def read_hex(text: str) -> Pasted | None:
    r"""Read hex digits, whatever stands between them: blanks, commas, colons, 0x, \x, %."""
    plain = _BETWEEN.sub("", text)
    if not plain or len(plain) % 2 or not _HEX.fullmatch(plain) or _LOOSE.search(text) or _has_odd_words(text):
        return None
    read = Pasted(bytes.fromhex(plain), HEX, other=_in_the_other_order(text.split()))
    return read.noting(_may_be_base64(text.strip()), _may_be_words(text))


def _has_odd_words(text: str) -> bool:
    """Tell whether a word inside a line has an odd number of digits: it says no whole bytes."""
    inner = (word for line in text.splitlines() for word in line.split()[1:-1])
    return any(len(word) % 2 and _HEX.fullmatch(word) for word in inner)


def _in_the_other_order(words: list[str]) -> bytes | None:
    """Return the bytes of words as `od -An` writes them on most machines: in hex, or 2 in octal.

    None if it writes no such words.
    """
    size = len(words[0]) if words else 0
    if len(words) < 2 or any(len(word) != size for word in words):
        return None
    if size in {4, 8, 16} and all(map(_HEX.fullmatch, words)):
        return b"".join(bytes.fromhex(word)[::-1] for word in words)
    if all(map(_OCTAL_WORD.fullmatch, words)):
        return b"".join(int(word, 8).to_bytes(2, "little") for word in words)
    return None


def _may_be_base64(text: str) -> str:
    """Say so if hex digits are base64 as well: none is decimal, or base64's own signs part them."""
    if len(text) % 4 or not re.fullmatch("[A-Fa-f]+|[0-9A-Fa-f]+[-_][0-9A-Fa-f_-]+", text) or "-" in text[2::3]:
        return ""
    return "It is read as hex digits; the same letters are base64, too."


def _may_be_words(text: str) -> str:
    """Say so of groups of four digits without addresses, in which od -x swaps bytes."""
    if not _WORD_GROUPS.fullmatch(text) or "\n" not in text.strip():
        return ""
    return WORDS


def read_numbers(text: str) -> Pasted | None:
    """Read decimal numbers, signed as Java prints them or not, or hex digits of no fixed width.

    Raises:
        PasteError: one is too large for a byte.
    """
    words = [word for word in _SPLIT.split(text.strip(_EDGES)) if word]
    if len(words) < 2 or all(len(word) == 2 for word in words):
        return None
    is_uneven = len({len(word) for word in words}) > 1
    if all(map(_DECIMAL.fullmatch, words)) or (is_uneven and all(map(_LARGE.fullmatch, words))):
        return Pasted(_octets([int(word) for word in words]), NUMBERS)
    if all(_OCTAL.fullmatch(word) for word in words):
        return Pasted(bytes(int(word, 8) for word in words), NUMBERS).noting("Numbers of three digits are octal.")
    if all(_SHORT_HEX.fullmatch(word) for word in words):
        return Pasted(bytes(int(word, 16) for word in words), HEX).noting(
            "Numbers of one digit or two, some with letters, are read as hex."
        )
    return None


def read_bits(text: str) -> Pasted | None:
    """Read groups of eight bits."""
    words = [word for word in _SPLIT.split(text.strip(_EDGES)) if word]
    if len(words) < 2 or not all(_BITS.fullmatch(word) for word in words):
        return None
    is_said = all(word[1] == "b" for word in words)
    note = "" if is_said else "Groups of eight digits, all 0 or 1, are read as bits; they can be hex, too."
    return Pasted(bytes(int(word[-8:], 2) for word in words), NUMBERS_OF_BITS).noting(note)


def _octets(numbers: list[int]) -> bytes:
    """Return numbers as bytes.

    Raises:
        PasteError: one is too large for a byte.
    """
    for number in numbers:
        if not -128 <= number <= 255:
            hint = "Words of several bytes do not say how many; `od -An -tx1` prints bytes."
            raise PasteError(f"{number} is no byte: in a list of numbers each is from -128 to 255.", hint)
    return bytes(number & 0xFF for number in numbers)


def read_base64(text: str) -> Pasted | None:
    """Read base64, of the usual alphabet or of that for links, with or without what pads it."""
    text = _ARMOUR.sub("", text).strip()
    if re.search(r"\S[ \t]+\S", text):
        return None  # words, and base64 has no blanks
    plain = re.sub(r"\s", "", text)
    if not _BASE64.fullmatch(plain) or _HEX.fullmatch(plain):
        return None
    if plain.isalnum() and not re.search("[A-Z]", plain):
        return None  # a digit of hex that is none, rather
    note = "" if re.search("[a-z+/=_-]", plain) else "It is read as base64; as hex, it has letters that are no digits."
    plain = plain.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error:
        return None
    return Pasted(data, BASE64).noting(note)


def complaint(text: str) -> PasteError:
    """Return why a text is neither hex nor base64."""
    plain = _BETWEEN.sub("", text)
    if len(plain) % 2 and _HEX.fullmatch(plain):
        return PasteError(f"there is an odd number of hex digits: {len(plain)}.", "Two digits make a byte.")
    if plain and _HEX.fullmatch(plain):
        return PasteError("words with an odd number of digits say no whole bytes.", "`od -An -tx1` prints bytes.")
    wrong = re.search(r"[^0-9a-fA-F\s,:;_%'\"\[\]{}()\\x-]", text)
    if wrong is None:
        return PasteError("this is neither hex nor base64.", _FORMS)
    return PasteError(f"{wrong[0]!r} at position {wrong.start()} is not a hex digit, and the rest no base64.", _FORMS)


_FORMS: Final = "Hex digits, dumps with addresses, arrays of programs and base64 are read."
