"""Heartbeats of members to which the broker assigns partitions (KIP-848, KIP-932)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from kafka_tools.server.error_codes import (
    FENCED_MEMBER_EPOCH,
    INVALID_REGULAR_EXPRESSION,
    NOT_COORDINATOR,
    UNKNOWN_MEMBER_ID,
)
from kafka_tools.server.expressions import Expression
from kafka_tools.server.members import JOINS, Member
from kafka_tools.server.state import Call


async def heartbeat(call: Call) -> Any:
    """Let a member join, stay or leave, and tell it what it has, if that changed.

    It has to give up what it has before it gets something else.
    """

    def assign(member: Member, topics: Sequence[str]) -> bool:
        _note_owned(call, member)
        return call.state.members.reconcile(member, topics)

    return _heartbeat(call, assign)


async def share_heartbeat(call: Call) -> Any:
    """Do the same for a member of a share group, which gets all at once."""
    return _heartbeat(call, call.state.members.hand_over)


def _heartbeat(call: Call, assign: Callable[[Member, Sequence[str]], bool]) -> Any:
    """Answer a heartbeat; `assign` gives a member of the topics, and tells if that changes."""
    if call.connection.node != call.state.coordinator:
        return refusal(call, NOT_COORDINATOR)
    name = call.body.member_id or str(uuid.uuid4())
    epoch = call.body.member_epoch
    if epoch < JOINS:
        call.state.members.leave(call.body.group_id, name)
        return call.answer(member_id=name, member_epoch=epoch)
    member = member_of(call, name)
    if isinstance(member, int):
        return refusal(call, member)
    changed = assign(member, [topic.name for topic in call.state.topics])
    is_whole = changed or epoch == JOINS or bool(call.body.subscribed_topic_names)
    interval = call.state.settings.heartbeat_ms
    told = {"member_id": name, "member_epoch": member.epoch, "heartbeat_interval_ms": interval}
    return call.answer(**told, assignment=assignment(call, member.assigned) if is_whole else None)


def refusal(call: Call, error: int) -> Any:
    """Make the answer to a heartbeat that is an error."""
    of_streams = {"member_id": "", "status": None} if call.api == "streams_group_heartbeat" else {"member_id": None}
    return call.answer(error_code=error, member_epoch=0, heartbeat_interval_ms=0, **of_streams)


def member_of(call: Call, name: str) -> Member | int:
    """Return who sends a heartbeat, or why it may not, as an error code."""
    group, epoch = call.body.group_id, call.body.member_epoch
    if epoch == JOINS:
        member = call.state.members.join(group, name)
        member.owned = frozenset()
    else:
        known = call.state.members.find(group, name)
        if known is None:
            return UNKNOWN_MEMBER_ID
        if epoch not in {known.epoch, known.previous}:
            return FENCED_MEMBER_EPOCH
        member = known
    if call.field("subscribed_topic_names") is not None:
        member.names = frozenset(call.body.subscribed_topic_names)
    text = call.field("subscribed_topic_regex")
    if text is not None:
        try:
            member.regex = Expression(text) if text else None
        except ValueError:
            return INVALID_REGULAR_EXPRESSION
    return member


def _note_owned(call: Call, member: Member) -> None:
    """Take what a member says that it owns, if it says so."""
    if call.body.topic_partitions is not None:
        found = (call.state.topics.find(topic_id=topic.topic_id) for topic in call.body.topic_partitions)
        member.owned = frozenset(topic.name for topic in found if topic is not None)


def assignment(call: Call, names: frozenset[str]) -> Any:
    """Make the assignment of the partition of each topic that there is."""
    topics = [topic for name in sorted(names) if (topic := call.state.topics.find(name)) is not None]
    rows = [call.make("topic_partitions", topic_id=topic.topic_id, partitions=[0]) for topic in topics]
    return call.make("assignment", topic_partitions=rows)
