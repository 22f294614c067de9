"""What is wrong with a course: the next fetch, what came before it, and when."""

from dataclasses import replace

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.conversation import questions as catalogue
from kafka_conformance.kinds.conversation import verdict
from kafka_conformance.kinds.conversation.judge import _told_loss, judge_conversation
from kafka_conformance.kinds.conversation.requests_seen import ClientRequest, PlayedStep, RequestsSeen
from kafka_conformance.kinds.conversation.script import Step
from kafka_conformance.kinds.conversation.session import ConversationReaction
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import conversations, loader


def asked(offset, at=0.0, **more):
    return ClientRequest("fetch", 12, 1, 1, at, is_about=True, offset=offset, **more)


METADATA = ClientRequest("metadata", 12, 1, 1, 0.0)


def conversation_of(name):
    (vector,) = loader.of_family(conversations.FAMILY, [name])
    return catalogue.conversation(vector)


NOT_AUTHORIZED = conversation_of("conversation/errors/not-authorized")
LOST = conversation_of("conversation/sessions/lost")


def with_step(**said):
    return replace(LOST, steps=(Step("fetch", **said),))


@pytest.mark.parametrize(
    ("due", "after", "path"),
    [
        ({"offset": 3}, [asked(3)], None),
        ({"offset": 3}, [METADATA, asked(3)], None),
        ({"offset": 3}, [asked(4)], "steps[0].next.offset"),
        ({"offset": [3, 4]}, [asked(4)], None),
        ({"offset": 3}, [], None),
        ({"session_epoch": 0}, [asked(3, session_epoch=2)], "steps[0].next.session_epoch"),
        ({"after_ms": 500}, [asked(3, at=10.4)], "steps[0].next.after_ms"),
        ({"after_ms": 500}, [asked(3, at=10.5)], None),
    ],
)
def test_the_next_fetch_is_held_against_the_step(due, after, path):
    seen = RequestsSeen([asked(0), *after], [PlayedStep(0, 1, 1, sent_at=10.0)])
    wrong = verdict.first_wrong(with_step(next=due), seen)
    assert (wrong and wrong.path) == path


MOVED = conversation_of("conversation/leaders/moved")
KEPT = "requests.fetch.current_leader_epoch"


@pytest.mark.parametrize(
    ("after", "path"),
    [
        ([METADATA, asked(3, leader_epoch=0), asked(3, leader_epoch=0)], KEPT),
        ([asked(3, leader_epoch=0), METADATA, asked(3, leader_epoch=0), asked(3, leader_epoch=0)], KEPT),
        ([METADATA, asked(3, leader_epoch=0), asked(3, leader_epoch=1)], None),
        ([METADATA, asked(3, leader_epoch=0)], None),
        ([asked(3, leader_epoch=0), asked(3, leader_epoch=0)], None),
        ([METADATA, asked(3), asked(3)], None),
        ([METADATA, asked(3, leader_epoch=0), asked(5, leader_epoch=0)], None),
    ],
    ids=["kept", "kept after one more", "renewed", "once", "no metadata", "no epochs", "gets to the end"],
)
def test_who_keeps_an_old_leader_epoch_is_told_of_it(after, path):
    changed = next(number for number, step in enumerate(MOVED.steps) if step.change)
    seen = RequestsSeen([asked(0, leader_epoch=0), asked(3, leader_epoch=0), *after], [PlayedStep(changed, 2, 1)])
    wrong = verdict.first_wrong(MOVED, seen)
    assert (wrong and wrong.path) == path


def test_a_step_that_waits_for_a_request_in_vain():
    waiting = replace(with_step(when={"session_epoch": 7}), position=None, records=())
    assert verdict.end_of(waiting, RequestsSeen([asked(0)])).path == "steps[0].when"
    assert verdict.end_of(waiting, RequestsSeen([asked(0)], [PlayedStep(0, 1, 1)])) is None


def test_records_that_are_missing_where_no_position_is_due():
    due = replace(with_step(), position=None, records=LOST.records)
    assert verdict.end_of(due, RequestsSeen([asked(0)], [PlayedStep(0, 1, 1)])).path == "records"


def test_what_must_be_asked_before():
    conversation = with_step(before_next=("metadata",))
    played = [PlayedStep(0, 1, 1)]
    assert verdict.first_wrong(conversation, RequestsSeen([asked(0), METADATA, asked(3)], played)) is None
    assert (
        verdict.first_wrong(conversation, RequestsSeen([asked(0), asked(3), METADATA], played)).path == "steps[0].next"
    )


def test_a_request_that_breaks_a_rule_is_wrong():
    assert (
        verdict.first_fault(RequestsSeen([asked(0)], faults=["fetch 12: it is too long"])).got
        == "fetch 12: it is too long"
    )
    assert verdict.first_fault(RequestsSeen([asked(0)])) is None


@pytest.mark.parametrize(
    ("errors", "faults", "outcome", "path"),
    [
        ([], ["metadata 13: it is too long"], Outcome.ACCEPTED_INVALID, ""),  # it must tell an error
        (["not allowed"], ["metadata 13: it is too long"], Outcome.WRONG_ANSWER, "request"),
        (["not allowed"], [], Outcome.PASSED, ""),
    ],
)
def test_a_request_that_breaks_a_rule_hides_nothing_else(errors, faults, outcome, path):
    seen = RequestsSeen([asked(0)], faults=faults)
    seen.got.errors.extend(errors)
    hello = Hello("it", "1", "Python", ("v2",), ("none",), ("offset",), checks_crc=True)
    judged = judge_conversation(
        NOT_AUTHORIZED, hello, "it", ConversationReaction(0, Reply(Status.ANSWER, b""), 0.0, seen=seen)
    )
    assert (judged.outcome, judged.path) == (outcome, path)


def test_gaps():
    assert verdict.gap(LOST, RequestsSeen([asked(0, session_epoch=-1)])) == "opens no fetch session"
    assert not verdict.gap(LOST, RequestsSeen([asked(0, session_epoch=0)]))
    assert verdict.gap(LOST, RequestsSeen([METADATA])) == "has no version of fetch that the broker has"
    unsaid = RequestsSeen([asked(0)], [PlayedStep(0, 1, 1, missing_field="node_endpoints")])
    assert verdict.gap(LOST, unsaid) == "its version of fetch does not have `node_endpoints`"


def group(api, member="", **more):
    return ClientRequest(api, 5, 1, 1, 0.0, member=member, **more)


@pytest.mark.parametrize(
    ("due", "after", "got"),
    [
        ({"join_group": {}}, [group("join_group")], None),
        ({"join_group": {}}, [METADATA], "no request"),
        ({"join_group": {"member": "same"}}, [group("join_group", "one")], None),
        ({"join_group": {"member": "same"}}, [group("join_group"), group("join_group", "two")], "member another"),
        ({"join_group": {"member": "none"}}, [group("join_group"), group("join_group", "two")], None),
        ({"join_group": {"member": "none"}}, [group("join_group", "one")], "member another"),
        ({"offset_commit": {"offset": 5}}, [group("offset_commit", offset=0), group("offset_commit", offset=5)], None),
        ({"offset_commit": {"offset": 5}}, [group("offset_commit", offset=4)], "offset 4"),
    ],
)
def test_what_must_come_behind_a_step(due, after, got):
    conversation = replace(with_step(asks=due), position=0, records=())
    seen = RequestsSeen([asked(0), group("heartbeat", "one"), *after], [PlayedStep(0, 2, 1)])
    wrong = verdict.end_of(conversation, seen)
    assert (wrong and wrong.got) == got
    assert verdict.has_asked(conversation, seen) is (got is None)


IDEMPOTENT = conversation_of("conversation/idempotence/too-large")


@pytest.mark.parametrize(
    ("log", "events", "outcome"),
    [
        (["a"], ["sent a", "unsent b X", "unsent c X"], Outcome.PARTIAL_ANSWER),
        ([], ["unsent a X", "unsent b X", "unsent c X"], Outcome.REFUSED_VALID),
        (["a"], ["sent a", "unsent b X", "sent c"], Outcome.WRONG_ANSWER),
        (["a", "a"], ["sent a", "unsent b X", "unsent c X"], Outcome.WRONG_ANSWER),
        (["a", "b"], ["sent a", "unsent b X", "unsent c X"], Outcome.WRONG_ANSWER),
    ],
)
def test_a_loss_that_the_application_was_told_is_no_silent_one(log, events, outcome):
    seen = RequestsSeen(log=log, events=tuple(events))
    seen.got.errors += [event for event in events if event.startswith("unsent")]
    result = _told_loss(Result("x", "it", Outcome.PASSED), IDEMPOTENT, seen)
    assert (Outcome.WRONG_ANSWER if result is None else result.outcome) is outcome
