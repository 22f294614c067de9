from dataclasses import replace

import pytest
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports import summary
from kafka_conformance.reports.summary import State, Tally

from tests.kafka_conformance.reports import runs


def test_gap_is_neither_pass_nor_failure() -> None:
    counted = summary.by_target(runs.RUN)
    assert counted["sound"] == Tally(passed=9, gaps=1)
    assert counted["careless"] == Tally(findings=8, known=1, gaps=1)
    assert counted["missing"] == Tally()
    assert counted["sound"].asked == counted["careless"].asked == 9


@pytest.mark.parametrize(
    ("tally", "state"),
    [
        (Tally(passed=9, known=1, findings=1, gaps=1), State.FAILED),
        (Tally(passed=9, known=1, gaps=1), State.KNOWN),
        (Tally(passed=1, gaps=9), State.PASSED),
        (Tally(gaps=1), State.GAP),
        (Tally(), State.EMPTY),
    ],
)
def test_state_is_the_worst_that_was_counted(tally: Tally, state: State) -> None:
    assert tally.state is state


@pytest.mark.parametrize(
    ("tally", "share"), [(Tally(passed=1_999, findings=1), 99.9), (Tally(passed=3), 100.0), (Tally(gaps=3), 0.0)]
)
def test_share_is_100_only_if_all_passed(tally: Tally, share: float) -> None:
    assert tally.share == share


def test_rules_come_in_the_order_of_the_specification_and_unknown_ones_last() -> None:
    run = replace(
        runs.RUN, vectors=tuple(replace(vector, rules=("a.stranger", *vector.rules)) for vector in runs.VECTORS)
    )
    rows = list(summary.by_rule(run))
    assert rows[-1] == "a.stranger"
    assert rows.index("v2.crc.covers-attributes-to-end") < rows.index("v2.offset") < rows.index("v2.timestamp.create")


def test_every_row_has_every_target() -> None:
    for matrix in (summary.by_rule(runs.RUN), summary.by_family(runs.RUN), summary.by_direction(runs.RUN)):
        assert {tuple(row) for row in matrix.values()} == {("sound", "careless", "missing")}


def test_rule_counts_both_directions() -> None:
    row = summary.by_rule(runs.RUN)["v2.timestamp.create"]
    assert row["sound"] == Tally(passed=2)
    assert row["careless"] == Tally(findings=2)


def test_known_failure_is_no_outcome_of_its_own() -> None:
    counts = summary.outcomes(runs.RUN)["careless"]
    assert counts[Outcome.WRONG_ANSWER] == 1
    assert counts[Outcome.REFUSED_VALID] == 2


def test_closing_tells_what_came_of_it() -> None:
    broken = "1 target did not run to the end"
    assert summary.closing(runs.RUN) == f"9 vectors, 3 targets, 60.0 s: 8 findings in 1 target; {broken}."
    clean = replace(runs.RUN, targets=(runs.SOUND,), results=runs.SOUND_RESULTS)
    assert summary.closing(clean) == "9 vectors, 1 target, 60.0 s: no findings."
