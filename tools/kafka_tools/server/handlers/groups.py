"""Groups of the classic protocol, as far as clients insist: whoever joins is alone, and leads."""

from __future__ import annotations

from typing import Any

from kafka_tools.server.error_codes import MEMBER_ID_REQUIRED
from kafka_tools.server.state import Call

_SAYS_ITS_ID_FIRST = 4
"""The version since which a member without an id is sent back with one (KIP-394)."""


async def join_group(call: Call) -> Any:
    """Make the member the leader of a group of its own."""
    member, offered = call.body.member_id, call.body.protocols
    if not member:
        member = call.state.groups.new_member()
        if call.version >= _SAYS_ITS_ID_FIRST and call.field("group_instance_id") is None:
            return call.answer(error_code=MEMBER_ID_REQUIRED, member_id=member, protocol_name="", leader="")
    chosen = offered[0] if offered else None
    instance = call.field("group_instance_id")
    metadata = chosen.metadata if chosen else b""
    row = call.make("join_group_response_member", member_id=member, group_instance_id=instance, metadata=metadata)
    return call.answer(
        generation_id=call.state.groups.new_generation(call.body.group_id),
        protocol_type=call.body.protocol_type,
        protocol_name=chosen.name if chosen else "",
        leader=member,
        member_id=member,
        members=[row],
    )


async def sync_group(call: Call) -> Any:
    """Give back what the leader assigned to itself."""
    mine = [
        assignment.assignment for assignment in call.body.assignments if assignment.member_id == call.body.member_id
    ]
    return call.answer(
        protocol_type=call.field("protocol_type"),
        protocol_name=call.field("protocol_name"),
        assignment=mine[0] if mine else b"",
    )


async def heartbeat(call: Call) -> Any:
    """Agree."""
    return call.answer()


async def leave_group(call: Call) -> Any:
    """Agree."""
    members = [
        call.make("member_response", member_id=member.member_id, group_instance_id=member.group_instance_id)
        for member in call.field("members", ())
    ]
    return call.answer(members=members)
