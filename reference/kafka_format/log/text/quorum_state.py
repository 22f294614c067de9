"""quorum-state: what a KRaft node remembers of elections (FileQuorumStateStore; KIP-595, KIP-853).

One line of JSON. `data_version` 0 names the voters, `data_version` 1 (3.9, with kraft.version 1)
has the directory that the vote went to. A reader looks at the first line alone.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from kafka_format.log.text.lines import split, text_error

NAME: Final = "quorum-state"
NONE: Final = -1
NO_DIRECTORY: Final = "A" * 22

_KEYS: Final = {
    0: ("clusterId", "leaderId", "leaderEpoch", "votedId", "appliedOffset", "currentVoters"),
    1: ("leaderId", "leaderEpoch", "votedId", "votedDirectoryId"),
}
"""The keys of each version, as Kafka writes them, before `data_version`."""


class QuorumState(NamedTuple):
    """The content of quorum-state.

    Attributes:
        data_version: 0 or 1.
        leader_id: the leader of the epoch; -1 is unknown.
        leader_epoch: the newest epoch.
        voted_id: who got this node's vote in it; -1 is nobody.
        voted_directory_id: the directory of that node, in version 1.
        current_voters: ids of the voters, in version 0.
        cluster_id: empty in version 1, and mostly in version 0.
        applied_offset: 0 in all that brokers write.
    """

    data_version: int
    leader_id: int
    leader_epoch: int
    voted_id: int
    voted_directory_id: str = NO_DIRECTORY
    current_voters: tuple[int, ...] = ()
    cluster_id: str = ""
    applied_offset: int = 0


def decode(data: bytes) -> QuorumState:
    """Read the file.

    Raises:
        FormatError: a node cannot read it, and does not start.
    """
    line = next(split(data), None)
    if line is None:
        raise text_error("log.quorum-state.json", "the file is empty", 0)
    try:
        document = json.loads(line.text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise text_error("log.quorum-state.json", "the first line is not a JSON object", 0)
    version = document.get("data_version")
    if type(version) is not int or version not in _KEYS:
        raise text_error(
            "log.quorum-state.version", f"data_version is {version!r:.40}, known are 0 and 1", 0, "data_version"
        )
    try:
        return _state(version, document)
    except (KeyError, TypeError, ValueError) as error:
        detail = f"a key of version {version} is missing or of another type: {error}"
        raise text_error("log.quorum-state.keys", detail, 0) from None


def _state(version: int, document: dict[str, Any]) -> QuorumState:
    leader, epoch, voted = (document[key] for key in ("leaderId", "leaderEpoch", "votedId"))
    if not all(type(each) is int for each in (leader, epoch, voted)):
        raise TypeError("leaderId, leaderEpoch and votedId are numbers")
    if version == 1:
        return QuorumState(version, leader, epoch, voted, voted_directory_id=str(document["votedDirectoryId"]))
    voters = tuple(int(voter["voterId"]) for voter in document["currentVoters"])
    return QuorumState(
        version,
        leader,
        epoch,
        voted,
        current_voters=voters,
        cluster_id=str(document.get("clusterId", "")),
        applied_offset=int(document.get("appliedOffset", 0)),
    )


def encode(state: QuorumState) -> bytes:
    """Write the file, byte for byte as Kafka does."""
    values = {
        "clusterId": state.cluster_id,
        "leaderId": state.leader_id,
        "leaderEpoch": state.leader_epoch,
        "votedId": state.voted_id,
        "appliedOffset": state.applied_offset,
        "currentVoters": [{"voterId": voter} for voter in state.current_voters],
        "votedDirectoryId": state.voted_directory_id,
    }
    document = {key: values[key] for key in _KEYS[state.data_version]} | {"data_version": state.data_version}
    return json.dumps(document, separators=(",", ":")).encode()
