"""Lines, numbers and ids of text files. Each has its place, so that errors can name it."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from kafka_format.errors import FieldPath, FormatError, Stage

_ENDS: Final = re.compile(rb"\r\n|\n|\r")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)", re.ASCII)
_JAVA_NUMBER: Final = re.compile(r"[+-]?\d+")

_ID_BYTES: Final = 16
_ID_LENGTH: Final = 22


class Line(NamedTuple):
    """A line of a text file: its text, and its first byte in the file."""

    text: str
    offset: int


def split(data: bytes) -> Iterator[Line]:
    """Yield the lines as `java.io.BufferedReader` does.

    LF, CR, CR LF or the end of the file end one.

    Bytes that are not UTF-8 become U+FFFD, as Java reads them.
    """
    start = 0
    for end in _ENDS.finditer(data):
        yield Line(data[start : end.start()].decode("utf-8", "replace"), start)
        start = end.end()
    if start < len(data):
        yield Line(data[start:].decode("utf-8", "replace"), start)


def text_error(rule: str, detail: str, offset: int, *path: str | int, hint: str = "") -> FormatError:
    """Return the error of a text file that breaks a rule, at a byte of it."""
    place: FieldPath = path
    return FormatError(detail, rule=rule, stage=Stage.STRUCTURE, offset=offset, path=place, hint=hint)


def number(text: str, bits: int, *, loose: bool = False) -> int | None:
    """Read a decimal number of so many bits; None if it is none.

    Args:
        text: the digits.
        bits: 32 or 64; the number is signed.
        loose: take what Java's parseInt takes: a plus sign, zeros in front, digits of any script.
    """
    if not (_JAVA_NUMBER if loose else _NUMBER).fullmatch(text):
        return None
    value = int(text)
    return value if -(1 << bits - 1) <= value < 1 << bits - 1 else None


def is_id(text: str) -> bool:
    """Tell whether a text is an id as Kafka writes it: 16 bytes, 22 letters of URL base64."""
    try:
        raw = base64.b64decode(text + "==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return False
    return len(raw) == _ID_BYTES and len(text) == _ID_LENGTH


def is_zero_id(text: str) -> bool:
    """Tell whether an id is sixteen zero bytes, which stands for none."""
    return text == "A" * _ID_LENGTH


def id_text(raw: bytes) -> str:
    """Return the text of an id of 16 bytes."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def id_bytes(text: str) -> bytes:
    """Return the 16 bytes of an id in 22 letters."""
    return base64.urlsafe_b64decode(f"{text}==")
