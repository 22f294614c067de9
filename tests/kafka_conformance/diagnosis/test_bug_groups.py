"""Several findings become one bug: by the library's known bugs, a check, an error, or a trait."""

from dataclasses import replace

import pytest
from kafka_conformance.diagnosis.checks import check_of
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.diagnosis.signature import Signature
from kafka_conformance.diagnosis.traits import Trait, trait_of
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.vector import Reach, Refusal, Vector, Verdict
from kafka_format.spec.rules import rules


def vector(name: str, breaks: str = "", reach: Reach = Reach.CRAFTED, rule: str = "v2.offset") -> Vector:
    verdict = Verdict.INVALID if breaks else Verdict.VALID
    fault = Refusal("structure", breaks, 0) if breaks else None
    rules_of = (breaks or rule,)
    return Vector(
        name, name, "v2", "t", ("v2",), ("none",), rules_of, verdict, bytes(9), answer=(), fault=fault, reach=reach
    )


def world(*vectors: Vector) -> dict[str, Vector]:
    return {case.id: case for case in vectors}


def refused(name: str, text: str) -> Result:
    return Result(name, "toy", Outcome.REFUSED_VALID, detail=text)


def accepted(name: str) -> Result:
    return Result(name, "toy", Outcome.ACCEPTED_INVALID)


def signature(name: str, how: str, *vectors: str, **more: str) -> Signature:
    return Signature(name, f"does {name}", Direction.DECODE, dict.fromkeys(vectors, how), (), **more)


CODECS = world(
    vector("a", "compression.lz4.magic"),
    vector("b", "compression.lz4.dictionary"),
    vector("c", "compression.lz4.end-mark"),
    vector("d", "compression.gzip.magic"),
)


def test_checks_of_one_topic_are_one_bug_with_the_names_of_all() -> None:
    known = [signature("lz4/one", "accepted", "a"), signature("lz4/two", "accepted", "b")]
    diagnosis = diagnose("toy", [accepted(name) for name in CODECS], CODECS, known)
    lz4, gzip = diagnosis.causes
    assert (lz4.id, len(lz4.findings)) == ("check/lz4", 3)
    assert [part.id for part in lz4.parts] == ["lz4/one", "lz4/two"]
    assert lz4.ids == {"check/lz4", "lz4/one", "lz4/two"}
    assert gzip.id == "check/gzip"
    assert not diagnosis.unexplained


def test_what_users_meet_is_not_hidden_among_crafted_bytes() -> None:
    met = world(vector("m", "compression.lz4.magic", Reach.PRODUCER), vector("n", "compression.lz4.magic"))
    diagnosis = diagnose("toy", [accepted("m"), accepted("n")], met, [])
    assert [(cause.id, cause.reach) for cause in diagnosis.causes] == [
        ("check/lz4/met", Reach.PRODUCER),
        ("check/lz4", Reach.CRAFTED),
    ]


def test_what_fails_with_one_error_is_one_bug_whatever_the_numbers_in_it() -> None:
    vectors = world(*(vector(name) for name in "abc"))
    results = [refused("a", "OSError: at 12 of 'x'"), refused("b", "OSError: at 7 of 'yy'\nmore")]
    results.append(replace(refused("c", "2 records, then: OSError: at 1 of ''"), error="OSError: at 1 of ''"))
    diagnosis = diagnose("toy", results, vectors, [])
    (cause,) = diagnosis.causes
    assert (cause.does, len(cause.findings), cause.is_named) == ("fails with: OSError: at * of *", 3, False)
    assert cause.id == "error/oserror-at-of"


def test_a_single_failure_that_nothing_explains_is_told_as_that() -> None:
    diagnosis = diagnose("toy", [refused("a", "OSError")], world(vector("a")), [])
    assert (diagnosis.causes, [result.vector for result in diagnosis.unexplained]) == ((), ["a"])


def test_an_error_that_a_cause_has_joins_it() -> None:
    vectors = world(*(vector(name) for name in "abcd"))
    known = [signature("m", "refused", "a", "b")]
    results = [refused("a", "Bad"), refused("b", "Bad"), refused("c", "Bad"), refused("d", "Other")]
    diagnosis = diagnose("toy", results, vectors, known)
    (cause,) = diagnosis.causes
    assert (cause.id, {result.vector for result in cause.findings}) == ("m", set("abc"))
    assert [result.vector for result in diagnosis.unexplained] == ["d"]


def test_what_is_known_of_the_library_takes_what_it_tells_and_the_mutant_of_the_like() -> None:
    vectors = world(*(vector(name) for name in "abcd"))
    known = [
        signature("m", "refused", "a", "b", "c"),
        signature("toy/seen", "refused", "a", "b", target="toy"),
        signature("toy/sign", "offset", "d", target="toy", bug="toy/seen"),
    ]
    wrong = Result("d", "toy", Outcome.WRONG_ANSWER, path="records[0].offset")
    diagnosis = diagnose("toy@1", [*(refused(name, name) for name in "abc"), wrong], vectors, known)
    (cause,) = diagnosis.causes
    assert (cause.id, cause.does, len(cause.findings)) == ("toy/seen", "does toy/seen", 4)


def test_a_known_harmless_difference_hides_no_new_bug_of_the_same_kind() -> None:
    vectors = world(*(vector(f"crc/{number}", "v2.crc.covers-attributes-to-end") for number in range(5)))
    known = [signature("toy/inner", "accepted", "crc/0", target="toy", kind="tolerated")]
    diagnosis = diagnose("toy", [accepted(name) for name in vectors], vectors, known)
    assert [(cause.id, cause.is_harmless, len(cause.findings)) for cause in diagnosis.causes] == [
        ("check/checksum", False, 4),
        ("toy/inner", True, 1),
    ]
    assert [cause.id for cause in diagnosis.of(*Reach)] == ["check/checksum"]
    assert [cause.id for cause in diagnosis.harmless] == ["toy/inner"]


@pytest.mark.parametrize(("kind", "is_harmless"), [("lax", False), ("tolerated", True)])
def test_a_cause_that_was_confirmed_has_the_name_of_its_finding_and_keeps_its_own(
    kind: str, *, is_harmless: bool
) -> None:
    seen = signature("toy/unchecked", "", target="toy", kind=kind, cause="check/lz4")
    results = [accepted(name) for name in CODECS]
    cause, other = sorted(
        diagnose("toy@2", results, CODECS, [seen]).causes, key=lambda confirmation: -len(confirmation.findings)
    )
    assert (cause.id, cause.does, cause.is_harmless) == ("toy/unchecked", "does toy/unchecked", is_harmless)
    assert {result.vector for result in cause.findings_named("check/lz4")} == set("abc")
    assert other.id == "check/gzip"
    assert "check/lz4" in {cause.id for cause in diagnose("another", results, CODECS, [seen]).causes}


def test_crashes_and_hangs_go_by_what_the_bytes_break() -> None:
    about = world(vector("a", "length.within"), vector("b", "count.within"), vector("c", "length.not-negative"))
    crash = Result("a", "toy", Outcome.CRASHED, detail="was killed by SIGSEGV")
    assert trait_of(crash, about["a"]) == Trait("loss", "bounds")
    lost = [crash, Result("b", "toy", Outcome.HUNG), Result("c", "toy", Outcome.OUT_OF_MEMORY)]
    assert {cause.id: cause.does for cause in diagnose("toy", lost, about, []).causes} == {
        "loss/bounds": "crashes or hangs on false lengths and counts",
        "loss/negative": "takes too much memory on negative lengths and counts",
    }


def test_a_single_crash_on_valid_bytes_is_a_bug() -> None:
    (cause,) = diagnose("toy", [Result("a", "toy", Outcome.CRASHED)], world(vector("a")), []).causes
    assert cause.does == "crashes on bytes that are right"


@pytest.mark.parametrize(
    ("path", "due", "came", "does"),
    [
        ("records[0].timestamp", None, None, "gives wrong timestamps"),
        ("records[0].offset", 4, 3, "loses records"),
        ("records", 1, 2, "gives records that are not there"),
        ("records", 1, 0, "loses records"),
        ("max_timestamp", None, None, "gives a wrong max_timestamp"),
    ],
)
def test_wrong_answers_that_nothing_else_explains_go_by_what_is_wrong_in_them(
    path: str, due: int | None, came: int | None, does: str
) -> None:
    vectors = world(vector("a", rule="entry.run"), vector("b", rule="entry.cut"))
    wrong = [Result(name, "toy", Outcome.WRONG_ANSWER, path=path, due=due, came=came) for name in vectors]
    (cause,) = diagnose("toy", wrong, vectors, []).causes
    assert (cause.does, len(cause.findings)) == (does, 2)


def test_every_rule_that_bytes_can_break_has_a_topic_that_says_something() -> None:
    assert all(check_of(name).does for name in rules())
    assert check_of("v2.header.key.not-null").id == check_of("length.not-negative").id == "negative"
    assert check_of("v2.header.key.utf8").does.startswith("accepts what breaks v2.header.key.utf8: ")
