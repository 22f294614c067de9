"""A run of a reader of log directories: a table for people, JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from rich.table import Table

from kafka_conformance.kinds.log_reader.questions import Ask
from kafka_conformance.kinds.log_reader.runs import LogRun
from kafka_conformance.outcomes import Outcome

_WORDS: Final = {
    Ask.OPEN: "read after a clean stop",
    Ask.RECOVER: "recover after a crash",
    Ask.VERIFY: "find broken rules",
    Ask.READ: "read single files",
}


def table(run: LogRun) -> Table:
    """Return a table with the results of each kind of question, one row per kind."""
    rows = Table("asked to", "passed", "wrong", "of damaged: otherwise", "gaps", box=None)
    for ask, words in _WORDS.items():
        results = [result for result in run.results if result.question.ask is ask]
        counts = Counter(
            "finding"
            if result.is_finding
            else "otherwise"
            if result.is_otherwise
            else "gap"
            if result.outcome is Outcome.UNSUPPORTED
            else "passed"
            for result in results
        )
        rows.add_row(words, *(str(counts[column]) for column in ("passed", "finding", "otherwise", "gap")))
    return rows


def lines(run: LogRun, most: int) -> Iterator[str]:
    """Yield at most so many lines of findings, then of answers that differ from Kafka's."""
    otherwise = [result for result in run.results if result.is_otherwise]
    for title, results in (("wrong", run.findings), ("otherwise than Kafka, of damaged files", otherwise)):
        if results:
            yield f"{title}:"
        for result in results[:most]:
            yield f"  {result.question.id}: {result.outcome.words}; {result.detail}"
        if len(results) > most:
            yield f"  and {len(results) - most} more"


def document(run: LogRun) -> dict[str, Any]:
    """Return a run as JSON."""
    return {
        "target": run.target,
        "hello": run.hello._asdict(),
        "results": [
            {
                "vector": result.question.vector["id"],
                "ask": result.question.ask,
                "sound": result.question.is_sound,
                "outcome": result.outcome,
                "detail": result.detail,
            }
            for result in run.results
        ],
    }
