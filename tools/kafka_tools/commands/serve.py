"""`kafka-format serve`: serves bytes to a real client, and notes what it sends."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import click

from kafka_tools.commands.number_types import Seconds, Whole
from kafka_tools.errors import UsageError
from kafka_tools.server import Broker, BrokerSettings, Serving, Topic, Topics
from kafka_tools.server.notes import Sink
from kafka_tools.server.settings import parse_range, ranges
from kafka_tools.server.state import Produced
from kafka_tools.server.topics import end_offset, first_offset
from kafka_tools.text import plural

_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9._-]")
_MOST_LINES = 20
_PATH = click.Path(path_type=Path)


@click.command(name="serve")
@click.argument("files", metavar="[TOPIC=]FILE...", nargs=-1)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", metavar="N", type=Whole(0, 65535), default=9092, show_default=True, help="Port; 0 for any that is free."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["v0", "v1", "v2"]),
    help="Announce the API versions of brokers with that format.",
)
@click.option(
    "--versions",
    "chosen",
    metavar="API=LOW-HIGH",
    multiple=True,
    help="Announce only these versions of an API: fetch=4-12.",
)
@click.option("--once", is_flag=True, help="Serve a topic's bytes to its first fetch only.")
@click.option("--sessions", is_flag=True, help="Open fetch sessions (KIP-227).")
@click.option(
    "--aborted", metavar="ID:OFFSET", multiple=True, help="List an aborted transaction in every fetch response."
)
@click.option(
    "--take", "folder", metavar="DIR", type=_PATH, help="Keep what producers send, one file per partition and request."
)
@click.option("--notes", metavar="FILE", default="-", help="File for the notes [default: standard output].")
@click.option("--seconds", metavar="S", type=Seconds(min_open=True), help="Stop after S seconds [default: never].")
def command(
    *,
    files: tuple[str, ...],
    host: str,
    port: int,
    form: str | None,
    chosen: tuple[str, ...],
    once: bool,
    sessions: bool,
    aborted: tuple[str, ...],
    folder: Path | None,
    notes: str,
    seconds: float | None,
) -> int:
    """Serve bytes unchanged to any Kafka client, and write each request as a line of JSON.

    \b
    kafka-format serve orders=batch.bin
    kafka-format serve batch.bin --once --port 0
    kafka-format serve --format v1 --take captured/

    Each FILE is the log of a topic: of TOPIC, or of one with the name of the file. A topic has one
    partition, and nothing looks into its bytes. With --take, missing topics are
    created. Exit status 1 if a client sent a request that breaks a rule. docs/serve.md says more.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if folder is None and not files:
        raise UsageError("nothing to serve, and nothing to take.", "Give a FILE, or --take DIR.")
    serving = Serving.ONCE if once else Serving.AS_LOG
    pairs = tuple(_parse_aborted(text) for text in aborted)
    topics = Topics(_of_file(text, serving, pairs) for text in files)
    settings = BrokerSettings(
        host,
        port,
        ranges(form or "", dict(map(parse_range, chosen))),
        has_sessions=sessions,
        creates_topics=bool(folder),
    )
    broker = Broker(topics, settings, _sink(notes))
    if folder is not None:
        broker.state.on_produced = _Folder(folder).keep
    return serve(broker, seconds)


def serve(broker: Broker, seconds: float | None = None) -> int:
    """Serve until the time is over or Ctrl-C; say what was asked for; return the exit status."""
    asyncio.run(_serve(broker, seconds))
    for line in _summary(broker.state.topics):
        click.echo(line, err=True)
    for fault in broker.state.notes.faults:
        click.echo(f"{fault.client}: {fault.what}: {fault.detail}", err=True)
    return 1 if broker.state.notes.faults else 0


def _summary(topics: Topics) -> Iterator[str]:
    """Say of each topic that was fetched where clients began, and where they are."""
    asked = [topic for topic in topics if topic.first_fetch is not None and topic.first_fetch.size]
    for topic in asked[:_MOST_LINES]:
        first, after = topic.first_fetch.offset if topic.first_fetch else 0, topic.next_offsets
        where = "nobody asked for more"
        if after:
            where = f"at last for {after[-1]}{_relation(after[-1], first, topic.end_offset)}"
        yield f"{topic.name}: fetched {plural(topic.fetch_count, 'time')}, at first for {first}, {where}"
    if len(asked) > _MOST_LINES:
        yield f"and {plural(len(asked) - _MOST_LINES, 'topic')} more"


def _relation(offset: int, first: int, end: int) -> str:
    """Say what a last fetch offset is to the first one, and to the end of the log."""
    if offset > end:
        return f", beyond the end of the log, which is {end}"
    return {end: ", the end of the log", first: ", the same offset again"}.get(offset, "")


async def _serve(broker: Broker, seconds: float | None) -> None:
    await broker.start()
    count = plural(len(broker.state.topics), "topic")
    click.echo(f"{count} at {broker.address}; Ctrl-C ends it", err=True)
    try:
        await asyncio.sleep(seconds if seconds is not None else float("inf"))
    except asyncio.CancelledError:  # Ctrl-C
        pass
    finally:
        await broker.stop()


def _of_file(text: str, serving: Serving, aborted: tuple[tuple[int, int], ...]) -> Topic:
    name, equals, path = text.rpartition("=")
    if not path:
        raise UsageError(f"{text!r}: the name of the file is missing.", "For example: orders=batch.bin")
    file = Path(path)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None
    if equals and (not name or _NOT_IN_A_NAME.search(name)):
        raise UsageError(f"{name!r} is not the name of a topic.", "It may have letters, digits, '.', '_' and '-'.")
    first = first_offset(data)
    end = max(end_offset(data), first + bool(data))  # so that bytes without a whole entry are asked for, too
    return Topic(name or topic_name(file.stem), data, first, end, aborted, serving)


def topic_name(text: str) -> str:
    """Make a name that a topic may have."""
    return _NOT_IN_A_NAME.sub("_", text.replace("/", "."))[:249]


def _parse_aborted(text: str) -> tuple[int, int]:
    producer, _, offset = text.partition(":")
    try:
        return int(producer), int(offset)
    except ValueError:
        raise UsageError(
            f"{text!r} is not ID:OFFSET.", "Give the producer id and the first offset of the transaction: 42:7"
        ) from None


def _sink(path: str) -> Sink:
    if path == "-":
        return click.echo
    try:
        file = Path(path).open("a", encoding="utf-8", buffering=1)  # noqa: SIM115 - the next line sees to it
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}.") from None
    click.get_current_context().with_resource(file)  # closes it when the command ends
    return lambda line: click.echo(line, file)


class _Folder:
    """A folder of what producers sent."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write to {folder}: {error.strerror}.") from None
        self._folder = folder
        self._count = 0

    def keep(self, produced: Produced) -> None:
        """Write the records of one partition to a file of their own."""
        self._count += 1
        file = self._folder / f"{self._count:06}-{topic_name(produced.topic)}-v{produced.version}.bin"
        try:
            file.write_bytes(produced.records)
        except OSError as error:
            click.echo(f"cannot write {file}: {error.strerror}", err=True)
