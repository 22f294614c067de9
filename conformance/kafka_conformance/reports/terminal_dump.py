"""The annotated bytes of a finding as lines for a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from kafka_tools.text import one_line

from kafka_conformance.reports.marked_dump import Mark, MarkedRow

_HEX_BYTES = 12


_VALUE_LENGTH = 60


def dump_lines(dump: Sequence[MarkedRow | str]) -> Iterator[tuple[str, str]]:
    """Yield the annotated bytes as text and style, in columns."""
    rows = [row for row in dump if isinstance(row, MarkedRow)]
    octets = max((len(row.hex(_HEX_BYTES)) for row in rows), default=0)
    paths = max((len(row.line.path) for row in rows), default=0)
    for row in dump:
        if isinstance(row, str):
            yield f"{'':9}{row}", "dim"
            continue
        yield _dump_line(row, octets, paths), "bold red" if row.mark else ""
        if row.note:
            yield f"{'':9}^ {one_line(row.note)}", "red"


def _dump_line(row: MarkedRow, octets: int, paths: int) -> str:
    marks: Mapping[Mark, str] = {Mark.NONE: " ", Mark.FAULT: "!", Mark.DIFFERS: ">"}
    value = one_line(row.line.value, _VALUE_LENGTH)
    columns = f"{row.line.start:6}  {row.hex(_HEX_BYTES):<{octets}}  {row.line.path:<{paths}}  {value}"
    return f"{marks[row.mark]}{columns}".rstrip()
