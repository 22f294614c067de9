r"""Bytes as programs have them: arrays of numbers, and strings with escapes.

{0x00, 0x05}  [0, 5, -1]  (byte) 0xff  <<0,16#05>>  0u8  5.toByte()
b'\x00\x05'   "\0\5Y"     bytes.fromhex('0005')      Buffer.from('AAU=', 'base64')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from kafka_format.paste import digits
from kafka_format.paste.model import Pasted, PasteError

_QUOTE: Final = re.compile("[\"']")
_QUOTED: Final = {mark: re.compile(rf"((?:[^{mark}\\]|\\[\s\S])*){mark}") for mark in "\"'"}
_MOST_OPEN: Final = 20
"""Quotes without an end that are passed over; each costs a look at the rest of the text."""

_CAST: Final = re.compile(
    r"\(\s*(?:unsigned |signed |const )?(?:[us]?byte|char|u?int8(?:_t)?|u8|i8)\s*\)", re.IGNORECASE
)
_TYPED: Final = re.compile(r"(?<=[0-9a-fA-F])(?:_?[ui]8\b|\.toByte\(\)|\.toUByte\(\)| as u8\b|[uU]?[yY]\b)")
_LIST: Final = re.compile(r"<<([^<>]*)>>|<Buffer([^<>]*)>|\{([^{}\[\]()]*)\}|\[([^{}\[\]()]*)\]|\(([^{}\[\]()]*)\)")
_NUMBER: Final = re.compile(r"[+-]?(?:0[xX]|16#)[0-9a-fA-F]{1,4}|0[bB][01]{1,8}|[+-]?[0-9]{1,4}|[0-9a-fA-F]{1,2}")
_BASED: Final = re.compile(r"[+-]?(?:0[xX]|16#)|0[bB][01]")
_KEYED: Final = re.compile(r'"(\d{1,8})"\s*:\s*(-?\d{1,3})\b')
_PLACED: Final = re.compile(r"^[ \t]*\[?(\d{1,8})\]?[ \t]*=>?\s*(?:int\()?(-?\d{1,3})\)?,?[ \t]*$", re.MULTILINE)
_AROUND: Final = re.compile(r"(?:[aA]rray)?(?:\(\d+\))?[({]?[)}]?;?")
"""What PHP has around numbers with their places."""

_NAMES: Final = frozenset({"hex", "base64", "base64url", "H*"})
"""Strings that say how another one is written."""

_LEFT_OUT: Final = re.compile(r"\.\.\.(?:\s*(\d+) more (?:byte|item)s?)?")
_ESCAPE: Final = re.compile(r"\\x([0-9a-fA-F]{2})|\\u00([0-9a-fA-F]{2})|\\([0-7]{1,3})|\\(\r?\n)|\\([\s\S])|([^\\]+)")
_KEY: Final = re.compile(r"\s*:")
_DECIMAL: Final = re.compile(r"\\(\d{3})")
_DECIMALS: Final = re.compile(r"(?:[^\\]|\\\d{3}|\\[^\dxu])*")
_CONTROL: Final = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "e": 27}
_BYTEA: Final = re.compile(r"\\x((?:[0-9a-fA-F]{2}){2,})")

ARRAY: Final = "an array of numbers"
STRING: Final = "a string with escapes"


class _String(NamedTuple):
    """A string in a text: where it is with its quotes, and what is between them."""

    start: int
    end: int
    content: str


def _strings(text: str) -> Iterator[_String]:
    position = is_open = 0
    while is_open < _MOST_OPEN and (quote := _QUOTE.search(text, position)) is not None:
        closed = _QUOTED[quote[0]].match(text, quote.end())
        position = quote.end() if closed is None else closed.end()
        if closed is None:
            is_open += 1
        else:
            yield _String(quote.start(), closed.end(), closed[1])


def _without_comments(text: str) -> str:
    """Return a program without what stands between /* and */, or behind //."""
    kept = []
    position = 0
    while (start := text.find("/", position)) >= 0:
        kept.append(text[position:start])
        mark = text[start : start + 2]
        end = text.find("*/" if mark == "/*" else "\n", start + 2) if mark in ("/*", "//") else start
        if end < 0:
            return "".join(kept)
        kept.append(" " if mark in ("/*", "//") else "/")
        position = end + (2 if mark == "/*" else 0 if mark == "//" else 1)
    return "".join((*kept, text[position:]))


def read_array(text: str) -> Pasted | None:
    """Read the longest list of numbers in brackets.

    Raises:
        PasteError: a number is too large for a byte.
    """
    if keyed := _read_keyed(text):
        return keyed
    plain = _TYPED.sub("", _CAST.sub("", _without_comments(text)))
    found = [parts for parts in map(_parts, _LIST.finditer(plain)) if parts]
    if not found:
        return None
    parts = max(found, key=len)
    others = sum(1 for one in found if len(one) > 1) - 1
    more = f"{others + 1} arrays are there; the longest is read." if others > 0 and len(parts) > 1 else ""
    cut = _LEFT_OUT.search(plain)
    missing = f"What was pasted leaves {cut[1] or 'some'} of the bytes out." if cut else ""
    read = _octets(parts)
    return Pasted(read.data, ARRAY).noting(*read.notes, more, missing)


def _read_keyed(text: str) -> Pasted | None:
    """Read numbers by their places: JSON of a Uint8Array, PHP, lines `0 = 12` of a debugger."""
    keyed, placed = _KEYED.findall(text), _PLACED.findall(text)
    if keyed:
        is_all = not _KEYED.sub("", text).strip(" \t\r\n,{};")
    else:
        is_all = len(placed) > 1 and _AROUND.fullmatch("".join(_PLACED.sub("", text).split())) is not None
    found = keyed or placed
    first = int(found[0][0]) if found else 0
    if not is_all or first > 1 or [int(key) for key, _ in found] != [*range(first, first + len(found))]:
        return None
    return _octets([number for _, number in found])


def _parts(found: re.Match[str]) -> list[str] | None:
    """Return the numbers and strings of a list; None if it holds something else."""
    content = next(group for group in found.groups() if group is not None)
    content = _LEFT_OUT.sub(" ", content)
    parts = []
    for word in _words(content):
        is_string = word[0] in "\"'" and found[1] is not None
        if not is_string and not _NUMBER.fullmatch(word):
            return None
        parts.append(word)
    if found[2] is not None:
        return [f"0x{part}" for part in parts]
    return parts


def _words(content: str) -> Iterator[str]:
    position = 0
    for string in _strings(content):
        yield from content[position : string.start].replace(",", " ").split()
        yield content[string.start : string.end]
        position = string.end
    yield from content[position:].replace(",", " ").split()


def _octets(parts: list[str]) -> Pasted:
    """Return what numbers and strings say; those of two digits are hex where one begins with 0."""
    bare = [part for part in parts if part[0] not in "\"'" and not _BASED.match(part)]
    two = bool(bare) and len(bare) == len(parts) and all(len(part) == 2 and part[0] not in "+-" for part in bare)
    is_hex = two and any(part[0] == "0" or not part.isdecimal() for part in bare)
    short = bool(bare) and len(bare) == len(parts) and all(len(part) <= 2 and part[0] not in "+-" for part in bare)
    is_short_hex = not is_hex and short and not all(part.isdecimal() for part in bare)
    note = "Numbers of one digit or two, some with letters, are read as hex." if is_short_hex else ""
    if two and all(part.isdecimal() for part in bare):
        note = f"Numbers of two digits are read as {'hex' if is_hex else 'decimal'}; they can be the other, too."
    data = bytearray()
    for part in parts:
        data += unescape(part[1:-1]) if part[0] in "\"'" else bytes((_number(part, is_hex=is_hex or is_short_hex),))
    return Pasted(bytes(data), ARRAY).noting(note)


def _number(part: str, *, is_hex: bool) -> int:
    word = part.lower().replace("16#", "0x")
    base = 16 if is_hex or "0x" in word else 2 if word.startswith("0b") else 10
    try:
        number = int(word, base)
    except ValueError:
        raise PasteError(f"{part!r} is no number among decimal numbers.", "Write all of them in one way.") from None
    if not -128 <= number <= 255:
        raise PasteError(f"{part} is no byte: in a list of numbers each is from -128 to 255.")
    return number & 0xFF


def read_string(text: str) -> Pasted | None:
    """Read the strings of a program, or text with escapes by itself.

    Strings without escapes are hex or base64.
    """
    if bytea := _BYTEA.fullmatch(text.strip()):
        return Pasted(bytes.fromhex(bytea[1]), digits.HEX).noting(
            "It is read as hex digits after one \\x; a string would have text after its first byte."
        )
    strings = [one for one in _strings(text) if not _KEY.match(text, one.end)]
    found = [one.content for one in strings]
    if not found:
        is_escaped = text.lstrip().startswith("\\") and "\\" in text.strip()[1:]
        return Pasted(unescape("".join(text.split("\n")).strip()), STRING) if is_escaped else None
    if all(map(_DECIMALS.fullmatch, found)) and any(_above_octal(one) for one in found):
        found = [_DECIMAL.sub(lambda one: f"\\x{int(one[1]):02x}", one) for one in found]
    if any("\\" in one for one in found):
        cut = "What was pasted ends in `...`: bytes are left out." if text.startswith("...", strings[-1].end) else ""
        return Pasted(b"".join(map(unescape, found)), STRING).noting(cut)
    if all(re.fullmatch("0[xX][0-9a-fA-F]{1,2}", one) for one in found):
        return _octets(found)
    joined = "".join(one for one in found if one not in _NAMES)
    if re.search("base64|b64|atob", text, re.IGNORECASE):
        return digits.read_base64(joined)
    return digits.read_hex(joined) or digits.read_base64(joined)


def _above_octal(content: str) -> bool:
    """Tell whether a number of three digits behind a backslash is decimal, as in Lua and OCaml."""
    numbers = _DECIMAL.findall(content)
    return all(int(number) < 256 for number in numbers) and any(re.search("[89]", number) for number in numbers)


def unescape(text: str) -> bytes:
    """Return what the text of a string says: escapes of C, Python, Java, Go, JavaScript."""
    data = bytearray()
    for found in _ESCAPE.finditer(text):
        short, unicode, octal, line, letter, plain = found.groups()
        if short or unicode:
            data.append(int(short or unicode, 16))
        elif octal:
            data.append(int(octal, 8) & 0xFF)
        elif letter:
            data += bytes((_CONTROL[letter],)) if letter in _CONTROL else letter.encode(errors="replace")
        elif not line:
            data += plain.encode(errors="replace")
    return bytes(data)
