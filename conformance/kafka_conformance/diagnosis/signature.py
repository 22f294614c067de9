"""Wrong decoders and encoders by name, and how each fails the vectors: mutants and known findings.

A mutant is a reference with one thing wrong on purpose; vectors/kills.json has what it fails, and
how. A known finding is what somebody's decoder was seen to do; `targets.catalogue` has the
vectors that show it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from kafka_format.spec import data

from kafka_conformance.diagnosis.symptom import ANY, ANY_FIELD, of_outcome
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Finding, FindingKind, Findings, Part

_NO_REPORT: Final = "mutation"
_ASKED: Final = frozenset(direction.value for direction in Direction)


GENERAL: Final = "*"
"""In place of a target: the signature is that of nobody, but made of a rule; see
`diagnosis.by_rule`."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What one wrong decoder or encoder fails.

    Attributes:
        id: stable name, which a known-failures file may use: `decode/...` of a mutant, `TARGET/...`
            of a finding.
        does: what it does wrong, as a sentence without its subject: `reads the offset as int8`.
        direction: what it does wrong: decoding or encoding.
        fails: how it fails each vector, by id; patterns of ids in a signature that was seen, not
            made.
        reports: where people reported such a bug.
        target: whose decoder was seen to do it; empty for a mutant, `GENERAL` for one made of a
            rule.
        also: other targets with the same library in them.
        bug: id of the signature whose bug it is another sign of; empty if it is one by itself.
        kind: how much it matters, of one that was seen; see spec/schema/findings.schema.json.
        cause: id of the cause that it is told by, of one that was seen and is known by that alone:
            then it has no vectors.
    """

    id: str
    does: str
    direction: Direction
    fails: Mapping[str, str]
    reports: tuple[str, ...] = ()
    target: str = ""
    also: tuple[str, ...] = ()
    bug: str = ""
    kind: str = ""
    cause: str = ""

    def is_seen_in(self, library: str) -> bool:
        """Tell whether it was seen in the library of a target; `library` is its name."""
        return library == self.target or library in self.also

    @property
    def is_harmless(self) -> bool:
        """True if it was seen, and is a difference that is no bug."""
        return self.kind == FindingKind.TOLERATED

    @property
    def bug_id(self) -> str:
        """The id of the bug that it is a sign of."""
        return self.bug or self.id


@cache
def signatures() -> tuple[Signature, ...]:
    """Return all signatures but those of consumers and producers, mutants first."""
    return (*_mutants(), *_findings(catalogue.about(Part.DECODER)))


@cache
def client_signatures() -> tuple[Signature, ...]:
    """Return what was seen in consumers and producers, beyond decoders and encoders.

    It says nothing about others.
    """
    return (*_findings(catalogue.about(Part.CONSUMER)), *_findings(catalogue.about(Part.PRODUCER)))


def _mutants() -> Iterator[Signature]:
    file = data.path("vectors") / "kills.json"
    table = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"vectors": [], "mutants": []}
    for mutant in table["mutants"]:
        if mutant["direction"] in _ASKED:
            yield mutant_signature(mutant, table["vectors"])


def mutant_signature(mutant: Mapping[str, Any], vectors: list[str]) -> Signature:
    """Return the signature of a kill table's entry; its places count in `vectors`."""
    fails = {vectors[place]: how for how, places in mutant["fails"].items() for place in places}
    reports = tuple(report for report in mutant["source"] if report != _NO_REPORT)
    return Signature(mutant["id"], _clause(mutant["does"]), Direction(mutant["direction"]), fails, reports)


def _findings(files: Mapping[str, Findings]) -> Iterator[Signature]:
    for file in files.values():
        also = (*file.also, f"consumer-{file.target}", f"producer-{file.target}")  # which decode and encode with it
        for finding in file.findings:
            fails = {} if finding.cause else dict.fromkeys(finding.vectors, _symptom(finding))
            reports = (finding.upstream,) if finding.upstream else ()
            name = f"{finding.target}/{finding.id}"
            bug = f"{finding.target}/{finding.bug}" if finding.bug else ""
            yield Signature(
                id=name,
                does=finding.title,
                direction=finding.direction,
                fails=fails,
                reports=reports,
                target=finding.target,
                also=also,
                bug=bug,
                kind=str(finding.kind),
                cause=finding.cause,
            )


def _symptom(finding: Finding) -> str:
    if len(finding.outcomes) > 1:
        return ANY
    return ANY_FIELD if finding.outcomes[0] is Outcome.WRONG_ANSWER else of_outcome(finding.outcomes[0])


def _clause(sentence: str) -> str:
    """Make a clause of a sentence: `Reads it.` is `reads it`; names in capitals stay."""
    text = sentence.rstrip(".")
    return text[:1].lower() + text[1:]
