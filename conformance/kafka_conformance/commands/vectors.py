"""`kafka-conformance vectors`: the golden vectors, listed, shown or exported."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from kafka_format.protocol import api_name
from kafka_tools.commands.options import Whole

from kafka_conformance.commands.explained_vectors import explain_vector
from kafka_conformance.commands.options import selection
from kafka_conformance.commands.served_vectors import serve_vectors
from kafka_conformance.errors import UsageError
from kafka_conformance.text import plural
from kafka_conformance.vectors import export, golden, protocol_export
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Vector


@click.command(name="vectors")
@selection
@click.option("--protocol", "of_protocol", is_flag=True, help="Vectors of requests, responses and schema records.")
@click.option("--api", "apis", metavar="NAME", multiple=True, help="Only vectors of that API: fetch, 1.")
@click.option("--export", metavar="DIR", type=click.Path(path_type=Path), help="Write them to DIR, with a manifest.")
@click.option(
    "--as",
    "kinds",
    type=click.Choice(["jsonl", "json", "bin"]),
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
    of_protocol: bool,
    apis: tuple[str, ...],
    export: Path | None,
    kinds: tuple[str, ...],
    explain: bool,
    port: int | None,
    once: bool,
) -> int:
    """List the golden vectors, or show, explain, serve or export them.

    \b
    kafka-conformance vectors --rule 'v2.crc*' --verdict invalid
    kafka-conformance vectors --id v2/gzip/plain
    kafka-conformance vectors --id v2/gzip/plain --explain
    kafka-conformance vectors --id 'v2/crc/*' --serve 9092
    kafka-conformance vectors --export out/
    kafka-conformance vectors --id 'v1/*' --export out/ --as bin
    kafka-conformance vectors --api fetch --verdict lenient
    kafka-conformance vectors --protocol --export out/

    An export has what a test in any language needs: the same lines, each vector as JSON, and its
    bytes and its answer as files. manifest.json and manifest.tsv say what is where. Vectors of
    consumers and brokers are in it too. Those of requests, responses and schema records are an
    export of their own: lines per API, and protocol.tsv with all of them.

    --serve makes each vector the topic of its id, with dots for slashes.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    filters: dict[str, Any] = {"patterns": patterns, "rule": rule or "", "verdict": verdict or ""}
    if once and port is None:
        raise UsageError("--once needs --serve.", "Name a port: --serve 9092.")
    if explain:
        return explain_vector(patterns)
    if port is not None:
        return serve_vectors(patterns, port, once=once)
    if of_protocol or apis:
        _protocol(filters | {"apis": apis}, export, kinds)
        return 0
    if export is not None:
        _export(filters, export, kinds)
        return 0
    if kinds:
        raise UsageError("--as needs --export.", "Name a folder: --export DIR.")

    _show(golden.choose(**filters), "")
    return 0


def _protocol(filters: dict[str, Any], folder: Path | None, kinds: tuple[str, ...]) -> None:
    """Show or export vectors of the protocol."""
    if kinds:
        detail = "vectors of the protocol are always exported as lines and as a table."
        raise UsageError(detail, "Leave out --as.")
    chosen = protocol_export.choose(**filters)
    if folder is None:
        _show(chosen, _kind_options(chosen[0]))
    else:
        protocol_export.write(chosen, folder)
        click.echo(f"{plural(len(chosen), 'vector')} in {folder}; {protocol_export.MANIFEST} says what is where.")


def _kind_options(vector: ProtocolVector) -> str:
    """Return the options with which `explain` reads the bytes of a vector."""
    if vector.kind in {"framed_request", "framed_response"} and vector.api is not None:
        return f" --{vector.kind.removeprefix('framed_')} --api {api_name(vector.api)} --version {vector.versions[0]}"
    return "" if vector.topic else f" --layout {vector.layout} --version {vector.versions[0]}"


def _show(chosen: Sequence[Vector | ProtocolVector], options: str) -> None:
    """Show one vector in full, or list several."""
    if len(chosen) == 1:
        click.echo(json.dumps(chosen[0].document, indent=2))
        click.echo(f"`kafka-format explain{options} --hex` shows what each byte of `hex` is.", err=True)
    else:
        _list(chosen)


def _list(chosen: Sequence[Vector | ProtocolVector]) -> None:
    width = max(len(vector.id) for vector in chosen)
    for vector in chosen:
        flag = f" [{vector.flag}]" if vector.flag else ""
        click.echo(f"{vector.id:<{width}}  {vector.verdict:<7}  {vector.title}{flag}")
    click.echo(plural(len(chosen), "vector"), err=True)


def _export(filters: dict[str, Any], folder: Path, kinds: tuple[str, ...]) -> None:
    items = export.choose(**filters)
    with click.progressbar(
        length=len(items), label=f"Writing {plural(len(items), 'vector')}", file=sys.stderr
    ) as progress:
        export.write(
            items, folder, frozenset(map(export.ExportKind, kinds or export.ExportKind)), lambda: progress.update(1)
        )
    click.echo(f"{plural(len(items), 'vector')} in {folder}; {export.MANIFEST} says what is where.")
