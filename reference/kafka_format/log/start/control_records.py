"""Control records of the metadata log as a node reads them at its start, and the voters in them.

Kafka: RecordsIterator.decodeControlRecord, ControlRecordType.parse, KRaftControlRecordStateMachine,
KRaftVersion.fromFeatureLevel, VoterSet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.log.contents.kafka_error import Refused
from kafka_format.log.contents.releases import Release
from kafka_format.log.text.lines import id_text
from kafka_format.records import Record, control

_ARGUMENT: Final = "IllegalArgumentException"
_READ: Final = ("leader_change", "snapshot_header", "snapshot_footer", "kraft_version", "kraft_voters")
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

    def add(self, record: Record, release: Release) -> str:
        """Take a control record; return its type.

        Raises:
            Refused: a node cannot read it.
        """
        read = _read(record, release)
        if read.type == "kraft_version":
            level = read.fields.kraft_version
            if not 0 <= level <= _NEWEST_LEVEL:
                name = _ARGUMENT if release >= _SINCE_4 else "RuntimeException"
                raise Refused(name, f"Unknown KRaft feature level: {level}")
            self.kraft_version = level
        elif read.type == "kraft_voters":
            self.voters = {voter.voter_id: id_text(voter.voter_directory_id) for voter in read.fields.voters}
        return read.type


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
        read = control.read(record.key, record.value, flags=frozenset({control.TRAILING}))
    except FormatError as error:
        raise Refused("InvalidRecordException", error.detail) from error
    if read.type not in _READ:
        raise Refused(_ARGUMENT, f"Unknown control record type {read.type.upper()}")
    return read
