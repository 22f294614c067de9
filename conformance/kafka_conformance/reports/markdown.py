"""The report for a CI summary: one Markdown page that fits a pull request."""

import re
from collections.abc import Iterator
from pathlib import Path

from kafka_conformance.judging.result import Result
from kafka_conformance.reports import changes, summary
from kafka_conformance.reports.severity import telling
from kafka_conformance.reports.summary import State, Tally, closing
from kafka_conformance.reports.wording import label, sentence
from kafka_conformance.runs.comparison import Comparison
from kafka_conformance.runs.run import Run
from kafka_conformance.runs.target import Standing, Target
from kafka_conformance.text import one_line

FINDINGS_A_TARGET = 10
CHANGES_A_KIND = 20

_MARKS = {State.PASSED: "✅", State.FAILED: "❌", State.KNOWN: "☑️", State.GAP: "gap", State.EMPTY: ""}
_SPECIAL = re.compile(r"[\\`*_\[\]~|<>&@]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
"""What starts markup, a mention or a link in the middle of a line; no text of a target stands at the start of one."""


def write(run: Run, file: Path) -> None:
    """Write a run as Markdown."""
    file.write_text("\n".join(_lines(run)) + "\n", encoding="utf-8")


def escaped(text: str, longest: int = 200) -> str:
    """Return a text in one line in which nothing is markup, a link or a mention."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", one_line(text, longest))


def _lines(run: Run) -> Iterator[str]:
    yield "# Kafka format conformance"
    yield ""
    if run.footer.interrupted:
        yield "**Interrupted:** this counts only what was done by then."
        yield ""
    yield closing(run)
    yield ""
    yield from _table(run)
    vectors = {vector.id: vector for vector in run.vectors}
    for target in run.targets:
        yield from _target(target, telling(run.of(target.name), vectors))
    if run.comparison is not None:
        yield from _comparison(run.comparison)
    if run.known_problems:
        yield ""
        yield "### Known failures that are not true"
        yield ""
    for line in run.known_problems:
        yield f"- {escaped(line, 400)}"
    yield ""
    yield escaped(f"Suite {run.header.suite_version}, {run.header.platform}, {run.header.started}.")


def _table(run: Run) -> Iterator[str]:
    yield "| | target | version | passed | findings | known | gaps |"
    yield "|---|---|---|--:|--:|--:|--:|"
    tallies = summary.by_target(run)
    for target in run.targets:
        yield _row(target, tallies[target.name])


def _row(target: Target, tally: Tally) -> str:
    version = target.hello.version if target.hello else target.standing.words
    numbers = f"{tally.passed} of {tally.asked} | {tally.findings} | {tally.known} | {tally.gaps}"
    mark = "⚠️" if target.standing is not Standing.RAN else _MARKS[tally.state]
    return f"| {mark} | {escaped(target.name)} | {escaped(version, 40)} | {numbers} |"


def _comparison(found: Comparison) -> Iterator[str]:
    yield ""
    yield "### Since the earlier run"
    yield ""
    for line in changes.heading(found):
        yield escaped(line, 400)
        yield ""
    for change, cases in changes.told(found).items():
        yield f"**{change.words}: {len(cases)}**"
        yield ""
        for case in cases[:CHANGES_A_KIND]:
            yield f"- {escaped(changes.line(case), 400)}"
        if len(cases) > CHANGES_A_KIND:
            yield f"- and {len(cases) - CHANGES_A_KIND} more"
        yield ""


def _target(target: Target, findings: list[Result]) -> Iterator[str]:
    if not (findings or target.problem):
        return
    yield ""
    yield f"### {escaped(target.name)}"
    yield ""
    if target.problem:
        yield f"⚠️ {target.standing.words}: {escaped(target.problem, 400)}"
        yield ""
    for result in findings[:FINDINGS_A_TARGET]:
        yield f"- **{escaped(label(result))}** {escaped(sentence(result), 400)}"
    if len(findings) > FINDINGS_A_TARGET:
        yield f"- and {len(findings) - FINDINGS_A_TARGET} more"
