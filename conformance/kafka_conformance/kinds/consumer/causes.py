"""Findings about consumers as a list of bugs: what is known of the library, then what it does.

A wrong consumer stands for the target: it reads each vector as the target did. Who gives the same
records in the same order and goes on at the same offsets most likely does the same. What a consumer
does in conversations shows the same bugs where the log does, and has causes of its own elsewhere.
What is left is about the bytes, and is diagnosed like the findings of a decoder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from kafka_conformance.diagnosis.cause import Cause, Diagnosis, merge
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.diagnosis.groups import FindingGroup, cause_of_group
from kafka_conformance.diagnosis.match import Match, cover, known_matches, matches
from kafka_conformance.diagnosis.signature import Signature, client_signatures, signatures
from kafka_conformance.diagnosis.symptom import symptom
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.consumer.conversation_causes import conversation_groups
from kafka_conformance.kinds.consumer.wrong_answers import ConsumerAnswer, is_explained, read
from kafka_conformance.kinds.consumer.wrong_consumers import WRONG_CONSUMERS, Way, WrongConsumer
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction, Hello
from kafka_conformance.vectors.vector import Subject, Vector

_WRONG: Final = 0.25
"""What a wrong consumer would fail and the target passes, of what it explains, if it is believed."""

_MORE: Final = 1.25
"""So many times as much must a wrong decoder explain, if it is named instead."""


def diagnose_consumer(
    target: str, results: Sequence[Result], vectors: Mapping[str, Vector], hello: Hello
) -> Diagnosis:
    """Return what the findings of a consumer come from."""
    findings = {result.vector: result for result in results if result.is_finding}
    if not findings:
        return Diagnosis()
    known = _known(target, findings)
    answers = [read(vectors[result.vector], result, hello) for result in results if result.vector not in known]
    explained = list(_explained([answer for answer in answers if answer is not None], findings))
    causes = [_cause(match, findings, vectors) for match in explained]
    told = known.union(*(match.exact for match in explained))
    causes += _of_conversations({name: result for name, result in findings.items() if name not in told}, vectors)
    told = frozenset(result.vector for cause in causes for result in cause.findings)
    rest = [result for result in results if result.vector not in told]
    return merge([Diagnosis(tuple(causes)), diagnose(target, rest, vectors, fields=hello.fields)])


def _known(target: str, findings: Mapping[str, Result]) -> frozenset[str]:
    """Return the findings that what is known of the library explains."""
    library = target.partition("@")[0]
    pool = [*client_signatures(), *signatures()]
    own = [signature for signature in pool if signature.is_seen_in(library)]
    failed = {name: symptom(result) for name, result in findings.items()}
    bugs = known_matches(own, failed, library) if own else []
    return frozenset[str]().union(*(match.exact for bug in bugs for match in bug))


def _explained(answers: Sequence[ConsumerAnswer], findings: Mapping[str, Result]) -> Iterator[Match]:
    """Yield the wrong consumers that add up to what a target does, what explains most first."""
    wrong = [answer for answer in answers if answer.result.vector in findings]
    passed = [answer for answer in answers if answer.result.outcome is Outcome.PASSED]
    fit = [
        match
        for consumer in WRONG_CONSUMERS
        for way in consumer.ways
        if (match := _match(consumer, way, wrong, passed)) is not None
    ]
    failed = {answer.result.vector: symptom(answer.result) for answer in wrong}
    decoders = matches(signatures(), failed, [answer.result.vector for answer in passed], "") if fit else []
    for match in cover(fit):
        rivals = (other for other in decoders if match.exact <= other.exact and other.passed <= match.passed)
        if max((len(other.exact) for other in rivals), default=0) < _MORE * len(match.exact):
            yield match


def _match(
    consumer: WrongConsumer, way: Way, wrong: Iterable[ConsumerAnswer], passed: Iterable[ConsumerAnswer]
) -> Match | None:
    """Return what a wrong consumer explains; None if it is not the target."""
    foreseen = [(answer, is_explained(answer, way)) for answer in wrong]
    exact = frozenset(answer.result.vector for answer, said in foreseen if said)
    if not exact:
        return None
    others = frozenset(answer.result.vector for answer, said in foreseen if said is False)
    right = sum(is_explained(answer, way) is not None for answer in passed)
    if right > _WRONG * len(exact) or len(others) > len(exact):
        return None
    return Match(Signature(consumer.id, consumer.does, Direction.DECODE, {}), exact, others, right)


def _cause(match: Match, findings: Mapping[str, Result], vectors: Mapping[str, Vector]) -> Cause:
    group = FindingGroup(match.signature.id, match.signature.does)
    return cause_of_group(group, [findings[name] for name in sorted(match.exact)], vectors, ())


def _of_conversations(left: Mapping[str, Result], vectors: Mapping[str, Vector]) -> Iterator[Cause]:
    """Yield causes of what goes wrong in conversations, of what is not explained yet."""
    about = [result for name, result in left.items() if vectors[name].subject is Subject.CONVERSATION]
    for group, results in conversation_groups(about):
        yield cause_of_group(group, results, vectors, ())
