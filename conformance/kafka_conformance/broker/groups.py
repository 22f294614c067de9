"""Groups with one member each, who is the leader, and committed offsets."""

from __future__ import annotations

from typing import Final

MOST_OFFSETS: Final = 100_000


class Groups:
    """Committed offsets by group and topic, and the names of members."""

    def __init__(self) -> None:
        self._offsets: dict[tuple[str, str], int] = {}
        self._members = 0

    def new_member(self) -> str:
        """Name a member."""
        self._members += 1
        return f"member-{self._members}"

    def commit(self, group: str, topic: str, offset: int) -> None:
        """Keep an offset; the oldest gives way if there are too many."""
        self._offsets[group, topic] = offset
        if len(self._offsets) > MOST_OFFSETS:
            del self._offsets[next(iter(self._offsets))]

    def committed_offset(self, group: str, topic: str) -> int:
        """Return the committed offset, -1 for none."""
        return self._offsets.get((group, topic), -1)

    def topics(self, group: str) -> list[str]:
        """List the topics that a group committed offsets for."""
        return [topic for owner, topic in self._offsets if owner == group]
