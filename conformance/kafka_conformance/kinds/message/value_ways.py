"""What people do to values of a type: each way by its name, in words, and as a function.

Values are exact JSON: bytes and ids are hex. The plainest ways come first.
"""

from __future__ import annotations

import base64
import html
import json
import struct
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import quote

Change = Callable[[Any], Any]
"""Makes what is given of a right value; numbers are numbers here."""

KnownWays = tuple[tuple[str, str, Change], ...]
"""Names, sentences without a subject with `{}` for the values, and what is done."""


def _keep_low(bits: int, *, signed: bool) -> Change:
    half = 1 << bits - 1 if signed else 0
    return lambda number: (number + half) % (1 << bits) - half


def _with_sign(bits: int) -> Change:
    return lambda number: number - (1 << bits) if 1 << bits - 1 <= number < 1 << bits else number


def _reversed(size: int) -> Change:
    whole = _keep_low(8 * size, signed=False)
    return lambda number: int.from_bytes(whole(number).to_bytes(size, "big"), "little", signed=True)


_OF_TIME: Final[KnownWays] = (
    ("in-seconds", "drops the last three digits of {}", lambda number: number // 1000 * 1000),
    ("divided-by-1000", "divides {} by 1000", lambda number: number // 1000),
    ("times-1000", "multiplies {} by 1000", lambda number: number * 1000),
)


def _from_0(change: Change) -> Change:
    return lambda number: number if number < 0 else change(number)


_NUMBERS: Final[KnownWays] = (
    *((f"signed-{bits}", f"reads {{}} as numbers of {bits} bits with a sign", _with_sign(bits))
      for bits in (8, 16, 32, 64)),
    *((f"low-{bits}-bits-unsigned", f"keeps the low {bits} bits of {{}}, without a sign", _keep_low(bits, signed=False))
      for bits in (8, 16, 32, 64)),
    *((f"low-{bits}-bits", f"keeps the low {bits} bits of {{}}", _keep_low(bits, signed=True)) for bits in (8, 16, 32)),
    *((f"{bits}-bits", f"keeps {bits} bits of {{}}, and no sign", _keep_low(bits, signed=False))
      for bits in (7, 15, 24, 31, 53, 63)),
    ("words-exchanged", "exchanges the halves of {}",
     lambda number: _keep_low(64, signed=True)((number & 0xFFFFFFFF) << 32 | number >> 32 & 0xFFFFFFFF)),
    ("low-word-signed", "adds the low 32 bits of {} with a sign of their own",
     lambda number: (number >> 32 << 32) + _keep_low(32, signed=True)(number)),
    ("high-word-lost", "loses the high 32 bits of {}", lambda number: number & 0xFFFFFFFF),
    ("bytes-reversed-16", "gives {} with the low byte first", _reversed(2)),
    ("bytes-reversed-32", "gives {} with the low byte first", _reversed(4)),
    ("bytes-reversed-64", "gives {} with the low byte first", _reversed(8)),
    ("absolute", "drops the sign of {}", abs),
    ("negated", "gives {} with the other sign", lambda number: -number),
    ("clamped-at-0", "gives 0 for {} below 0", lambda number: max(number, 0)),
    ("clamped-at-minus-one", "gives -1 for {} below it", lambda number: max(number, -1)),
    ("as-double", "keeps {} as floating-point numbers, which lose bits past 2^53", lambda number: int(float(number))),
    ("as-single", "keeps {} as floating-point numbers of 32 bits",
     lambda number: int(struct.unpack(">f", struct.pack(">f", number))[0])),
    *_OF_TIME,
    ("in-seconds-towards-0", "drops the last three digits of {}", lambda n: int(n / 1000) * 1000),
    *((f"{name}-from-0", f"{does} that are not below 0", _from_0(change)) for name, does, change in _OF_TIME),
    ("doubled", "doubles {}", lambda number: number * 2),
    ("minus-one-as-null", "gives null for {} that are -1", lambda number: None if number == -1 else number),
    ("zero-as-null", "gives null for {} that are 0", lambda number: number or None),
    ("minus-one-as-zero", "gives 0 for {} that are -1", lambda number: 0 if number == -1 else number),
    ("zero-as-minus-one", "gives -1 for {} that are 0", lambda number: number or -1),
    ("below-0-as-null", "gives null for {} below 0", lambda number: None if number < 0 else number),
)  # fmt: skip


def _utf8(text: str, codec: str, errors: str) -> str:
    return text.encode(codec, errors).decode(codec, errors)


_TEXTS: Final[KnownWays] = (
    ("empty", "gives no {}", lambda text: ""),
    ("lower", "gives {} in small letters", str.lower),
    ("upper", "gives {} in capital letters", str.upper),
    ("capitalized", "gives {} with a capital letter in front", str.capitalize),
    ("stripped", "strips {} of blanks", str.strip),
    ("without-nul", "drops NUL from {}", lambda text: text.replace("\0", "")),
    ("nul-stripped", "strips {} of NUL", lambda text: text.strip("\0")),
    ("to-nul", "ends {} at a NUL", lambda text: text.partition("\0")[0]),
    ("nul-replaced", "replaces NUL in {}", lambda text: text.replace("\0", "\ufffd")),
    ("ascii-question-marks", "gives ? for what is beyond ASCII in {}", lambda text: _utf8(text, "ascii", "replace")),
    ("ascii-bytes-replaced", "replaces each byte beyond ASCII in {}",
     lambda text: text.encode().decode("ascii", "replace")),
    ("ascii-bytes-questioned", "gives ? for each byte beyond ASCII in {}",
     lambda text: text.encode().decode("ascii", "replace").replace("\ufffd", "?")),
    ("ascii-kept", "drops what is beyond ASCII from {}", lambda text: _utf8(text, "ascii", "ignore")),
    ("latin-1-question-marks", "gives ? for what is beyond Latin-1 in {}",
     lambda text: _utf8(text, "latin-1", "replace")),
    ("as-latin-1", "takes {} for Latin-1", lambda text: text.encode().decode("latin-1")),
    ("as-windows-1252", "takes {} for Windows-1252", lambda text: text.encode().decode("cp1252", "replace")),
    ("coded-twice", "encodes {} in UTF-8 twice", lambda text: text.encode().decode("latin-1")),
    ("plane-0-kept", "drops characters beyond U+FFFF from {}",
     lambda text: "".join(letter for letter in text if ord(letter) < 0x10000)),
    ("plane-0-questioned", "gives ? for characters beyond U+FFFF in {}",
     lambda text: "".join(letter if ord(letter) < 0x10000 else "?" for letter in text)),
    ("plane-0-replaced", "replaces characters beyond U+FFFF in {}",
     lambda text: "".join(letter if ord(letter) < 0x10000 else "\ufffd" for letter in text)),
    ("low-16-bits", "keeps 16 bits of each character of {}", lambda text: "".join(chr(ord(c) & 0xFFFF) for c in text)),
    ("low-8-bits", "keeps 8 bits of each character of {}", lambda text: "".join(chr(ord(c) & 0xFF) for c in text)),
    ("escaped", "escapes what is beyond ASCII in {}", lambda text: text.encode("unicode_escape").decode()),
    ("escaped-as-json", "gives {} escaped, as in JSON", lambda text: json.dumps(text)[1:-1]),
    ("escaped-as-html", "gives {} escaped, as in HTML", html.escape),
    ("escaped-as-url", "gives {} escaped, as in a URL", lambda text: quote(text, safe="")),
    ("escaped-as-path", "gives {} escaped, as in a URL", quote),
    ("quoted", "gives {} in quotes", lambda text: f'"{text}"'),
    ("quoted-as-json", "gives {} as JSON has them, in quotes", json.dumps),
    ("hex", "gives {} in hex", lambda text: text.encode().hex()),
    ("base64", "gives {} in base64", lambda text: base64.b64encode(text.encode()).decode()),
    ("reversed", "gives {} the other way round", lambda text: text[::-1]),
    ("without-last", "drops the last character of {}", lambda text: text[:-1]),
    ("without-first", "drops the first character of {}", lambda text: text[1:]),
    ("doubled", "gives {} twice over", lambda text: text * 2),
    ("null-for-empty", "gives null for empty {}", lambda text: text or None),
)  # fmt: skip


def _of_hex(change: Callable[[bytes], bytes]) -> Change:
    return lambda text: text if text is None else change(bytes.fromhex(text)).hex()


_BYTES: Final[KnownWays] = (
    ("cut", "drops the last byte of {}", _of_hex(lambda content: content[:-1])),
    ("empty", "gives no {}", _of_hex(lambda _: b"")),
    ("to-nul", "ends {} at a NUL", _of_hex(lambda content: content.partition(b"\0")[0])),
    ("without-nul", "drops NUL from {}", _of_hex(lambda content: content.replace(b"\0", b""))),
    ("nul-stripped", "strips {} of NUL", _of_hex(lambda content: content.strip(b"\0"))),
    ("nul-stripped-behind", "strips {} of NUL at the end", _of_hex(lambda content: content.rstrip(b"\0"))),
    ("as-text", "passes {} through UTF-8", _of_hex(lambda content: content.decode(errors="replace").encode())),
    ("as-text-kept", "drops what is no UTF-8 from {}",
     _of_hex(lambda content: content.decode(errors="ignore").encode())),
    ("latin-1-as-utf-8", "takes {} for Latin-1, and writes UTF-8",
     _of_hex(lambda content: content.decode("latin-1").encode())),
    ("7-bits", "keeps 7 bits of each byte of {}", _of_hex(lambda content: bytes(each & 127 for each in content))),
    ("without-first", "drops the first byte of {}", _of_hex(lambda content: content[1:])),
    ("reversed", "gives {} the other way round", _of_hex(lambda content: content[::-1])),
    ("zeros", "gives zeros for {}", _of_hex(lambda content: bytes(len(content)))),
    ("doubled", "gives {} twice over", _of_hex(lambda content: content * 2)),
    ("as-base64", "gives {} in base64", _of_hex(base64.b64encode)),
    ("as-hex", "gives {} in hex", _of_hex(lambda content: content.hex().encode())),
    ("null-for-empty", "gives null for empty {}", lambda text: text or None),
)  # fmt: skip

_IDS: Final[KnownWays] = (
    ("zero", "gives zeros for {}", _of_hex(lambda content: bytes(len(content)))),
    ("halves", "exchanges the halves of {}", _of_hex(lambda content: content[8:] + content[:8])),
    ("reversed", "gives the bytes of {} the other way round", _of_hex(lambda content: content[::-1])),
    ("halves-little-endian", "gives each half of {} with the low byte first",
     _of_hex(lambda content: content[7::-1] + content[:7:-1])),
    ("parts-little-endian", "gives each four bytes of {} with the low byte first",
     _of_hex(lambda content: b"".join(content[at : at + 4][::-1] for at in range(0, 16, 4)))),
    ("mixed-endian", "gives the first three parts of {} with the low byte first, as GUIDs have them",
     _of_hex(lambda value: value[3::-1] + value[5:3:-1] + value[7:5:-1] + value[8:])),
    ("first-half", "keeps the first half of {}, and gives zeros for the other",
     _of_hex(lambda content: content[:8] + bytes(8))),
    ("last-half", "keeps the last half of {}, and gives zeros for the other",
     _of_hex(lambda content: bytes(8) + content[8:])),
    ("first-half-twice", "gives the first half of {} twice", _of_hex(lambda content: content[:8] * 2)),
    ("last-half-twice", "gives the last half of {} twice", _of_hex(lambda content: content[8:] * 2)),
    ("version-4", "sets the bits of version 4 in {}",
     _of_hex(lambda v: v[:6] + bytes((v[6] & 15 | 64,)) + v[7:8] + bytes((v[8] & 63 | 128,)) + v[9:])),
    ("null", "gives null for {}", lambda _: None),
    ("zero-as-null", "gives null for {} of zeros", lambda text: None if not text.strip("0") else text),
)  # fmt: skip

_BOOLS: Final[KnownWays] = (
    ("true", "gives true for all {}", lambda _: True),
    ("false", "gives false for all {}", lambda _: False),
    ("inverted", "gives true for false, and false for true in {}", lambda value: not value),
    ("null", "gives null for {}", lambda _: None),
    ("false-as-null", "gives null for {} that are false", lambda value: value or None),
    ("as-number", "gives 0 and 1 for {}", int),
)
_FLOATS: Final[KnownWays] = (
    ("single", "keeps {} in 32 bits", lambda value: struct.unpack(">f", struct.pack(">f", value))[0]),
    ("whole", "drops what is behind the point of {}", lambda value: float(int(value))),
    ("rounded", "rounds {}", lambda value: float(round(value))),
    ("little-endian", "gives {} with the low byte first",
     lambda value: struct.unpack("<d", struct.pack(">d", value))[0]),
    ("as-bits", "gives the bits of {} as a number", lambda v: float(int.from_bytes(struct.pack(">d", v), "big"))),
    ("zero", "gives 0 for {}", lambda _: 0.0),
    ("words-exchanged", "exchanges the halves of {}",
     lambda number: _keep_low(64, signed=True)((number & 0xFFFFFFFF) << 32 | number >> 32 & 0xFFFFFFFF)),
    ("low-word-signed", "adds the low 32 bits of {} with a sign of their own",
     lambda number: (number >> 32 << 32) + _keep_low(32, signed=True)(number)),
    ("high-word-lost", "loses the high 32 bits of {}", lambda number: number & 0xFFFFFFFF),
    ("bytes-reversed-16", "gives {} with the low byte first", _reversed(2)),
    ("bytes-reversed-32", "gives {} with the low byte first", _reversed(4)),
    ("bytes-reversed-64", "gives {} with the low byte first", _reversed(8)),
    ("absolute", "drops the sign of {}", abs),
    ("two-digits", "rounds {} to two digits", lambda value: round(value, 2)),
)  # fmt: skip


def _first_of(item: Any) -> str:
    return repr(next(iter(item.values()), None)) if isinstance(item, dict) else repr(item)


def _once(items: list[Any], key: Callable[[Any], str], *, keeps_last: bool = False) -> list[Any]:
    if keeps_last:
        return list({key(item): item for item in items}.values())
    return list({key(item): item for item in items[::-1]}.values())[::-1]


_ARRAYS: Final[KnownWays] = (
    ("empty", "gives no items of {}", lambda items: []),
    ("null-for-empty", "gives null for empty {}", lambda items: items or None),
    ("null", "gives null for {}", lambda items: None),
    ("last-item-lost", "loses the last item of {}", lambda items: items[:-1]),
    ("first-item-lost", "loses the first item of {}", lambda items: items[1:]),
    ("last-of-several-lost", "loses the last item of {} that have more than one", lambda items: items[:-1] or items),
    ("first-of-several-lost", "loses the first item of {} that have more than one", lambda items: items[1:] or items),
    ("only-last-item", "gives only the last item of {}", lambda items: items[-1:]),
    ("items-reversed", "gives the items of {} in reverse order", lambda items: items[::-1]),
    ("last-two-exchanged", "exchanges the last two items of {}", lambda items: [*items[:-2], *items[-2:][::-1]]),
    ("first-two-exchanged", "exchanges the first two items of {}", lambda items: [*items[:2][::-1], *items[2:]]),
    ("first-item-last", "gives the first item of {} last", lambda items: [*items[1:], *items[:1]]),
    ("last-item-first", "gives the last item of {} first", lambda items: [*items[-1:], *items[:-1]]),
    ("items-sorted", "gives the items of {} sorted", lambda items: sorted(items, key=repr)),
    ("numbers-sorted", "gives the numbers of {} sorted",
     lambda items: sorted(items) if all(isinstance(item, int | str) for item in items) else items),
    ("sorted-by-first-field", "gives the items of {} sorted by their first field",
     lambda items: sorted(items, key=_first_of)),
    ("repeated-items-lost", "loses items of {} that are there twice", lambda items: _once(items, repr)),
    ("items-of-same-key-lost", "loses items of {} whose first field is that of a later one, as a map does",
     lambda items: _once(items, _first_of, keeps_last=True)),
    ("items-of-same-key-first", "loses items of {} whose first field is that of an earlier one",
     lambda items: _once(items, _first_of)),
    ("doubled", "gives the items of {} twice over", lambda items: items * 2),
    ("each-twice", "gives each item of {} twice", lambda items: [item for item in items for _ in range(2)]),
    ("first-item-twice", "gives the first item of {} twice", lambda items: [*items[:1], *items]),
    ("last-item-twice", "gives the last item of {} twice", lambda items: [*items, *items[-1:]]),
    ("every-other-lost", "loses every second item of {}", lambda items: items[::2]),
    ("null-items-lost", "loses items of {} that are null", lambda items: [i for i in items if i is not None]),
    ("empty-items-lost", "loses items of {} that are empty, 0 or null", lambda items: [item for item in items if item]),
)  # fmt: skip

_TAGS: Final[KnownWays] = (
    ("lost", "loses {}", lambda tags: []),
    ("twice", "gives {} twice", lambda tags: [*tags, *tags]),
    ("each-twice", "gives each of {} twice", lambda tags: [tag for tag in tags for _ in range(2)]),
    ("last-lost", "loses the last of {}", lambda tags: tags[:-1]),
    ("first-lost", "loses the first of {}", lambda tags: tags[1:]),
    ("only-last", "keeps only the last of {}", lambda tags: tags[-1:]),
    ("content-lost", "keeps {} without their content", lambda tags: [{**tag, "content": ""} for tag in tags]),
    ("content-cut", "loses the last byte of {}", lambda tags: [{**t, "content": t["content"][:-2]} for t in tags]),
    ("content-longer", "adds a byte to {}", lambda tags: [{**t, "content": t["content"] + "00"} for t in tags]),
    ("content-zeros", "gives zeros for the content of {}",
     lambda tags: [{**tag, "content": "00" * (len(tag["content"]) // 2)} for tag in tags]),
    ("renumbered", "gives {} a tag that is one too high", lambda tags: [{**t, "tag": t["tag"] + 1} for t in tags]),
    ("numbered-anew", "gives {} new tags, from 0 on", lambda tags: [{**t, "tag": n} for n, t in enumerate(tags)]),
)  # fmt: skip

NULLS: Final[KnownWays] = (
    ("empty-for-null", "gives something empty where {} are null", lambda _: ""),
    ("empty-for-null", "gives something empty where {} are null", lambda _: []),
    ("null-as-word", "gives the word null where {} are null", lambda _: "null"),
    ("null-as-word-none", "gives the word None where {} are null", lambda _: "None"),
    ("null-as-word-undefined", "gives the word undefined where {} are null", lambda _: "undefined"),
    ("null-as-word-nil", "gives the word nil where {} are null", lambda _: "nil"),
)

WAYS: Final[dict[str, KnownWays]] = {
    "number": _NUMBERS,
    "text": _TEXTS,
    "bytes": _BYTES,
    "id": _IDS,
    "bool": _BOOLS,
    "float": _FLOATS,
    "array": _ARRAYS,
    "unknown-tags": _TAGS,
    "structure": (("null", "gives null for {}", lambda _: None),),
}
