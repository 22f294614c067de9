import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import progress


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still; set its first value to move it."""
    now = [0.0]
    monkeypatch.setattr(progress, "monotonic", lambda: now[0])
    return now


def result(target, outcome=Outcome.PASSED, direction=Direction.DECODE):
    return Result(vector="v", target=target, outcome=outcome, direction=direction)


def test_a_log_gets_a_line_a_minute(capsys, clock):
    with progress.progress_of(["one", "two", "three"]) as events:
        for name, due in (("one", 3), ("two", 2), ("three", 3)):
            events.on_due(name, due)
        events.on_result(result("one"))
        events.on_result(result("one"))
        events.on_result(result("one", direction=Direction.ENCODE))
        clock[0] = 59.0
        events.on_result(result("two", Outcome.WRONG_ANSWER))
        assert not capsys.readouterr().err
        clock[0] = 61.0
        events.on_result(result("three"))
        events.on_result(result("three"))
    assert capsys.readouterr().err == "1 of 3 targets done, 1 finding so far; now two 1 of 2, three 1 of 3\n"


@pytest.mark.usefixtures("clock")
def test_a_short_run_leaves_no_line(capsys):
    with progress.progress_of(["one"]) as events:
        events.on_due("one", 1)
        events.on_result(result("one"))
    assert capsys.readouterr() == ("", "")
