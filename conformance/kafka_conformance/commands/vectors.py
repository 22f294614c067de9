"""`kafka-conformance vectors`: the golden vectors, listed, shown or exported."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kafka_conformance.commands.options import selection
from kafka_conformance.errors import UsageError

if TYPE_CHECKING:
    from kafka_conformance.vectors import Vector


@click.command(name="vectors")
@selection
@click.option("--export", metavar="DIR", type=click.Path(path_type=Path), help="Write each as ID.bin and ID.json.")
def command(*, patterns: tuple[str, ...], rule: str | None, verdict: str | None, export: Path | None) -> int:
    """List the golden vectors; one that is chosen alone is shown whole.

    \b
    kafka-conformance vectors --rule 'v2.crc*' --verdict invalid
    kafka-conformance vectors --id v2/plain/one-record
    kafka-conformance vectors --id 'v1/*' --export out/

    Exported, ID.bin has the bytes and ID.json everything else: what a test in any language needs.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    from kafka_conformance import vectors  # noqa: PLC0415

    chosen = vectors.choose(patterns=patterns, rule=rule or "", verdict=verdict or "")
    if export is not None:
        _export(chosen, export)
    elif len(chosen) == 1:
        click.echo(json.dumps(chosen[0].document, indent=2))
        click.echo("`kafka-conformance explain --hex` shows what each byte of `hex` is.", err=True)
    else:
        _list(chosen)
    return 0


def _list(chosen: tuple["Vector", ...]) -> None:
    width = max(len(vector.id) for vector in chosen)
    for vector in chosen:
        flag = f" [{vector.flag}]" if vector.flag else ""
        click.echo(f"{vector.id:<{width}}  {vector.verdict:<7}  {vector.title}{flag}")
    click.echo(f"{len(chosen)} vectors", err=True)


def _export(chosen: tuple["Vector", ...], folder: Path) -> None:
    for vector in chosen:
        file = folder / f"{vector.id}.bin"
        document = {key: value for key, value in vector.document.items() if key != "hex"}
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(vector.data)
            file.with_name(f"{file.stem}.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {file}: {error.strerror}.") from None
    click.echo(f"{len(chosen)} vectors in {folder}")
