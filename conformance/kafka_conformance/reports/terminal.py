"""The report for a terminal: the bugs of each target, worst first, and the bytes of one of them.

What passed by rule is printed if it is asked for.

Colour only repeats what the text says. Where the output is no terminal there is none of it, no
frames either, and findings keep their whole line, so that `grep` works.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kafka_tools.text import one_line, plural
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kafka_conformance.diagnosis.cause import MET, Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import causes, changes, summary
from kafka_conformance.reports.marked_dump import dump, excerpt
from kafka_conformance.reports.origins import WrongField
from kafka_conformance.reports.result_text import label, rerun, sentence
from kafka_conformance.reports.severity import SEVERITY, example
from kafka_conformance.reports.summary import State, Tally, closing
from kafka_conformance.reports.terminal_dump import dump_lines
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Standing, Target

CAUSES_A_GROUP = {"met": 8, "damage": 5, "crafted": 6}
CHANGES_A_KIND = 12
DUMP_ROWS = 16

_STYLES = {State.PASSED: "green", State.FAILED: "bold red", State.KNOWN: "yellow", State.GAP: "dim", State.EMPTY: "dim"}
_NAME_WIDTH = 20
_CELL_WIDTH = 7
_ROW_WIDTH = 36


def print_report(run: Run, console: Console, *, rules: bool = False) -> None:
    """Print the report; `rules` adds what passed by rule and by outcome."""
    _Printer(run, console).print(rules=rules)


def print_causes(run: Run, console: Console) -> None:
    """Print what the findings of every target come from, and the closing line."""
    _Printer(run, console).print_causes()


def cell(tally: Tally) -> str:
    """A tally in a few characters: `passed/asked`, with a star if every failure is a known one."""
    if not tally.asked:
        return "gap" if tally.gaps else "-"
    return f"{tally.passed}/{tally.asked}" + ("*" if tally.state is State.KNOWN else "")


class _Printer:
    def __init__(self, run: Run, console: Console) -> None:
        self._run = run
        self._console = console
        self._vectors = {vector.id: vector for vector in run.vectors}

    def print(self, *, rules: bool) -> None:
        """Print section by section; what is read last, at the prompt, is what matters most."""
        if rules:
            self._print_tables()
        self._print_example()
        if len(self._run.targets) > 1:
            self._print_targets()
        self.print_causes()

    def print_causes(self) -> None:
        """Print the bugs of every target, and the closing."""
        for target in self._run.targets:
            self._print_target(target)
        self._print_closing()

    def _print_tables(self) -> None:
        for targets in self._groups():
            self._print_rules(targets)
        for targets in self._groups():
            self._print_outcomes(targets)

    def _print_targets(self) -> None:
        """Print a line a target, the best first: its bugs of each kind, and what passed."""
        table = Table(
            box=SIMPLE_HEAD if self._console.is_terminal else None,
            pad_edge=False,
            show_edge=False,
            collapse_padding=True,
        )
        table.add_column("target", overflow="fold")
        for name in ("users meet", "damaged", "crafted", "no bug", "no cause", "passed"):
            table.add_column(name, justify="right")
        tallies = summary.by_target(self._run)
        for target in causes.rank(self._run):
            numbers = causes.counts(causes.diagnosis_of(self._run, target))
            styles = ("bold red" if numbers.met else "dim", "red" if numbers.damage else "dim", "", "dim", "dim")
            cells = (Text(str(number), style=style) for number, style in zip(numbers, styles, strict=True))
            table.add_row(self._name(target.label), *cells, Text(f"{tallies[target.name].share} %", style="dim"))
        self._console.print(table)
        self._line()

    def _line(self, text: str = "", style: str = "") -> None:
        """Print one line: cut to the width of a terminal, whole where there is none."""
        line = Text(self._fit(text), style=style)
        if self._console.is_terminal:
            line.truncate(self._console.width)
        self._console.print(line, soft_wrap=True)

    def _headline(self, text: str) -> None:
        """Print what matters most: in a terminal on as many lines as it takes."""
        self._console.print(Text(self._fit(text), style="bold"), soft_wrap=not self._console.is_terminal)

    def _fit(self, text: str) -> str:
        return text.encode("ascii", "backslashreplace").decode() if self._console.options.ascii_only else text

    def _name(self, text: str) -> Text:
        return Text(self._fit(one_line(text, 80)))

    def _groups(self) -> Iterator[Sequence[Target]]:
        """Cut the targets into groups that fit beside one another."""
        group: list[Target] = []
        room = self._console.width - _ROW_WIDTH
        for target in self._run.targets:
            width = 2 + min(max(len(target.label), _CELL_WIDTH), _NAME_WIDTH)
            if group and room < width:
                yield group
                group, room = [], self._console.width - _ROW_WIDTH
            group.append(target)
            room -= width
        yield group

    def _table(self, title: str, targets: Sequence[Target]) -> Table:
        box = SIMPLE_HEAD if self._console.is_terminal else None
        table = Table(box=box, pad_edge=False, header_style="bold", show_edge=False)
        table.add_column(title, max_width=_ROW_WIDTH, overflow="fold")
        for target in targets:
            table.add_column(self._name(target.label), justify="right", max_width=_NAME_WIDTH, overflow="fold")
        return table

    def _print_rules(self, targets: Sequence[Target]) -> None:
        table = self._table("rule", targets)
        self._add_rows(table, summary.by_rule(self._run), targets)
        table.add_section()
        self._add_rows(table, summary.by_direction(self._run), targets)
        self._console.print(table)
        self._line()

    def _add_rows(self, table: Table, matrix: summary.Matrix, targets: Sequence[Target]) -> None:
        for name, row in matrix.items():
            tallies = [row[target.name] for target in targets]
            table.add_row(self._name(name), *(Text(cell(tally), style=_STYLES[tally.state]) for tally in tallies))

    def _print_outcomes(self, targets: Sequence[Target]) -> None:
        table = self._table("outcome", targets)
        counts = summary.outcomes(self._run)
        for outcome in (Outcome.PASSED, *SEVERITY, Outcome.OTHERWISE, Outcome.UNSUPPORTED, Outcome.NOT_ASKED):
            self._add_counts(table, outcome.words, [counts[target.name][outcome] for target in targets], outcome)
        known = [sum(1 for result in self._run.of(target.name) if result.known) for target in targets]
        if any(known):
            self._add_counts(table, "known failure", known, None)
        self._console.print(table)
        self._line()

    def _add_counts(self, table: Table, name: str, counts: Sequence[int], outcome: Outcome | None) -> None:
        style = "red" if outcome is not None and outcome.is_finding else ""
        table.add_row(name, *(Text(str(count), style=style if count else "dim") for count in counts))

    def _print_target(self, target: Target) -> None:
        """Print a target's bugs, the worst first, on about a screen."""
        diagnosis = causes.diagnosis_of(self._run, target)
        has_bugs = target.hello is not None and diagnosis.findings
        verdict = _verdict(target, self._tally(target))
        self._headline(f"{_label(target)}: {causes.sentence(diagnosis) if has_bugs else verdict}")
        for note in filter(None, (target.problem, *target.notes)):
            self._line(f"  {one_line(note, 400)}", "yellow")
        for line in summary.not_asked_lines(self._run.of(target.name)):
            self._line(f"  {line}", "yellow")
        if not has_bugs:
            return
        self._line(f"  {verdict}", "dim")
        for group in causes.GROUPS:
            if group.reaches:
                self._print_group(diagnosis, group)
        self._print_unexplained(diagnosis)
        self._print_harmless(diagnosis)
        known = sum(cause.is_known for cause in diagnosis.causes)
        if known:
            self._line(f"  {plural(known, 'cause')} known", "yellow")

    def _tally(self, target: Target) -> Tally:
        return summary.tally(self._run.of(target.name))

    def _print_group(self, diagnosis: Diagnosis, group: causes.CauseSection) -> None:
        of_group = causes.of_group(diagnosis, group)
        if not of_group:
            return
        self._line()
        self._line(f"  {group.heading}", "bold red" if group.key == "met" else "bold")
        most = CAUSES_A_GROUP[group.key]
        for cause in of_group[:most]:
            self._line(f"  {len(cause.findings):5}  {causes.title(cause)}")
            if group.key == "met":
                near = f"; like {causes.nearest(cause)}" if cause.reports else ""
                self._line(f"         {label(cause.findings[0])}: {sentence(cause.findings[0])}{near}", "dim")
            for more in filter(None, (cause.note, causes.reduction_text(diagnosis, cause.findings))):
                self._line(f"         {more}", "dim")
        if len(of_group) > most:
            self._line(f"         and {len(of_group) - most} more, all in the report (--report DIR)", "dim")

    def _print_harmless(self, diagnosis: Diagnosis) -> None:
        names = [cause.id.partition("/")[2] for cause in diagnosis.harmless]
        if names:
            self._line()
            self._line(f"  {len(names)} known differences that are no bugs: {', '.join(names)}", "dim")

    def _print_unexplained(self, diagnosis: Diagnosis) -> None:
        left = [diagnosis.unexplained[place] for place in causes.unexplained_places(diagnosis)]
        if left:
            met = len(list(causes.unexplained_places(diagnosis, *MET)))
            users = f", {met} of them on bytes that users meet" if met else ""
            self._line()
            self._line(f"  no cause explains {plural(len(left), 'finding')}{users}", "bold")
            self._line(f"         {label(left[0])}: {sentence(left[0])}", "dim")
            if small := causes.reduction_text(diagnosis, left):
                self._line(f"         {small}", "dim")

    def _print_example(self) -> None:
        result = self._example()
        if result is None:
            return
        vector = self._vectors[result.vector]
        self._line(f"{label(result)}: {one_line(vector.title)}", "bold")
        self._line(f"{one_line(result.target, 80)} {sentence(result)}")
        self._line()
        rows = dump(vector, [WrongField(result.path, self._fields(result))])
        for text, style in dump_lines(list(excerpt(rows, DUMP_ROWS))):
            self._line(text, style)
        self._line()
        again = Text(self._fit(f"Again: {rerun(result)}"), style="dim")
        self._console.print(again, soft_wrap=True)  # whole, so that it can be copied
        self._line()

    def _example(self) -> Result | None:
        """Return the finding whose bytes are best to print: of the worst cause, if it has bytes."""
        worst = [cause for diagnosis in self._run.diagnoses.values() for cause in diagnosis.of(*MET)]
        decoded = [cause.findings[0] for cause in worst if cause.direction is Direction.DECODE]
        return next((result for result in decoded if self._vectors[result.vector].data), None) or example(self._run)

    def _fields(self, result: Result) -> Sequence[str]:
        hellos = (target.hello for target in self._run.targets if target.name == result.target)
        return next((hello.fields for hello in hellos if hello is not None), ())

    def _print_comparison(self) -> None:
        comparison = self._run.comparison
        if comparison is None:
            return
        for text in changes.heading(comparison):
            self._line(one_line(text, 400), "bold")
        for title, came_or_went in changes.cause_changes(comparison).items():
            self._line(f"{title}: {len(came_or_went)}", "red" if came_or_went == comparison.causes_new else "green")
            for cause in came_or_went[:CHANGES_A_KIND]:
                self._line(f"  {one_line(f'{cause.target} {cause.does} [{cause.id}]', 400)}")
        for change, cases in changes.by_change(comparison).items():
            self._line(f"{change.words}: {len(cases)}", "red" if any(case.is_worse for case in cases) else "green")
            for case in cases[:CHANGES_A_KIND]:
                self._line(f"  {one_line(changes.line(case), 400)}")
            if len(cases) > CHANGES_A_KIND:
                self._line(f"  and {len(cases) - CHANGES_A_KIND} more, all in the report (--report DIR)", "dim")
        self._line()

    def _print_closing(self) -> None:
        run = self._run
        self._line()
        self._print_comparison()
        for line in run.known_problems:
            self._line(f"Known failure that is not true: {one_line(line, 400)}", "yellow")
        for line in run.known_half_asked:
            self._line(f"Known failure that may be mended: {one_line(line, 400)}", "dim")
        if any(tally.state is State.KNOWN for row in summary.by_rule(run).values() for tally in row.values()):
            self._line("* with known failures only", "dim")
        if run.footer.interrupted:
            self._line("Interrupted: what follows counts only what was done by then.", "bold yellow")
        self._line(closing(run), "bold red" if run.findings else "bold")


_LONGEST_LABEL: Final = 200


def _label(target: Target) -> str:
    if target.hello is None:
        return one_line(target.name, 80)
    hello = target.hello
    if target.label != target.name:
        said = ", ".join(filter(None, (hello.language, target.name)))
        return one_line(f"{target.label} ({said})", _LONGEST_LABEL)
    return one_line(f"{target.name} ({', '.join(filter(None, (f'{hello.name} {hello.version}', hello.language)))})")


def _verdict(target: Target, tally: Tally) -> str:
    if target.hello is None:
        return target.standing.words
    counts = {"finding": tally.findings, "known failure": tally.known, "gap": tally.gaps}
    extra = [plural(number, noun) for noun, number in counts.items() if number]
    if tally.otherwise:
        extra.append(f"{tally.otherwise} of damaged files otherwise than Kafka")
    standing = [] if target.standing is Standing.RAN else [target.standing.words]
    return ", ".join([*standing, f"{tally.passed} of {tally.asked} passed", *extra])
