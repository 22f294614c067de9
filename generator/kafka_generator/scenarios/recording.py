"""What releases of Kafka answered to scenarios, and which APIs they offer: in vectors/cases."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import Loss
from kafka_conformance.kinds.scenario.comparison import difference, masked
from kafka_conformance.kinds.scenario.questions import ScenarioQuestion
from kafka_conformance.kinds.scenario.session import ScenarioSession
from kafka_conformance.kinds.scenario.steps import End, scenario
from kafka_conformance.protocol.messages import Status
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import scenarios
from kafka_conformance.vectors.patterns import fits_any
from kafka_conformance.vectors.vector import Vector
from kafka_format.spec.layout.release_table import release_rows

FILE: Final = Path("cases", "oracle-scenario.json")

OFFERED: Final = Path("cases", "offered-apis.json")
"""The APIs that the broker of each release offers to clients, as it answers ApiVersions."""

_OLD: Final = "2.8.2"

RELEASES: Final = (*(row.version for row in release_rows().values() if row.decides), _OLD)
"""The releases that are asked: those that decide about other vectors, and one of six years ago."""

_LIMITS: Final = Limits(seconds=20)

Answers = list[dict[str, Any]]
"""Versions and answers of the steps, in order."""


class Recorded(NamedTuple):
    """What is known of one scenario: the digest of what was asked, and the answers by release."""

    asked: str
    kafka: Mapping[str, Mapping[str, Answers]]


def digest(document: Mapping[str, Any]) -> str:
    """Return what changes when something else is asked, or something else compared."""
    asked = {key: document[key] for key in document if key not in {"title", "source", "kafka", "judged"}}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def read(directory: Path) -> dict[str, Recorded]:
    """Return what was recorded; `directory` is vectors/."""
    file = directory / FILE
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {name: Recorded(**each) for name, each in known.items()}


def offered(directory: Path) -> dict[str, list[str]]:
    """Return the APIs that releases offer, by release; `directory` is vectors/."""
    file = directory / OFFERED
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def _note_offered(directory: Path, release: str, apis: list[str]) -> None:
    every = {**offered(directory), release: apis}
    text = json.dumps({name: every[name] for name in RELEASES if name in every}, indent=1)
    (directory / OFFERED).write_text(f"{text}\n", encoding="utf-8")


def record(directory: Path, patterns: Sequence[str], releases: Sequence[str]) -> Iterator[str]:
    """Ask releases about scenarios, record what they say, and yield what was not the same twice.

    Args:
        directory: vectors/.
        patterns: only those whose id matches one of these; empty for all. Of others, what is
            recorded stays.
        releases: the releases.
    """
    documents = [
        json.loads(line)
        for file in sorted((directory / scenarios.FOLDER).glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    chosen = [document for document in documents if not patterns or fits_any(document["id"], patterns)]
    known = read(directory)
    for release in releases:
        for document, answers, problem in _asked_all(release, chosen, directory):
            if problem:
                yield f"{document['id']}: {release}: {problem}"
                continue
            old, asked = known.get(document["id"]), digest(document)
            kept = dict(old.kafka) if old is not None and old.asked == asked else {}
            kept.pop(release, None)
            if answers:
                kept[release] = answers
            known[document["id"]] = Recorded(asked, {name: kept[name] for name in RELEASES if name in kept})
    ids = {document["id"] for document in documents}
    kept_all = {name: recorded._asdict() for name, recorded in sorted(known.items()) if name in ids}
    (directory / FILE).write_text(_text(kept_all), encoding="utf-8")


def _text(known: Mapping[str, Any]) -> str:
    """Write a line a scenario, so that a change shows what changed."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in known.items())
    return f"{{\n{lines}\n}}\n"


def _asked_all(
    release: str, documents: Sequence[Mapping[str, Any]], directory: Path
) -> Iterator[tuple[Mapping[str, Any], dict[str, Answers], str]]:
    """Ask a release, with its authorizer about scenarios that want it; as `_asked`."""
    for target, wants in (("broker-kafka", False), ("broker-kafka-authorizer", True)):
        if asked := [each for each in documents if each.get("authorizer", False) is wants]:
            yield from _asked(f"{target}@{release}", release, asked, directory)


def _asked(
    target: str, release: str, documents: Sequence[Mapping[str, Any]], directory: Path
) -> Iterator[tuple[Mapping[str, Any], dict[str, Answers], str]]:
    """Yield each scenario with the answers of a release, or with what is wrong with them.

    The APIs that it offers are noted in vectors/, which is `directory`.
    """
    (candidate,) = resolve.candidates((target,), every=False, ready=False)
    assert candidate.place is not None, candidate.problem  # noqa: S101 - the advice says what to install
    with closing(ScenarioSession(candidate.place, _LIMITS)) as session:
        _note_offered(directory, release, session.apis)
        for document in documents:
            vector = scenarios.vector_of({**document, "kafka": {}})
            answers: dict[str, Answers] = {}
            problem = ""
            for end in End:
                found, words = _twice(session, vector, end)
                problem = problem or words
                if found and found not in answers.values():
                    answers[str(end)] = found
            yield document, answers, problem


def _twice(session: ScenarioSession, vector: Vector, end: End) -> tuple[Answers, str]:
    """Return the answers if they are the same twice, or why not; neither if it cannot be asked."""
    question = ScenarioQuestion(vector, scenario(vector), end)
    mask, came = question.scenario.mask, []
    for reaction in session.ask([question, question]):
        if isinstance(reaction.reply, Loss):
            return [], f"at the {end}: it {reaction.reply.detail}"
        if reaction.reply.status == Status.UNSUPPORTED:
            return [], ""
        if len(reaction.answers) < len(question.scenario.steps):
            return [], f"at the {end}: no answer has what step {len(reaction.answers)} says"
        pairs = zip(reaction.answers, question.scenario.steps, strict=True)
        came.append([{"version": one.version, "answer": masked(one.answer, mask | step.mask)} for one, step in pairs])
    first, second = came
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        unlike = difference(one["answer"], other["answer"], f"steps[{number}]")
        if unlike is not None:
            return [], f"at the {end}: {unlike.path} was {unlike.expected}, then {unlike.got}"
    return first, ""
