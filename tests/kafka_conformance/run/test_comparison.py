"""What became of each case between two runs."""

from dataclasses import replace

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run.comparison import Change, Comparison, Side, compare
from kafka_conformance.run.target import Standing, Target

from tests.kafka_conformance.reports.runs import HELLO

P, W, C, G = Outcome.PASSED, Outcome.WRONG_ANSWER, Outcome.CRASHED, Outcome.UNSUPPORTED
TOY = Target("toy", HELLO)


def side(*targets: Target, **outcomes: Outcome) -> Side:
    results = [Result(vector, "toy", outcome) for vector, outcome in outcomes.items()]
    return Side("2026", "0.1.0", targets or (TOY,), results)


def kinds(found: Comparison) -> list[tuple[Change, str]]:
    return [(case.change, case.vector) for case in found.cases]


@pytest.mark.parametrize(
    ("then", "now", "change", "worse"),
    [
        (P, P, None, False),
        (W, W, None, False),
        (G, G, None, False),
        (None, G, None, False),
        (G, None, None, False),
        (W, P, Change.FIXED, False),
        (P, W, Change.BROKE, True),
        (W, C, Change.CHANGED, True),
        (None, P, Change.NEW, False),
        (None, W, Change.NEW, True),
        (G, W, Change.NEW, True),
        (P, None, Change.GONE, False),
        (W, G, Change.GONE, False),
    ],
)
def test_a_case_is_one_of_five(
    then: Outcome | None, now: Outcome | None, change: Change | None, *, worse: bool
) -> None:
    comparison = compare(side(**({"v": then} if then else {})), side(**({"v": now} if now else {})), whole=True)
    assert [case.change for case in comparison.cases] == ([change] if change else [])
    assert comparison.is_worse is worse


def test_worst_comes_first() -> None:
    comparison = compare(side(a=W, b=P, c=W), side(a=P, b=W, c=C, d=P), whole=True)
    assert kinds(comparison) == [(Change.BROKE, "b"), (Change.CHANGED, "c"), (Change.NEW, "d"), (Change.FIXED, "a")]


def test_what_was_not_put_is_not_gone() -> None:
    assert kinds(compare(side(a=P, b=P), side(a=P), whole=False)) == []
    stopped = replace(TOY, standing=Standing.STOPPED)
    assert kinds(compare(side(a=P, b=P), side(stopped, a=P), whole=True)) == []


def test_targets_of_one_run_only_are_named_and_not_compared() -> None:
    other, absent = replace(TOY, name="other"), Target("absent", None, Standing.NOT_READY)
    comparison = compare(side(TOY, other, a=P), side(absent, replace(TOY, name="new"), a=W), whole=True)
    assert (comparison.only_then, comparison.only_now, comparison.cases) == (("toy", "other"), ("new",), ())


def test_the_only_target_of_each_run_is_the_same_under_another_name() -> None:
    newer = replace(TOY, name="toy@2")
    results = [replace(result, target="toy@2") for result in side(newer, a=P, b=P).results]
    comparison = compare(side(TOY, a=W, b=P), replace(side(newer), results=results), whole=True)
    assert (comparison.only_then, comparison.only_now) == ((), ())
    assert [(case.change, case.target, case.vector) for case in comparison.cases] == [(Change.FIXED, "toy@2", "a")]


def test_other_version_is_named() -> None:
    newer = replace(TOY, hello=replace(HELLO, version="2.0"))
    assert compare(side(), side(newer), whole=True).versions == (("toy", "1.2.3", "2.0"),)
