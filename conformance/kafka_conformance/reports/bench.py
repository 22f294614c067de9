"""Shows a measurement: a table for people and JSON for programs."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from kafka_tools.errors import UsageError
from kafka_tools.text import one_line, printable
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kafka_conformance.run.bench import ROUNDS, Bench, Measurement

KIND = "kafka-format-conformance bench"
SCHEMA_VERSION = 1


def write(bench: Bench, directory: Path) -> Path:
    """Write the measurement as `bench.json` into a directory, made if need be; return the file.

    Raises:
        UsageError: it cannot be written.
    """
    file = directory / "bench.json"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(_document(bench), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write to {directory}: {error.strerror}.", "Name another directory.") from None
    return file


def _document(bench: Bench) -> dict[str, object]:
    """Return the measurement as spec/schema/bench.schema.json describes it."""
    return {
        "kind": KIND,
        "schema_version": SCHEMA_VERSION,
        "header": {name: value for name, value in asdict(bench.header).items() if name != "vectors_digest"},
        "yardstick": printable(bench.yardstick),
        "rounds": ROUNDS,
        "targets": {printable(name): printable(version) for name, version in bench.targets.items()},
        "problems": {printable(name): printable(words) for name, words in bench.problems.items()},
        "measured": [_row(measure) for measure in bench.measurements],
        "footer": {"measured": len(bench.measurements)},
    }


def print_table(bench: Bench, console: Console) -> None:
    """Print a row a workload and a column a target, in as many tables as it takes."""
    room = max(1, (console.width - 30) // 14)
    names = list(bench.targets)
    for first in range(0, len(names), room):
        console.print(_table(bench, names[first : first + room], console))
    for name, words in bench.problems.items():
        console.print(Text(f"{one_line(name, 80)}: {one_line(words, 200)}"), style="yellow")
    for words in sorted(
        {f"{measure.target}: {measure.workload}: {measure.why}" for measure in bench.measurements if _tells(measure)}
    ):
        console.print(Text(one_line(words, 200)), style="dim")
    console.print(Text(f"How many times as fast as {one_line(bench.yardstick, 80)}: the median of {ROUNDS} rounds."))


def _table(bench: Bench, names: Sequence[str], console: Console) -> Table:
    table = Table(box=SIMPLE_HEAD if console.is_terminal else None, pad_edge=False, show_edge=False)
    table.add_column("workload", no_wrap=True)
    for name in names:
        table.add_column(Text(one_line(name, 24)), justify="right", max_width=12, overflow="fold")
    cells = {(measure.workload, measure.target): measure for measure in bench.measurements}
    for workload in dict.fromkeys(measure.workload for measure in bench.measurements):
        table.add_row(workload, *(_cell(cells[workload, name]) for name in names))
    return table


def _cell(measured: Measurement) -> Text:
    if measured.ratio is None:
        return Text("-", style="dim")
    return Text(f"{measured.ratio:.2f}" if measured.ratio < 10 else f"{measured.ratio:.0f}")


def _tells(measured: Measurement) -> bool:
    """True if the reason why it was not timed is worth a line."""
    return measured.why not in {"", "not declared"}


def _row(measured: Measurement) -> dict[str, object]:
    numbers = {name: None if value is None else round(value, 3) for name, value in _numbers(measured).items()}
    return {
        "target": printable(measured.target),
        "workload": measured.workload,
        **numbers,
        "why": printable(measured.why),
    }


def _numbers(measured: Measurement) -> dict[str, float | None]:
    return {"ratio": measured.ratio, "low": measured.low, "high": measured.high}
