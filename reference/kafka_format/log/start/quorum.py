"""quorum-state, and whether a node is a voter of its quorum.

Kafka: FileQuorumStateStore, QuorumStateDataJsonConverter, QuorumState, VoterSet.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.names import parse_file
from kafka_format.log.start import bootstrap
from kafka_format.log.start.metadata_records import MetadataReader, never_ready
from kafka_format.log.start.node import Node
from kafka_format.log.start.outcome import MetadataStart, Stopped, stopped
from kafka_format.log.start.text_files import id_of, read_text
from kafka_format.log.start.unloadable import Unloadable
from kafka_format.log.text import meta_properties, quorum_state
from kafka_format.log.text.lines import split
from kafka_format.log.text.meta_properties import MetaProperties
from kafka_format.primitives.integers import INT32_MAX

_FIELDS: Final = {
    "clusterId": ("text", (0,)),
    "leaderId": ("int", (0, 1)),
    "leaderEpoch": ("int", (0, 1)),
    "votedId": ("int", (0, 1)),
    "votedDirectoryId": ("id", (1,)),
    "appliedOffset": ("long", (0,)),
    "currentVoters": ("voters", (0,)),
}
"""The fields in the order in which they are read: types, and the versions that must have them."""

_WIDTHS: Final = {"int": 32, "long": 64}
_NEWEST: Final = {True: 1, False: 0}
_BOTH_SINCE: Final = (3, 8)
"""The first release that reads both versions."""


class State(NamedTuple):
    """What quorum-state says: its version, and the epoch of the last election."""

    version: int
    epoch: int


def check_state(node: Node) -> State | None:
    """Read quorum-state; None if there is no file.

    Raises:
        Stopped: the node does not start.
    """
    path = node.quorum / quorum_state.NAME
    if not path.exists():
        return None
    status = f"Error while reading the Quorum status from the file {path}"
    if path.is_dir():
        raise stopped("quorum-state-broken", path, "UncheckedIOException", status)
    try:
        read_text(path, "quorum-state-broken")
    except Unloadable as unloadable:
        raise Stopped(unloadable.fault) from unloadable
    state = _first_value(path)
    if not isinstance(state, dict) or "data_version" not in state:
        raise stopped("quorum-state-broken", path, "UncheckedIOException", status)
    version = _check_fields(node, path, state)
    epoch = state.get("leaderEpoch", 0)
    return State(version, epoch if isinstance(epoch, int) else 0)


def _first_value(path: Path) -> Any:  # noqa: ANN401 - JSON is anything
    """Return the first JSON value of the first line; None if there is none."""
    line = next(split(path.read_bytes()), None)
    try:
        return json.JSONDecoder().raw_decode(line.text.lstrip(" \t"))[0] if line is not None else None
    except (ValueError, RecursionError):
        return None


def _check_fields(node: Node, path: Path, state: dict[str, Any]) -> int:
    given = state["data_version"]
    version = int(given) if isinstance(given, int | float) else 0  # JsonNode.shortValue of a text
    newest = _NEWEST[node.release >= _BOTH_SINCE]
    if not 0 <= version <= newest:
        message = f"data_version ({version}) is not within the min (0) and max ({newest}) supported version"
        raise stopped("quorum-state-version", path, "IllegalStateException", message)
    try:
        for key, (kind, mandatory) in _FIELDS.items():
            _check_field(state, key, kind, version, is_mandatory=version in mandatory)
    except Refused as refused:
        raise stopped("quorum-state-broken", path, *refused.error) from refused
    return version


def _check_field(state: dict[str, Any], key: str, kind: str, version: int, *, is_mandatory: bool) -> None:
    """Refuse what the converter refuses; MessageUtil takes no number in quotes."""
    if key not in state:
        if is_mandatory:
            missing = f"QuorumStateData: unable to locate field '{key}', which is mandatory in version {version}"
            raise Refused("RuntimeException", missing)
    elif kind in _WIDTHS:
        _check_number(state[key], _WIDTHS[kind])
    elif kind == "voters":
        _check_voters(state[key], version)
    elif not isinstance(state[key], str):
        raise Refused("RuntimeException", f"QuorumStateData expected a {'JSON ' if kind == 'id' else ''}string type")
    elif kind == "id" and id_of(state[key]) is None:
        raise Refused("IllegalArgumentException")


def _check_number(value: Any, bits: int, about: str = "QuorumStateData") -> None:  # noqa: ANN401 - JSON is anything
    if isinstance(value, str):
        raise Refused("NumberFormatException", f"{about}: expected an integer or string type")
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if not is_number or not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise Refused("NumberFormatException", f"{about}: failed to parse number: For input string")


def _check_voters(value: Any, version: int) -> None:  # noqa: ANN401 - JSON is anything
    if value is None:
        raise Refused("NullPointerException")
    if not isinstance(value, list):
        raise Refused("RuntimeException", "QuorumStateData expected a JSON array")
    for each in value:
        if not isinstance(each, dict) or "voterId" not in each:
            missing = f"Voter: unable to locate field 'voterId', which is mandatory in version {version}"
            raise Refused("RuntimeException", missing)
        _check_number(each["voterId"], 32, "Voter")


def check_epoch(node: Node, metadata: MetadataStart, state: State | None) -> None:
    """Refuse an epoch behind which there is none: the next leader's would be negative.

    Raises:
        Stopped: the process ends as soon as it is elected.
    """
    if not node.role.is_controller:
        return
    rows = metadata.recovery.epochs if metadata.recovery is not None and not metadata.is_removed else ()
    log = rows[-1].epoch if rows else 0
    if max(log, state.epoch if state is not None else 0) == INT32_MAX:
        opened, closed = "[]" if node.release >= (4, 0) else "()"
        entry = f"EpochEntry{opened}epoch={-INT32_MAX - 1}, startOffset={metadata.end_offset}{closed}"
        at = node.quorum if log == INT32_MAX else node.quorum / quorum_state.NAME
        message = f"Received invalid partition leader epoch entry {entry}"
        raise stopped("epochs-exhausted", at, "IllegalArgumentException", message)


def check_controllers(node: Node, metadata: MetadataStart, reader: MetadataReader) -> None:
    """Look whether a broker asks voters that stand in a snapshot, and not in the log below it.

    Such a snapshot is of another cluster, and so are its voters. The addresses in the settings are
    not tried for a voter that has the same id (KafkaRaftClient.pollFollowerAsObserver,
    RequestManager).

    Raises:
        Stopped: the broker waits for ever for the metadata of its cluster.
    """
    voters, recovery = reader.quorum.voters, metadata.recovery
    if node.role.is_controller or not voters or metadata.snapshot is None or recovery is None:
        return
    name = parse_file(metadata.snapshot.name)
    if metadata.is_removed or recovery.start_offset > 0 or name is None or not name.offset:
        return  # the log does not have all that is in the snapshot
    if not reader.has_voters_in_log():
        raise never_ready("voters-of-others", metadata.snapshot, voters=", ".join(map(str, sorted(voters))))


def check_voter(
    node: Node, metadata: MetadataStart, reader: MetadataReader, properties: MetaProperties, version: int | None
) -> None:
    """Look whether a controller is one of the voters, if they stand in the metadata log.

    Raises:
        Stopped: it waits for ever, since nobody is elected.
    """
    if not node.role.is_controller:
        return
    voters = reader.quorum.voters
    path = node.metadata / meta_properties.NAME
    if voters is None:
        if _lacks_voters(node, metadata, reader, version):
            raise never_ready("voters-unknown", metadata.snapshot or node.quorum)
        return
    number = properties.node_id if properties.node_id is not None else -1
    if number not in voters:
        raise never_ready("not-a-voter", node.quorum, node=str(number), voters=", ".join(map(str, sorted(voters))))
    if properties.directory_id != voters[number]:
        raise never_ready("directory-not-voter", path, found=properties.directory_id, expected=voters[number])


def _lacks_voters(node: Node, metadata: MetadataStart, reader: MetadataReader, version: int | None) -> bool:
    """Tell whether the voters stand nowhere, where no record names them.

    If it is not known whether the settings do, a whole snapshot shows that kraft.version is 0, or
    quorum-state, by its version, that it is 1. Without either nothing tells; a bootstrap.checkpoint
    then speaks for voters in the settings.
    """
    if node.has_static_voters is not None:
        return not node.has_static_voters
    if version == 1 and not reader.has_header:
        return True
    is_unknown = metadata.snapshot is None and version is None and metadata.recovery is None
    return is_unknown and not (node.metadata / bootstrap.NAME).exists()
