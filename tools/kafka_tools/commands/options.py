"""Options and input that several commands share."""

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, TypeVar, cast

import click
from kafka_format import paste
from kafka_format.codec.compiler import Structure
from kafka_format.errors import LayoutError
from kafka_format.protocol import schema
from kafka_format.recognition import read_text
from kafka_format.spec import releases
from kafka_format.spec.layout import Layout, find, specification

from kafka_tools.commands.number_types import Whole
from kafka_tools.errors import UsageError

_DIGITS: Final = 8
"""Fewer letters may well be anything."""

HEX_HELP: Final = "The bytes as text: hex digits, a dump, an array, base64; - reads it from standard input."
_LONGEST_TEXT: Final = 4 << 20
_PIECE: Final = 1 << 20
_LONGEST_STREAM: Final = 1 << 30
"""Bytes of a pipe or device that are read at most: those of the largest usual segment."""

"""Nobody pastes longer ones into a file and takes it for bytes."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


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
    """Return the input bytes: from a file, from standard input (`-`), or from what was pasted.

    What was decided where a text can be read in two ways is said on standard error.

    Raises:
        UsageError: neither or both are given, the file cannot be read, or the text says no bytes.
    """
    if (file is None) == (hex_text is None):
        raise UsageError(
            "give either FILE (- for standard input) or --hex.", "For example: --hex 00000000000000070000..."
        )
    if hex_text == "-":
        return from_text(_stream(sys.stdin.buffer).decode(errors="replace"))
    if hex_text is not None:
        return from_text(hex_text)
    if not file:
        raise UsageError("the name of the FILE is empty.", "- reads standard input.")
    if file == "-":
        return _stream(sys.stdin.buffer)
    try:
        with Path(file).open("rb") as opened:
            return opened.read() if Path(file).is_file() else _stream(opened)
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None


def _stream(stream: BinaryIO) -> bytes:
    """Return what comes from a pipe or a device.

    Raises:
        UsageError: it goes on and on.
    """
    data = bytearray()
    while piece := stream.read(_PIECE):
        data += piece
        if len(data) > _LONGEST_STREAM:
            raise UsageError(f"this goes on after {_LONGEST_STREAM >> 20} MiB.", "Save it in a file, and name that.")
    return bytes(data)


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


def warn_of_text(data: bytes) -> None:
    """Say so if bytes of a file that are read as they are are text that stands for others."""
    if len(data) < _DIGITS or not data.isascii() or len(data) > _LONGEST_TEXT:
        return
    with suppress(paste.PasteError):
        read = paste.read(data.decode())
        click.echo(
            f"The input looks like {read.way}, but is read as it is. `--hex -` reads the bytes that they stand for.",
            err=True,
        )


def from_text(text: str) -> bytes:
    """Return the bytes that a text stands for, however it says them.

    Raises:
        UsageError: it stands for none; the text says why.
    """
    try:
        read = read_text(text)
    except paste.PasteError as error:
        raise UsageError(f"--hex: {error.detail}", error.hint) from None
    for note in read.notes:
        click.echo(note, err=True)
    return read.data


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


def find_version(name: str, version: int) -> Structure[Any]:
    """Find a version of a layout of the protocol.

    Raises:
        UsageError: there is none; near names, or the versions that there are, are suggested.
    """
    try:
        return schema(name, version)
    except LayoutError as error:
        raise UsageError(f"{error.detail}.", sentence(error.advice)) from None
