"""Writes what runs found into docs/recorded: `python generate.py --record REPORT...`.

Each REPORT is the report.json of a run, or its folder. All targets in it that ran are taken, with
every part that they were asked about; rows of other targets stay. So targets may be run one after
another, on several days or machines.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.log_reader.questions import FORMAT as LOG
from kafka_conformance.kinds.message.vectors import FORMATS as MESSAGES
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import json_report
from kafka_conformance.reports.causes import GROUPS
from kafka_conformance.reports.json_report import Report, ReportedVector
from kafka_conformance.run.target import Target
from kafka_conformance.targets import manifest
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.target_kind import ADAPTERS, TargetKind
from kafka_conformance.vectors import conversations, golden, scenarios
from kafka_conformance.vectors.contents import FORMAT as CONTENT
from kafka_conformance.vectors.vector import Vector
from kafka_tools.errors import UsageError

from kafka_generator.recorded import append_errors, details
from kafka_generator.recorded.results import FOLDER, RecordedCause, RecordedText, Row, load, text, topic_of

REPORT: Final = "report.json"

WRITING: Final = "writing"
"""The cell of all that was encoded."""

SHOWN: Final = 30
"""Vectors of a cause that a row names; some have thousands."""

_EXAMPLES: Final = 3
_PLAIN: Final = "none"

_CHOICE: Final = re.compile(r"(--(?:vectors|id|rule|verdict|direction|api))\b")
"""Options of `run` that leave vectors out."""

_ABOUT: Final = re.compile(r"(--about)\b")
_CLIENTS: Final = frozenset({TargetKind.CONSUMER, TargetKind.PRODUCER})

_IN_REQUESTS: Final = ("steps[", "closing.", "events", "request")
"""How the paths of differences begin that are about no record (kinds.conversation.verdict)."""

_NEXT_OFFSET: Final = "next_offset"
"""The path of where a consumer goes on, if its records are right (kinds.consumer.judge)."""

_OUTCOMES: Final = {
    "right": (Outcome.PASSED,),
    "misread": (Outcome.WRONG_ANSWER, Outcome.PARTIAL_ANSWER),
    "refused": (Outcome.REFUSED_VALID,),
    "accepted": (Outcome.ACCEPTED_INVALID,),
    "lost": (Outcome.CRASHED, Outcome.HUNG, Outcome.OUT_OF_MEMORY, Outcome.BROKEN_PROTOCOL, Outcome.FLAKY),
    "not_asked": (Outcome.NOT_ASKED,),
}


def record(reports: Iterable[Path]) -> dict[Path, str]:
    """Return the text of every file in which something changes.

    Args:
        reports: the files or folders; a later one goes before an earlier one.

    Raises:
        UsageError: one is no report, or is of a run that was stopped or left vectors out.
    """
    rows = {part: {row.target: row for row in load(part)} for part in Part}
    kept, errors = details.text(), append_errors.load()
    for place in reports:
        file = place / REPORT if place.is_dir() else place
        report = json_report.load(file)
        document = json.loads(file.read_text(encoding="utf-8"))
        check_whole(file, document)
        for row in rows_of(report, document):
            rows[row.part][row.target] = row
        kept = details.joined(kept, document)
        append_errors.take_over(errors, file.parent)
    changed = {FOLDER / f"{part}.json": text(part, by_target) for part, by_target in rows.items() if by_target}
    return changed | {details.FILE: kept, append_errors.FILE: append_errors.text(errors)}


def check_whole(report: Path, document: Mapping[str, Any]) -> None:
    """Refuse the report of a run that does not speak for all vectors.

    Raises:
        UsageError: it was interrupted, or asked about chosen vectors only.
    """
    command = document["header"]["command"]
    choice = _CHOICE.search(command) or _ABOUT.search(command)
    if choice is not None and choice.re is _ABOUT and not _asks_clients(document):
        choice = None
    if document["footer"]["interrupted"] or choice:
        why = f"was made with {choice[1]}" if choice else "is of a run that was interrupted"
        raise UsageError(f"{report} {why}, so it does not speak for all vectors.", "Run the target on all of them.")


def _asks_clients(document: Mapping[str, Any]) -> bool:
    """Tell whether a consumer or producer ran: the row of one has records and conversations."""
    known = (manifest.load_all().get(target["name"].partition("@")[0]) for target in document["targets"])
    return any(target is not None and target.kind in _CLIENTS for target in known)


def rows_of(report: Report, document: Mapping[str, Any]) -> Iterator[Row]:
    """Yield a row for each target of a report that ran, and each part that it was asked about.

    Args:
        report: the report, read.
        document: the same as JSON, which has what a target said of wrong bytes.
    """
    vectors = {vector.id: vector for vector in report.vectors}
    by_part: defaultdict[tuple[str, Part], list[Result]] = defaultdict(list)
    for result in report.results:
        by_part[result.target, _part(result.target, vectors[result.vector])].append(result)
    run = document["header"]["started"].partition("T")[0]
    targets = {target.name: target for target in report.targets}
    for (name, part), results in by_part.items():
        if any(result.outcome.was_asked for result in results):
            yield _row(targets[name], part, results, run, document)


def _part(target: str, vector: ReportedVector) -> Part:
    """Return the part of a library that a vector is about; who is in no manifest is a decoder."""
    if vector.format == scenarios.FAMILY:
        return Part.SCENARIO
    known = manifest.load_all().get(target.partition("@")[0])
    if known is not None and known.kind not in ADAPTERS:
        return Part(known.kind)
    if vector.format in MESSAGES:
        return Part.MESSAGES
    if vector.format == CONTENT:
        return Part.SERDE
    return Part.LOG_READER if vector.format == LOG else Part.DECODER


def _row(target: Target, part: Part, results: list[Result], run: str, document: Mapping[str, Any]) -> Row:
    ids = {result.vector for result in results}
    findings = sum(result.is_finding for result in results)
    mine = [line for line in document["causes"] if line["target"] == target.name and ids.issuperset(line["findings"])]
    hello = target.hello
    is_newest = "@" not in target.name
    return Row(
        target=target.name,
        part=part,
        version="" if hello is None else hello.version,
        language="" if hello is None else hello.language,
        run=run,
        vectors=len(ids),
        asked=sum(result.outcome.counts for result in results),
        findings=findings,
        bugs=_bugs(mine, findings),
        outcomes=_outcomes(results),
        form="" if hello is None or part is not Part.MESSAGES else hello.apis["form"],
        cells=_cells(results, _COLUMNS[part]) if part in _COLUMNS else {},
        causes=tuple(_cause(line, results, document) for line in mine),
        texts=tuple(_texts(target.name, document)) if part is Part.DECODER and is_newest else (),
    )


def _bugs(causes: Iterable[Mapping[str, Any]], findings: int) -> dict[str, int]:
    """Count the causes by group, and the findings that none explains; one may have two causes."""
    counts = {group.key: 0 for group in GROUPS}
    explained: set[tuple[str, str]] = set()
    for cause in causes:
        explained |= {(cause["direction"], vector) for vector in cause["findings"]}
        groups = (group.key for group in GROUPS if cause["reach"] in group.reaches)
        counts["harmless" if cause.get("harmless") else next(groups)] += 1
    return counts | {"unexplained": findings - len(explained)}


def _outcomes(results: Iterable[Result]) -> dict[str, int]:
    counts = Counter(result.outcome for result in results)
    return {name: many for name, about in _OUTCOMES.items() if (many := sum(counts[each] for each in about))}


def _cause(line: Mapping[str, Any], results: Iterable[Result], document: Mapping[str, Any]) -> RecordedCause:
    likeliest = {vector["id"] for vector in document["vectors"] if vector["reach"] == line["reach"]}
    found = {result.vector: result for result in results if result.direction == line["direction"]}
    shown = line["findings"][:SHOWN]
    of_shown = tuple(str(found[vector].outcome) for vector in shown)
    wrong = [found[vector] for vector in line["findings"] if found[vector].outcome is Outcome.WRONG_ANSWER]
    return RecordedCause(
        id=line["id"],
        does=line["does"],
        direction=line["direction"],
        reach=line["reach"],
        rule=line["rule"],
        findings=len(line["findings"]),
        example=line["smallest"],
        vectors=tuple(shown),
        outcomes=of_shown[:1] if len(set(of_shown)) == 1 else of_shown,
        harmless=line.get("harmless", False),
        in_requests=any(map(_is_in_requests, wrong))
        and all(_is_in_requests(one) for one in wrong if one.vector in likeliest),
    )


def _is_in_requests(result: Result) -> bool:
    """Tell whether what went wrong is what a client asked, or told its application, and no data.

    One that goes on too early asks for what it has; too late, and records are lost.
    """
    if result.path == _NEXT_OFFSET:
        return int(result.got or 0) < int(result.expected or 0)
    return topic_of(result.vector).startswith(conversations.FAMILY) and result.path.startswith(_IN_REQUESTS)


def _cells(results: Iterable[Result], column_of: Callable[[Result], str]) -> dict[str, tuple[int, int]]:
    """Count by column what was asked, and what went wrong."""
    cells: dict[str, tuple[int, int]] = {}
    for result in results:
        if result.outcome.was_asked:
            column = column_of(result)
            asked, findings = cells.get(column, (0, 0))
            cells[column] = asked + 1, findings + result.is_finding
    return dict(sorted(cells.items()))


def _of_a_decoder(result: Result) -> str:
    """Return its codec for a compressed vector, its format for any other; `writing` if encoded."""
    if result.direction is Direction.ENCODE:
        return WRITING
    known = _vectors().get(result.vector)
    if known is None:
        raise UsageError(
            f"there is no vector {result.vector}.", "Take the report of a run over the vectors that there are."
        )
    return next((codec for codec in known.codecs if codec != _PLAIN), known.format)


def _topic(result: Result) -> str:
    return topic_of(result.vector)


_COLUMNS: Final[Mapping[Part, Callable[[Result], str]]] = {
    Part.DECODER: _of_a_decoder,
    Part.CONSUMER: _topic,
    Part.PRODUCER: _topic,
    Part.SCENARIO: _topic,
}
"""What cases are counted by, where they are."""


def _texts(target: str, document: Mapping[str, Any]) -> Iterator[RecordedText]:
    """Yield what a decoder says of wrong bytes, with the rules that these break."""
    ids = [vector["id"] for vector in document["vectors"]]
    for line in document.get("refusals", ()):
        said_of = [_vectors().get(ids[place]) for first, last in line["places"] for place in range(first, last + 1)]
        known = [vector for vector in said_of if vector is not None and vector.fault is not None]
        if known and line["target"] == target:
            rules = Counter(vector.fault.rule for vector in known if vector.fault is not None)
            examples = sorted((vector.id for vector in known), key=len)[:_EXAMPLES]
            yield RecordedText(line["text"], dict(rules.most_common()), tuple(examples))


@cache
def _vectors() -> Mapping[str, Vector]:
    return {vector.id: vector for vector in golden.load()}
