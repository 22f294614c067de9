"""`kafka-conformance vectors`: the golden vectors, listed, shown or exported."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from kafka_conformance.commands.options import selection
from kafka_conformance.errors import UsageError
from kafka_conformance.vectors import export, golden
from kafka_conformance.vectors.golden import Vector


@click.command(name="vectors")
@selection
@click.option("--export", metavar="DIR", type=click.Path(path_type=Path), help="Write them to DIR, with a manifest.")
@click.option(
    "--as",
    "kinds",
    type=click.Choice(["jsonl", "json", "bin"]),
    multiple=True,
    help="Export only this kind: JSON Lines, a JSON file per vector, or raw bytes. Repeatable.",
)
def command(
    *, patterns: tuple[str, ...], rule: str | None, verdict: str | None, export: Path | None, kinds: tuple[str, ...]
) -> int:
    """List the golden vectors, or show one in full.

    \b
    kafka-conformance vectors --rule 'v2.crc*' --verdict invalid
    kafka-conformance vectors --id v2/gzip/plain
    kafka-conformance vectors --export out/
    kafka-conformance vectors --id 'v1/*' --export out/ --as bin

    An export has what a test in any language needs: the same lines, each vector as JSON, and its bytes and its answer
    as files. manifest.json and manifest.tsv say what is where. Vectors of consumers and brokers are in it too.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    filters: dict[str, Any] = {"patterns": patterns, "rule": rule or "", "verdict": verdict or ""}
    if export is not None:
        _export(filters, export, kinds)
        return 0
    if kinds:
        raise UsageError("--as says how to export.", "Name a folder: --export DIR.")

    chosen = golden.choose(**filters)
    if len(chosen) == 1:
        click.echo(json.dumps(chosen[0].document, indent=2))
        click.echo("`kafka-conformance explain --hex` shows what each byte of `hex` is.", err=True)
    else:
        _list(chosen)
    return 0


def _list(chosen: tuple[Vector, ...]) -> None:
    width = max(len(vector.id) for vector in chosen)
    for vector in chosen:
        flag = f" [{vector.flag}]" if vector.flag else ""
        click.echo(f"{vector.id:<{width}}  {vector.verdict:<7}  {vector.title}{flag}")
    click.echo(f"{len(chosen)} vectors", err=True)


def _export(filters: dict[str, Any], folder: Path, kinds: tuple[str, ...]) -> None:
    items = export.chosen(**filters)
    with click.progressbar(length=len(items), label=f"Writing {len(items)} vectors", file=sys.stderr) as progress:
        export.write(items, folder, frozenset(map(export.Kind, kinds or export.Kind)), lambda: progress.update(1))
    click.echo(f"{len(items)} vectors in {folder}; {export.MANIFEST} says what is where.")
