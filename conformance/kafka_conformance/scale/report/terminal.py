"""The summary of a run on the terminal: tables of counts, symptoms, reduced findings, costs."""

from collections.abc import Iterator, Mapping

from kafka_tools.text import one_line
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kafka_conformance.outcomes import Outcome
from kafka_conformance.scale.reduce.text import lines as reduced_lines
from kafka_conformance.scale.results.fate import FATES, Fate, NotPut
from kafka_conformance.scale.results.summary import ScaleSummary, TargetSummary, Timing, by_rule

_SYMPTOMS = 12
_WIDEST = 10_000
_NAME_LENGTH = 24
_FAULTS_LENGTH = 120


def show(summary: ScaleSummary, console: Console, folder: str) -> None:
    """Print the counts, the most important ones last, next to the prompt."""
    if not console.is_terminal:
        console.width = _WIDEST  # there is no edge to cut lines at
    tables = [_cells(summary, console), _outcomes(summary, console)]
    if any(target.rules for target in summary.targets):
        tables.append(_rules(summary, console))
    for number, table in enumerate(tables):
        if number:
            console.print()
        console.print(table)
    for target in summary.targets:
        if target.symptoms:
            _say(console, f"\nFound in {_label(target)}:", style="bold")
        for line in _symptoms(target):
            _say(console, line)
    for line in reduced_lines(summary.reductions, folder):
        _say(console, line)
    console.print()
    for line in _lines(summary, folder):
        _say(console, line)


def _say(console: Console, text: str, style: str = "") -> None:
    """Print a line as it is; where there is no terminal it stays one line, so that `grep` works."""
    console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def _table(console: Console) -> Table:
    box = SIMPLE_HEAD if console.is_terminal else None
    return Table(box=box, pad_edge=False, show_edge=False, header_style="bold")


def _cells(summary: ScaleSummary, console: Console) -> Table:
    """Formats and codecs by target: how many of those that were put have passed."""
    table = _table(console)
    for title in ("format", "codec"):
        table.add_column(title)
    for target in summary.targets:
        table.add_column(Text(one_line(target.target, _NAME_LENGTH)), justify="right", overflow="fold")
    sorts = sorted({(version, codec) for target in summary.targets for version, codec, _ in target.cells})
    for sort in sorts:
        table.add_row(*sort, *(_cell(target, *sort) for target in summary.targets))
    return table


def _cell(target: TargetSummary, version: str, codec: str) -> Text:
    return _share({outcome: target.cells[version, codec, outcome] for outcome in FATES})


def _share(counts: Mapping[Fate, int]) -> Text:
    """Return the number that passed, of those that were put."""
    compared = sum(number for outcome, number in counts.items() if outcome.was_asked)
    if not compared:
        why = "gap" if counts[Outcome.UNSUPPORTED] else "skipped" if counts[NotPut.SKIPPED] else "-"
        return Text(why, style="dim")
    style = "green" if compared == counts[Outcome.PASSED] else "bold red"
    return Text(f"{counts[Outcome.PASSED]:,}/{compared:,}", style=style)


def _rules(summary: ScaleSummary, console: Console) -> Table:
    """Return the table of rules by target: how many batches with such faults were judged right."""
    table = _table(console)
    table.add_column("rule", overflow="fold")  # cut, two rules may look alike
    for target in summary.targets:
        table.add_column(Text(one_line(target.target, _NAME_LENGTH)), justify="right", overflow="fold")
    counts_of_targets = [by_rule(target) for target in summary.targets]
    for rule in sorted({rule for counts in counts_of_targets for rule, _ in counts}):
        table.add_row(rule, *(_share({fate: counts[rule, fate] for fate in FATES}) for counts in counts_of_targets))
    return table


def _outcomes(summary: ScaleSummary, console: Console) -> Table:
    """Outcomes by target; those that nobody had are left out."""
    table = _table(console)
    table.add_column("outcome")
    for target in summary.targets:
        table.add_column(Text(one_line(target.target, _NAME_LENGTH)), justify="right", overflow="fold")
    for outcome in FATES:
        if any(target.outcomes[outcome] for target in summary.targets):
            table.add_row(outcome.words, *(_number(target.outcomes[outcome], outcome) for target in summary.targets))
    if any(target.given_up for target in summary.targets):
        table.add_row("not put", *(f"{target.given_up:,}" for target in summary.targets))
    return table


def _symptoms(target: TargetSummary) -> Iterator[str]:
    for symptom in target.symptoms[:_SYMPTOMS]:
        where = f"{' '.join(symptom.formats)}; {' '.join(symptom.codecs)}; first index {symptom.first}"
        if symptom.faults:
            where += f"; {one_line(', '.join(symptom.faults), _FAULTS_LENGTH)}"
        yield f"{symptom.batches:10,}  {symptom.outcome.words}: {one_line(symptom.symptom)}  [{where}]"
    if len(target.symptoms) > _SYMPTOMS:
        yield f"{'':10}  and {len(target.symptoms) - _SYMPTOMS} more; summary.json has them all"


def _number(number: int, outcome: Fate) -> Text:
    style = "dim" if not number else "red" if outcome.is_finding else ""
    return Text(f"{number:,}", style=style)


def _lines(summary: ScaleSummary, folder: str) -> Iterator[str]:
    settings, timing = summary.settings, summary.timing
    for target in summary.targets:
        yield from (one_line(f"{target.target}: {note}", 400) for note in target.notes[:_SYMPTOMS])
        if target.given_up:
            why = "; ".join(target.problems)
            yield one_line(f"{target.target}: {target.given_up:,} batches were not put: {why}", 400)
        if target.skipped:
            yield _skipped_text(target)
    if summary.interrupted:
        yield "Interrupted: what is counted here is sound. The command of the run with --resume goes on."
    elif summary.gaps:
        yield from (f"BROKEN RUN: {gap}" for gap in summary.gaps)
    if timing.batches:
        speed = f"{timing.batches:,} batches in {timing.seconds:.1f} s, {timing.rate:,.0f} a second"
        yield f"{speed} on {cores(timing.cores)}; Spark took {timing.start_seconds:.1f} s to start"
        yield from _costs(timing)
    yield f"Seed {settings.seed}, profile {settings.profile}. Rows and summary: {folder}"
    for target in summary.targets:
        yield f"{_label(target)}: {target.compared:,} batches compared, {_findings(target.findings)}"


def _skipped_text(target: TargetSummary) -> str:
    number = sum(target.skipped.values())
    faults = one_line(
        ", ".join(f"{fault} ({count:,})" for fault, count in target.skipped.most_common()), _FAULTS_LENGTH
    )
    why = "because others with their fault killed it"
    return f"{target.target}: {number:,} batches were skipped, {why}: {faults}"


def _costs(timing: Timing) -> Iterator[str]:
    """Return the cost of the last command, and of more of the same."""
    memory = {"a worker": timing.worker_memory, "Spark": timing.java_memory, "this command": timing.driver_memory}
    peaks = ", ".join(f"{who} {peak >> 20:,} MiB" for who, peak in memory.items() if peak)
    yield f"{timing.cpu_seconds:,.1f} s of processor time in workers and targets; memory at most: {peaks}"
    hours, cpu_hours = timing.billion_hours, timing.billion_cpu_hours
    guess = " (at most: most of a short run is the start of the targets)" if timing.is_short else ""
    yield f"A billion such batches: {hours:,.1f} hours on these cores, {cpu_hours:,.1f} hours of processor time{guess}"


def cores(number: int) -> str:
    """Return a number of cores with its noun."""
    return f"{number:,} core{'' if number == 1 else 's'}"


def _label(target: TargetSummary) -> str:
    return one_line(f"{target.target} ({target.hello.name} {target.hello.version}, {target.hello.language})")


def _findings(number: int) -> str:
    return {0: "no findings", 1: "1 finding"}.get(number, f"{number:,} findings")
