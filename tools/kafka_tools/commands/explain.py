"""`kafka-format explain`: bytes as an annotated hex dump."""

import json
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO

import click
from kafka_format.capture import is_capture
from kafka_format.explain import requests
from kafka_format.explain.inside import How
from kafka_format.explain.lines import Explanation, explain, explain_structure, explain_v07
from kafka_format.explain.requests import ExplainedFrame, Kind
from kafka_format.explain.topic_records import explain_layout
from kafka_format.protocol.records import topics
from rich.console import Console

from kafka_tools.commands import capture
from kafka_tools.commands.options import (
    ReadingOptions,
    check_exclusive,
    find_layout,
    find_version,
    read_input,
    reading,
    tells_its_version,
)
from kafka_tools.commands.protocol_options import ExchangeOptions, exchange
from kafka_tools.show import explained_json, hexdump

_LARGEST_HINTED = 64 << 20
"""Bytes that are tried as a request or response, too; nobody sends larger ones."""


@click.command(name="explain")
@click.argument("file", required=False)
@click.option("--hex", "hex_text", metavar="HEX", help="The bytes as hex digits; - reads those from standard input.")
@click.option("--layout", metavar="NAME", help="Read a single structure, for example record_batch.")
@click.option("--v07", is_flag=True, help="The bytes are a message set of Kafka 0.7.")
@click.option("--topic", type=click.Choice(topics()), help="The records are of this internal topic of Kafka.")
@exchange
@reading
@click.option("--full", is_flag=True, help="Show every byte of long values too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: one line a request or response, or one for all.")
def command(
    *,
    file: str | None,
    hex_text: str | None,
    layout: str | None,
    v07: bool,
    topic: str | None,
    exchange: ExchangeOptions,
    reading: ReadingOptions,
    full: bool,
    as_json: bool,
) -> int:
    """Show what each byte is: offset, bytes, field, value, and the rule that is broken there.

    \b
    kafka-format explain 00000000000000000000.log
    kafka-format explain --topic __consumer_offsets 00000000000000000000.log
    kafka-format explain --layout record_batch --hex 0000000000000007...
    kafka-format explain --layout offset_commit_value --hex 0003000000000000002a...
    kafka-format explain --request --hex 0012000000000001000178
    kafka-format explain --response --api fetch --version 12 response.bin

    Requests and responses may follow one another, each after its size. A response does not say
    what it is: without --api and --version, the first API and version that read it to the end are
    taken, and the others are listed.

    A capture of tcpdump or Wireshark is read like this too; `capture` chooses from it.

    The keys and values of Kafka's own topics begin with their version; --version is for bytes that
    lack it.

    Offsets that start with p count in the decompressed payload. Exit status 1 if the bytes break a
    rule, or if no API reads them.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    check_exclusive(layout=layout, v07=v07, topic=topic, **exchange.kind_option())
    data = read_input(file, hex_text)
    if not data:
        click.echo("The input is empty: 0 bytes.", err=True)
    if layout is None and not v07 and _is_capture(data):
        return capture.show(BytesIO(data), annotate=True, full=full, as_json=as_json)
    if exchange.kind is not None:
        return show_frames(_frames(data, exchange, reading), full=full, as_json=as_json)
    explanation = explain_bytes(data, layout, reading, exchange.version, v07=v07, topic=topic or "")
    status = show(explanation, full=full, as_json=as_json)
    has_read = explanation.fault is None and any(line.entry is not None for line in explanation.lines)
    if not (has_read or layout or v07 or topic or len(data) > _LARGEST_HINTED):
        _hint(data, reading)
    return status


def _is_capture(data: bytes) -> bool:
    """Tell whether bytes are a capture, packed with gzip or not."""
    try:
        return is_capture(capture.open_input(BytesIO(data)).read(4))
    except (EOFError, OSError, zlib.error):
        return False


def show(explanation: Explanation, *, full: bool = False, as_json: bool = False) -> int:
    """Print an explanation; the exit status is 1 if something is wrong."""
    if as_json:
        click.echo(json.dumps(explained_json.explanation(explanation)))
    else:
        hexdump.print_rows(hexdump.rows(explanation, full=full), Console())
    return 1 if explanation.fault else 0


def _hint(data: bytes, reading: ReadingOptions) -> None:
    """Say on standard error that bytes which are no records read to the end as something else."""
    kinds: tuple[Kind, ...] = ("request", "response")
    for kind in kinds:
        if kind == "response" and not requests.is_framed(data, kind):
            continue  # any bytes are a response of some API
        first = next(_frames(data, ExchangeOptions(kind, None, None), reading))
        if first.api is not None and first.fault is None:
            click.echo(f"It reads to the end as {explained_json.title(first)}: --{kind} shows it.", err=True)
            return


def explain_bytes(
    data: bytes, layout: str | None, reading: ReadingOptions, version: int | None, *, v07: bool, topic: str
) -> Explanation:
    """Explain records, or a structure whose layout is named."""
    if layout is not None and version is None and tells_its_version(layout):
        return explain_layout(layout, data, **reading.arguments("flags"))
    if layout is not None:
        find_layout(layout) if version is None else find_version(layout, version)
        return explain_structure(layout, data, version, **reading.arguments("flags", "limit"))
    if v07:
        return explain_v07(data, **reading.arguments("flags", "limit", "max_records"))
    return explain(data, topic=topic, **reading.arguments(*reading._fields))


def _frames(data: bytes, exchange: ExchangeOptions, reading: ReadingOptions) -> Iterator[ExplainedFrame]:
    """Yield each request or response, explained."""
    how = How(**reading.arguments("flags", "limit"))
    explain_one = requests.explain_request if exchange.kind == "request" else requests.explain_response
    framed = exchange.kind is not None and requests.is_framed(data, exchange.kind)
    if framed and exchange.kind == "response" and exchange.api is not None and exchange.version is not None:
        # A small correlation id looks like a size: then what reads to the end is right.
        framed = explain_one(data, exchange.api, exchange.version, how=how).fault is not None
    for frame in requests.split(data) if framed else (data,):
        start = min(requests.SIZE, len(frame)) if framed else 0
        yield explain_one(frame, exchange.api, exchange.version, how=how, start=start)


def show_frames(frames: Iterable[ExplainedFrame], *, full: bool = False, as_json: bool = False) -> int:
    """Print each as it comes; the exit status is 1 if one is wrong, or of no API that is known."""
    console = Console()
    status = 0
    for index, frame in enumerate(frames):
        status = 1 if frame.fault or frame.api is None else status
        if as_json:
            click.echo(json.dumps(explained_json.frame(frame)))
            continue
        if index:
            console.print()
        console.print(explained_json.title(frame), style="bold", highlight=False, markup=False)
        hexdump.print_rows(hexdump.rows(frame.explanation, full=full), console)
    return status
