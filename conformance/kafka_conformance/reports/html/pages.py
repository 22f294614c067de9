"""Fills the pages. The templates only lay them out."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from jinja2 import Environment
from kafka_format.spec.rules import rules
from kafka_tools.show.pages import STYLE, environment
from kafka_tools.text import one_line

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import causes, changes, summary
from kafka_conformance.reports.file_names import file_names
from kafka_conformance.reports.html.side_by_side import SideBySide, comparison, value_text
from kafka_conformance.reports.marked_dump import dump, excerpt
from kafka_conformance.reports.origins import WrongField
from kafka_conformance.reports.result_text import rerun
from kafka_conformance.reports.severity import SEVERITY
from kafka_conformance.run.run import Run
from kafka_conformance.run.target import Target
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Subject, Vector, Verdict

DUMP_ROWS = 60
ANSWER_RECORDS = 8
HEX_BYTES = 512
VECTORS_OF_ONE = 500
"""Findings of a run of one target that have a page each, if there are no more."""

VECTORS_A_CAUSE = 3
"""Vectors of a cause that have a page each, the smallest ones, where a run has more findings, or
more than one target."""

VECTORS_UNEXPLAINED = 12
"""The same for findings that no cause explains."""

VECTORS_A_RULE = 24
"""Vectors that are named at a rule on the page of a target; all of them stand at their causes."""

HARDEST = 12
"""Vectors on the first page: those that most targets get wrong."""


_REPORT = re.compile(r"([\w.-]+/[\w.-]+)#(\d+)")

_SUBJECTS: Final = {
    Subject.MESSAGE: "requests and responses",
    Subject.LOG: "log directories",
    Subject.CONTENT: "keys and values",
}
"""What vectors are about that are not about message formats, in words."""


class Disagreement(NamedTuple):
    """One finding on the page of its vector."""

    target: Target
    result: Result
    comparison: SideBySide


class Site:
    """The pages of one run."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._vectors = {vector.id: vector for vector in run.vectors}
        self._results: defaultdict[str, list[Result]] = defaultdict(list)
        for result in run.results:
            self._results[result.vector].append(result)
        self._common = self._common_values()

    def pages(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of every page, the index first."""
        style = files("kafka_tools.show") / "templates" / STYLE
        yield "index.html", self._render("index", root="", **self._index())
        yield STYLE, style.read_text(encoding="utf-8")
        for target in self._run.targets:
            yield self.target_page(target.name), self._render("target", root="../", **self._target(target))
        for family, vectors in self._families.items():
            yield self.family_page(family), self._render("family", root="../", **self._family(family, vectors))
            wrong = [vector for vector in vectors if vector.id in self._vector_files]
            for place, vector in enumerate(wrong):
                near = {"before": wrong[place - 1] if place else None, "after": next(iter(wrong[place + 1 :]), None)}
                yield self.vector_page(vector.id), self._render("vector", root="../", **near, **self._vector(vector))

    def target_page(self, name: str) -> str:
        """Return the file of a target, from the root of the site."""
        return f"targets/{self._target_files[name]}"

    def family_page(self, family: str) -> str:
        """Return the file of a family, from the root of the site."""
        return f"families/{self._family_files[family]}"

    def vector_page(self, vector: str) -> str:
        """Return the page of a vector, relative to the site; empty if it has none."""
        return f"vectors/{self._vector_files[vector]}" if vector in self._vector_files else ""

    def _common_values(self) -> dict[str, Any]:
        """What every page may use."""
        self._target_files = file_names(target.name for target in self._run.targets)
        self._vector_files = file_names(self._shown_vectors())
        self._families: dict[str, list[Vector]] = {}
        for vector in self._run.vectors:
            self._families.setdefault(vector.family, []).append(vector)
        self._family_files = file_names(self._families)
        self._tallies = summary.by_family(self._run)
        return {
            "run": self._run,
            "columns": self._columns,
            "rules": rules(),
            "vectors": self._vectors,
            "target_page": self.target_page,
            "vector_page": self.vector_page,
            "family_page": self.family_page,
            "by_target": summary.by_target(self._run),
            "by_rule": summary.by_rule(self._run),
            "outcomes": (Outcome.PASSED, *SEVERITY, Outcome.OTHERWISE, Outcome.UNSUPPORTED, Outcome.NOT_ASKED),
            "groups": causes.GROUPS,
            "diagnosis": lambda target: causes.diagnosis_of(self._run, target),
            "of_group": causes.of_group,
            "group_title": causes.group_title,
            "counts": causes.counts,
            "explains": causes.explains,
            "harm": causes.harm,
            "reduced": causes.reduction_text,
            "style": STYLE,
            "subject": self._subject(),
        }

    def _shown_vectors(self) -> Iterator[str]:
        """Yield the vectors with a page: all that one target fails, or the most telling of many."""
        found_wrong = [result.vector for result in self._run.results if result.is_finding]
        if len(self._columns) == 1 and len(found_wrong) <= VECTORS_OF_ONE:
            yield from found_wrong
            return
        for target in self._columns:
            diagnosis = causes.diagnosis_of(self._run, target)
            for cause in diagnosis.causes:
                yield from (result.vector for result in cause.findings[:VECTORS_A_CAUSE])
            yield from (result.vector for result in diagnosis.unexplained[:VECTORS_UNEXPLAINED])

    def _subject(self) -> str:
        """Return what the vectors are about, in words."""
        subjects = dict.fromkeys(_SUBJECTS.get(vector.subject, "message formats") for vector in self._run.vectors)
        return ", ".join(subjects)

    @property
    def _columns(self) -> list[Target]:
        """The targets that came up."""
        return list(self._run.came_up)

    def _render(self, template: str, **context: Any) -> str:  # noqa: ANN401 - whatever the template shows
        return _environment().get_template(f"{template}.html.j2").render(self._common | context)

    def _hardest(self) -> list[tuple[Vector, int]]:
        """The vectors that most targets get wrong, and how many; valid bytes before others."""
        wrong = [
            (vector, len({r.target for r in self._results[vector.id] if r.is_finding})) for vector in self._run.vectors
        ]
        failing = [(vector, count) for vector, count in wrong if count]
        return sorted(failing, key=lambda pair: (-pair[1], pair[0].verdict is not Verdict.VALID, len(pair[0].data)))[
            :HARDEST
        ]

    def _family(self, family: str, vectors: Sequence[Vector]) -> dict[str, Any]:
        wrong = {vector.id for vector in vectors if any(result.is_finding for result in self._results[vector.id])}
        rows = [(vector, self._row(vector, self._columns)) for vector in vectors if vector.id in wrong]
        right = [vector for vector in vectors if vector.id not in wrong]
        return {"family": family, "rows": rows, "right": right, "tallies": self._tallies[family]}

    def _index(self) -> dict[str, Any]:
        return {
            "closing": summary.closing(self._run),
            "changes_heading": list(changes.heading(self._run.comparison)) if self._run.comparison else [],
            "causes_changed": changes.cause_changes(self._run.comparison) if self._run.comparison else {},
            "changes": changes.by_change(self._run.comparison) if self._run.comparison else {},
            "by_outcome": summary.outcomes(self._run),
            "by_direction": summary.by_direction(self._run),
            "by_family": self._tallies,
            "hardest": self._hardest(),
            "ranked": causes.rank(self._run),
        }

    def _row(self, vector: Vector, targets: Sequence[Target]) -> list[list[Result]]:
        """The results of a vector, target by target."""
        results = self._results[vector.id]
        return [[result for result in results if result.target == target.name] for target in targets]

    def _target(self, target: Target) -> dict[str, Any]:
        results = list(self._run.of(target.name))
        diagnosis = causes.diagnosis_of(self._run, target)
        return {
            "target": target,
            "tally": summary.tally(results),
            "found": diagnosis,
            "unexplained": [diagnosis.unexplained[place] for place in causes.unexplained_places(diagnosis)],
            "known": [result for result in results if result.is_finding and result.known],
            "gaps": _gaps(results, self._vectors),
            "failing": self._failing(results),
            "vectors_a_rule": VECTORS_A_RULE,
        }

    def _failing(self, results: Sequence[Result]) -> dict[str, dict[str, None]]:
        """Return by rule the vectors with findings.

        Each counts once, however many directions failed.
        """
        vectors: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for result in results:
            if result.is_finding:
                for rule in self._vectors[result.vector].rules:
                    vectors[rule][result.vector] = None
        return vectors

    def _vector(self, vector: Vector) -> dict[str, Any]:
        targets = {target.name: target for target in self._run.targets}
        findings = [result for result in self._results[vector.id] if result.is_finding]
        return {
            "vector": vector,
            "disagreements": [
                Disagreement(targets[result.target], result, comparison(vector, result, targets[result.target].hello))
                for result in sorted(findings, key=lambda result: bool(result.known))
            ],
            "right": [result for result in self._results[vector.id] if result.outcome is Outcome.PASSED],
            "dump": excerpt(dump(vector, [self._place(targets, result) for result in findings]), DUMP_ROWS),
            "must_refuse": vector.verdict is Verdict.INVALID,
            "answer_records": ANSWER_RECORDS,
            "hex": vector.data[:HEX_BYTES].hex() + ("..." if len(vector.data) > HEX_BYTES else ""),
        }

    def _place(self, targets: dict[str, Target], result: Result) -> WrongField:
        """The field that a finding is about; encoders are about other bytes than the vector's."""
        hello = targets[result.target].hello
        return WrongField(result.path if result.direction is Direction.DECODE else "", hello.fields if hello else ())


def _gaps(results: Sequence[Result], vectors: Mapping[str, Vector]) -> dict[str, Counter[str]]:
    """The cases that were not asked by reason, counted by family."""
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for result in results:
        if not result.outcome.was_asked:
            words[one_line(result.detail or "not supported")][vectors[result.vector].family] += 1
    return dict(words)


def _by_judgement(oracle: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """Return what releases of Kafka said, and which said so: each release after its class."""
    vectors: defaultdict[str, list[str]] = defaultdict(list)
    for release, said in oracle.items():
        library, _, version = release.rpartition(" ")
        vectors[said].append(version if vectors[said] and vectors[said][0].startswith(library) else release)
    return list(vectors.items())


@cache
def _environment() -> Environment:
    templates = environment("kafka_conformance.reports.html")
    templates.filters |= {
        "as_json": json_answers.to_json,
        "brief": one_line,
        "by_judgement": _by_judgement,
        "behaves": causes.behaves,
        "cause_title": causes.title,
        "report_url": _report_url,
        "rerun": rerun,
        "sentence": causes.sentence,
        "value_text": value_text,
        "web": _web,
    }
    return templates


def _report_url(report: str) -> str:
    """Return the address of a bug report; empty if its id tells none."""
    if match := _REPORT.fullmatch(report):
        return f"https://github.com/{match[1]}/issues/{match[2]}"
    return report if report.startswith("https://") else ""


def _web(url: str) -> str:
    """Return an address that is safe to link; a target may have claimed anything."""
    return url if url.startswith(("https://", "http://")) else ""
