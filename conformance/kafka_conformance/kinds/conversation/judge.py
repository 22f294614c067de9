"""Judging of a conversation: what the client asked next, and what its application got."""

from __future__ import annotations

from dataclasses import replace

from kafka_conformance.child.session import Loss
from kafka_conformance.judging.difference import Difference, first_difference, visible
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.conversation.following import LOG, missing_at_close
from kafka_conformance.kinds.conversation.requests_seen import RequestsSeen
from kafka_conformance.kinds.conversation.script import Conversation, Telling
from kafka_conformance.kinds.conversation.session import ConversationReaction
from kafka_conformance.kinds.conversation.verdict import end_of, first_fault, first_wrong, gap
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello


def judge_conversation(conversation: Conversation, hello: Hello, target: str, reaction: ConversationReaction) -> Result:
    """Compare what a client did in a conversation with what it must do.

    The first request that is wrong counts for most; then the records, then errors that are reported
    and must not be, or are not and must be, then where the client ended. At last come requests that
    break a rule: most clients that make one make it in every conversation, and it must not
    hide what the conversation is about.
    """
    blank = Result(conversation.vector.id, target, Outcome.PASSED, seconds=reaction.seconds)
    if isinstance(reaction.reply, Loss):
        return replace(blank, outcome=reaction.reply.outcome, detail=reaction.reply.detail)
    seen = reaction.seen
    blank = replace(blank, answer=tuple(seen.got.records))
    if reason := gap(conversation, seen):
        return replace(blank, outcome=Outcome.UNSUPPORTED, detail=reason)
    if wrong := first_wrong(conversation, seen) or _wrong_records(conversation, hello, seen):
        told = _told_loss(blank, conversation, seen) if wrong.path == LOG else None
        return told or _wrong_result(blank, conversation, wrong)
    ending = _ending(blank, conversation, seen)
    if ending.outcome is Outcome.PASSED and (unclosed := missing_at_close(conversation, seen)):
        return _wrong_result(blank, conversation, unclosed)
    fault = first_fault(seen)
    return _wrong_result(blank, conversation, fault) if fault and ending.outcome is Outcome.PASSED else ending


def _wrong_result(blank: Result, conversation: Conversation, wrong: Difference) -> Result:
    detail = f"{wrong.path} is {wrong.got}, not {wrong.expected}: {conversation.must}"
    return blank.differing(Outcome.WRONG_ANSWER, wrong, detail)


def _told_loss(blank: Result, conversation: Conversation, seen: RequestsSeen) -> Result | None:
    """Return the result of a producer that told its application of each value that is not there.

    None if something is in the log that must not be, or is not there and was said to be sent.
    """
    sent = {event.split()[1] for event in seen.events if event.split()[0] == "sent"}
    is_part = any(set(seen.log) <= set(due) for due in conversation.log) and len(set(seen.log)) == len(seen.log)
    if not seen.got.errors or not is_part or not sent <= set(seen.log):
        return None
    outcome, error = Outcome.PARTIAL_ANSWER if seen.log else Outcome.REFUSED_VALID, seen.got.errors[0]
    return replace(blank, outcome=outcome, detail=f"reported: {error}", expected="no error", got=error)


def _wrong_records(conversation: Conversation, hello: Hello, seen: RequestsSeen) -> Difference | None:
    """Return a record that did not have to come, or is not what it must be.

    Those that did not come are judged by where the client ended.
    """
    got = list(seen.got.records)
    expected = visible(list(conversation.records), hello.fields)
    return first_difference(expected[: len(got)], got, hello.fields)


def _ending(blank: Result, conversation: Conversation, seen: RequestsSeen) -> Result:
    """Judge which errors the application got, and where the client ended.

    A client that tells of an error and still gets to the end has mostly lost nothing.
    """
    errors, rule = seen.got.errors, conversation.telling
    if not errors and rule is Telling.MUST:
        detail = f"reported no error: {conversation.must}"
        return replace(blank, outcome=Outcome.ACCEPTED_INVALID, detail=detail, expected="an error", got="none")
    said = f"reported: {errors[0]}" if errors else ""
    wrong, is_forbidden = end_of(conversation, seen), bool(errors) and rule is Telling.NEVER
    if wrong is not None and not wrong.is_behind:
        return _wrong_result(blank, conversation, wrong)
    if not is_forbidden and (wrong is None or (errors and rule in {Telling.MAY, Telling.MUST})):
        return replace(blank, detail=said)
    has_every_record = conversation.position is not None and conversation.position == seen.position
    if wrong is not None and (has_every_record or not seen.stop_reason):
        return _wrong_result(blank, conversation, wrong)  # a request or an event is missing
    if errors:
        outcome = Outcome.PARTIAL_ANSWER if seen.got.records else Outcome.REFUSED_VALID
        return replace(blank, outcome=outcome, detail=said, expected="no error", got=errors[0])
    assert wrong is not None  # noqa: S101 - else it passed
    detail = f"{seen.stop_reason}; {wrong.path} is {wrong.got}, not {wrong.expected}: {conversation.must}"
    return replace(blank, outcome=Outcome.HUNG, detail=detail)
