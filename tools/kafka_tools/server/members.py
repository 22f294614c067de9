"""Members of groups to which the broker assigns partitions (KIP-848), one in each group.

A change of what a member is to have goes as Kafka's coordinator has it: what it is to give up is
left out at its old epoch, and only when it says that it owns no more than that, it gets the next
epoch and the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from kafka_tools.server.expressions import Expression

JOINS: Final = 0
"""The epoch of a member that joins; one that leaves has a negative one."""

MOST_MEMBERS: Final = 10_000


@dataclass(slots=True)
class Member:
    """One member.

    Attributes:
        epoch: its epoch.
        previous: its epoch before, which it may still have if it did not get the last answer.
        names: the topics that it subscribed to.
        regex: the expression that it subscribed to; None for none.
        assigned: the topics whose partition it was told to own.
        owned: those that it said it owns; None before it said so.
        is_revoking: True until it has said that it gave up what was taken from it; for what it got
            the coordinator waits for no word (CurrentAssignmentBuilder).
        tasks: of a member of a streams group, the topics of the parts of its topology, by id.
    """

    epoch: int = 0
    previous: int = 0
    names: frozenset[str] = frozenset()
    regex: Expression | None = None
    assigned: frozenset[str] = frozenset()
    owned: frozenset[str] | None = None
    is_revoking: bool = False
    tasks: Mapping[str, str] = field(default_factory=dict)


class Members:
    """All members, by group and id.

    Attributes:
        target: the topics that a member may have at most; None for all that it subscribed to.
        standby, warmup: the topics whose tasks a member of a streams group has so: it keeps their
            state, and processes nothing.
    """

    def __init__(self) -> None:
        self.target: frozenset[str] | None = None
        self.standby: frozenset[str] = frozenset()
        self.warmup: frozenset[str] = frozenset()
        self._members: dict[tuple[str, str], Member] = {}
        self._epoch = 0

    def find(self, group: str, member: str) -> Member | None:
        """Find a member."""
        return self._members.get((group, member))

    def join(self, group: str, member: str) -> Member:
        """Take in a member, or one of that id once more, at a new epoch."""
        self.raise_epoch()
        joined = self._members[group, member] = Member(self._epoch, self._epoch)
        if len(self._members) > MOST_MEMBERS:
            del self._members[next(iter(self._members))]
        return joined

    def leave(self, group: str, member: str) -> bool:
        """Let a member go; tell whether it was there."""
        return self._members.pop((group, member), None) is not None

    def raise_epoch(self) -> None:
        """Go on to the next epoch of all groups, whether an assignment changes or not."""
        self._epoch += 1

    def assign(self, names: Collection[str]) -> None:
        """Let a member have these topics at most from now on."""
        self.target = frozenset(names)
        self.raise_epoch()

    def reconcile(self, member: Member, topics: Iterable[str]) -> bool:
        """Bring a member one step nearer to its target; tell whether its assignment changed.

        Args:
            member: the member.
            topics: all topics that there are.
        """
        due = self._target_of(member, topics)
        kept = member.assigned & due
        if kept != member.assigned:
            member.assigned, member.owned, member.is_revoking = kept, None, True
            return True
        if member.epoch == self._epoch and due == kept:
            return False
        if member.is_revoking and member.assigned and member.owned != member.assigned:
            return False
        member.is_revoking = False
        member.previous, member.epoch = member.epoch, self._epoch
        changed, member.assigned = due != kept, due
        return changed

    def hand_over(self, member: Member, topics: Iterable[str]) -> bool:
        """Give a member at once what it is to have; tell whether that may have changed.

        So it is in share groups, where a partition may have several members. A new epoch may be
        that of a topic that was made anew: it has the same name, and another id.
        """
        due = self._target_of(member, topics)
        changed = due != member.assigned or member.epoch != self._epoch
        if member.epoch != self._epoch:
            member.previous, member.epoch = member.epoch, self._epoch
        member.assigned = due
        return changed

    def _target_of(self, member: Member, topics: Iterable[str]) -> frozenset[str]:
        found = {name for name in topics if name in member.names or (member.regex and member.regex.matches(name))}
        return frozenset(found if self.target is None else found & self.target)
