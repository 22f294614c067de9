"""`kafka-format capture`: what a pcap or pcapng file has of Kafka's protocol."""

import io
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import BinaryIO, Final

import click
from kafka_format import capture, protocol
from kafka_format.capture import Captured, CaptureError, Endpoint, Traffic, is_capture
from kafka_format.errors import LayoutError
from kafka_format.recognition import recognise
from rich.console import Console

from kafka_tools.commands import packed
from kafka_tools.commands.number_types import Whole
from kafka_tools.commands.options import sentence
from kafka_tools.commands.packed import open_input
from kafka_tools.errors import UsageError
from kafka_tools.show import capture_rows, screen
from kafka_tools.show.capture_rows import JudgedMessage
from kafka_tools.show.capture_summary import Summary
from kafka_tools.text import plural

_LOOKED_AT: Final = 1 << 16
"""Bytes at the start of a file that is no capture that are looked at."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Which items of a capture are shown; empty for all."""

    apis: frozenset[int] = frozenset()
    clients: tuple[str, ...] = ()
    connections: frozenset[int] = frozenset()
    topics: tuple[str, ...] = ()
    errors: bool = False
    since: float = float("-inf")
    until: float = float("inf")

    def takes(self, message: Captured) -> bool:
        """Return whether an item is shown. The end of a broken capture always is."""
        return message.kind == "end" or (
            (not self.apis or message.api in self.apis)
            and (not self.clients or any(fnmatchcase(message.client_id or "", pattern) for pattern in self.clients))
            and (not self.connections or message.connection in self.connections)
            and self.since <= message.time <= self.until
        )

    def takes_content(self, judged: JudgedMessage) -> bool:
        """Return whether an item is shown, by what it says. The end of a broken capture is."""
        if judged.message.kind == "end":
            return True
        if self.errors and not (judged.fault or judged.facts.errors):
            return False
        topics = judged.facts.topics
        return not self.topics or any(fnmatchcase(topic, pattern) for topic in topics for pattern in self.topics)


@click.command(name="capture")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--port",
    metavar="N",
    type=Whole(1, 65535),
    help="Port of the brokers [default: any; what is Kafka is seen by its bytes].",
)
@click.option("--api", "apis", metavar="NAME", multiple=True, help="Only that API, by name or number. Repeatable.")
@click.option("--client", "clients", metavar="PATTERN", multiple=True, help="Only client ids like this: 'orders-*'.")
@click.option("--connection", "connections", metavar="N", type=Whole(1), multiple=True, help="Only that connection.")
@click.option("--topic", "topics", metavar="PATTERN", multiple=True, help="Only what names such a topic: 'orders*'.")
@click.option("--errors", is_flag=True, help="Only responses with errors, and bytes that break a rule.")
@click.option("--summary", is_flag=True, help="Figures by client and API: requests, errors, bytes, times.")
@click.option("--since", metavar="TIME", help="Only from that time on: 2026-11-22T14:05:00 (UTC by default).")
@click.option("--until", metavar="TIME", help="Only up to that time.")
@click.option("--annotate", is_flag=True, help="Show every byte of requests and responses, as `explain` does.")
@click.option("--full", is_flag=True, help="With --annotate: every byte of long values too.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each request and response.")
def command(
    *,
    file: Path,
    port: int | None,
    apis: tuple[str, ...],
    clients: tuple[str, ...],
    connections: tuple[int, ...],
    topics: tuple[str, ...],
    errors: bool,
    summary: bool,
    since: str | None,
    until: str | None,
    annotate: bool,
    full: bool,
    as_json: bool,
) -> int:
    """Show the requests and responses in a capture of tcpdump or Wireshark, side by side.

    \b
    kafka-format capture kafka.pcap
    kafka-format capture kafka.pcapng --api fetch --client 'orders-*' --annotate
    kafka-format capture kafka.pcap --connection 3 --json
    kafka-format capture kafka.pcap --topic orders --errors
    kafka-format capture kafka.pcap --summary
    tcpdump -U -w - port 9092 | kafka-format capture -

    The list says what each is about: topics, partitions, offsets, records, and the errors in
    responses. Topics are named where a response with their ids was seen before.

    What is Kafka's, and who asks, follows from requests that read to their end, from answers that
    match, and from ports; of other protocols nothing is shown. TCP streams are put in order. Gaps
    in the capture are reported, and reading goes on after them. Files of pcap, pcapng and snoop are
    read, also compressed (gzip, zstd, xz, bzip2), and from a pipe while tcpdump runs. This needs
    the extra `capture`. spec/schema/capture.schema.json describes what --json prints. Exit status 1
    if bytes break a rule, if the capture is cut off, or if --errors found any.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if full and not annotate:
        raise UsageError("--full goes with --annotate.", "It shows every byte of long values.")
    wanted = Filter(
        frozenset(map(api_number, apis)),
        clients,
        frozenset(connections),
        topics,
        errors,
        _time(since, "--since") if since else float("-inf"),
        _time(until, "--until") if until else float("inf"),
    )
    try:
        source = sys.stdin.buffer if str(file) == "-" else file.open("rb")
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None
    with closing(source):
        if summary:
            return _summarise(source, port, wanted, as_json=as_json)
        return show(source, port, wanted, annotate=annotate, full=full, as_json=as_json)


def show(
    source: BinaryIO,
    port: int | None = None,
    wanted: Filter | None = None,
    *,
    annotate: bool = False,
    full: bool = False,
    as_json: bool = False,
) -> int:
    """Print the wanted items of a capture as they are read; return 1 if something is wrong, else 0.

    Raises:
        UsageError: the file is no capture, or a library is missing.
    """
    console = Console()
    reading = _Reading(open_input(source), port, wanted or Filter(), with_documents=as_json)
    try:
        if as_json:
            for judged in reading.messages():
                click.echo(json.dumps(capture_rows.to_json(judged, annotate=annotate)))
        elif annotate:
            for judged in reading.messages():
                _annotate(judged, console, full=full)
        else:
            capture_rows.print_table(reading.messages(), console)
    except CaptureError as error:
        raise UsageError(error.detail, reading.hint_of(error)) from None
    if not reading.shown:
        click.echo(_why_nothing(reading.traffic, reading.count, port), err=True)
    return reading.status


def _start_of(source: BinaryIO) -> bytes:
    """Return the bytes at the start of a file that can be looked at without reading it."""
    try:
        return source.peek(_LOOKED_AT)[:_LOOKED_AT] if isinstance(source, io.BufferedReader) else b""
    except packed.BROKEN:
        return b""


class _Reading:
    """A capture that is read: what was counted, and whether something is wrong in what is shown."""

    def __init__(self, source: BinaryIO, port: int | None, wanted: Filter, *, with_documents: bool = False) -> None:
        self._source, self._port, self._wanted, self._with_documents = source, port, wanted, with_documents
        self.traffic = Traffic()
        self.status = self.count = self.shown = 0
        self._start = _start_of(source)

    def hint_of(self, error: CaptureError) -> str:
        """Say what a file is that is no capture, if it is recognised."""
        best = recognise(self._start).best if error.packets == 0 and not is_capture(self._start) else None
        if best is None:
            return error.hint
        return f"It is {best.title}{' (a guess)' if best.is_guess else ''}: `kafka-format explain` shows it."

    def messages(self) -> Iterator[JudgedMessage]:
        """Yield what is wanted."""
        for message in _messages(self._source, self._port, self.traffic):
            self.count += 1
            if not self._wanted.takes(message):
                continue
            judged = capture_rows.judge(message, with_document=self._with_documents)
            if self._wanted.takes_content(judged):
                self.shown += 1
                is_wrong = judged.fault or message.kind == "end" or (self._wanted.errors and judged.facts.errors)
                self.status = 1 if is_wrong else self.status
                yield judged


def _summarise(source: BinaryIO, port: int | None, wanted: Filter, *, as_json: bool) -> int:
    """Print the figures of a capture; return 1 if something is wrong, else 0."""
    reading, summary = _Reading(open_input(source), port, wanted), Summary()
    try:
        for judged in reading.messages():
            summary.add(judged)
    except CaptureError as error:
        raise UsageError(error.detail, reading.hint_of(error)) from None
    for line in map(json.dumps, summary.to_json()) if as_json else summary.lines(screen.width_of(Console())):
        click.echo(line)
    return reading.status


def _why_nothing(traffic: Traffic, count: int, port: int | None) -> str:
    """Say why nothing of a capture is shown."""
    if count:
        return f"Nothing is like that: without the filters, {plural(count, 'line')} would be shown."
    where, advice = ("", "") if port is None else (f" on port {port}", " Without --port, all ports are looked at.")
    if not traffic.segments:
        return f"Nothing of Kafka: {plural(traffic.packets, 'packet')}, and no TCP{where}.{advice}"
    on = plural(traffic.connections, "connection")
    return f"Nothing of Kafka: {on} with TCP{where}, without a request or a response.{advice}"


def _messages(source: BinaryIO, port: int | None, traffic: Traffic) -> Iterator[Captured]:
    """Yield what is in a capture; where gzip around it breaks off, an `end` that says so."""
    time = 0.0
    try:
        for message in capture.read(source, port, traffic):
            time = message.time
            yield message
    except packed.BROKEN as error:
        nowhere = Endpoint("", 0)
        yield Captured("end", time, 0, nowhere, nowhere, from_client=False, note=f"what it is packed in: {error}")


def _annotate(judged: JudgedMessage, console: Console, *, full: bool) -> None:
    console.print(" ".join(filter(None, capture_rows.row_of(judged))), style="bold", highlight=False, markup=False)
    explained = capture.explain(judged.message)
    if explained is not None:
        screen.print_explanation(explained.explanation, console, full=full, tree=True)
    console.print()


def api_number(said: str) -> int:
    """Return the number of an API that is said by name or number.

    Raises:
        UsageError: there is none.
    """
    try:
        return protocol.api_number(int(said) if said.isascii() and said.isdecimal() else said)
    except LayoutError as error:
        raise UsageError(f"{error.detail}.", sentence(error.advice)) from None


def _time(said: str, option: str) -> float:
    try:
        moment = datetime.fromisoformat(said)
    except ValueError:
        raise UsageError(f"{option}: {said!r} is not a time.", "For example: 2026-11-22T14:05:00.5") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
