"""Scenarios put to a broker that answers as Kafka did, or otherwise."""

import json
import threading
from itertools import pairwise

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.kinds.broker.questions import Settings
from kafka_conformance.kinds.broker.session import BrokerSession
from kafka_conformance.kinds.scenario import walk
from kafka_conformance.kinds.scenario.causes import diagnose_scenarios
from kafka_conformance.kinds.scenario.judge import ScenarioReaction, judge_scenario
from kafka_conformance.kinds.scenario.questions import load, questions
from kafka_conformance.kinds.scenario.session import ScenarioSession
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.targets.broker_launch import RunningBroker
from kafka_conformance.vectors.loader import Filters

from tests.kafka_conformance.kinds.broker.fake_broker import running
from tests.kafka_conformance.kinds.scenario.replaying_broker import RUN, ReplayingBroker

NEWEST, OLDEST = "4.4.0", "2.8.2"
USED_BEFORE = {
    "api_versions": (0, 0),
    "create_topics": (2, 2),
    "delete_topics": (1, 1),
    "fetch": (4, 4),
    "metadata": (1, 10),
    "produce": (3, 3),
}
"""What is asked before the first step, and after the last."""
ALL = questions(load(Filters()))
FETCHED = ["groups", 0, "topics", 0]
UNKNOWN_GROUP = "scenario/offsets/unknown-group@newest"
COMMIT = "scenario/offsets/commit-and-fetch@newest"


def recorded(release):
    return [each for each in ALL if each.end in each.scenario.kafka.get(release, {})]


def results(
    asked, release=NEWEST, change=lambda _, answer: answer, *, name="it", seconds=20, loading=0, version="", each=None
):
    """What comes of questions, where the answers are those of a release; and what was deleted.

    `each` returns what changes the answers to a question.
    """
    with running(dict(USED_BEFORE), make=ReplayingBroker) as broker:
        broker.change, broker.loading = change, loading
        for question in asked:
            if release in question.scenario.kafka:
                broker.learn(question.scenario, release)
        place = RunningBroker(broker.address, run=RUN, version=version or release)
        session = ScenarioSession(place, Limits(seconds=seconds, start_seconds=5))
        found = []
        for question in asked:
            if each is not None:
                broker.change = each(question)
            if question.end in question.scenario.kafka.get(release, {}):
                broker.expect(question.scenario, release, question.end)
            (reaction,) = session.ask([question])
            found.append(judge_scenario(question, session.hello, name, reaction))
        session.close()
        return found, broker


def one(identity):
    return next(each for each in ALL if each.vector.id == identity)


def told(found):
    return [(result.vector, result.outcome, result.detail) for result in found if result.outcome is not Outcome.PASSED]


@pytest.mark.parametrize("release", [NEWEST, "3.9.2", OLDEST])
def test_who_answers_as_a_release_does_has_passed(release):
    asked = recorded(release)
    found, broker = results(asked, release)
    assert (told(found), len(found)) == ([], len(asked))
    assert len(asked) > 50
    assert set(broker.made) <= set(broker.deleted)
    assert all(name.startswith("kafka-conformance-") for name in broker.made)


@pytest.mark.parametrize("kind", [BrokerSession, ScenarioSession])
def test_what_was_made_is_deleted_though_the_run_was_stopped(kind):
    stopped = threading.Event()
    with running() as broker:
        place = RunningBroker(broker.address, run=RUN)
        session = kind(place, Limits(seconds=5, start_seconds=5), stopped.is_set)
        session._topics.make(session._link.ask, Settings(), 1)
        stopped.set()
        session.close()
        assert broker.made == broker.deleted != []
        assert session.notes == []


def changed(number, path, value):
    """Change a value of one answer, or hang up."""

    def change(at, answer):
        if at != number:
            return answer
        if not path:
            return None
        place = answer
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = value
        return answer

    return change


@pytest.mark.parametrize(
    ("number", "path", "value", "outcome", "where"),
    [
        (0, ["topics", 0, "partitions", 0, "errorCode"], 25, Outcome.WRONG_ANSWER, "steps[0].OffsetCommit"),
        (
            1,
            ["groups", 0, "topics", 0, "partitions", 0, "committedOffset"],
            "8",
            Outcome.WRONG_ANSWER,
            "committedOffset",
        ),
        (1, ["groups", 0, "topics"], [], Outcome.WRONG_ANSWER, "steps[1].OffsetFetch"),
        (1, ["groups", 0, "groupId"], "another", Outcome.WRONG_ANSWER, "steps[1].OffsetFetch"),
        (1, ["throttleTimeMs"], 9, Outcome.PASSED, ""),
        (0, [], None, Outcome.CRASHED, ""),
    ],
)
def test_each_difference_has_its_place(number, path, value, outcome, where):
    ([result], _) = results([one(COMMIT)], change=changed(number, path, value))
    assert result.outcome is outcome, result
    assert where in result.path


def test_an_error_is_named_and_is_a_cause_of_its_own():
    question = one(COMMIT)
    (found, _) = results([question], change=changed(0, ["topics", 0, "partitions", 0, "errorCode"], 25))
    (result,) = found
    assert (result.expected, result.got) == ("NONE", "UNKNOWN_MEMBER_ID")
    assert "Kafka 4.4.0" in result.detail
    (cause,) = diagnose_scenarios("it", found, {question.vector.id: question.vector}).causes
    assert cause.id == "OffsetCommit/UNKNOWN_MEMBER_ID/NONE"


def test_what_a_file_of_findings_knows_is_the_cause():
    question = one("scenario/topics/empty-name@newest")
    found, _ = results([question], change=changed(0, ["topics", 0, "errorCode"], 0), name="broker-kfake")
    (cause,) = diagnose_scenarios("broker-kfake", found, {question.vector.id: question.vector}).causes
    assert cause.id == "broker-kfake/topic-names"
    (other,) = diagnose_scenarios("it", found, {question.vector.id: question.vector}).causes
    assert other.id == "CreateTopics/NONE/INVALID_TOPIC_EXCEPTION"


def test_a_release_of_kafka_must_answer_as_itself():
    """Time -3 is the largest time since 3.0 (KIP-734), and some time before."""
    question = one("scenario/list-offsets/max-timestamp@newest")
    assert told(results([question], OLDEST, name="it")[0]) == []
    newer = question.scenario.kafka[NEWEST][question.end][1].answer["topics"][0]["partitions"][0]
    change = changed(1, ["topics", 0, "partitions", 0, "offset"], newer["offset"])
    ([result], _) = results([question], OLDEST, change, name="broker-kafka@2.8.2")
    assert (result.outcome, result.expected, result.got) == (Outcome.WRONG_ANSWER, "0", newer["offset"])


def test_a_release_of_kafka_that_was_not_recorded_is_right_in_its_own_way():
    question = one(COMMIT)
    change = changed(0, ["topics", 0, "partitions", 0, "errorCode"], 25)
    place = {"asked": [question], "release": NEWEST, "change": change, "name": "broker-kafka-legacy@1.1.1"}
    ([result], _) = results(**place, version="1.1.1")
    assert result.outcome is Outcome.UNSUPPORTED
    assert "not recorded" in result.detail
    assert told(results([question], name="broker-kafka-legacy@1.1.1", version="1.1.1")[0]) == []


def test_what_a_broker_does_not_have_is_a_gap():
    (found, broker) = results([one("scenario/topics/epochs@newest")], "no-release")
    assert [(result.outcome, result.detail) for result in found] == [
        (Outcome.UNSUPPORTED, "has no OffsetForLeaderEpoch")
    ]
    assert broker.made == []


def test_rows_of_what_others_made_are_not_looked_at():
    """A group of somebody else is listed; then one of ours is not."""
    question = one("scenario/groups/list@newest")
    other = {"groupId": "orders", "protocolType": "", "groupState": "Empty", "groupType": "classic"}

    def more(at, answer):
        return {**answer, "groups": [other, *answer["groups"]]} if at == 4 else answer

    def fewer(at, answer):
        return {**answer, "groups": [other]} if at == 4 else answer

    assert told(results([question], change=more)[0]) == []
    assert results([question], change=fewer)[0][0].path == "steps[4].ListGroups.groups[$g]"


def test_a_broker_that_is_set_up_otherwise_is_not_asked_on():
    """Where an authorizer is, nothing is made that nobody named."""
    ([result], broker) = results([one("scenario/access/acls@newest")], change=changed(0, ["errorCode"], 0))
    assert result.outcome is Outcome.UNSUPPORTED
    assert "set up otherwise" in result.detail
    assert broker.left == ["create_acls", "delete_acls"]


def test_what_was_made_is_taken_away_from_a_broker_that_is_set_up_otherwise():
    question = one("scenario/rules/topic-denied@newest")
    ([result], broker) = results([question], change=changed(2, ["topics", 0, "errorCode"], 3), seconds=0.1)
    assert result.outcome is Outcome.UNSUPPORTED
    assert "its answer to Metadata" in result.detail
    assert broker.left == ["metadata"]


def test_rules_that_take_no_effect_are_waited_for_once(monkeypatch):
    """So it is for a superuser: each of these scenarios waits for a denial."""
    clock = Clock()
    monkeypatch.setattr(walk, "monotonic", clock.now)
    monkeypatch.setattr(walk, "sleep", clock.sleep)
    waits = []

    def each(_question):
        waits.append(clock.now())
        return changed(2, ["topics", 0, "errorCode"], 3)

    found, _ = results([one("scenario/rules/topic-denied@newest")] * 3, each=each)
    waits.append(clock.now())
    assert {result.outcome for result in found} == {Outcome.UNSUPPORTED}
    first, *others = (after - before for before, after in pairwise(waits))
    assert first > 20
    assert max(others) < 1


class Clock:
    """Time that passes when somebody sleeps."""

    def __init__(self):
        self.seconds = 0.0

    def now(self):
        return self.seconds

    def sleep(self, seconds):
        self.seconds += seconds


def test_a_version_that_no_broker_has_is_answered_in_version_0():
    question = one("scenario/cluster/api-versions-of-no-version@newest")
    found, broker = results([question])
    assert told(found) == []
    assert broker.said == [99, 32767]
    ([result], _) = results([question], change=changed(0, ["errorCode"], 0))
    assert (result.expected, result.got) == ("UNSUPPORTED_VERSION", "NONE")


@pytest.mark.parametrize(("times", "seconds", "got"), [(3, 20, ""), (1 << 20, 0.3, "COORDINATOR_LOAD_IN_PROGRESS")])
def test_a_broker_that_is_still_loading_is_asked_again(times, seconds, got):
    ([result], _) = results([one(UNKNOWN_GROUP)], loading=times, seconds=seconds)
    assert result.got == got
    assert (result.outcome is Outcome.PASSED) is (not got)


def test_an_answer_that_lacks_what_the_next_request_says_is_what_is_wrong():
    def change(at, answer):
        return {**answer, "assignment": None} if at == 4 else answer

    (result,), _ = results([one("scenario/groups/consumer-revocation@newest")], change=change, seconds=0.1)
    assert result.outcome is Outcome.WRONG_ANSWER
    assert result.detail.startswith("steps[4].ConsumerGroupHeartbeat.assignment is null")


def test_answers_that_end_before_the_last_step_do_not_pass():
    question = one("scenario/transactions/init@newest")
    answers = tuple(question.scenario.kafka[NEWEST][question.end][:1])
    reaction = ScenarioReaction(0, Reply(Status.ANSWER, b""), 0.0, answers=answers)
    hello = Hello(name="it", version="1", language="any", formats=(), codecs=(), fields=frozenset(), checks_crc=True)
    result = judge_scenario(question, hello, "it", reaction)
    assert (result.outcome, result.detail) == (
        Outcome.BROKEN_PROTOCOL,
        "has not answered what InitProducerId is to say then",
    )


def test_records_are_compared_by_what_a_reader_is_told():
    def change(_, answer):
        return json.loads(json.dumps(answer).replace('"control": "abort"', '"control": "commit"'))

    (result,), _ = results([one("scenario/transactions/abort-and-read@newest")], change=change)
    assert result.detail == (
        "steps[8].Fetch.responses[].partitions[0].records[2].control is commit, not abort, as Kafka 4.4.0 answers"
    )


def test_records_that_cannot_be_read_are_a_wrong_answer():
    def change(at, answer):
        return {**answer, "responses": garbled(answer["responses"])} if at == 1 else answer

    def garbled(topics):
        bad = {"records": "ff" * 61}
        return [{**topic, "partitions": [{**each, **bad} for each in topic["partitions"]]} for topic in topics]

    (result,), _ = results([one("scenario/fetch/records@newest")], change=change)
    assert result.outcome is Outcome.WRONG_ANSWER
    assert ".records is " in result.detail
