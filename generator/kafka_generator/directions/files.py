"""The vector files of the further directions, and what Kafka said of each case."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import TargetLostError
from kafka_conformance.protocol import messages
from kafka_conformance.protocol.messages import InputRequest, Reply, Status
from kafka_conformance.targets.resolve import installation
from kafka_format.errors import LayoutError
from kafka_format.spec.releases import Release

from kafka_generator.build import Builder
from kafka_generator.directions.assignment import Assigning
from kafka_generator.directions.conversion import Converting
from kafka_generator.directions.delivery import Delivering
from kafka_generator.directions.tables import DirectionCase, TableDirection, load
from kafka_generator.inputs import INPUTS
from kafka_generator.oracle import deciding, name_of, target_of
from kafka_generator.payloads import PayloadStore
from kafka_generator.provenance import NO_REPORTS, provenance
from kafka_generator.reach.origins import Origins
from kafka_generator.unjudged import MARK, Unjudged, none_allowed

DIRECTIONS: Final[dict[str, TableDirection]] = {
    "assign": Assigning(),
    "convert": Converting(),
    "deliver": Delivering(),
}
"""The further directions by the name of their files."""

Oracle = dict[str, dict[str, str]]
"""What each release did, by the digest of the request: the digest of what it answered."""


def make(directory: Path, store: PayloadStore) -> list[DirectionCase]:
    """Build all cases; `directory` is vectors/.

    Raises:
        LayoutError: a case is wrong.
    """
    return load(directory / "cases" / "directions", DIRECTIONS, Builder(store))


def oracle_files(directory: Path) -> dict[str, Path]:
    """Return the file of each direction that records Kafka's answers."""
    return {name: directory / "cases" / f"oracle-{name}.json" for name in DIRECTIONS}


def texts(
    directory: Path,
    cases: Iterable[DirectionCase],
    reports: Mapping[str, Sequence[str]] = NO_REPORTS,
    origins: Origins | None = None,
    unjudged: Unjudged | None = None,
) -> dict[Path, str]:
    """Return each vector file's text, with `reports` of known bugs and `origins` by vector.

    `unjudged` takes the cases about which Kafka was not asked; none may be by default.

    Raises:
        LayoutError: reference or Kafka do not do what a table says.
    """
    oracles = {name: _read(file) for name, file in oracle_files(directory).items()}
    lines: dict[str, list[str]] = {name: [] for name in DIRECTIONS}
    reach = origins or Origins((), ())
    for case in cases:
        document = _document(case, reports) | _judged(case, oracles[case.case.family], unjudged or none_allowed())
        document["reach"] = reach.of_direction(case.case, case.data).document()
        lines[case.case.family].append(json.dumps(document, ensure_ascii=False, separators=(", ", ": ")))
    return {directory / "directions" / f"{name}.jsonl": "\n".join(entries) + "\n" for name, entries in lines.items()}


def ask(directory: Path, cases: list[DirectionCase]) -> list[LayoutError]:
    """Run all releases on all cases; record the answers, and return differences from the reference.

    Raises:
        NotReadyError: a release is not installed.
    """
    errors = []
    recorded: dict[str, Oracle] = {name: {} for name in DIRECTIONS}
    for release in deciding():
        for question, reply in _replies(release, cases):
            if isinstance(reply, TargetLostError):
                errors.append(question.case.section.error(f"`{question.case.id}`: {name_of(release)} {reply.detail}"))
                continue
            if reply.status == Status.UNSUPPORTED:
                continue
            answered = question.direction.read_answer(reply)
            recorded[question.case.family].setdefault(name_of(release), {})[key_of(question)] = _digest(answered)
            expected = question.direction.comparable(question.direction.outcome(question.case.section, question.data))
            if answered != expected:
                name = f"`{question.case.id}`: {name_of(release)}"
                text = f"{name} gives {answered}, the reference {expected} {reply.text[:200]}"
                errors.append(question.case.section.error(text))
    for name, file in oracle_files(directory).items():
        file.write_text(json.dumps(recorded[name], indent=0, sort_keys=True) + "\n", encoding="utf-8")
    return errors


def _replies(release: Release, cases: list[DirectionCase]) -> Iterator[tuple[DirectionCase, Reply | TargetLostError]]:
    """Yield a release's reply to each case. One that it dies of costs only a restart."""
    judge = installation(target_of(release))
    judge.check()
    command = judge.command()
    with ExitStack() as stack:
        client = stack.enter_context(AdapterClient(command, Limits()))
        for case in cases:
            try:
                yield case, _reply(client, case)
            except TargetLostError as lost:
                yield case, lost
                client = stack.enter_context(AdapterClient(command, Limits()))


def _reply(client: AdapterClient, direction_case: DirectionCase) -> Reply:
    client.put_inputs(
        direction_case.direction.kind,
        [direction_case.direction.question(direction_case.case.section, direction_case.data)],
    )
    _, (reply,) = client.receive()
    return reply


def _document(direction_case: DirectionCase, reports: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    case, direction = direction_case.case, direction_case.direction
    outcome = direction.outcome(case.section, direction_case.data)
    return {
        "id": case.id,
        "title": case.title,
        "family": case.family,
        "formats": INPUTS["run"].formats(direction_case.data),
        "rules": list(case.rules),
        "verdict": "invalid" if outcome["outcome"] == "refused" else "valid",
        "hex": direction_case.data.hex(),
        **direction.question_keys(case.section),
        "expected": outcome,
        "provenance": provenance(case, reports),
    }


def _judged(direction_case: DirectionCase, oracle: Oracle, waiting: Unjudged) -> dict[str, Any]:
    """Return the releases that did just the same; any other is an error."""
    outcome = direction_case.direction.outcome(direction_case.case.section, direction_case.data)
    expected = _digest(direction_case.direction.comparable(outcome))
    said = {
        release: known[key_of(direction_case)] for release, known in oracle.items() if key_of(direction_case) in known
    }
    if not said:
        text = f"`{direction_case.case.id}` was never put to Kafka"
        waiting.add(direction_case.case.section.error(text, advice="run `make oracle`"))
        return {"oracle": [], **MARK}
    for release, digest in said.items():
        if digest != expected:
            raise direction_case.case.section.error(f"`{direction_case.case.id}`: {release} does something else")
    return {"oracle": sorted(said, reverse=True)}


def key_of(direction_case: DirectionCase) -> str:
    """Return the key of a case in the record: the digest of its request."""
    question = direction_case.direction.question(direction_case.case.section, direction_case.data)
    return hashlib.sha256(messages.request(InputRequest(direction_case.direction.kind, 0, [question]))).hexdigest()[:32]


def _digest(outcome: Any) -> str:
    return hashlib.sha256(json.dumps(outcome, sort_keys=True).encode()).hexdigest()[:32]


def _read(file: Path) -> Oracle:
    if not file.exists():
        return {}
    known: Oracle = json.loads(file.read_text(encoding="utf-8"))
    return known
