"""A finding in words: what is known is told, and nothing that is not."""

from dataclasses import replace

import pytest
from kafka_conformance.scale.reduction import showing
from kafka_conformance.scale.reduction.grouping import grouped
from kafka_conformance.scale.reduction.reduced import Reduced, Reductions

from tests.kafka_conformance.scale.reduction.finished import DATA, FOUND

RIGHT = "; without it the target is right"
CUT = replace(FOUND, cause=(), mends=False, finished=False)
FAULT = replace(FOUND, fault="v2/record-trailing", cause=("v2/record-trailing",), twin=DATA.hex(), telling=())
TOLD = ", ".join(FOUND.telling)
LEFT = "the batch is as it was"
DONE = "bytes follow the last header within a record (v2/record-trailing)"


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (FOUND, f"cause: {FOUND.cause[0]}{RIGHT}; in this form with records[0].key = hex:07"),
        (replace(FOUND, cause=FOUND.telling, mends=False), f"cause: {TOLD}"),
        (
            replace(FOUND, cause=(), telling=(), parts=0, mends=False),
            "cause: nothing in particular, default values will do",
        ),
        (replace(CUT, parts=90), f"what matters: time ran out; 90 things are left that could: {TOLD}"),
        (FAULT, f"cause: {DONE}{RIGHT}"),
        (replace(FAULT, telling=("record_count = 1",)), f"cause: {DONE}, done to a batch with record_count = 1{RIGHT}"),
        (replace(FAULT, mends=False), f"cause: {DONE}; without it the target fails in another way"),
        (replace(FAULT, cause=(), mends=False, finished=False), f"what matters: time ran out; it may be that {DONE}"),
        (replace(FAULT, redone=False), f"cause: {DONE}; done anew to other bytes it did not show, so {LEFT}"),
    ],
)
def test_the_cause_is_told_as_far_as_it_is_known(found: Reduced, line: str) -> None:
    assert list(showing.facts(found))[1] == line


def test_a_rule_is_named_only_where_there_is_a_reason_for_it() -> None:
    assert list(showing.facts(FOUND))[-1].startswith("rule: v2.record.attributes.ignored: ")
    assert not any(line.startswith("rule: ") for line in showing.facts(CUT))


def test_what_did_not_happen_again_is_said_with_what_it_was() -> None:
    gone = replace(FOUND, outcome="passed", found="crashed", symptom="was killed", cause=())
    assert showing.headline(gone) == "slipping crashed: was killed; but not again, when it was asked alone"
    assert list(showing.facts(gone)) == ["batch 1234 of seed 7, profile mixed"]
    assert not any("--promote" in line for line in showing.lines(Reductions((gone,)), "out"))


def test_a_cause_has_its_other_symptoms_below_it_with_their_numbers() -> None:
    simple = replace(FOUND, symptom="x", telling=FOUND.cause, parts=1, batches=2000)
    text = "\n".join(showing.lines(Reductions(grouped([FOUND, simple])), "out"))
    assert "  [2,005 batches; 1 further symptom]" in text
    assert "         5  [2] gave a wrong answer: records[0].offset is 1, not 0  [with records[0].key = hex:07]" in text
    assert text.count("--promote 1 --out out") == 1


def test_many_causes_are_one_line_each_and_none_is_lost() -> None:
    found = grouped(replace(FOUND, cause=(f"base_sequence = {number}",)) for number in range(30))
    text = "\n".join(showing.lines(Reductions(found), "out"))
    assert text.count("entry 0") == showing.DUMPED
    assert f"And {30 - showing.SHOWN} more, which summary.html shows:" in text
    assert [f"inding {number}: slipping" in text for number in range(1, 31)] == [True] * 30


def test_what_the_target_said_cannot_break_the_screen() -> None:
    found = replace(FOUND, detail="\x1b[2J\nFinding 2: x", outcome="refused-valid", path="", got="\x1b")
    for line in showing.lines(Reductions((found,)), "a b"):
        assert line.isprintable()
    assert "--out 'a b'" in "\n".join(showing.lines(Reductions((found,), left=1), "a b"))


def test_what_was_not_reduced_is_told_where_nothing_was() -> None:
    """After Ctrl-C in the midst of the first one, say: who looks at the screen must see how to go on."""
    told = "2 kinds of findings were not reduced at all, for lack of time; to go on: "
    assert [line for line in showing.lines(Reductions(left=2), "out") if line] == [told + showing.more("out")]
    assert list(showing.lines(Reductions(), "out")) == []
