"""Lists changes since an earlier run, in lines that a terminal and a page of Markdown share."""

from collections.abc import Iterator

from kafka_tools.text import plural

from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.comparison import CaseChange, CauseChange, Change, Comparison


def heading(comparison: Comparison) -> Iterator[str]:
    """Yield the sentences on the whole: the earlier run, whether it got worse, then each target."""
    causes = {"new": len(comparison.causes_new), "gone": len(comparison.causes_gone)}
    kinds = {change: len(comparison.of(change)) for change in Change}
    changes = [f"{plural(number, 'cause')} {word}" for word, number in causes.items() if number]
    changes += [f"{number} {change}" for change, number in kinds.items() if number]
    is_part = comparison.only_then or comparison.only_now
    numbers = ", ".join(changes) or ("nothing changed in what is in both" if is_part else "nothing changed")
    yield f"Since the run of {comparison.started} (suite {comparison.suite_version}): {numbers}."
    for name, then, now in comparison.versions:
        yield f"{name} was {then} and is {now}."
    if comparison.only_then:
        yield f"Not compared, only in the earlier run: {', '.join(comparison.only_then)}."
    if comparison.only_now:
        yield f"Not compared, only in this run: {', '.join(comparison.only_now)}."
    quiet = [case for case in comparison.cases if not case.tells]
    if quiet:
        yield f"{plural(len(quiet), 'case')} that came or went and that nobody gets wrong are not listed."


def by_change(comparison: Comparison) -> dict[Change, list[CaseChange]]:
    """Return the cases that are worth a line, by kind."""
    kinds = {change: [case for case in comparison.of(change) if case.tells] for change in Change}
    return {change: cases for change, cases in kinds.items() if cases}


def cause_changes(comparison: Comparison) -> dict[str, tuple[CauseChange, ...]]:
    """Return new and gone causes of findings, by heading."""
    kinds = {"Cause new: a bug that was not there before": comparison.causes_new, "Cause gone": comparison.causes_gone}
    return {title: changes for title, changes in kinds.items() if changes}


def line(case: CaseChange) -> str:
    """Return a line about how one case changed."""
    direction = "" if case.direction is Direction.DECODE else f" ({case.direction})"
    return f"{case.target} {case.vector}{direction}: {_words(case.was)} before, {_words(case.now)} now"


def _words(outcome: Outcome | None) -> str:
    return "not asked" if outcome is None else outcome.replace("-", " ")
