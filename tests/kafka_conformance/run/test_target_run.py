"""Which questions a target gets, and how far it comes over several kinds of them."""

import sys
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.kinds.table import ABOUT, KINDS, kinds_of
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.run import questions, runner
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.run.target import Standing
from kafka_conformance.run.target_run import RunEvents
from kafka_conformance.targets import resolve
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors.loader import Filters
from kafka_tools.errors import UsageError

HELLO = Hello("it", "0", "Python", ("v2",), ("none",), ("offset",), checks_crc=True, settings=())
RECORDS_ALONE = (sys.executable, "-m", "kafka_conformance", "adapter", "python:json:loads")
HEARTBEATS = Filters(apis=frozenset({12}))


def heartbeats():
    return questions.load([resolve.candidate("reference")], ("messages",), HEARTBEATS)[0]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_question_is_about_a_vector_of_its_kind(kind):
    """No kind makes questions of vectors of another, and none is lost on the way."""
    filters = (
        HEARTBEATS
        if kind.about == "messages"
        else Filters(
            ("directory/sound/*", "v2/gzip/*", "deliver/*", "assign/*", "produce/*", "conversations/*", "orders/*")
        )
    )
    vectors = kind.load(filters)
    asked = kind.questions(vectors)
    ids = {vector.id for vector in vectors}
    assert {question.vector.id for question in asked} <= ids
    others = [vector for other in KINDS if other.about != kind.about for vector in other.load(HEARTBEATS)]
    assert not [one for one in kind.questions(others) if one.vector.id not in ids]


def test_every_kind_of_target_is_asked_something():
    assert {kind for kind in TargetKind if kinds_of(kind)} == set(TargetKind)
    assert set(ABOUT) == {"records", "messages", "logs", "contents", "conversations", "scenarios"}


def test_a_target_is_asked_about_all_that_it_declares():
    some = Filters(("v2/gzip/plain", "directory/sound/plain@*", "heartbeat-request/4/typical"))
    candidates = [resolve.candidate("reference")]
    vectors, notes = questions.load(candidates, ABOUT, some)
    done = runner.run(candidates, vectors)
    assert notes == []
    assert {vector.subject for vector in vectors} == {"records", "message", "log"}
    assert {result.vector for result in done.results} == {vector.id for vector in vectors}
    assert {result.outcome for result in done.results} == {Outcome.PASSED}


def test_a_target_that_reads_no_messages_is_not_ready_for_them(tmp_path: Path):
    targets = [resolve.candidate("reference"), Candidate("other", Command(RECORDS_ALONE, tmp_path))]
    done = runner.run(targets, heartbeats(), RunOptions(about=("messages",)))
    assert [target.standing for target in done.targets] == [Standing.RAN, Standing.NOT_READY]
    assert done.targets[1].problem == "it does not read requests and responses"
    assert {result.target for result in done.results} == {"reference"}


def test_a_target_that_does_not_come_up(tmp_path: Path):
    done = runner.run([Candidate("gone", Command(("/no/such/program",), tmp_path))], heartbeats())
    assert [target.standing for target in done.targets] == [Standing.DID_NOT_COME_UP]
    assert done.came_up == ()
    assert "smoke 'gone'" in done.targets[0].advice


def test_who_listens_is_told_how_many_results_come_and_each_of_them(tmp_path: Path):
    targets = [resolve.candidate("reference"), Candidate("gone", Command(("/no/such/program",), tmp_path))]
    due, came = [], []
    events = RunEvents(lambda name, count: due.append((name, count)), came.append)
    vectors = heartbeats()
    runner.run(targets, vectors, RunOptions(jobs=2), events)
    assert due == [("reference", len(vectors))]
    assert sorted(result.vector for result in came) == sorted(vector.id for vector in vectors)


def test_a_pattern_that_nobody_here_is_asked_says_who_is():
    with pytest.raises(UsageError) as error:
        questions.load([resolve.candidate("reference")], ABOUT, Filters(("deliver/control/last",)))
    assert "'deliver/control/last' is not asked: it is about records of a consumer" in str(error.value)


def test_a_pattern_that_matches_nothing_is_said_beside_those_that_do():
    vectors, notes = questions.load([resolve.candidate("reference")], ("records",), Filters(("v2/gzip/plain", "no/*")))
    assert vectors
    assert notes == ["'no/*' matches no vector at all."]


def test_the_hello_of_a_program_says_what_it_is(tmp_path: Path):
    reader = Candidate(
        f"cmd:{sys.executable}", Command((sys.executable, "-m", "kafka_conformance", "adapter", "reference"))
    )
    assert questions.said_hello(reader, Limits()).about == {"records", "messages", "logs", "contents"}
    gone = Candidate("cmd:gone", Command(("/no/such/program",), tmp_path))
    assert questions.said_hello(gone, Limits()).lost


def test_a_program_that_said_no_hello_is_not_started_again(tmp_path: Path):
    count = tmp_path / "count"
    counts = f"open({str(count)!r}, 'a').write('.')"
    candidate = Candidate("cmd:it", Command((sys.executable, "-c", counts), tmp_path))
    done = runner.run([questions.said_hello(candidate, Limits())], heartbeats())
    assert [target.standing for target in done.targets] == [Standing.DID_NOT_COME_UP]
    assert "it exited with status 0" in done.targets[0].problem
    assert count.read_text(encoding="utf-8") == "."
