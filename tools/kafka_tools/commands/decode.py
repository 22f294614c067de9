"""`kafka-format decode`: bytes to JSON."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import indent
from typing import Any, Final

import click
import kafka_format
from kafka_format import protocol, records
from kafka_format.codec.interpreter import DEFAULT_LIMIT
from kafka_format.errors import FormatError, Stage
from kafka_format.log.mapped_file import Data, MappedFile
from kafka_format.protocol.records import decode_layout
from kafka_format.recognition import Candidate, Kind
from kafka_format.records import Record, entries, json_form
from kafka_format.records.budget import DEFAULT_RECORDS, Budget
from kafka_format.records.decoding import by_entry

from kafka_tools.commands import protocol_json, recognised, structures_in_json
from kafka_tools.commands.options import (
    HEX_HELP,
    ReadingOptions,
    check_exclusive,
    find_layout,
    find_version,
    read_input,
    reading,
    tells_its_version,
    warn_of_text,
)
from kafka_tools.commands.protocol_options import ExchangeOptions, exchange
from kafka_tools.errors import UsageError
from kafka_tools.text import plural

_PART: Final = 1 << 20
"""Bytes of a large segment that are decoded at once; an entry may be larger."""

_LARGEST_REST: Final = 64 << 20
"""Bytes from a wrong frame on that are looked at to say what is wrong with it."""

_SHOWN = "`kafka-format explain` shows every byte of it."
_NOT_DECODED = {
    Kind.FILE: _SHOWN,
    Kind.FRAMES: _SHOWN,
    Kind.CAPTURE: "`kafka-format capture` lists what is in it.",
    Kind.OTHER: "It is none of Kafka's formats.",
}
"""What is recognised and not decoded, and what to do with it."""


@click.command(name="decode")
@click.argument("file", required=False)
@click.option("--hex", "hex_text", metavar="TEXT", help=HEX_HELP)
@click.option("--layout", metavar="NAME", help="Read a single structure, for example record_batch.")
@click.option("--v07", is_flag=True, help="The bytes are a message set of Kafka 0.7.")
@exchange
@click.option("--records", "read_records", is_flag=True, help="Read the records inside of a request or response.")
@reading
def command(
    *,
    file: str | None,
    hex_text: str | None,
    layout: str | None,
    v07: bool,
    exchange: ExchangeOptions,
    read_records: bool,
    reading: ReadingOptions,
) -> int:
    """Decode records, as in a fetch response or a log segment, to JSON; or requests and responses.

    \b
    kafka-format decode 00000000000000000000.log
    kafka-format decode --as-kafka 3.9 --hex 0000000000000000...
    kafka-format decode --layout record_batch --hex 0000000000000007...
    kafka-format decode --layout offset_commit_value --hex 0003000000000000002a...
    kafka-format decode --request --hex 0012000000000001000178
    kafka-format decode --response --api fetch --version 12 response.bin

    Without an option that says what the bytes are, they are recognised; where that is a guess, it
    is said. --hex takes whatever people paste, as `explain` does.

    Keys and values are hex; 64-bit integers are decimal strings. Requests and responses have
    Kafka's own names, and bytes in base64, as Kafka's JSON has them. With --records, the records
    inside are decoded too; `encode` takes both. Exit status 1 if the bytes break a rule, or if
    nothing whole was recognised.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    check_exclusive(layout=layout, v07=v07, **exchange.kind_option())
    if read_records and exchange.kind is None:
        raise UsageError("--records goes with --request or --response.", "Without them, records are read anyway.")
    path = Path(file or "-")
    if not (layout or v07 or exchange.kind) and recognised.is_large_segment(path):
        with MappedFile(path) as mapped:
            return _print_segment(mapped.data, reading)
    data = read_input(file, hex_text)
    if not data:
        click.echo("The input is empty: 0 bytes.", err=True)
    if not (layout or v07 or exchange.kind) and data:
        best = recognised.known_as(data, "" if file in (None, "-") else Path(str(file)).name).best
        if best is None or best.kind in _NOT_DECODED:
            return _refuse(best)
        data = best.content if best.content is not None else data
        return _print(lambda: _recognised(data, best, reading))
    if hex_text is None:
        warn_of_text(data)

    def said() -> object:
        if exchange.kind is not None:
            return protocol_json.decode(data, exchange, reading.flags, read_records=read_records)
        return _document(data, layout, exchange, reading, v07=v07)

    return _print(said)


def _print_segment(data: Data, reading: ReadingOptions) -> int:
    """Print the records of a large segment as `_print` does, with one part of them in memory.

    It is read twice, so that nothing is printed if something is wrong.
    """
    try:
        for _ in _in_parts(data, reading):
            pass
    except FormatError as error:
        return _print_fault(error)
    _note_cut(data, reading.flags)
    between = "[\n"
    for records_of_entry in _in_parts(data, reading):
        for document in json_form.to_json(records_of_entry):
            sys.stdout.write(between + indent(json.dumps(document, indent=2), "  "))
            between = ",\n"
    sys.stdout.write("[]\n" if between == "[\n" else "\n]\n")
    return 0


def _in_parts(data: Data, reading: ReadingOptions) -> Iterator[list[Record]]:
    """Yield the records of each entry of a segment, within the limits for all of it.

    Raises:
        FormatError: the bytes break a rule, or are more than a limit allows.
    """
    limits = DEFAULT_LIMIT if reading.limit is None else reading.limit, reading.max_records
    budget = Budget(limits[0], DEFAULT_RECORDS if limits[1] is None else limits[1])
    start = count = 0
    for end, number in entries.parts(data, _PART):
        part = bytes(data[start : min(end, start + _LARGEST_REST)])
        try:
            yield from by_entry(part, reading.flags, reading.as_kafka, budget, read_control=True)
        except FormatError as error:
            entry = None if error.entry is None else error.entry + count
            raise error.within(offset=start, entry=entry) from None
        start, count = end, count + number


def _print(document: Callable[[], object]) -> int:
    """Print what bytes say as JSON; say what is wrong with them instead, with status 1."""
    try:
        click.echo(json.dumps(document(), indent=2))
    except FormatError as error:
        return _print_fault(error)
    return 0


def _print_fault(error: FormatError) -> int:
    click.echo(str(error), err=True)
    click.echo("`kafka-format explain` shows where in the bytes that is.", err=True)
    return 1


def _refuse(best: Candidate | None) -> int:
    """Say that nothing of Kafka's was decoded."""
    if best is not None:
        click.echo(f"That is not decoded. {_NOT_DECODED[best.kind]}", err=True)
    return 1


def _recognised(data: bytes, best: Candidate, reading: ReadingOptions) -> object:
    """Return the JSON of what bytes were recognised as.

    Raises:
        FormatError: they break a rule, or nothing whole is there.
    """
    if best.kind is Kind.TEXT:
        found = recognised.known_as(data).best
        return None if found is None else _recognised(data, found, reading)
    data = data[best.start :]
    if best.missing and best.kind in (Kind.RECORDS, Kind.REQUEST, Kind.RESPONSE):
        raise _nothing_whole(best, len(data))
    match best.kind:
        case Kind.REQUEST:
            return protocol_json.decode(data, ExchangeOptions("request", None, None), reading.flags)
        case Kind.RESPONSE:
            said = ExchangeOptions("response", best.api, best.version)
            return protocol_json.decode(data, said, reading.flags)
        case Kind.SCHEMA_RECORD:
            return _document(data, best.name, ExchangeOptions(None, None, None), reading, v07=False)
        case _:
            return _records(data, reading, v07=best.kind is Kind.RECORDS_07)


def _nothing_whole(best: Candidate, length: int) -> FormatError:
    detail = f"{best.title}: {plural(best.missing, 'byte')} missing, so nothing whole is there"
    return FormatError(detail, rule="field.truncated", stage=Stage.FRAMING, offset=length)


def _document(
    data: bytes, layout: str | None, exchange: ExchangeOptions, reading: ReadingOptions, *, v07: bool
) -> object:
    if layout is None:
        return _records(data, reading, v07=v07)
    if exchange.version is not None:
        compiled = find_version(layout, exchange.version)
        return protocol.to_json(compiled, compiled.decode(data, flags=reading.flags))
    if tells_its_version(layout):
        record = decode_layout(layout, data, flags=reading.flags)
        return {"version": record.version, "data": protocol.to_json(protocol.schema(*record[:2]), record.value)}
    return _structure(layout, data, reading)


def _records(data: bytes, reading: ReadingOptions, *, v07: bool) -> list[dict[str, Any]]:
    if v07:
        return json_form.to_json(records.decode_v07(data, **reading.arguments("flags", "limit", "max_records")))
    decoded = records.decode(data, **reading.arguments(*reading._fields))
    _note_cut(data, reading.flags)
    return json_form.to_json(decoded)


def _note_cut(data: Data, flags: frozenset[str]) -> None:
    """Say so if the last entry is cut."""
    last = 0
    for entry in entries.split(data, flags):  # type: ignore[arg-type]  # a mapped file gives the same
        last = entry.end
    if last < len(data):
        cut = plural(len(data) - last, "byte")
        click.echo(f"A cut-off entry of {cut} at the end is left out, as Kafka does.", err=True)


def _structure(name: str, data: bytes, reading: ReadingOptions) -> dict[str, Any]:
    layout = find_layout(name)
    return structures_in_json.structure_to_json(
        layout, kafka_format.structure(name).decode(data, **reading.arguments("flags", "limit"))
    )
