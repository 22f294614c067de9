"""A decode function whose exceptions cannot tell themselves, or tell lies; a byte of the checksum chooses one.

Served as `python:unspeakable:decode` from this folder, or as an adapter of its own by python_adapter.py.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from kafka_conformance.protocol.hello import FIELDS
from kafka_format import records
from kafka_format.errors import FormatError

HELLO = {"fields": FIELDS}


class _RaisesError(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


class _ExitsError(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class _NumberError(Exception):
    def __str__(self) -> str:
        return 7  # noqa: PLE0307 - the point


class _Word(str):
    __slots__ = ()

    def __format__(self, _form: str) -> str:
        raise ValueError("no form")

    def encode(self, *_: object) -> bytes:
        return b"lies"

    def __getitem__(self, _: object) -> str:
        return "lies"


class _WordsError(Exception):
    def __str__(self) -> str:
        return _Word("words")


class _Nameless(type):
    @property
    def __name__(cls) -> str:
        raise ValueError("no name")


class _NamelessError(Exception, metaclass=_Nameless):
    pass


class _MaskedError(Exception):
    @property
    def __class__(self) -> Any:
        raise ValueError("no class")


class _FormatError(FormatError):
    def __init__(self) -> None:
        pass

    def __str__(self) -> str:
        raise ValueError("no text")


class _Fatal(BaseException):
    def __str__(self) -> str:
        raise ValueError("no text")


_LONG = 20_000_000

_MADE: Mapping[str, BaseException] = {
    "_RaisesError (its text cannot be told: ValueError)": _RaisesError(),
    "_ExitsError (its text cannot be told: SystemExit)": _ExitsError(),
    "_NumberError (its text cannot be told: TypeError)": _NumberError(),
    "_WordsError: words": _WordsError(),
    "_NamelessError: a name": _NamelessError("a name"),
    "_MaskedError: no mask": _MaskedError("no mask"),
    "_FormatError (its text cannot be told: ValueError)": _FormatError(),
    "ValueError: " + "long" * 250: ValueError("long" * (_LONG // 4)),
    "x" * 200 + ": much": type("x" * _LONG, (Exception,), {})("much"),
    r"ValueError: \ud800 surrogate": ValueError("\ud800 surrogate"),
}

TOLD = tuple(_MADE)
"""What is told of the exceptions: of the one for a checksum, by the remainder of its last byte; none for others."""

REMAINDERS = 16


def decode(data: bytes) -> Iterable[records.Record]:
    place = data[20] % REMAINDERS
    if place < len(_MADE):
        raise list(_MADE.values())[place]
    return records.decode(data)


def fatal(data: bytes) -> Iterable[records.Record]:
    """Raise what refuses nothing."""
    if data[20] % REMAINDERS == 0:
        raise _Fatal
    return records.decode(data)
