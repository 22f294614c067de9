"""Findings grouped into causes: what each cause says, what adds up, and what is left over."""

from dataclasses import replace

import pytest
from kafka_conformance.diagnosis import diagnose as diagnosing
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.diagnosis.habits import Habit
from kafka_conformance.diagnosis.signature import Signature
from kafka_conformance.diagnosis.symptom import ANY, ANY_FIELD, agree, field_of, symptom
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.vector import Reach, Refusal, Subject, Vector, Verdict


def vector(name: str, reach: Reach = Reach.CRAFTED, size: int = 10, **more: object) -> Vector:
    return Vector(
        id=name,
        title=name,
        format="v2",
        family="test",
        formats=("v2",),
        codecs=("none",),
        rules=("v2.offset",),
        verdict=Verdict.VALID,
        data=bytes(size),
        answer=(),
        reach=reach,
        **more,
    )


VECTORS = {
    one.id: one
    for one in (
        vector("t/a", Reach.BROKER, 30),
        vector("t/b", Reach.CRAFTED, 5),
        vector("t/c", Reach.BROKER, 20, provenance={"reports": ["o/r#7"]}),
        vector("t/d", Reach.DAMAGE),
        vector("t/e", Reach.PRODUCER),
    )
}


def wrong(name: str, path: str = "records[0].offset") -> Result:
    return Result(name, "toy", Outcome.WRONG_ANSWER, path=path)


def passed(*names: str) -> list[Result]:
    return [Result(name, "toy", Outcome.PASSED) for name in names]


def signature(name: str, target: str = "", **fails: str) -> Signature:
    by_id = {f"t/{key}": how for key, how in fails.items()}
    return Signature(name, f"does {name}", Direction.DECODE, by_id, ("o/r#1",), target)


def test_a_cause_says_what_a_maintainer_wants_to_know() -> None:
    known = [signature("offsets", a="offset", b="offset", c="offset")]
    diagnosis = diagnose("toy", [wrong("t/a"), wrong("t/b"), wrong("t/c"), *passed("t/d")], VECTORS, known)
    (cause,) = diagnosis.causes
    assert (cause.id, cause.does, cause.passed) == ("offsets", "does offsets", 0)
    assert (cause.reach, cause.example) == (Reach.BROKER, "t/c")
    assert (cause.rule, cause.fields, cause.reports) == ("v2.offset", ("offset",), ("o/r#1", "o/r#7"))
    assert cause.is_met
    assert (diagnosis.findings, diagnosis.unexplained) == (3, ())


def test_causes_add_up_and_what_is_left_is_said() -> None:
    known = [signature("x", a="offset", b="offset"), signature("y", d="refused"), signature("z", e="offset", b="key")]
    refused = Result("t/d", "toy", Outcome.REFUSED_VALID)
    other = Result("t/e", "toy", Outcome.REFUSED_VALID, detail="Odd")
    diagnosis = diagnose("toy", [wrong("t/a"), wrong("t/b"), refused, other, *passed("t/c")], VECTORS, known)
    assert [cause.id for cause in diagnosis.causes] == ["x", "y"]
    assert [(result.vector, reach) for result, reach in zip(diagnosis.unexplained, diagnosis.reaches, strict=True)] == [
        ("t/e", Reach.PRODUCER)
    ]


def test_the_worst_reach_comes_first_then_the_number_of_findings() -> None:
    known = [signature("crafted", b="offset"), signature("damage", d="offset"), signature("met", a="offset")]
    diagnosis = diagnose("toy", [wrong("t/b"), wrong("t/d"), wrong("t/a")], VECTORS, known)
    assert [cause.id for cause in diagnosis.causes] == ["met", "damage", "crafted"]


def test_a_signature_whose_vectors_mostly_pass_explains_nothing() -> None:
    known = [signature("wide", a="offset", b="offset", c="offset")]
    diagnosis = diagnose("toy", [wrong("t/a"), *passed("t/b", "t/c")], VECTORS, known)
    assert (diagnosis.causes, len(diagnosis.unexplained)) == ((), 1)


def test_what_cannot_be_told_apart_is_named_too_and_the_own_library_comes_first() -> None:
    known = [signature("mutant", a="offset"), signature("toy/seen", "toy", a=ANY_FIELD), signature("o/s", "o", a=ANY)]
    (cause,) = diagnose("toy@1.2", [wrong("t/a")], VECTORS, known).causes
    assert (cause.id, cause.others) == ("toy/seen", ("mutant", "o/s"))
    (cause,) = diagnose("other", [wrong("t/a")], VECTORS, known).causes
    assert cause.id == "mutant"


def test_what_was_seen_in_another_library_is_said_in_its_name() -> None:
    known = [signature("toy/seen", "toy", a=ANY_FIELD)]
    (cause,) = diagnose("other", [wrong("t/a")], VECTORS, known).causes
    assert cause.does == "fails as toy does, which does toy/seen"
    (cause,) = diagnose("toy@2", [wrong("t/a")], VECTORS, known).causes
    assert cause.does == "does toy/seen"


def test_a_habit_goes_by_the_bug_of_the_own_library_not_by_that_of_one_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrapper may do everywhere what the library in it does in one format."""
    inner = replace(signature("inner/zero", "inner", a="offset", b="offset"), also=("toy",))
    known = [inner, signature("toy/zero", "toy", c="offset")]
    always = Habit("always/zero", "gives zero", "", frozenset({"t/a", "t/b", "t/c"}))
    monkeypatch.setattr(diagnosing, "habits", lambda *_: [always])
    (cause,) = diagnose("toy", [wrong("t/a"), wrong("t/b"), wrong("t/c")], VECTORS, known).causes
    assert (cause.id, len(cause.findings)) == ("toy/zero", 3)


def test_a_habit_is_no_harmless_difference_that_one_of_its_vectors_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is new in great number would be hidden."""
    known = [replace(signature("toy/other", "toy", a="offset"), kind="tolerated")]
    always = Habit("always/zero", "gives zero", "", frozenset({"t/a", "t/b", "t/c"}))
    monkeypatch.setattr(diagnosing, "habits", lambda *_: [always])
    (cause,) = diagnose("toy", [wrong("t/a"), wrong("t/b"), wrong("t/c")], VECTORS, known).causes
    assert (cause.id, cause.is_harmless) == ("always/zero", False)
    known = [replace(signature("toy/other", "toy", a="offset", b="offset"), kind="tolerated")]
    (cause,) = diagnose("toy", [wrong("t/a"), wrong("t/b"), wrong("t/c")], VECTORS, known).causes
    assert (cause.id, cause.is_harmless) == ("toy/other", True)


def test_a_habit_is_no_bug_that_one_of_its_many_vectors_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong everywhere is wrong there, too."""
    known = [signature("toy/other", "toy", a="offset")]
    every = {f"t/{number}": vector(f"t/{number}") for number in range(60)} | VECTORS
    always = Habit("always/zero", "gives zero", "", frozenset(every))
    monkeypatch.setattr(diagnosing, "habits", lambda *_: [always])
    (cause,) = diagnose("toy", [wrong(name) for name in every], every, known).causes
    assert cause.id == "always/zero"


def test_a_habit_is_no_bug_that_only_a_conversation_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [signature("toy/other", "toy", a="offset")]
    talk = VECTORS | {"t/a": replace(VECTORS["t/a"], subject=Subject.CONVERSATION)}
    always = Habit("always/zero", "gives zero", "", frozenset({"t/a", "t/b", "t/c"}))
    monkeypatch.setattr(diagnosing, "habits", lambda *_: [always])
    (cause,) = diagnose("toy", [wrong("t/a"), wrong("t/b"), wrong("t/c")], talk, known).causes
    assert cause.id == "always/zero"


def test_another_sign_of_a_bug_goes_by_what_the_bug_does() -> None:
    sign = replace(signature("toy/sign", "toy"), bug="toy/bug", cause="check/leftover")
    mutant = signature("check/leftover", a="offset", b="offset")
    (cause,) = diagnose(
        "toy", [wrong("t/a"), wrong("t/b")], VECTORS, [signature("toy/bug", "toy"), sign, mutant]
    ).causes
    assert (cause.id, cause.does) == ("toy/bug", "does toy/bug")


@pytest.mark.parametrize("pattern", ["t/*", "t/?", "t/[ab]"])
def test_a_pattern_of_a_finding_covers_the_vectors_that_it_fits(pattern: str) -> None:
    seen = Signature("o/s", "does it", Direction.DECODE, {pattern: ANY_FIELD}, (), "o")
    (cause,) = diagnose("toy", [wrong("t/a"), wrong("t/b")], VECTORS, [seen]).causes
    assert {result.vector for result in cause.findings} == {"t/a", "t/b"}


def test_what_nobody_names_goes_by_what_is_not_checked() -> None:
    fault = Refusal("checksum", "v2.crc.covers-attributes-to-end", 17)
    bad = {
        name: Vector(
            name, name, "v2", "test", ("v2",), ("none",), ("r",), Verdict.INVALID, b"x", fault=fault, reach=Reach.DAMAGE
        )
        for name in ("n/a", "n/b")
    }
    results = [Result(name, "toy", Outcome.ACCEPTED_INVALID) for name in bad]
    (cause,) = diagnose("toy", results, bad).causes
    assert (cause.id, cause.does) == ("check/checksum", "does not compare a checksum")
    assert cause.rule == "v2.crc.covers-attributes-to-end"
    assert cause.reach is Reach.DAMAGE


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("records[12].timestamp", "timestamp"),
        ("records[0].headers[3].value", "headers.value"),
        ("records", "records"),
        ("message.timestamp", "message.timestamp"),
        ("", "records"),
    ],
)
def test_the_field_of_a_path(path: str, field: str) -> None:
    assert field_of(path) == field


@pytest.mark.parametrize(
    ("expected", "outcome", "agrees"),
    [
        ("offset", Outcome.WRONG_ANSWER, True),
        ("key", Outcome.WRONG_ANSWER, False),
        (ANY_FIELD, Outcome.WRONG_ANSWER, True),
        (ANY_FIELD, Outcome.REFUSED_VALID, False),
        ("refused", Outcome.PARTIAL_ANSWER, True),
        ("refused", Outcome.CRASHED, False),
        ("lost", Outcome.HUNG, True),
        ("accepted", Outcome.ACCEPTED_INVALID, True),
        (ANY, Outcome.BROKEN_PROTOCOL, True),
    ],
)
def test_when_a_failure_is_the_one_foreseen(expected: str, outcome: Outcome, agrees: bool) -> None:
    assert agree(expected, symptom(Result("t/a", "toy", outcome, path="records[1].offset"))) is agrees
