"""The report for a CI summary: one Markdown page that fits a pull request."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from kafka_tools.text import one_line, plural

from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.reports import causes, changes, summary
from kafka_conformance.reports.result_text import label, sentence
from kafka_conformance.reports.summary import State, Tally, closing
from kafka_conformance.run.comparison import Comparison
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Standing, Target

CAUSES_A_GROUP = 8
CHANGES_A_KIND = 20

_MARKS = {State.PASSED: "✅", State.FAILED: "❌", State.KNOWN: "☑️", State.GAP: "gap", State.EMPTY: ""}
_SPECIAL = re.compile(r"[\\`*_\[\]~|<>&@]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
"""What starts markup, a mention or a link in the middle of a line; no text of a target stands at
the start of one."""


def write(run: Run, file: Path) -> None:
    """Write a run as Markdown."""
    file.write_text("\n".join(_lines(run)) + "\n", encoding="utf-8")


def escape(text: str, longest: int = 200) -> str:
    """Return a text in one line in which nothing is markup, a link or a mention."""
    return _SPECIAL.sub(lambda character: f"&#{ord(character[0])};", one_line(text, longest))


def _lines(run: Run) -> Iterator[str]:
    yield "# Kafka format conformance"
    yield ""
    if run.footer.interrupted:
        yield "**Interrupted:** this counts only what was done by then."
        yield ""
    yield closing(run)
    yield ""
    yield from _table(run)
    for target in run.targets:
        yield from _target(target, causes.diagnosis_of(run, target), run.of(target.name))
    if run.comparison is not None:
        yield from _comparison(run.comparison)
    if run.known_problems:
        yield ""
        yield "### Known failures that are not true"
        yield ""
    for line in run.known_problems:
        yield f"- {escape(line, 400)}"
    if run.known_half_asked:
        yield ""
        yield "### Known failures that may be mended"
        yield ""
    for line in run.known_half_asked:
        yield f"- {escape(line, 400)}"
    yield ""
    yield escape(f"Suite {run.header.suite_version}, {run.header.platform}, {run.header.started}.")


def _table(run: Run) -> Iterator[str]:
    yield "| | target | version | users meet | damaged | crafted | no bug | no cause | passed | known | gaps |"
    yield "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    tallies, came_up = summary.by_target(run), causes.rank(run)
    for target in [*came_up, *(target for target in run.targets if target not in came_up)]:
        yield _row(target, tallies[target.name], causes.counts(causes.diagnosis_of(run, target)))


def _row(target: Target, tally: Tally, bugs: causes.CauseCounts) -> str:
    version = target.hello.version if target.hello else target.standing.words
    numbers = " | ".join(map(str, bugs)) + f" | {tally.passed} of {tally.asked} | {tally.known} | {tally.gaps}"
    mark = "⚠️" if target.standing is not Standing.RAN else _MARKS[tally.state]
    return f"| {mark} | {escape(target.label)} | {escape(version, 40)} | {numbers} |"


def _comparison(comparison: Comparison) -> Iterator[str]:
    yield ""
    yield "### Since the earlier run"
    yield ""
    for line in changes.heading(comparison):
        yield escape(line, 400)
        yield ""
    for title, those in changes.cause_changes(comparison).items():
        yield f"**{title}: {len(those)}**"
        yield ""
        for cause in those[:CHANGES_A_KIND]:
            yield f"- {escape(f'{cause.target}: {cause.does}', 400)}"
        yield ""
    for change, cases in changes.by_change(comparison).items():
        yield f"**{change.words}: {len(cases)}**"
        yield ""
        for case in cases[:CHANGES_A_KIND]:
            yield f"- {escape(changes.line(case), 400)}"
        if len(cases) > CHANGES_A_KIND:
            yield f"- and {len(cases) - CHANGES_A_KIND} more"
        yield ""


def _target(target: Target, diagnosis: Diagnosis, results: Iterable[Result]) -> Iterator[str]:
    if not (diagnosis.findings or target.problem):
        return
    yield ""
    yield f"### {escape(target.label)}"
    yield ""
    if target.label != target.name:
        yield escape(target.name, 400)
        yield ""
    if target.problem:
        yield f"⚠️ {target.standing.words}: {escape(target.problem, 400)}"
        yield ""
    if left_out := list(summary.not_asked_lines(results)):
        yield escape("; ".join(left_out), 400)
        yield ""
    yield f"{escape(causes.sentence(diagnosis), 400)}."
    for group in causes.GROUPS:
        yield from _group(diagnosis, group)
    left = list(causes.unexplained_places(diagnosis))
    if left:
        yield ""
        first = escape(_case(diagnosis.unexplained[left[0]]), 400)
        yield f"**No cause explains {plural(len(left), 'finding')}**, such as {first}"


def _group(diagnosis: Diagnosis, group: causes.CauseSection) -> Iterator[str]:
    of_group = causes.of_group(diagnosis, group)
    if not of_group:
        return
    yield ""
    yield f"**{causes.group_title(group, len(of_group))}**"
    yield ""
    for cause in of_group[:CAUSES_A_GROUP]:
        near = f"; like {causes.nearest(cause)}" if cause.reports else ""
        yield f"- {plural(len(cause.findings), 'finding')}: {escape(causes.title(cause) + near, 400)}"
        if group.key == "met":
            yield f"  - {escape(_case(cause.findings[0]), 400)}"
        for more in filter(None, (cause.note, causes.reduction_text(diagnosis, cause.findings))):
            yield f"  - {escape(more, 400)}"
    if len(of_group) > CAUSES_A_GROUP:
        yield f"- and {len(of_group) - CAUSES_A_GROUP} more"


def _case(result: Result) -> str:
    return f"{label(result)}: {sentence(result)}"
