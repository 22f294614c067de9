"""The report for a CI summary: one Markdown page that fits a pull request."""

import re
from collections.abc import Iterator
from pathlib import Path

from kafka_conformance.outcomes import Result, Run, Standing, Target
from kafka_conformance.reports import summary
from kafka_conformance.reports.summary import State, Tally, closing
from kafka_conformance.reports.telling import telling
from kafka_conformance.reports.text import label, one_line, sentence

FINDINGS_A_TARGET = 10

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
    if run.unused_known:
        yield ""
    for line in run.unused_known:
        yield f"- No finding answers to this known failure any more: {escaped(line)}"
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
