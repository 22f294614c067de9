"""A target that dies of one kind of bytes is not started again for each of them."""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.child.deaths import DeathLimits, Deaths, QuestionGroup
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.losses import FEW
from kafka_conformance.kinds.message import kind as message_kind
from kafka_conformance.kinds.message.vectors import MessageVector
from kafka_conformance.outcomes import Outcome
from kafka_conformance.run import runner
from kafka_conformance.run.run import Run
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors.loader import Filters

DIES = """
import os
from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.serving import loop, message, reference
from kafka_format.errors import FormatError

def dies(asked):
    try:
        return message.read(asked)
    except FormatError as error:
        if error.rule == "string.utf8":
            os._exit(3)
        raise

reference._ANSWERS = {**reference._ANSWERS, MessageInput: dies}
loop.serve_standard_streams(reference.reference)
"""


def asked_about(*apis: int) -> list[MessageVector]:
    return list(message_kind.load_messages(Filters(apis=frozenset(apis))))


def put(candidate: Candidate, vectors: list[MessageVector], limits: Limits, deaths: DeathLimits | None = None) -> Run:
    with pytest.MonkeyPatch.context() as patch:
        if deaths is not None:
            patch.setattr(message_kind, "MESSAGES", deaths)
        return runner.run([candidate], vectors, RunOptions(limits=limits, about=("messages",)))


def test_a_kind_of_deaths_is_put_so_often_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(DIES, encoding="utf-8")
    asked = asked_about(12, 16)
    asked = [question for question in asked if question.id.partition("@")[0].endswith(("/not-utf8", "/typical"))]
    dying = [question for question in asked if question.rules == ("string.utf8",)]
    candidate = Candidate("dies", Command((sys.executable, "dies.py"), tmp_path))
    whole_run = put(candidate, asked, Limits(), DeathLimits(deaths=5))
    outcomes = Counter(result.outcome for result in whole_run.results)
    assert outcomes[Outcome.PASSED] == len(asked) - len(dying)
    assert outcomes[Outcome.CRASHED] == 5
    assert outcomes[Outcome.NOT_ASKED] == len(dying) - outcomes[Outcome.CRASHED] > 0
    assert [result.vector for result in whole_run.results] == [question.id for question in asked]


HANGS = """
import time
from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.serving import loop, message, reference
from kafka_format import protocol

def hangs(asked):
    {when}
    return message.read(asked)

time.sleep({slow})
for version in (0, 4):  # before the first question, which has half a second
    protocol.decode_request(protocol.encode_request("heartbeat", version, {{}}))
reference._ANSWERS = {{**reference._ANSWERS, MessageInput: hangs}}
loop.serve_standard_streams(reference.reference)
"""
IS_QUICK = Limits(seconds=0.5)


def hanging(folder: Path, when: str, slow: float = 0.0) -> Candidate:
    (folder / "hangs.py").write_text(HANGS.format(when=when, slow=slow), encoding="utf-8")
    return Candidate("hangs", Command((sys.executable, "hangs.py"), folder))


def heartbeats() -> list[MessageVector]:
    """Requests of two versions, valid and with some faults."""
    asked = asked_about(12)
    kept = ("/typical", "/smallest", "/highest", "/lowest", "/beyond", "/cut", "/not-utf8")
    chosen = [question for question in asked if question.format == "request" and question.message.number in {0, 4}]
    return [one for one in chosen if one.id.partition("@")[0].endswith(kept)]


def test_a_target_that_always_hangs_is_given_up(tmp_path: Path) -> None:
    asked = heartbeats()
    whole_run = put(hanging(tmp_path, "time.sleep(600)"), asked, IS_QUICK)
    outcomes = Counter(result.outcome for result in whole_run.results)
    assert outcomes == {Outcome.HUNG: FEW - 1, Outcome.NOT_ASKED: len(asked) - FEW + 1}  # and one of a block
    reasons = {result.detail for result in whole_run.results if result.outcome is Outcome.NOT_ASKED}
    assert reasons == {f"not asked: given up after {FEW} losses without a single reply"}


def test_one_that_always_hangs_at_a_message_is_asked_so_often_of_each_kind(tmp_path: Path) -> None:
    asked = [question for question in heartbeats() if question.message.number == 0]
    others = [question for question in heartbeats() if question.message.number == 4]
    when = "time.sleep(600 if asked.version == 0 else 0)"
    whole_run = put(hanging(tmp_path, when), [*others, *asked], IS_QUICK, DeathLimits(hangs_in_a_row=1))
    whole_run = replace(whole_run, results=whole_run.results[len(others) :])
    assert [result.vector for result in whole_run.results] == [question.id for question in asked]
    by_kind: dict[str, list[Outcome]] = {}
    for question, result in zip(asked, whole_run.results, strict=True):
        rule = question.fault.rule if question.fault else ""
        by_kind.setdefault(f"{question.message.number} {rule}", []).append(result.outcome)
    assert len(by_kind) > 3
    assert all(outcomes.count(Outcome.HUNG) == 1 for outcomes in by_kind.values())
    assert all(set(outcomes) <= {Outcome.HUNG, Outcome.NOT_ASKED} for outcomes in by_kind.values())
    reasons = {result.detail for result in whole_run.results if result.outcome is Outcome.NOT_ASKED}
    assert "not asked: it hung 1 times in a row at heartbeat_request 0 where nothing is wrong" in reasons


def test_one_that_hangs_now_and_then_is_asked_everything_and_none_of_it_is_lost(tmp_path: Path) -> None:
    """It hangs on the lowest numbers, and answers what comes between them."""
    asked = heartbeats()
    when = "time.sleep(600 if bytes.fromhex('80000000') in asked.message else 0)"
    whole_run = put(hanging(tmp_path, when), asked, IS_QUICK)
    outcomes = {result.vector: result.outcome for result in whole_run.results}
    lowest = {question.id for question in asked if bytes.fromhex("80000000") in question.data}
    assert {name for name, outcome in outcomes.items() if outcome is Outcome.HUNG} == lowest != set()
    assert all(outcome is Outcome.PASSED for name, outcome in outcomes.items() if name not in lowest)


def test_one_that_is_slow_to_start_is_asked_everything(tmp_path: Path) -> None:
    """Its start takes twice the time that a question may."""
    asked = heartbeats()
    whole_run = put(hanging(tmp_path, "pass", slow=2 * IS_QUICK.seconds), asked, IS_QUICK)
    assert {result.outcome for result in whole_run.results} == {Outcome.PASSED}


def test_an_answer_ends_a_row_of_hangs() -> None:
    deaths, kind = Deaths(DeathLimits(hangs_in_a_row=2, hangs=4)), QuestionGroup("a", "near", "wide")
    for outcome in (Outcome.HUNG, None, Outcome.HUNG, None, Outcome.HUNG):
        assert not deaths.reason(kind)
        deaths.add(kind, outcome)
    assert not deaths.reason(kind)
    deaths.add(kind, Outcome.CRASHED)
    assert not deaths.reason(kind)
    deaths.add(kind, Outcome.HUNG)
    assert deaths.reason(kind) == "not asked: it hung 4 times at near"
    assert not deaths.reason(QuestionGroup("a", "other", "wide"))


def test_what_is_wrong_everywhere_is_not_asked_of_every_message() -> None:
    deaths = Deaths(DeathLimits(deaths=5))
    for number in range(2):
        deaths.add(QuestionGroup("a", f"{number}", "wide"), Outcome.HUNG)
    assert not deaths.reason(QuestionGroup("a", "2", "wide"))
    deaths.add(QuestionGroup("a", "2", "wide"), Outcome.OUT_OF_MEMORY)
    assert deaths.reason(QuestionGroup("a", "3", "wide")).endswith("too often at wide")
    assert not deaths.reason(QuestionGroup("a", "3", "other"))


def test_what_a_target_does_not_read_is_its_gap_though_others_of_the_kind_have_ended_it() -> None:
    deaths = Deaths(DeathLimits(deaths=1))
    deaths.add(QuestionGroup("read", "near", "wide"), Outcome.CRASHED)
    deaths.add(QuestionGroup("other", "else", "wide"), Outcome.UNSUPPORTED)
    assert deaths.reason(QuestionGroup("read", "near", "wide"))
    assert not deaths.reason(QuestionGroup("other", "near", "wide"))
    assert not deaths.reason(QuestionGroup("never asked", "near", "wide"))
