"""Vectors served to a consumer: a sound one has no findings, and each loss is found at its
vector."""

import sys
from collections import Counter
from pathlib import Path

import pytest
from kafka_conformance.child.deaths import DeathLimits
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.session import Loss
from kafka_conformance.kinds.consumer import questions as views
from kafka_conformance.kinds.consumer import session as consumers_session
from kafka_conformance.kinds.consumer import traits
from kafka_conformance.kinds.consumer.driver import Driver
from kafka_conformance.kinds.consumer.judge import judge_delivery
from kafka_conformance.kinds.consumer.round import Patience, Round
from kafka_conformance.kinds.consumer.served_topic import DeliveryReaction
from kafka_conformance.kinds.consumer.session import ConsumerSession
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.run import runner
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors import directions, loader
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format import records
from kafka_format.records import Header, Record

from tests import shipped

DRIVER = Path(__file__).with_name("reference_driver.py")


def run(vectors, *arguments):
    seconds = 2.0 if {"hangs", "spins"} & {*arguments} else 60.0  # who hangs is waited for
    command = Command((sys.executable, str(DRIVER), *arguments))
    options = RunOptions(limits=Limits(seconds=seconds, memory=256 << 20))
    return runner.run([Candidate("it", command, kind=TargetKind.CONSUMER)], vectors, options)


def vector(name, *values, headers=False):
    more = {"headers": (Header(b"name", b"value"),)} if headers else {}
    made = [
        Record(offset=5 + index, timestamp=1, timestamp_type=0, value=value, **more)
        for index, value in enumerate(values)
    ]
    data = records.encode(made)
    common = {"format": "v2", "family": "x", "formats": ("v2",), "codecs": ("none",), "rules": ()}
    return Vector(id=name, title=name, verdict=Verdict.VALID, data=data, answer=(), **common)


def test_a_sound_consumer_has_no_findings():
    vectors = [*list(shipped.vectors().values())[::16], *loader.of_family(directions.DELIVER)]
    done = run(vectors)
    assert not [(finding.vector, finding.outcome, finding.detail) for finding in done.findings]
    counts = done.counts("it")
    assert counts[Outcome.PASSED] > 250
    assert {result.vector for result in done.results} == {case.id for case in vectors}


@pytest.mark.parametrize(
    ("fault", "outcome", "detail"),
    [
        ("dies", Outcome.CRASHED, "SIGABRT"),
        ("hangs", Outcome.HUNG, "2 s"),
        ("spins", Outcome.HUNG, "2 s"),
        ("eats", Outcome.OUT_OF_MEMORY, "the limit is 256 MiB"),
        ("gets_out", Outcome.HUNG, "poll did not return"),
        ("stops", Outcome.HUNG, "fetched no more, and reported no error"),
        ("skips", Outcome.WRONG_ANSWER, "records is 0 records"),
        ("refetches", Outcome.REFUSED_VALID, "asks for the same offset again"),
        ("raises", Outcome.REFUSED_VALID, "something is wrong"),
        ("rubbish", Outcome.BROKEN_PROTOCOL, "a line 'what is this'"),
        ("overflows", Outcome.REFUSED_VALID, "9223372036854775808 does not fit int64"),
    ],
)
def test_a_fault_is_found_at_its_vector_and_the_run_goes_on(fault, outcome, detail):
    vectors = [vector(f"v{number}", b"fault" if number == 20 else b"fine") for number in range(40)]
    done = run(vectors, fault)
    assert [(finding.vector, finding.outcome) for finding in done.findings] == [("v20", outcome)]
    assert detail in done.findings[0].detail
    assert done.counts("it")[Outcome.PASSED] == 39


def test_a_client_that_hangs_again_and_again_does_not_hold_up_the_run(monkeypatch):
    monkeypatch.setattr(consumers_session, "DEATHS", DeathLimits(hangs_in_a_row=5, hangs=2))
    vectors = [vector(f"v{number}", b"fault" if number % 4 == 3 else b"fine") for number in range(24)]
    counts = run(vectors, "hangs").counts("it")
    assert counts[Outcome.HUNG] == 2
    assert counts[Outcome.NOT_ASKED] > 0
    assert counts[Outcome.NOT_ASKED] + counts[Outcome.PASSED] == 22


def session(*arguments):
    command, starts = Command((sys.executable, str(DRIVER), *arguments)), []

    def start():
        starts.append(None)
        return Driver(command, Limits(seconds=60))

    return ConsumerSession(start), starts


def test_a_death_costs_two_starts():
    asked, starts = session("dies")
    questions = [views.view(vector(f"v{number}", b"fault" if number % 20 == 7 else b"fine")) for number in range(60)]
    words = {word.question: word for word in asked.ask(questions)}
    asked.close()
    lost = [number for number, word in sorted(words.items()) if isinstance(word.reply, Loss)]
    assert lost == [7, 27, 47]
    assert all(words[number].is_certain for number in lost)
    assert len(words) == 60
    assert len(starts) == 1 + 2 * len(lost)
    assert not asked.unsteady


def test_who_dies_of_all_records_with_headers_is_asked_about_the_others(monkeypatch):
    monkeypatch.setattr(traits, "MOST", 3)
    asked, starts = session("headers")
    questions = [views.view(vector(f"v{number}", b"fine", headers=2 <= number < 50)) for number in range(60)]
    words = {word.question: word.reply for word in asked.ask(questions)}
    asked.close()
    lost = {number: reply.outcome for number, reply in words.items() if isinstance(reply, Loss)}
    assert len(words) == 60
    assert sorted(lost) == list(range(2, 50))
    counts = Counter(lost.values())
    assert counts[Outcome.CRASHED] + counts[Outcome.NOT_ASKED] == 48
    assert 3 <= counts[Outcome.CRASHED] <= 8  # some before it has stood anything
    assert "times at headers, and stood none of it" in words[49].detail
    assert len(starts) <= 2 + 2 * counts[Outcome.CRASHED]


def test_what_it_is_stuck_at_is_put_once_more_together():
    asked, starts = session("stops")
    questions = [views.view(vector(f"v{number}", b"fault" if number < 5 else b"fine")) for number in range(20)]
    words = {word.question: word for word in asked.ask(questions)}
    asked.close()
    assert [number for number, word in sorted(words.items()) if isinstance(word.reply, Loss)] == [0, 1, 2, 3, 4]
    assert all(words[number].is_certain for number in range(5))
    assert len(starts) == 2


def test_who_is_stuck_at_all_but_one_still_gets_as_many_topics_at_once(monkeypatch):
    rounds = []
    serve = Round.serve
    monkeypatch.setattr(consumers_session, "ROUND", 8)
    monkeypatch.setattr(consumers_session, "HASTY", Patience(0.2, 2, 5.0))
    monkeypatch.setattr(consumers_session, "PATIENT", Patience(0.2, 2, 5.0))
    monkeypatch.setattr(Round, "serve", lambda round_: (rounds.append(len(round_.all_served)), serve(round_)))
    asked, _ = session("stops")
    questions = [views.view(vector(f"v{number}", b"fault" if number else b"fine")) for number in range(24)]
    words = list(asked.ask(questions))
    asked.close()
    assert sorted(word.question for word in words if isinstance(word.reply, Loss)) == list(range(1, 24))
    assert rounds == [8, 8, 8, 8, 8, 7]


def test_a_death_after_all_is_done_is_told_of_no_topic():
    asked, starts = session("ends")
    words = list(asked.ask([views.view(vector(f"v{number}", b"fine")) for number in range(3)]))
    asked.close()
    assert sorted(word.question for word in words) == [0, 1, 2]
    assert not [word for word in words if isinstance(word.reply, Loss)]
    assert len(starts) == 1
    assert asked.notes[0].startswith("driver: told to stop, it was killed by SIGABRT")


def test_who_is_lost_at_every_end_still_gets_as_many_topics_at_once(monkeypatch):
    monkeypatch.setattr(consumers_session, "ROUND", 8)
    asked, starts = session("ends")
    words = list(asked.ask([views.view(vector(f"v{number}", b"fine")) for number in range(24)]))
    asked.close()
    assert len(words) == 24
    assert len(starts) == 3


def test_records_that_wait_behind_many_others_are_waited_for():
    asked, _ = session("slow")
    questions = [views.view(vector("many", *[b"fine"] * 3000)), views.view(vector("one", b"fine"))]
    words = {word.question: word for word in asked.ask(questions)}
    asked.close()
    assert [len(answers.from_bytes(words[number].reply.content)) for number in (0, 1)] == [3000, 1]


@pytest.mark.parametrize(
    ("next_offset", "outcome"),
    [(6, Outcome.PASSED), (None, Outcome.PASSED), (5, Outcome.WRONG_ANSWER), (7, Outcome.WRONG_ANSWER)],
)
def test_where_a_consumer_goes_on_is_judged(next_offset, outcome):
    seen = views.view(vector("v", b"v"))
    reply = Reply(Status.ANSWER, answers.to_bytes([Record(offset=5, timestamp=1, timestamp_type=0, value=b"v")]))
    fields = ("offset", "timestamp", "value")
    hello = Hello("it", "0", "Python", ("v2",), ("none",), fields, checks_crc=True)
    result = judge_delivery(seen, hello, "it", DeliveryReaction(0, reply, 0.0, next_offset=next_offset))
    assert (result.outcome, result.path) == (outcome, "next_offset" if outcome is Outcome.WRONG_ANSWER else "")


def test_what_no_consumer_fetches_is_a_gap():
    negative = vector("negative", b"v")
    negative = Vector(
        **{name: getattr(negative, name) for name in Vector.__slots__} | {"data": b"\xff" * 8 + negative.data[8:]}
    )
    done = run([negative])
    assert [result.outcome for result in done.results] == [Outcome.UNSUPPORTED]
