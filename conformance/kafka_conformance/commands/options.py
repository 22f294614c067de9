"""Options and input that several commands share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import click
from kafka_tools.commands.number_types import Seconds, Whole

from kafka_conformance.child.launch import Limits
from kafka_conformance.scale.plan import Endurance

_USUAL = Limits()
_ENDURANCE = Endurance()

LARGEST_MEMORY = 1 << 30
"""In MiB: a pebibyte, more than there is."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def selection(function: _Function) -> _Function:
    """Add the options that choose vectors: `patterns`, `rule` and `verdict`."""
    verdicts = click.Choice(["valid", "invalid", "lenient"])
    function = click.option("--verdict", type=verdicts, help="Only vectors with that verdict.")(function)
    function = click.option("--rule", metavar="RULE", help="Only vectors about that rule (a pattern).")(function)
    help_text = "Only vectors whose id matches this shell pattern: 'v2/*'. Repeatable."
    return click.option("--vectors", "--id", "patterns", metavar="PATTERN", multiple=True, help=help_text)(function)


def limits(function: _Function) -> _Function:
    """Add the options that limit a target: `seconds` and `memory` (MiB)."""
    seconds, megabytes = Seconds(min_open=True), Whole(16, LARGEST_MEMORY)
    function = _limit("--memory", "MIB", megabytes, _USUAL.memory >> 20, "Memory limit of the target, in MiB.")(
        function
    )
    return _limit("--seconds", "S", seconds, _USUAL.seconds, "Time limit per vector or batch, in seconds.")(function)


def endurance(function: _Function) -> _Function:
    """Add the options `patience` (seconds) and `deaths`, which limit crashes and hangs."""
    text = "Skip batches with a fault after it has killed the target N times; 0: never."
    function = _limit("--deaths", "N", Whole(0), _ENDURANCE.deaths, text)(function)
    text = "Time that a task spends on batches that kill a target, before it gives the target up."
    return _limit("--patience", "S", Seconds(), _ENDURANCE.patience, text)(function)


def _limit(name: str, metavar: str, kind: Seconds | Whole, usual: float, text: str) -> Callable[[_Function], _Function]:
    return click.option(name, metavar=metavar, type=kind, default=usual, show_default=True, help=text)


class ReportOptions(NamedTuple):
    """The options of a run: where the report goes, and what its findings are held against."""

    report: Path | None
    known_failures: tuple[Path, ...]
    update: bool
    compare: Path | None
    jobs: int | None


def reporting(function: _Function) -> _Function:
    """Add the options of a `ReportOptions`, and give the function one as `reporting`."""

    @wraps(function)
    def called(
        *,
        report: Path | None,
        known_failures: tuple[Path, ...],
        update: bool,
        compare: Path | None,
        jobs: int | None,
        **others: object,
    ) -> object:
        return function(reporting=ReportOptions(report, known_failures, update, compare, jobs), **others)

    file = click.Path(path_type=Path)
    known_text = "File of expected findings, of one target. Repeatable."
    update_text = "Update that file with the results of this run."
    compare_text = "Say what changed since an earlier report.json."
    jobs_text = "How many targets run at a time [default: one per processor]."
    options = (
        click.option("--jobs", metavar="N", type=Whole(1), help=jobs_text),
        click.option("--compare", metavar="OLD.json", type=file, help=compare_text),
        click.option("--update-known-failures", "update", is_flag=True, help=update_text),
        click.option("--known-failures", metavar="FILE", type=file, multiple=True, help=known_text),
        click.option("--report", metavar="DIR", type=file, help="Write the report to DIR."),
    )
    for option in options:
        called = option(called)
    return cast("_Function", called)
