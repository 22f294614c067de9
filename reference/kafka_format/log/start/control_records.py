"""Control records of the metadata log as a node reads them at its start, and the voters in them.

Kafka: RecordsIterator.decodeControlRecord, ControlRecordType.parse, KRaftControlRecordStateMachine,
KRaftVersion.fromFeatureLevel, VoterSet.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.releases import Release
from kafka_format.log.text.lines import id_text
from kafka_format.records import Record, control

_ARGUMENT: Final = "IllegalArgumentException"
_READ: Final = ("leader_change", "snapshot_header", "snapshot_footer", "kraft_version", "kraft_voters")
_ERRORS: Final = {"field.truncated": "BufferUnderflowException", "varint.length": _ARGUMENT}
"""What readers of the value end with where it breaks a rule."""

_NEWEST_LEVEL: Final = 1
_KEY_SIZE: Final = 4
_SINCE_4: Final = (4, 0)


@dataclass(slots=True)
class Quorum:
    """What control records say of the quorum.

    Attributes:
        kraft_version: the level of kraft.version; None where no record says it.
        voters: the directory ids of the voters, by their node ids; None where no record names them.
    """

    kraft_version: int | None = None
    voters: dict[int, str] | None = None
    _last: dict[str, int] = field(default_factory=dict)

    def add(self, record: Record, release: Release, offset: int) -> str:
        """Take a control record; return its type.

        Args:
            record: the record.
            release: the release that reads it.
            offset: where it counts: its offset, or for all of a snapshot the last before its end.

        Raises:
            Refused: a node cannot read it, or it cannot follow those before it.
        """
        read = _read(record, release)
        if read.type == "kraft_version":
            level = read.fields.kraft_version
            if not 0 <= level <= _NEWEST_LEVEL:
                name = _ARGUMENT if release >= _SINCE_4 else "RuntimeException"
                raise Refused(name, f"Unknown KRaft feature level: {level}")
            self._check_order(read.type, offset)
            self.kraft_version = level
        elif read.type == "kraft_voters":
            voters = {voter.voter_id: id_text(voter.voter_directory_id) for voter in read.fields.voters}
            self._check_voters(voters)
            self._check_order(read.type, offset)
            self.voters = voters
        return read.type

    def _check_voters(self, voters: dict[int, str]) -> None:
        """Refuse voters without a majority in common with the last ones (VoterSetHistory.addAt)."""
        if not voters:
            raise Refused(_ARGUMENT, "Voters cannot be empty")
        if self.voters is None or self._last["kraft_voters"] < 0:
            return
        gone, new = self.voters.items() - voters.items(), voters.items() - self.voters.items()
        if len(gone) > 1 or len(new) > 1:
            raise Refused(_ARGUMENT, "Last voter set ")

    def _check_order(self, kind: str, offset: int) -> None:
        """Refuse a record that is not above the last one of its kind (TreeMapLogHistory.addAt)."""
        last = self._last.get(kind)
        if last is not None and offset <= last:
            raise Refused(_ARGUMENT, f"Next offset {offset} must be greater than the last offset {last}")
        self._last[kind] = offset


def _read(record: Record, release: Release) -> control.ControlRecord:
    for name, content in (("key", record.key), ("value", record.value)):
        if content is None:
            raise Refused(_ARGUMENT, f"Missing {name} in the record when a {name} was expected")
        if not content:
            raise Refused(_ARGUMENT, f"Got an unexpected empty {name} in the record")
    if len(record.key or b"") < _KEY_SIZE:
        which = "control record key" if release >= _SINCE_4 else "end control record key"
        found = f"Must have at least {_KEY_SIZE} bytes, but found only {len(record.key or b'')}"
        raise Refused("InvalidRecordException", f"Invalid value size found for {which}. {found}")
    try:
        kind = control.check_key(record.key)
    except FormatError as error:
        raise Refused("InvalidRecordException", error.detail) from error
    if kind not in _READ:
        raise Refused(_ARGUMENT, f"Unknown control record type {kind.upper()}")
    try:
        return control.read(record.key, record.value, flags=frozenset({control.TRAILING}))
    except FormatError as error:
        raise Refused(_ERRORS.get(error.rule, "RuntimeException")) from error
