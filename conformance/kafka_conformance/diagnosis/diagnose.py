"""Group the findings of a target into causes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from kafka_conformance.diagnosis import miswriting
from kafka_conformance.diagnosis.bug_groups import group
from kafka_conformance.diagnosis.by_rule import general_signatures
from kafka_conformance.diagnosis.cause import Cause, Diagnosis, worst_first
from kafka_conformance.diagnosis.group_cause import cause_of, confirmed_cause, plain_cause
from kafka_conformance.diagnosis.habits import FEWEST, Habit, habits
from kafka_conformance.diagnosis.match import Match, known_matches, matches
from kafka_conformance.diagnosis.omissions import Omission, omissions
from kafka_conformance.diagnosis.signature import Signature, client_signatures, signatures
from kafka_conformance.diagnosis.symptom import symptom
from kafka_conformance.diagnosis.traits import trait_of
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import FIELDS, Direction
from kafka_conformance.vectors.vector import Reach, Subject, Vector

_SHARE: Final = 0.02
"""What of all that goes wrong in one way a known bug shows at least, if it is that bug."""


def diagnose(
    target: str,
    results: Iterable[Result],
    vectors: Mapping[str, Vector],
    known: Sequence[Signature] | None = None,
    fields: Collection[str] = FIELDS,
    fewest: int = FEWEST,
) -> Diagnosis:
    """Return what the findings of a target come from.

    Args:
        target: its name; what was seen in the same library comes first.
        results: what came of every vector that was put to it.
        vectors: the vectors by id.
        known: the signatures to look among; all by default.
        fields: those that the target declares; all by default.
        fewest: how many answers show what a target always does.
    """
    kept, library = list(results), target.partition("@")[0]
    if not any(result.is_finding for result in kept):
        return Diagnosis((), (), ())  # without a look at signatures, which take longer to load than such a run
    pool = _signatures(library, vectors.values()) if known is None else known
    causes: list[Cause] = []
    unexplained: list[Result] = []
    for direction in Direction:
        asked = {result.vector: result for result in kept if result.direction is direction}
        among = [signature for signature in pool if signature.direction is direction]
        direct, rest = _of_direction(asked, among, vectors, library, fields, fewest)
        causes += direct
        unexplained += rest
    order = list(Reach)
    unexplained.sort(key=lambda result: (order.index(vectors[result.vector].reach), len(vectors[result.vector].data)))
    return Diagnosis(
        tuple(worst_first(causes)), tuple(unexplained), tuple(vectors[result.vector].reach for result in unexplained)
    )


def signatures_of_clients(target: str, vectors: Iterable[Vector]) -> list[Signature]:
    """Return what a consumer or producer may be like: what was seen in its library, and mutants.

    What decoders and encoders of others do says nothing of a whole client.
    """
    library = target.partition("@")[0]
    own = [each for each in (*client_signatures(), *signatures()) if each.is_seen_in(library)]
    return [*own, *(each for each in signatures() if not each.target), *general_signatures(vectors)]


def _signatures(library: str, vectors: Iterable[Vector]) -> list[Signature]:
    """Return what a target may be like: wrong decoders, and of clients what was seen in it."""
    own = [signature for signature in client_signatures() if signature.is_seen_in(library)]
    return [*own, *signatures(), *general_signatures(vectors)]


def _of_direction(
    asked: Mapping[str, Result],
    among: Sequence[Signature],
    vectors: Mapping[str, Vector],
    library: str,
    fields: Collection[str],
    fewest: int,
) -> tuple[list[Cause], list[Result]]:
    findings = {name: result for name, result in asked.items() if result.is_finding}
    if not findings:
        return [], []
    direction = next(iter(findings.values())).direction
    failed = {name: symptom(result) for name, result in findings.items()}
    passed = {name for name, result in asked.items() if result.outcome is Outcome.PASSED}
    candidates = matches(among, failed, passed, library)
    bugs = sorted(known_matches(among, failed, library), key=lambda bug: bug[0].signature.target != library)
    own = frozenset[str]().union(*(match.exact for bug in bugs for match in bug))
    written = miswriting.habits(findings.values())
    asked_else = {name: result for name, result in asked.items() if not result.miswritten}
    always = [*written, *habits(asked_else.values(), vectors, fields, candidates, direction, fewest)]
    always = [_name_known_bug(_add_its_mutant(habit, candidates), bugs, vectors) for habit in always]
    own = own.union(*(habit.findings for habit in always))
    plain: list[Habit | Omission] = [*always, *omissions(asked_else, vectors, candidates, own)]
    causes = [plain_cause(habit, asked, vectors, among) for habit in plain]
    if plain:
        failed = {name: how for name, how in failed.items() if not any(name in habit.findings for habit in plain)}
        candidates = matches(among, failed, passed, library)
    traits = {name: trait_of(findings[name], vectors[name]) for name in failed}
    groups, rest = group(known_matches(among, failed, library), candidates, traits)
    causes += [cause_of(matched, asked, vectors, candidates, direction) for matched in groups]
    known = {signature.id: signature for signature in among if signature.is_seen_in(library)}
    seen = {signature.cause: known.get(signature.bug, signature) for signature in known.values() if signature.cause}
    causes = [confirmed_cause(cause, seen[cause.id]) if cause.id in seen else cause for cause in causes]
    return causes, [result for name, result in findings.items() if name in rest]


def _add_its_mutant(habit: Habit, matches: Iterable[Match]) -> Habit:
    """Return a habit with what the mutant of its name explains, too: it is one cause, not two."""
    exact = (match.exact for match in matches if match.signature.id == habit.id)
    return habit._replace(findings=habit.findings.union(*exact))


def _name_known_bug(habit: Habit, bugs: Sequence[Sequence[Match]], vectors: Mapping[str, Vector]) -> Habit:
    """Return a habit by the name of the known bug of the library that it is, with its findings.

    It is one if most findings of the bug show it, or most that it explains are findings of the bug;
    the first of several. A difference that is no bug is it only if most that it explains is known:
    it would hide what is new.
    """
    for matches_of_bug in bugs:
        signature = matches_of_bug[0].signature
        exact = frozenset[str]().union(*(match.exact for match in matches_of_bug))
        sizes = [len(habit.findings)] if signature.is_harmless else [len(exact), len(habit.findings)]
        both = exact & habit.findings
        if 2 * len(both) >= min(sizes) and is_much_of(both, habit.findings, vectors):
            return habit._replace(id=signature.bug_id, does=signature.does, note="", findings=habit.findings | exact)
    return habit


def is_much_of(shown: Collection[str], found: Collection[str], vectors: Mapping[str, Vector]) -> bool:
    """Tell whether a known bug is much of what goes wrong in one way.

    A bug that conversations alone show, or one of very many vectors, shows there what is wrong
    everywhere.

    Args:
        shown: the vectors of the bug that go wrong so.
        found: all that go wrong so.
        vectors: the vectors by id.
    """
    is_plain = any(vectors[name].subject is not Subject.CONVERSATION for name in shown)
    return is_plain and len(shown) >= _SHARE * len(found)
