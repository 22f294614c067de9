from dataclasses import replace

from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports.severity import SEVERITY, by_severity, by_variety, example

from tests.kafka_conformance.reports import runs

VECTORS = {vector.id: vector for vector in runs.VECTORS}


def test_every_finding_has_a_severity() -> None:
    assert set(SEVERITY) == {outcome for outcome in Outcome if outcome.is_finding}


def test_worst_comes_first_on_equal_bytes_and_known_failures_not_at_all() -> None:
    same = dict.fromkeys(VECTORS, runs.CUT)
    shuffled = [runs.result(runs.CUT, outcome) for outcome in reversed(SEVERITY)]
    assert [result.outcome for result in by_severity(shuffled, same)] == list(SEVERITY)
    known = [result.known for result in by_severity(runs.CARELESS_RESULTS, same)]
    assert known == [""] * 8


def test_valid_bytes_come_first_whatever_happened_to_the_others() -> None:
    results = [runs.result(runs.CRASHED, Outcome.CRASHED), runs.result(runs.CUT, Outcome.REFUSED_VALID)]
    assert [result.vector for result in by_severity(results, VECTORS)] == [runs.CUT.id, runs.CRASHED.id]


def test_fewest_bytes_come_first_among_equals() -> None:
    results = [runs.result(vector, Outcome.CRASHED) for vector in (runs.CUT, runs.WRONG_ANSWER)]
    assert [result.vector for result in by_severity(results, VECTORS)] == [runs.WRONG_ANSWER.id, runs.CUT.id]


def test_different_kinds_come_before_more_of_the_same() -> None:
    again = replace(runs.CUT, id="v2/cut/again")
    results = [
        runs.result(runs.CUT, Outcome.WRONG_ANSWER),
        runs.result(again, Outcome.WRONG_ANSWER),
        runs.result(runs.EMPTY, Outcome.BROKEN_PROTOCOL),
    ]
    ordered = by_variety(results, {**VECTORS, again.id: again})
    assert [result.vector for result in ordered] == [runs.CUT.id, runs.EMPTY.id, again.id]


def test_example_is_a_decoded_field() -> None:
    encoded = runs.result(runs.CRASHED, Outcome.WRONG_ANSWER, direction=Direction.ENCODE, path="records[0].key")
    chosen = example(replace(runs.RUN, results=(encoded, *runs.CARELESS_RESULTS)))
    assert chosen is not None
    assert (chosen.vector, chosen.path) == (runs.WRONG_ANSWER.id, "records[1].timestamp")


def test_no_findings_have_no_example() -> None:
    assert example(replace(runs.RUN, results=runs.SOUND_RESULTS)) is None
