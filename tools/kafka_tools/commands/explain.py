"""`kafka-format explain`: bytes as an annotated hex dump."""

import json
import os
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import click
from kafka_format.capture import is_capture
from kafka_format.content import serdes
from kafka_format.explain import requests
from kafka_format.explain.contents import explain_content
from kafka_format.explain.guesses import cut_guesses, guesses
from kafka_format.explain.inside import How
from kafka_format.explain.lines import Explanation, explain_structure
from kafka_format.explain.requests import ExplainedFrame
from kafka_format.explain.salvage import salvage, salvage_v07
from kafka_format.explain.segments import salvage_parts
from kafka_format.explain.topic_records import explain_layout
from kafka_format.log.mapped_file import MappedFile
from kafka_format.protocol.records import topics
from kafka_format.recognition import Kind, frames
from rich.console import Console

from kafka_tools.commands import capture, recognised, schema_files
from kafka_tools.commands.options import (
    ReadingOptions,
    check_exclusive,
    find_layout,
    find_version,
    read_input,
    reading,
    tells_its_version,
    warn_of_text,
)
from kafka_tools.commands.packed import BROKEN, open_input
from kafka_tools.commands.protocol_options import ExchangeOptions, exchange
from kafka_tools.errors import UsageError
from kafka_tools.show import explained, explained_json, screen

_LEAST = 12
"""Bytes that tell what a request with its size is; fewer can be a whole response without one."""

_NEAR, _MOST_MISSING = 4, 1000
"""How many times what there is a size in front may say: likely, and at most."""

_LARGEST = 100 << 20
"""Brokers take no larger request (socket.request.max.bytes)."""


@click.command(name="explain")
@click.argument("file", required=False)
@click.option(
    "--hex",
    "hex_text",
    metavar="TEXT",
    help="The bytes as text: hex, a dump, an array, base64; - reads standard input.",
)
@click.option("--layout", metavar="NAME", help="Read a single structure, for example record_batch.")
@click.option("--content", metavar="KIND", help="Read a key or a value, for example of kind confluent-protobuf.")
@click.option(
    "--schema",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --content: read the payload by a schema, .avsc, .json or .desc.",
)
@click.option("--v07", is_flag=True, help="The bytes are a message set of Kafka 0.7.")
@click.option(
    "--topic",
    type=click.Choice(topics()),
    metavar="TOPIC",
    help=f"The records are of this topic of Kafka's own: {', '.join(topics())}.",
)
@exchange
@reading
@click.option("--full", is_flag=True, help="Show every byte of long values too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: one line a request or response, or one for all.")
def command(
    *,
    file: str | None,
    hex_text: str | None,
    layout: str | None,
    content: str | None,
    schema: Path | None,
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
    kafka-format explain --layout offset_commit_value --hex 000300000000000000...
    kafka-format explain --content confluent-protobuf --hex 000000002a0202...
    kafka-format explain --content confluent --schema order.avsc value.bin
    kafka-format explain --request --hex 0012000000000001000178
    kafka-format explain --response --api fetch --version 12 response.bin

    Without an option that says what the bytes are, they are recognised: records, a request or a
    response, a file of a data directory, a capture, text that stands for bytes. Where that is a
    guess, it is said, with what speaks for it and what else it can be.

    --hex takes whatever people paste: hex digits in any spelling, dumps (xxd, hexdump, od, tcpdump,
    Wireshark), arrays and strings of programs, base64.

    A schema is a file of Avro (.avsc), JSON Schema (.json) or Protobuf (.desc, which protoc writes
    with --include_imports --descriptor_set_out). No registry is asked.

    Requests and responses may follow one another, each after its size. A response does not say
    what it is: without --api and --version, the first API and version that read it to the end are
    taken, and the others are listed.

    A capture of tcpdump or Wireshark is read like this too; `capture` chooses from it.

    The keys and values of Kafka's own topics begin with their version; --version is for bytes that
    lack it.

    What is cut is shown to its last byte. Offsets that start with p count in the decompressed
    payload. Exit status 1 if the bytes break a rule, if any are missing, or if they are not
    recognised.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if schema is not None and content is None:
        raise UsageError("--schema needs --content.", "For example: --content confluent")
    check_exclusive(layout=layout, content=content, v07=v07, topic=topic, **exchange.kind_option())
    is_named = bool(layout or content or v07 or exchange.kind)
    status = None if is_named else _show_file(file, topic or "", reading, full=full, as_json=as_json)
    if status is not None:
        return status
    data = read_input(file, hex_text)
    if content is not None:
        return _show_content(_kind(content), data, schema, reading, full=full, as_json=as_json)
    if not data:
        click.echo("The input is empty: 0 bytes.", err=True)
    if layout is None and not v07 and _is_capture(BytesIO(data)):
        return capture.show(BytesIO(data), annotate=True, full=full, as_json=as_json)
    if not (layout or v07 or topic or exchange.kind):
        return _show_recognised(data, _name_of(file), reading, full=full, as_json=as_json)
    if hex_text is None:
        warn_of_text(data)
    if exchange.kind is not None:
        return show_frames(_frames(data, exchange, reading), full=full, as_json=as_json)
    explanation = explain_bytes(data, layout, reading, exchange.version, v07=v07, topic=topic or "")
    return show(explanation, full=full, as_json=as_json)


def _kind(name: str) -> str:
    """Return the name of a kind of content.

    Raises:
        UsageError: there is no such kind.
    """
    if name not in serdes.KINDS:
        raise UsageError(f"there is no kind of content {name!r}.", f"There are {', '.join(serdes.KINDS)}.")
    return name


def _show_content(
    kind: str, data: bytes, path: Path | None, reading: ReadingOptions, *, full: bool, as_json: bool
) -> int:
    """Print a key or value, and what its payload says by a schema; 1 if it does not fit."""
    explanation = explain_content(kind, data, flags=reading.flags)
    by = None if path is None else schema_files.reader(path)
    if path is None or by is None or explanation.fault is not None:
        return show(explanation, full=full, as_json=as_json)
    answer = serdes.read(kind, data, flags=reading.flags)
    if "payload" not in answer:
        raise UsageError(f"what is of kind {kind} has no payload that a schema describes.", "Leave --schema out.")
    found = schema_files.read(by, bytes.fromhex(answer["payload"]), answer.get("indexes") or ())
    if as_json:
        said = {"file": path.name, "value": found.value, "problem": found.problem or None}
        click.echo(json.dumps(explained_json.explanation(explanation) | {"schema": said}))
        return int(bool(found.problem))
    show(explanation, full=full)
    if found.value is not None or not found.problem:
        click.echo(f"payload by {path.name}: {json.dumps(found.value, ensure_ascii=False)}")
    if found.problem:
        click.echo(f"the payload does not fit {path.name}: {found.problem}", err=True)
    return int(bool(found.problem))


def _show_file(file: str | None, topic: str, reading: ReadingOptions, *, full: bool, as_json: bool) -> int | None:
    """Print a file as it is read, if it is a capture or a large segment; None if it is neither."""
    path = Path(file or "-")
    if not path.is_file() or not os.access(path, os.R_OK):
        return None
    with path.open("rb") as source:
        if _is_capture(source):
            source.seek(0)
            return capture.show(source, annotate=True, full=full, as_json=as_json)
    if not recognised.is_large_segment(path):
        return None
    with MappedFile(path) as mapped:
        parts = salvage_parts(mapped.data, topic=topic, **reading.arguments(*reading._fields))
        said = explained.print_parts(parts, full=full, as_json=as_json)
    return int(said.is_wrong or said.is_cut)


def _name_of(file: str | None) -> str:
    return "" if file in (None, "-") else Path(str(file)).name


def _show_recognised(data: bytes, name: str, reading: ReadingOptions, *, full: bool, as_json: bool) -> int:
    """Show bytes as what they are recognised as; status 1 if nothing whole was read."""
    best = recognised.known_as(data, name).best
    read = recognised.read_as(data, best, name, reading)
    if read.frames:
        status = show_frames(read.frames, full=full, as_json=as_json)
    else:
        status = show(read.explanation, full=full, as_json=as_json)
    return status if read.is_whole or not data else 1


def _is_capture(source: BinaryIO) -> bool:
    """Tell whether a file is a capture, packed or not, by its first bytes."""
    try:
        return is_capture(open_input(source).read(4))
    except BROKEN:
        return False


def show(explanation: Explanation, *, full: bool = False, as_json: bool = False) -> int:
    """Print an explanation; the exit status is 1 if something is wrong."""
    said = explained.print_parts([explanation], full=full, as_json=as_json)
    return int(said.is_wrong or said.is_cut)


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
        return salvage_v07(data, **reading.arguments("flags", "limit", "max_records"))
    return salvage(data, topic=topic, **reading.arguments(*reading._fields))


def _frames(data: bytes, exchange: ExchangeOptions, reading: ReadingOptions) -> Iterator[ExplainedFrame]:
    """Yield each request or response, explained."""
    how = How(**reading.arguments("flags", "limit"), may_be_cut=True)
    explain_one = requests.explain_request if exchange.kind == "request" else requests.explain_response
    framed = exchange.kind is not None and requests.is_framed(data, exchange.kind)
    if framed and exchange.kind == "response" and exchange.api is not None and exchange.version is not None:
        # A small correlation id looks like a size: then what reads to the end is right.
        bare = explain_one(data, exchange.api, exchange.version, how=how)
        framed = bare.fault is not None or bare.missing > 0
    framed = framed or _is_cut_frame(data, exchange, how)
    for frame in requests.split(data) if framed else (data,):
        start = min(requests.SIZE, len(frame)) if framed else 0
        yield explain_one(frame, exchange.api, exchange.version, how=how, start=start)


def _is_cut_frame(data: bytes, exchange: ExchangeOptions, how: How) -> bool:
    """Tell whether bytes are the start of a frame that says it is longer, by what reads further."""
    size = int.from_bytes(data[: requests.SIZE], "big")
    if not len(data) - requests.SIZE < size <= _LARGEST or len(data) <= requests.SIZE:
        return False
    if exchange.kind == "request":
        return _is_cut_request(data, size)
    if exchange.api is None or exchange.version is None:
        return _is_cut_response(data, size, exchange)
    bare, cut = (
        requests.explain_response(data, exchange.api, exchange.version, how=how, start=start)
        for start in (0, requests.SIZE)
    )
    is_bare = bare.fault is None and not bare.missing
    return not is_bare and cut.fault is None and cut.missing > 0


def _is_cut_request(data: bytes, size: int) -> bool:
    if len(data) < _LEAST:
        return size <= _MOST_MISSING * len(data)
    found = max(frames.candidates(data), key=lambda one: one.score * (one.kind is Kind.REQUEST), default=None)
    return found is not None and found.kind is Kind.REQUEST and found.framed


def _is_cut_response(data: bytes, size: int, exchange: ExchangeOptions) -> bool:
    """Tell it of a response whose API and version are not both known."""
    bare = guesses(data, 0, exchange.api, exchange.version)
    is_told = exchange.api is not None or len(data) <= _LEAST
    if bare and not bare[0].unnamed and (bare[0].texts > 0 or is_told):
        return False
    is_near = size <= _NEAR * len(data)
    return is_near or bool(cut_guesses(data, requests.SIZE, exchange.api, exchange.version))


def show_frames(explained: Iterable[ExplainedFrame], *, full: bool = False, as_json: bool = False) -> int:
    """Print each as it comes; the exit status is 1 if one is wrong, or of no API that is known."""
    console = Console()
    status = 0
    for index, frame in enumerate(explained):
        status = 1 if frame.fault or frame.api is None or frame.missing else status
        if as_json:
            click.echo(json.dumps(explained_json.frame(frame)))
            continue
        if index:
            console.print()
        console.print(explained_json.title(frame), style="bold", highlight=False, markup=False)
        screen.print_explanation(frame.explanation, console, full=full)
    return status
