"""Groups as a group coordinator replays their records (GroupMetadataManager.replay of 4.x)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from kafka_format.log.contents.kafka_error import Refused
from kafka_format.protocol.records import SchemaRecord

_ISE: Final = "IllegalStateException"
_TOMBSTONE: Final = "Received a tombstone record to delete"
CLASSIC: Final = "classic"
_KINDS: Final = ("consumer", "share", "streams")


@dataclass(slots=True)
class Group:
    """A group.

    Attributes:
        kind: `classic`, `consumer`, `share` or `streams`.
        epoch: its epoch or generation; None where no record says it.
        state: what the last record of the group says; None for none.
        members: what is known of members by their ids; `targets` their target assignments, and
            `assignments` what they have.
    """

    kind: str
    epoch: int | None = None
    state: Any = None
    members: dict[str, Any] = field(default_factory=dict)
    targets: dict[str, Any] = field(default_factory=dict)
    assignments: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Offset:
    """A committed offset."""

    offset: int
    metadata: str
    timestamp: int
    leader_epoch: int = -1


@dataclass(slots=True)
class Groups:
    """All groups of a partition of `__consumer_offsets`, and what they have committed."""

    groups: dict[str, Group] = field(default_factory=dict)
    offsets: dict[tuple[str, str, int], Offset] = field(default_factory=dict)

    def add(self, key: SchemaRecord, value: SchemaRecord | None) -> None:
        """Replay a record.

        Raises:
            Refused: it contradicts what is there, and the coordinator ends loading.
        """
        name = key.layout.removesuffix("_key")
        if name in {"offset_commit", "legacy_offset_commit"}:
            self._offset(key.value, value)
        elif name == "group_metadata":
            self._classic(key.value.group, value)
        else:
            kind, _, part = name.partition("_group_")
            if kind in _KINDS:
                self._of_group(kind, part, key.value, value)

    def _offset(self, key: Any, value: SchemaRecord | None) -> None:
        at = (key.group, key.topic, key.partition)
        if value is None:
            self.offsets.pop(at, None)
            return
        given = value.value
        self.offsets[at] = Offset(
            given.offset, given.metadata, given.commit_timestamp, getattr(given, "leader_epoch", -1)
        )

    def _classic(self, group: str, value: SchemaRecord | None) -> None:
        if value is None:
            self.groups.pop(group, None)
            return
        members = {each.member_id: each for each in value.value.members}
        self.groups[group] = Group(CLASSIC, value.value.generation, value.value, members)

    def _of_group(self, kind: str, part: str, key: Any, value: SchemaRecord | None) -> None:
        group = self.groups.get(key.group_id)
        if group is None:
            if value is None:
                return
            group = self.groups[key.group_id] = Group(kind)
        elif group.kind != kind:
            if value is None and group.kind != CLASSIC:
                return
            if not (group.kind == CLASSIC and group.state is None):
                raise Refused(_ISE, f"Group {key.group_id} is not a {kind} group.")
        _PARTS.get(part, _other)(self, group, key, value)

    def remove(self, group: str) -> None:
        """Remove a group that has nothing any more."""
        self.groups.pop(group, None)


def _metadata(groups: Groups, group: Group, key: Any, value: SchemaRecord | None) -> None:
    if value is not None:
        group.epoch, group.state = value.value.epoch, value.value
        return
    for left, where in ((group.members, "still has"), (group.targets, "assignment still has")):
        if left:
            raise Refused(_ISE, f"{_TOMBSTONE} group {key.group_id} but the {where} {len(left)} members.")
    groups.remove(key.group_id)


def _member(_groups: Groups, group: Group, key: Any, value: SchemaRecord | None) -> None:
    if value is not None:
        group.members[key.member_id] = value.value
        return
    for left, record in ((group.assignments, "CurrentMemberAssignment"), (group.targets, "TargetAssignmentMember")):
        if key.member_id in left:
            missing = f"{group.kind.capitalize()}Group{record}Value tombstone."
            raise Refused(_ISE, f"{_TOMBSTONE} member {key.member_id} but did not receive {missing}")
    group.members.pop(key.member_id, None)


def _target(_groups: Groups, group: Group, key: Any, value: SchemaRecord | None) -> None:
    _set(group.targets, key.member_id, value)


def _assignment(_groups: Groups, group: Group, key: Any, value: SchemaRecord | None) -> None:
    _set(group.assignments, key.member_id, value)
    if value is not None:
        group.members.setdefault(key.member_id, None)


def _set(values: dict[str, Any], name: str, value: SchemaRecord | None) -> None:
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value.value


def _target_metadata(_groups: Groups, group: Group, key: Any, value: SchemaRecord | None) -> None:
    if value is None and group.targets:
        left = f"the assignment still has {len(group.targets)} members."
        raise Refused(_ISE, f"{_TOMBSTONE} target assignment of {key.group_id} but {left}")


def _other(_groups: Groups, _group: Group, _key: Any, _value: SchemaRecord | None) -> None:
    """Nothing of other records is kept: regular expressions, topologies, partitions."""


_PARTS: Final = {
    "metadata": _metadata,
    "member_metadata": _member,
    "target_assignment_member": _target,
    "target_assignment_metadata": _target_metadata,
    "current_member_assignment": _assignment,
}
