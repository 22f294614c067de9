"""What a measurement came to: a table for people and JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kafka_conformance.runs.bench import ROUNDS, Measured
from kafka_conformance.runs.header import Header
from kafka_conformance.text import one_line, shown

KIND = "kafka-format-conformance bench"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Bench:
    """One measurement.

    Attributes:
        header: when, where and with what.
        yardstick: the target that counts as 1.0.
        targets: name and version of those that came up.
        problems: name of the others, and why.
        measured: every target at every workload.
    """

    header: Header
    yardstick: str
    targets: Mapping[str, str]
    problems: Mapping[str, str]
    measured: Sequence[Measured]


def write(bench: Bench, file: Path) -> None:
    """Write the measurement as JSON, described by spec/schema/bench.schema.json."""
    document = {
        "kind": KIND,
        "schema_version": SCHEMA_VERSION,
        "header": {name: value for name, value in asdict(bench.header).items() if name != "vectors_digest"},
        "yardstick": shown(bench.yardstick),
        "rounds": ROUNDS,
        "targets": {shown(name): shown(version) for name, version in bench.targets.items()},
        "problems": {shown(name): shown(words) for name, words in bench.problems.items()},
        "measured": [_document(one) for one in bench.measured],
        "footer": {"measured": len(bench.measured)},
    }
    file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def print_table(bench: Bench, console: Console) -> None:
    """Print a row a workload and a column a target, in as many tables as it takes."""
    room = max(1, (console.width - 30) // 14)
    names = list(bench.targets)
    for first in range(0, len(names), room):
        console.print(_table(bench, names[first : first + room], console))
    for name, words in bench.problems.items():
        console.print(Text(f"{one_line(name, 80)}: {one_line(words, 200)}"), style="yellow")
    for words in sorted({f"{one.target}: {one.workload}: {one.why}" for one in bench.measured if _tells(one)}):
        console.print(Text(one_line(words, 200)), style="dim")
    console.print(Text(f"How many times as fast as {one_line(bench.yardstick, 80)}: the median of {ROUNDS} rounds."))


def _table(bench: Bench, names: Sequence[str], console: Console) -> Table:
    table = Table(box=SIMPLE_HEAD if console.is_terminal else None, pad_edge=False, show_edge=False)
    table.add_column("workload", no_wrap=True)
    for name in names:
        table.add_column(Text(one_line(name, 24)), justify="right", max_width=12, overflow="fold")
    cells = {(one.workload, one.target): one for one in bench.measured}
    for workload in dict.fromkeys(one.workload for one in bench.measured):
        table.add_row(workload, *(_cell(cells[workload, name]) for name in names))
    return table


def _cell(one: Measured) -> Text:
    if one.ratio is None:
        return Text("-", style="dim")
    return Text(f"{one.ratio:.2f}" if one.ratio < 10 else f"{one.ratio:.0f}")


def _tells(one: Measured) -> bool:
    """True if the reason why it was not timed is worth a line."""
    return one.why not in {"", "not declared"}


def _document(one: Measured) -> dict[str, object]:
    numbers = {name: None if value is None else round(value, 3) for name, value in _numbers(one).items()}
    return {"target": shown(one.target), "workload": one.workload, **numbers, "why": shown(one.why)}


def _numbers(one: Measured) -> dict[str, float | None]:
    return {"ratio": one.ratio, "low": one.low, "high": one.high}
