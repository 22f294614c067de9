"""quorum-state."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.cases.case import QUORUM, Case
from kafka_generator.start_vectors.cases.facts import Facts

_FILE: Final = f"{QUORUM}/quorum-state"
_NOBODY: Final = "AAAAAAAAAAAAAAAAAAAAAA"

_OF_VOTERS: Final = {"empty", "version-7", "removed", "epoch-below", "epoch-above", "other-vote", "older", "version-0"}
"""What may come out otherwise where voters stand in the metadata log."""


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    for base in ("static", "dynamic"):
        for name, title, change in _changes(facts[base]):
            if base == "static" or name in _OF_VOTERS:
                yield Case(f"quorum-state/{base}/{name}", title, base, (change,))


def _changes(facts: Facts) -> Iterator[tuple[str, str, edits.Edit]]:
    content = facts.files[_FILE]
    state: dict[str, Any] = json.loads(content)

    def with_values(**values: Any) -> edits.Edit:
        return edits.write(_FILE, json.dumps(state | values, separators=(",", ":")).encode())

    def without(key: str) -> edits.Edit:
        return edits.write(_FILE, json.dumps({name: value for name, value in state.items() if name != key}).encode())

    yield "empty", "quorum-state has no bytes.", edits.write(_FILE, b"")
    yield "zeros", "quorum-state is all zeros, as after a power loss.", edits.write(_FILE, bytes(len(content)))
    yield "no-object", "quorum-state is no JSON object.", edits.write(_FILE, b"[1, 2]")
    yield "cut", "quorum-state is cut in half.", edits.cut(_FILE, len(content) // 2)
    yield "behind", "Something stands behind the object.", edits.append(_FILE, b" and more")
    yield "second-line", "A second line is no JSON.", edits.append(_FILE, b"\nand more\n")
    yield "no-version", "data_version is missing.", without("data_version")
    yield "version-7", "data_version is 7.", with_values(data_version=7)
    yield "version-text", "data_version is a text.", with_values(data_version="1")
    yield "no-epoch", "leaderEpoch is missing.", without("leaderEpoch")
    yield "no-leader", "leaderId is missing.", without("leaderId")
    yield "epoch-text", "leaderEpoch is a text.", with_values(leaderEpoch="one")
    yield "unknown-field", "There is an unknown field.", with_values(more=1)
    yield "removed", "quorum-state is missing.", edits.remove(_FILE)
    yield "epoch-below", "The epoch is below that of the log.", with_values(leaderEpoch=0)
    yield "epoch-above", "The epoch is 9, and the leader 5, who is no voter.", with_values(leaderEpoch=9, leaderId=5)
    yield "epoch-negative", "The epoch is negative.", with_values(leaderEpoch=-5)
    yield "leader-and-vote", "There are a leader and a vote.", with_values(leaderId=1, votedId=1)
    yield "other-vote", "The vote is for a node that is no voter.", with_values(leaderId=-1, votedId=5)
    yield "unreadable", "quorum-state may not be read.", edits.unreadable(_FILE)
    yield "folder", "quorum-state is a folder.", edits.folder_at(_FILE)
    if facts.name == "static":
        yield "other-voters", "currentVoters names other voters.", with_values(currentVoters=[{"voterId": 7}])
        yield "other-cluster", "clusterId is another.", with_values(clusterId="0123456789ABCDEFGHIJKA")
        newer = {"leaderId": 1, "leaderEpoch": 1, "votedId": -1, "votedDirectoryId": _NOBODY, "data_version": 1}
        yield "newer", "quorum-state has the version 1.", edits.write(_FILE, json.dumps(newer).encode())
    else:
        voters = {"clusterId": "", "appliedOffset": 0, "currentVoters": [{"voterId": 1}], "data_version": 0}
        older = {"leaderId": 1, "leaderEpoch": 1, "votedId": -1, **voters}
        yield "older", "quorum-state has the version 0.", edits.write(_FILE, json.dumps(older).encode())
        yield "version-0", "data_version is 0 beside the fields of 1.", with_values(data_version=0)
