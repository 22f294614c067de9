"""StreamsGroupHeartbeat (KIP-1071): a member runs tasks, each of which reads topics.

A topology has a part for each topic here: a task is known by the first topic that it reads.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from kafka_tools.server.error_codes import NOT_COORDINATOR
from kafka_tools.server.handlers.members import member_of, refusal
from kafka_tools.server.members import JOINS, Member
from kafka_tools.server.state import Call


async def heartbeat(call: Call) -> Any:
    """Let a member join, stay or leave, and tell it its tasks, if they changed."""
    if call.connection.node != call.state.coordinator:
        return refusal(call, NOT_COORDINATOR)
    name, epoch = call.body.member_id, call.body.member_epoch
    if epoch < JOINS:
        call.state.members.leave(call.body.group_id, name)
        return call.answer(member_id=name, member_epoch=epoch, status=None)
    member = member_of(call, name)
    if isinstance(member, int):
        return refusal(call, member)
    _note(call, member)
    members = call.state.members
    changed = members.reconcile(member, [topic.name for topic in call.state.topics])
    is_told = changed or epoch == JOINS
    return call.answer(
        member_id=name,
        member_epoch=member.epoch,
        heartbeat_interval_ms=call.state.settings.heartbeat_ms,
        task_offset_interval_ms=60_000,
        status=[],
        active_tasks=_tasks(call, member, member.assigned) if is_told else None,
        standby_tasks=_tasks(call, member, members.standby) if is_told else None,
        warmup_tasks=_tasks(call, member, members.warmup) if is_told else None,
        endpoint_information_epoch=call.body.endpoint_information_epoch,
    )


def _note(call: Call, member: Member) -> None:
    """Take the topology and the tasks of a member, where it says them."""
    if call.body.topology is not None:
        member.tasks = tasks_of(call.body.topology)
        member.names = frozenset(member.tasks.values())
    if call.body.active_tasks is not None:
        member.owned = frozenset(names_of(member, call.body.active_tasks))


def tasks_of(topology: Any) -> dict[str, str]:
    """Return the topics of the parts of a topology by id; a part that reads none is left out."""
    return {part.subtopology_id: part.source_topics[0] for part in topology.subtopologies if part.source_topics}


def names_of(member: Member, tasks: Sequence[Any]) -> list[str]:
    """Return the topics of tasks; `?` for a part that the topology does not have."""
    return [member.tasks.get(task.subtopology_id, "?") for task in tasks]


def _tasks(call: Call, member: Member, topics: Collection[str]) -> list[Any]:
    """Make the tasks of a member that read these topics."""
    return [task(call, part) for part, name in sorted(member.tasks.items()) if name in topics]


def task(call: Call, part: str) -> Any:
    """Make the task of the first partition of a part of the topology."""
    return call.make("task_ids", subtopology_id=part, partitions=[0])
