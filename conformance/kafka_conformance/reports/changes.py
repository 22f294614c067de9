"""What changed since an earlier run, in lines that a terminal and a page of Markdown share."""

from collections.abc import Iterator

from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.runs.comparison import CaseChange, CauseChange, Change, Comparison
from kafka_conformance.text import plural


def heading(found: Comparison) -> Iterator[str]:
    """Yield the sentences on the whole: the earlier run, whether it got worse, then each target."""
    kinds = {change: len(found.of(change)) for change in Change}
    numbers = ", ".join(f"{number} {change}" for change, number in kinds.items() if number) or "nothing changed"
    yield f"Since the run of {found.started} (suite {found.suite_version}): {numbers}."
    for name, then, now in found.versions:
        yield f"{name} was {then} and is {now}."
    if found.only_then:
        yield f"Not compared, only in the earlier run: {', '.join(found.only_then)}."
    if found.only_now:
        yield f"Not compared, only in this run: {', '.join(found.only_now)}."
    quiet = [case for case in found.cases if not case.tells]
    if quiet:
        yield f"{plural(len(quiet), 'case')} that came or went and that nobody gets wrong are not listed."


def by_change(found: Comparison) -> dict[Change, list[CaseChange]]:
    """Return the cases that are worth a line, by kind."""
    kinds = {change: [case for case in found.of(change) if case.tells] for change in Change}
    return {change: cases for change, cases in kinds.items() if cases}


def causes_told(found: Comparison) -> dict[str, tuple[CauseChange, ...]]:
    """Return the causes of findings that came and that went, by heading."""
    kinds = {"Cause new: a bug that was not there before": found.causes_new, "Cause gone": found.causes_gone}
    return {title: changes for title, changes in kinds.items() if changes}


def line(case: CaseChange) -> str:
    """Say what became of one case."""
    direction = "" if case.direction is Direction.DECODE else f" ({case.direction})"
    return f"{case.target} {case.vector}{direction}: {_words(case.was)} before, {_words(case.now)} now"


def _words(outcome: Outcome | None) -> str:
    return "not asked" if outcome is None else outcome.replace("-", " ")
