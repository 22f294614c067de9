"""`kafka-conformance explain`: bytes as an annotated hex dump."""

import click
from kafka_format.explain.lines import Explanation, explain, explain_structure, explain_v07
from rich.console import Console

from kafka_conformance.commands.options import Reading, find_layout, read_input, reading
from kafka_conformance.reports import hexdump
from kafka_conformance.vectors import golden


@click.command(name="explain")
@click.argument("file", required=False)
@click.option("--hex", "hex_text", metavar="HEX", help="The bytes themselves, as hex digits.")
@click.option("--vector", metavar="ID", help="The bytes of a golden vector.")
@click.option("--layout", metavar="NAME", help="Read a single structure, for example record_batch.")
@click.option("--v07", is_flag=True, help="The bytes are a message set of Kafka 0.7.")
@reading
@click.option("--full", is_flag=True, help="Show every byte of long values too.")
def command(
    *,
    file: str | None,
    hex_text: str | None,
    vector: str | None,
    layout: str | None,
    v07: bool,
    reading: Reading,
    full: bool,
) -> int:
    """Show what each byte is: offset, bytes, field, value, and the broken rule where they are wrong.

    \b
    kafka-conformance explain 00000000000000000000.log
    kafka-conformance explain --vector v2/gzip/plain
    kafka-conformance explain --layout record_batch --hex 0000000000000007...

    Offsets that start with p count in the decompressed payload. Exit status 1 if the bytes break a rule.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if vector:
        data, v07 = _vector(vector)
    else:
        data = read_input(file, hex_text)
    explanation = _explain(data, layout, reading, v07=v07)
    hexdump.print_rows(hexdump.rows(explanation, full=full), Console())
    return 1 if explanation.fault else 0


def _vector(vector: str) -> tuple[bytes, bool]:
    """Give the bytes of a vector, and whether they are a message set of 0.7."""
    chosen = golden.choose(patterns=(vector,))[0]
    return chosen.data, chosen.format == "v07"


def _explain(data: bytes, layout: str | None, reading: Reading, *, v07: bool) -> Explanation:
    if layout is not None:
        find_layout(layout)
        return explain_structure(layout, data, **reading.arguments("flags", "limit"))
    if v07:
        return explain_v07(data, **reading.arguments("flags", "limit", "max_records"))
    return explain(data, **reading.arguments(*reading._fields))
