"""What came of requests and responses: a summary for people, and all of it as JSON."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports.summary import not_asked_lines
from kafka_conformance.run.messages import MessageRun
from kafka_conformance.text import one_line, plural

_SHOWN: Final = 20
"""Groups of findings that are told of each target."""

_WIDTH: Final = 160


def lines(runs: Iterable[MessageRun]) -> Iterator[str]:
    """Yield the lines of the summary: each target's outcomes, and its findings by kind."""
    for run in runs:
        version = f" {run.hello.version}" if run.hello else ""
        if not run.results and not run.passed:
            yield f"{run.target}{version}: {run.problem}"
            continue
        counts = _counts(run)
        words = [f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome]]
        yield f"{run.target}{version}: {', '.join(words)}" + (f"; {run.problem}" if run.problem else "")
        yield from _groups([result for result in run.results if result.is_finding])
        yield from (f"  {line}" for line in not_asked_lines(run.results))


def _counts(run: MessageRun) -> Counter[Outcome]:
    counts = Counter(result.outcome for result in run.results)
    if run.passed:
        counts[Outcome.PASSED] += run.passed
    return counts


def special(result: Result) -> str:
    """Return what is special about a vector: the last word of its id."""
    return result.vector.split("@")[0].rsplit("/", 1)[-1]


def _groups(findings: Sequence[Result]) -> Iterator[str]:
    groups: dict[tuple[Outcome, str], list[Result]] = {}
    for result in findings:
        groups.setdefault((result.outcome, special(result)), []).append(result)
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    for (outcome, word), results in ordered[:_SHOWN]:
        first = results[0]
        detail = one_line(first.detail, _WIDTH)
        yield f"  {len(results):5} {outcome.value}: {word}, for example {first.vector}: {detail}"
    if len(ordered) > _SHOWN:
        yield f"  and {plural(len(ordered) - _SHOWN, 'more kind')} of findings"


def text(runs: Iterable[MessageRun]) -> str:
    """Return the report as JSON: for each target the counts of the outcomes, and every finding."""
    return json.dumps({"targets": [_target(run) for run in runs]}, indent=1) + "\n"


def _target(run: MessageRun) -> dict[str, Any]:
    findings = [result for result in run.results if result.is_finding]
    return {
        "name": run.target,
        "version": run.hello.version if run.hello else "",
        "problem": run.problem,
        "outcomes": dict(sorted((outcome.value, count) for outcome, count in _counts(run).items())),
        "findings": [_finding(result) for result in findings],
        "not_asked": dict(Counter(result.detail for result in run.results if result.outcome is Outcome.NOT_ASKED)),
    }


def _finding(result: Result) -> dict[str, str]:
    words = {"path": result.path, "expected": result.expected, "got": result.got, "detail": result.detail}
    return {"vector": result.vector, "outcome": result.outcome.value} | {
        name: word for name, word in words.items() if word
    }
