"""`kafka-format encode`: JSON to bytes."""

import json
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import kafka_format
from kafka_format import compression, protocol, records
from kafka_format.errors import EncodeError, LayoutError
from kafka_format.records import json_form
from kafka_format.records.formats import CODECS, MAGICS

from kafka_tools.commands import protocol_json, records_in_json, structures_in_json
from kafka_tools.commands.options import find_layout, find_version, read_input
from kafka_tools.commands.protocol_options import ExchangeOptions, exchange
from kafka_tools.errors import UsageError


@click.command(name="encode")
@click.argument("file", default="-")
@click.option("--layout", metavar="NAME", help="Write a single structure, for example record_batch.")
@click.option(
    "--format", "form", type=click.Choice(list(CODECS)), default="v2", show_default=True, help="Format of the records."
)
@click.option(
    "--codec",
    type=click.Choice(compression.NAMES),
    default="none",
    show_default=True,
    help="Compression of the records.",
)
@click.option("--frame", is_flag=True, help="Put the size in front of a request or response.")
@exchange
@click.option("--hex", "as_hex", is_flag=True, help="Print hex digits instead of bytes.")
@click.option("--output", metavar="FILE", type=click.Path(path_type=Path), help="Write the bytes to FILE.")
def command(
    *,
    file: str,
    layout: str | None,
    form: str,
    codec: str,
    frame: bool,
    exchange: ExchangeOptions,
    as_hex: bool,
    output: Path | None,
) -> int:
    """Encode JSON, as `decode` prints it, to a batch, a message set, a request or a response.

    \b
    kafka-format encode records.json --codec gzip --output batch.bin
    echo '[{"offset": "7", "value": "6869"}]' | kafka-format encode --hex
    kafka-format encode --request request.json
    echo '{"topics": []}' |
      kafka-format encode --request --api metadata --version 12 --frame --hex

    Fields that are left out get their default; lengths, counts and checksums are filled in, unless
    they are given.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    document = _json(read_input(file, None), file)
    try:
        if exchange.kind is not None:
            data = protocol_json.encode(document, exchange)
            data = len(data).to_bytes(4, "big") + data if frame else data
        elif layout is not None:
            data = _structure(layout, document, exchange.version)
        else:
            data = _records(document, form, codec)
    except EncodeError as error:
        raise UsageError(f"{error}.") from None
    except LayoutError as error:
        raise UsageError(f"{error.detail}.", error.advice) from None
    _write(data, as_hex=as_hex, output=output)
    return 0


def _json(data: bytes, file: str) -> Any:  # noqa: ANN401 - whatever the JSON says
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{'standard input' if file == '-' else file} is not JSON: {error}.") from None


def _records(document: Any, form: str, codec: str) -> bytes:  # noqa: ANN401 - the user's JSON

    if not isinstance(document, list):
        raise UsageError("expected a list of records.", "For a single structure, name its layout with --layout.")
    timestamp_type = -1 if form in ("v07", "v0") else 0
    filled = records_in_json.with_defaults(document, timestamp_type, 0 if form == "v07" else 1)
    try:
        answer = json_form.from_json(filled)
    except ValueError as error:
        raise UsageError(f"{error}.", "`kafka-format decode` prints records in the form that is read here.") from None
    if form == "v07":
        return records.encode_v07(answer, codec=codec)
    return records.encode(answer, magic=MAGICS[form], codec=codec)


def _structure(name: str, document: Any, version: int | None) -> bytes:  # noqa: ANN401 - the user's JSON
    if version is None:
        return kafka_format.structure(name).encode(structures_in_json.structure_from_json(find_layout(name), document))
    compiled = find_version(name, version)
    return compiled.encode(protocol.from_json(compiled, document))


def _write(data: bytes, *, as_hex: bool, output: Path | None) -> None:
    if output is not None:
        _write_whole(output, data)
    elif as_hex:
        click.echo(data.hex())
    elif sys.stdout.isatty():
        raise UsageError("bytes are not printed to a terminal.", "Use --hex, --output FILE, or a pipe.")
    else:
        sys.stdout.buffer.write(data)


def _write_whole(output: Path, data: bytes) -> None:
    """Write a file whole or not at all; what is no file, such as a pipe, is written as it is."""
    file = output.resolve()
    draft = file.with_name(f".{file.name}.draft")
    aside = not file.exists() or file.is_file()
    try:
        if aside:
            draft.write_bytes(data)
            if file.exists():
                shutil.copymode(file, draft)
            draft.replace(file)
        else:
            file.write_bytes(data)
    except OSError as error:
        if aside:
            with suppress(OSError):
                draft.unlink()
        raise UsageError(f"cannot write {output}: {error.strerror}.") from None
