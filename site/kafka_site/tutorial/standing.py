"""How the decoder of each step does: it is put to the vectors, as a user's is."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import runner
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors.vector import Vector

from kafka_site.tutorial.steps import LANGUAGES, Step, steps

FORMATS: Final = frozenset({"v0", "v1", "v2"})
"""What the tutorial is about."""

_CAUSES: Final = 5


class Standing(NamedTuple):
    """What the suite says of a step.

    Attributes:
        passed: vectors that pass.
        wrong: vectors that the decoder takes on and gets wrong.
        missing: vectors of these formats that it does not take on yet.
        rules: the rules that pass: at least one vector about it passes, and none is wrong.
        causes: what the wrong ones come from, with their counts, the largest first.
    """

    passed: int
    wrong: int
    missing: int
    rules: Sequence[str]
    causes: Sequence[tuple[int, str]]

    @property
    def total(self) -> int:
        """All vectors of these formats."""
        return self.passed + self.wrong + self.missing


def about(vectors: Sequence[Vector]) -> list[Vector]:
    """Return the vectors of the formats that the tutorial is about."""
    return [vector for vector in vectors if FORMATS.issuperset(vector.formats)]


def every_step() -> list[Step]:
    """Return the steps of every language that can be run here."""
    ready = [language for language in LANGUAGES if shutil.which(language.program)]
    return [step for language in ready for step in steps(language)]


def standings(chosen: Sequence[Step], vectors: Sequence[Vector], kept: Path | None = None) -> dict[str, Standing]:
    """Put vectors to steps, and return what came of it by `key`.

    Args:
        chosen: the steps.
        vectors: what is put to them.
        kept: a file with what is known from an earlier build; it is read and written.
    """
    known = _read(kept)
    identity = _identity(vectors)
    names = {key(step): _digest(step, identity) for step in chosen}
    stale = [step for step in chosen if names[key(step)] not in known]
    known |= {names[name]: standing for name, standing in _measure(stale, vectors).items()}
    by_name = {name: known[digest] for name, digest in names.items()}
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({names[name]: standing for name, standing in by_name.items()}), encoding="utf-8")
    return by_name


def key(step: Step) -> str:
    """Return the name of a step among those of all languages."""
    return f"{step.language.name}/{step.name}"


def _read(kept: Path | None) -> dict[str, Standing]:
    if kept is None or not kept.exists():
        return {}
    return {digest: Standing(*values) for digest, values in json.loads(kept.read_text(encoding="utf-8")).items()}


def _identity(vectors: Sequence[Vector]) -> str:
    parts = [
        (vector.id, vector.data.hex(), vector.verdict, vector.rules, list(vector.answer or ())) for vector in vectors
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _digest(step: Step, vectors: str) -> str:
    template = step.language.template.read_text(encoding="utf-8")
    return hashlib.sha256(repr((vectors, template, sorted(step.files.items()))).encode()).hexdigest()


def _measure(chosen: Sequence[Step], vectors: Sequence[Vector]) -> dict[str, Standing]:
    with tempfile.TemporaryDirectory() as folder:
        candidates = [Candidate(key(step), step.write(Path(folder) / key(step))) for step in chosen]
        run = runner.run(candidates, vectors, runner.RunOptions(jobs=2))
        return {
            target.name: _standing(list(run.of(target.name)), run.diagnoses[target.name], vectors)
            for target in run.targets
        }


def _standing(results: Sequence[Result], diagnosis: Diagnosis, vectors: Sequence[Vector]) -> Standing:
    outcomes = {result.vector: result.outcome for result in results}
    wrong = sum(outcome.is_finding for outcome in outcomes.values())
    passed = sum(outcome is Outcome.PASSED for outcome in outcomes.values())
    causes = sorted(((len(cause.findings), cause.does) for cause in diagnosis.causes), reverse=True)
    return Standing(passed, wrong, len(vectors) - passed - wrong, _rules(outcomes, vectors), causes[:_CAUSES])


def _rules(outcomes: Mapping[str, Outcome], vectors: Sequence[Vector]) -> list[str]:
    """Return the rules that have a vector that passes, and none that is wrong."""
    passed = {rule for vector in vectors if outcomes[vector.id] is Outcome.PASSED for rule in vector.rules}
    wrong = {rule for vector in vectors if outcomes[vector.id].is_finding for rule in vector.rules}
    return sorted(passed - wrong)
