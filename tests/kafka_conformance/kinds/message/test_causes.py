"""Thousands of findings in requests and responses become a list of bugs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from kafka_conformance.diagnosis.cause import Diagnosis
from kafka_conformance.diagnosis.checks import check_of
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.causes import _is_cause, diagnose_messages
from kafka_conformance.kinds.message.message_groups import _common_words, _verb, version_words
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.outcomes import Outcome
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import FindingKind, Part
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Reach, Vector, Verdict


@pytest.fixture(scope="module")
def vectors() -> dict[str, Vector]:
    asked = list(in_versions(protocol.load(families=["heartbeat", "list_groups"])))
    return {vector.id: vector for vector in message_vectors(asked)}


def told(vectors: dict[str, Vector], wrong: dict[str, Outcome]) -> Diagnosis:
    return diagnose_messages([Result(name, "toy", wrong.get(name, Outcome.PASSED)) for name in vectors], vectors)


def names(found: Diagnosis) -> list[tuple[str, int]]:
    return [(cause.id, len(cause.findings)) for cause in found.causes]


def of(vectors: dict[str, Vector], family: str, kind: str, version: int) -> Iterator[str]:
    chosen = (vector for vector in vectors.values() if (vector.family, vector.format) == (family, kind))
    return (vector.id for vector in chosen if vector.formats == (str(version),))


def test_nothing_wrong(vectors: dict[str, Vector]) -> None:
    assert told(vectors, {}) == Diagnosis()


def test_a_version_that_is_misread_is_one_cause(vectors: dict[str, Vector]) -> None:
    """All its wrong answers are, to bytes that break a rule, too; what is accepted there has a
    cause of its own. No mutant explains these: none would give the answers of this target."""
    lenient = [name for name in of(vectors, "heartbeat", "request", 4) if vectors[name].verdict is not Verdict.INVALID]
    invalid = [name for name in of(vectors, "heartbeat", "request", 4) if vectors[name].verdict is Verdict.INVALID]
    wrong = dict.fromkeys(lenient, Outcome.WRONG_ANSWER) | {invalid[0]: Outcome.ACCEPTED_INVALID}
    diagnosis = told(vectors, wrong)
    rule = vectors[invalid[0]].fault
    assert rule is not None
    assert names(diagnosis) == [
        ("message/heartbeat-request", len(lenient)),
        (f"message/accepted/{check_of(rule.rule).id}", 1),
    ]
    assert diagnosis.causes[0].does == "misreads the request of heartbeat, version 4"
    assert diagnosis.causes[0].reach is Reach.BROKER
    assert diagnosis.unexplained == ()


def test_the_field_that_is_wrong_in_most_answers_is_named(vectors: dict[str, Vector]) -> None:
    wrong = [name for name in of(vectors, "list-groups", "response", 0) if vectors[name].verdict is Verdict.VALID]
    results = [
        Result(name, "toy", Outcome.WRONG_ANSWER, path="groups[1].protocolType", expected='"a"', got='"b"')
        for name in wrong
    ]
    (cause,) = diagnose_messages(results, vectors, "json").causes
    assert cause.does == "misreads `protocolType` in the response of list-groups, version 0"


def test_what_is_refused_with_the_same_words_is_told_with_them() -> None:
    results = [
        Result(str(number), "t", Outcome.REFUSED_VALID, detail=f"ends at {number}, not at the end")
        for number in range(3)
    ]
    assert (_verb(results), _common_words(results)) == ("refuses", ": ends at N, not at the end")
    others = [*results, *(Result("x", "t", Outcome.WRONG_ANSWER) for _ in range(4))]
    assert (_verb(others), _common_words(others)) == ("misreads", "")
    lost = [Result("x", "t", Outcome.HUNG, detail="took 3 s")]
    assert (_verb(lost), _common_words(lost)) == ("crashes, hangs or takes too much memory on", "")


def test_a_rule_that_is_not_kept_is_one_cause_in_all_messages(vectors: dict[str, Vector]) -> None:
    faulty = [name for name, vector in vectors.items() if vector.fault and vector.fault.rule == "varint.minimal"]
    assert {vectors[name].family for name in faulty} == {"heartbeat", "list-groups"}
    diagnosis = told(vectors, dict.fromkeys(faulty, Outcome.WRONG_ANSWER))
    assert names(diagnosis) == [("message/otherwise/varint", len(faulty))]
    assert diagnosis.causes[0].reach is Reach.CRAFTED


def test_a_kind_of_valid_message_is_one_cause_in_all_messages(vectors: dict[str, Vector]) -> None:
    kind = [name for name in vectors if name.partition("@")[0].endswith("/unknown-tags")]
    diagnosis = told(vectors, dict.fromkeys(kind, Outcome.REFUSED_VALID))
    assert names(diagnosis) == [("reads/unknown-tags-refused", len(kind))]
    assert diagnosis.causes[0].does.startswith("refuses tagged fields that it does not know")


@pytest.mark.parametrize(("others", "expected"), [(0, True), (1, True), (2, False)])
def test_a_difference_that_is_no_bug_is_no_cause_of_much_else(
    vectors: dict[str, Vector], others: int, expected: bool
) -> None:
    """It would hide what is new."""
    harmless = next(each for each in catalogue.about(Part.MESSAGES)["platformatic-kafka"].findings if not each.bug)
    assert harmless.kind is FindingKind.TOLERATED
    found = [
        Result(name, "platformatic-kafka", Outcome.REFUSED_VALID) for name in [harmless.smallest, *[*vectors][:others]]
    ]
    (cause,) = told(vectors, dict.fromkeys([*vectors][:3], Outcome.REFUSED_VALID)).causes
    assert _is_cause(harmless, replace(cause, findings=tuple(found))) is expected


def test_what_is_not_told_is_one_cause_in_all_messages(vectors: dict[str, Vector]) -> None:
    newest = of(vectors, "list-groups", "response", 5)
    plain = [name for name in newest if vectors[name].verdict is Verdict.VALID]
    differences = [("5", "missing", "throttleTimeMs"), ("null", "[]", "groups"), ("null", '""', "groups[0].groupState")]
    results = [
        Result(name, "toy", Outcome.WRONG_ANSWER, expected=expected, got=got, path=path)
        for name, (expected, got, path) in zip(plain, differences, strict=False)
    ]
    passed = [Result(name, "toy", Outcome.PASSED) for name in vectors if name not in plain[: len(results)]]
    diagnosis = diagnose_messages(results + passed, vectors, "json")
    assert sorted(names(diagnosis)) == [("message/not-told/null", 2), ("message/not-told/throttleTimeMs", 1)]


def test_who_gets_nothing_right_does_one_thing_wrong(vectors: dict[str, Vector]) -> None:
    diagnosis = told(vectors, dict.fromkeys(vectors, Outcome.CRASHED))
    assert names(diagnosis) == [("message/all", len(vectors))]


def test_a_target_that_dies(vectors: dict[str, Vector]) -> None:
    diagnosis = told(vectors, {"heartbeat-request/4/typical": Outcome.CRASHED})
    assert names(diagnosis) == [("message/heartbeat-request", 1)]


@pytest.mark.parametrize(
    ("versions", "words"),
    [
        ([4], "version 4"),
        ([0, 1], "versions 0 to 1"),
        ([7, 0, 1, 2], "versions 0 to 2 and 7"),
        ([1, 3, 5, 6], "versions 1, 3 and 5 to 6"),
    ],
)
def test_spoken(versions: Sequence[int], words: str) -> None:
    assert version_words(versions) == words
