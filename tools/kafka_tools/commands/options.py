"""Options and input that several commands share."""

import sys
from collections.abc import Callable
from functools import wraps
from math import isnan
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast

import click
from kafka_format.codec.versions import CompiledVersion
from kafka_format.errors import LayoutError
from kafka_format.protocol import schema
from kafka_format.spec import releases
from kafka_format.spec.layout import Layout, find, specification

from kafka_tools.errors import UsageError

_HEX: Final = b"0123456789abcdefABCDEF \t\r\n"
_DIGITS: Final = 8
"""Fewer may well be anything."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Whole(click.IntRange):
    """An IntRange that error messages call a whole number."""

    name = "whole number"


class Seconds(click.FloatRange):
    """A number of seconds, small enough for any wait."""

    def __init__(self, *, min_open: bool = False) -> None:
        """From 0 seconds to a million; `min_open` leaves out 0."""
        super().__init__(0, 1_000_000, min_open=min_open)

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Reject NaN too, which passes every check of a range."""
        seconds = float(super().convert(value, param, ctx))
        if isnan(seconds):
            self.fail(f"{value} is not a number.", param, ctx)
        return seconds


class ReadingOptions(NamedTuple):
    """How to read bytes: the leniencies that are allowed, and the limits."""

    flags: frozenset[str]
    as_kafka: str
    limit: int | None
    max_records: int | None

    def arguments(self, *names: str) -> dict[str, Any]:
        """Return the options that were set, as keyword arguments for kafka_format."""
        return {name: value for name in names if (value := getattr(self, name)) not in (None, "")}


def reading(function: _Function) -> _Function:
    """Add the options of a `ReadingOptions`, and give the function one as `reading`.

    Raises:
        UsageError: there is no such flag or release; the text says what there is.
    """

    @wraps(function)
    def called(
        *,
        flags: tuple[str, ...],
        as_kafka: str,
        limit: int | None,
        max_records: int | None,
        **others: object,
    ) -> object:
        reading_options = ReadingOptions(_check_flags(frozenset(flags), as_kafka), as_kafka, limit, max_records)
        return function(reading=reading_options, **others)

    options = (
        click.option("--max-records", metavar="N", type=Whole(0), help="Refuse more records than N."),
        click.option(
            "--limit", metavar="BYTES", type=Whole(0), help="Refuse payloads that are larger when decompressed."
        ),
        click.option(
            "--as-kafka", metavar="RELEASE", default="", help="Read as that release of Kafka does, for example 3.9."
        ),
        click.option(
            "--flag", "flags", metavar="FLAG", multiple=True, help="Allow a leniency of docs/flags.md. Repeatable."
        ),
    )
    for option in options:
        called = option(called)
    return cast("_Function", called)


def _check_flags(flags: frozenset[str], as_kafka: str) -> frozenset[str]:
    try:
        return releases.allowed_flags(flags, as_kafka)
    except ValueError as error:
        raise UsageError(str(error)) from None


def read_input(file: str | None, hex_text: str | None) -> bytes:
    """Return the input bytes: from a file, from standard input (`-`), or from hex digits.

    Raises:
        UsageError: neither or both are given, the file cannot be read, or the text is not hex.
    """
    if (file is None) == (hex_text is None):
        raise UsageError(
            "give either FILE (- for standard input) or --hex.", "For example: --hex 00000000000000070000..."
        )
    if hex_text == "-":
        return from_hex(sys.stdin.buffer.read().decode(errors="replace"))
    if hex_text is not None:
        return from_hex(hex_text)
    if not file:
        raise UsageError("the name of the FILE is empty.", "- reads standard input.")
    if file == "-":
        return _warn_of_hex(sys.stdin.buffer.read())
    try:
        return _warn_of_hex(Path(str(file)).read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None


def check_exclusive(**chosen: object) -> None:
    """Check that at most one of these options is given; an underscore stands for a hyphen.

    Raises:
        UsageError: two are given, of which one would have no effect.
    """
    given = [f"--{name.replace('_', '-')}" for name, value in chosen.items() if value]
    if len(given) > 1:
        raise UsageError(
            f"{given[0]} and {given[1]} exclude each other.", "Each says what the bytes are: give one of them."
        )


def _warn_of_hex(data: bytes) -> bytes:
    """Return bytes of a file, and say so if they are hex digits: people mean what those say."""
    if len(data) >= _DIGITS and not data.strip(_HEX):
        click.echo(
            "The input looks like hex digits, but is read as it is. `--hex -` reads the bytes that they stand for.",
            err=True,
        )
    return data


def from_hex(text: str) -> bytes:
    """Read hex digits; blanks and line ends between bytes are ignored.

    Raises:
        UsageError: naming the first character that does not belong.
    """
    try:
        return bytes.fromhex(text)
    except ValueError:
        wrong = next((index for index, char in enumerate(text) if char not in "0123456789abcdefABCDEF \t\r\n"), None)
        if wrong is None:
            raise UsageError("--hex has an odd number of digits.", "Two digits make a byte.") from None
        raise UsageError(
            f"--hex: {text[wrong]!r} at position {wrong} is not a hex digit.", "Leave out any 0x."
        ) from None


def sentence(text: str) -> str:
    """Return an advice as a sentence, with a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", ")")) else ".")


def find_layout(name: str) -> Layout:
    """Find a layout by name.

    Raises:
        UsageError: there is none; near names are suggested.
    """
    try:
        return find(name)
    except LayoutError as error:
        raise UsageError(f"{error.detail}.", sentence(error.advice)) from None


def tells_its_version(name: str) -> bool:
    """Tell whether a layout has its version in front of its bytes, as in Kafka's own topics."""
    layout = specification().versioned.get(name)
    return layout is not None and bool(layout.behind)


def find_version(name: str, version: int) -> CompiledVersion[Any]:
    """Find a version of a layout of the protocol.

    Raises:
        UsageError: there is none; near names, or the versions that there are, are suggested.
    """
    try:
        return schema(name, version)
    except LayoutError as error:
        raise UsageError(f"{error.detail}.", sentence(error.advice)) from None
