"""A finding in words: what is known is told, and nothing that is not."""

import pytest
from kafka_conformance.scale.reduce import text
from kafka_conformance.scale.results.causes import groups
from kafka_conformance.scale.results.reductions import Reduced, Reductions

from tests.kafka_conformance.scale.reduce.sample import DATA, FINDING, PARTS, change

RIGHT = "; without it the target is right"
UNKNOWN = change(cause={"parts": (), "proven": False})
CUT = change(UNKNOWN, effort={"finished": False})
NAME = "v2/record-trailing"
FAULT = change(minimal={"fault": NAME, "twin": DATA.hex(), "parts": ()}, cause={"parts": (NAME,)})
ALL = ", ".join(PARTS)
LEFT = "the batch was left as it is"
DONE = f"bytes follow the last header within a record ({NAME})"


def lines(*findings: Reduced, left: int = 0) -> list[str]:
    """What the screen shows of findings, in the order of their causes."""
    ordered = tuple(finding for group in groups(findings) for _, finding in group.findings)
    return list(text.lines(Reductions(ordered, left), "a b"))


@pytest.mark.parametrize(
    ("finding", "line"),
    [
        (FINDING, f"cause: {PARTS[0]}{RIGHT}; in this form with {PARTS[1]}"),
        (change(cause={"parts": PARTS, "proven": False}), f"cause: {ALL}"),
        (
            change(UNKNOWN, minimal={"parts": (), "part_count": 0}),
            "cause: nothing in particular, default values will do",
        ),
        (
            change(CUT, minimal={"part_count": 90}),
            f"what matters: time ran out; 90 things are left that could: {ALL}",
        ),
        (FAULT, f"cause: {DONE}{RIGHT}"),
        (
            change(FAULT, minimal={"parts": ("record_count = 1",)}),
            f"cause: {DONE}, done to a batch with record_count = 1{RIGHT}",
        ),
        (change(FAULT, cause={"proven": False}), f"cause: {DONE}; without it the target fails in another way"),
        (
            change(FAULT, cause={"parts": (), "proven": False}, effort={"finished": False}),
            f"what matters: time ran out; it may be that {DONE}",
        ),
        (
            change(FAULT, minimal={"redone": False}),
            f"cause: {DONE}; done to other bytes it has no effect, so {LEFT}",
        ),
    ],
)
def test_the_cause_is_told_as_far_as_it_is_known(finding: Reduced, line: str) -> None:
    assert list(text.facts(finding))[1] == line


def test_a_rule_is_named_only_if_there_is_a_reason_for_it() -> None:
    assert list(text.facts(FINDING))[-1].startswith("rule: v2.record.attributes.ignored: ")
    assert not any(line.startswith("rule: ") for line in text.facts(CUT))


def test_what_did_not_happen_again_is_said_with_what_it_was() -> None:
    gone = change(UNKNOWN, batch={"outcome": "crashed", "symptom": "was killed"}, failure={"outcome": "passed"})
    assert text.headline(gone) == "slipping crashed: was killed; but not again, when it was asked alone"
    assert list(text.facts(gone)) == ["batch 1234 of seed 7, profile mixed"]


def test_a_cause_has_its_other_symptoms_below_it_with_their_numbers() -> None:
    simple = change(batch={"symptom": "x", "batches": 2000}, minimal={"parts": PARTS[:1], "part_count": 1})
    shown = "\n".join(lines(FINDING, simple))
    assert "  [2,005 batches; 1 further symptom]" in shown
    assert "         5  [2] gave a wrong answer: records[0].offset is 1, not 0  [with records[0].key = hex:07]" in shown


def test_many_causes_are_one_line_each_and_none_is_lost() -> None:
    shown = "\n".join(lines(*(change(cause={"parts": (f"base_sequence = {number}",)}) for number in range(30))))
    assert shown.count("entry 0") == text.DUMPED
    assert f"And {30 - text.SHOWN} more, which summary.html shows:" in shown
    assert [f"inding {number}: slipping" in shown for number in range(1, 31)] == [True] * 30


def test_what_the_target_said_cannot_break_the_screen() -> None:
    said = {"detail": "\x1b[2J\nFinding 2: x", "outcome": "refused-valid", "path": "", "got": "\x1b"}
    shown = lines(change(failure=said), left=1)
    assert all(line.isprintable() for line in shown)
    assert "--reduce-seconds 600 --out 'a b'" in "\n".join(shown)


def test_what_was_not_reduced_is_told_if_nothing_was() -> None:
    """After Ctrl-C in the midst of the first one, say: the screen must show how to go on."""
    said = "2 kinds of findings were not reduced at all, for lack of time; to go on: "
    assert [line for line in lines(left=2) if line] == [said + text.more("a b")]
    assert lines() == []
