"""`kafka-conformance vectors`: the vectors of every kind, listed, shown or exported."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from kafka_format.protocol import api_name
from kafka_tools.commands.number_types import Whole
from kafka_tools.errors import UsageError
from kafka_tools.text import plural

from kafka_conformance.commands.explained_vectors import explain_vector
from kafka_conformance.commands.options import selection
from kafka_conformance.commands.served_vectors import serve_vectors
from kafka_conformance.vectors import export, loader, log_vectors, protocol_export
from kafka_conformance.vectors.loader import ABOUT, Filters
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import AnyVector, Subject, Vector

_MESSAGES: Final = "messages"
_OTHERS: Final = ",".join(word for word in ABOUT if word != _MESSAGES)


@click.command(name="vectors")
@selection
@click.option(
    "--about", metavar="WORDS", default="", help="Only those about records, messages or logs: 'records,logs'."
)
@click.option("--api", "apis", metavar="NAME", multiple=True, help="Only messages of that API: fetch, 1.")
@click.option("--export", metavar="DIR", type=click.Path(path_type=Path), help="Write them to DIR, with a manifest.")
@click.option(
    "--as",
    "kinds",
    type=click.Choice([kind.value for kind in export.ExportKind]),
    multiple=True,
    help="Export only this kind: JSON Lines, a JSON file per vector, or raw bytes. Repeatable.",
)
@click.option("--explain", is_flag=True, help="Show what each byte of one vector is.")
@click.option(
    "--serve", "port", metavar="PORT", type=Whole(0, 65535), help="Serve them to any Kafka client; 0: any port."
)
@click.option("--once", is_flag=True, help="With --serve: give a topic's bytes to its first fetch only.")
def command(
    *,
    patterns: tuple[str, ...],
    rule: str | None,
    verdict: str | None,
    about: str,
    apis: tuple[str, ...],
    export: Path | None,
    kinds: tuple[str, ...],
    explain: bool,
    port: int | None,
    once: bool,
) -> int:
    """List the vectors of every kind, or show, explain, serve or export them.

    \b
    kafka-conformance vectors --rule 'v2.crc*' --verdict invalid
    kafka-conformance vectors --id v2/gzip/plain
    kafka-conformance vectors --id v2/gzip/plain --explain
    kafka-conformance vectors --id 'v2/crc/*' --serve 9092
    kafka-conformance vectors --id 'deliver/*'
    kafka-conformance vectors --export out/
    kafka-conformance vectors --id 'v1/*' --export out/ --as bin
    kafka-conformance vectors --api fetch --verdict lenient
    kafka-conformance vectors --about messages --export out/

    A pattern fits ids, or ids with their folder in front: 'conversations/*', 'orders/*', 'log/*'.

    An export has what a test in any language needs: the same lines, each vector as JSON, and its
    bytes and its answer as files. manifest.json and manifest.tsv say what is where. Messages
    (requests, responses and schema records) are lines per API, and protocol.tsv has all of them;
    without any filter they are left out, for there are ten times as many as of all others.

    --serve makes each vector the topic of its id, with dots for slashes.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    filters = Filters(patterns, rule or "", verdict or "")
    if kinds and export is None:
        raise UsageError("--as needs --export.", "Name a folder: --export DIR.")
    if once and port is None:
        raise UsageError("--once needs --serve.", "Name a port: --serve 9092.")
    is_narrow = bool(about or apis or (any(filters) and not kinds))
    chosen = _choose(filters, about if is_narrow else _OTHERS, apis)
    if not is_narrow:
        click.echo("Messages are left out: `--about messages` has them.", err=True)
    if explain:
        return explain_vector(chosen)
    if port is not None:
        return serve_vectors(chosen, port, once=once)
    if export is not None:
        _export(chosen, export, kinds)
    elif len(chosen) == 1:
        _show(chosen[0])
    else:
        _list(chosen)
    return 0


def _choose(filters: Filters, about: str, apis: tuple[str, ...]) -> Sequence[AnyVector]:
    """Return the vectors that are wanted."""
    if apis and about not in {"", _MESSAGES}:
        raise UsageError("only messages have an API.", "Leave out --about, or --api.")
    if apis:
        return loader.narrow(protocol_export.of_apis(apis), filters)
    words = [word.strip() for word in about.split(",")] if about else [*ABOUT]
    if unknown := [word for word in words if word not in ABOUT]:
        raise UsageError(f"vectors are not about {unknown[0]!r}.", f"They are about {', '.join(ABOUT)}.")
    return loader.choose(filters, [source for word in words for source in ABOUT[word]])


def _show(vector: AnyVector) -> None:
    """Print a vector in full, and how its bytes are explained."""
    click.echo(json.dumps(vector.document, indent=2))
    if isinstance(vector, ProtocolVector):
        _advise(_kind_options(vector))
    elif isinstance(vector, Vector) and vector.subject is Subject.CONTENT:
        _advise(f" --content {vector.document['content']}")
    elif isinstance(vector, Vector) and {"hex", "recipe"} & vector.document.keys():
        _advise("")


def _advise(options: str) -> None:
    click.echo(f"`kafka-format explain{options} --hex` shows what each byte of `hex` is.", err=True)


def _kind_options(vector: ProtocolVector) -> str:
    """Return the options with which `explain` reads the bytes of a vector."""
    if vector.kind in {"framed_request", "framed_response"} and vector.api is not None:
        return f" --{vector.kind.removeprefix('framed_')} --api {api_name(vector.api)} --version {vector.versions[0]}"
    return "" if vector.topic else f" --layout {vector.layout} --version {vector.versions[0]}"


def _list(chosen: Sequence[AnyVector]) -> None:
    width = max(len(vector.id) for vector in chosen)
    for vector in chosen:
        flag = f" [{vector.flag}]" if vector.flag else ""
        click.echo(f"{vector.id:<{width}}  {vector.verdict:<7}  {vector.title}{flag}")
    click.echo(plural(len(chosen), "vector"), err=True)


def _export(chosen: Sequence[AnyVector], folder: Path, kinds: tuple[str, ...]) -> None:
    """Write vectors to a folder: messages as lines and a table, the others with a manifest."""
    messages = [vector for vector in chosen if isinstance(vector, ProtocolVector)]
    others = [
        vector for vector in chosen if not isinstance(vector, ProtocolVector) and vector.family != log_vectors.START
    ]
    if starts := len(chosen) - len(messages) - len(others):
        click.echo(f"{plural(starts, 'start')} left out: vectors/start has them with their bases.", err=True)
    if messages and kinds:
        raise UsageError("messages are always exported as lines and as a table.", "Leave out --as.")
    if others:
        label = f"Writing {plural(len(others), 'vector')}"
        with click.progressbar(length=len(others), label=label, file=sys.stderr) as progress:
            chosen_kinds = frozenset(map(export.ExportKind, kinds or export.ExportKind))
            export.write(others, folder, chosen_kinds, lambda: progress.update(1))
        click.echo(f"{plural(len(others), 'vector')} in {folder}; {export.MANIFEST} says what is where.")
    if messages:
        protocol_export.write(messages, folder)
        click.echo(f"{plural(len(messages), 'vector')} in {folder}; {protocol_export.MANIFEST} says what is where.")
