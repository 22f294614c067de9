"""The schemas that Kafka's programs keep in constants, as a judge of what they write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from kafka_format.spec.layout.release_table import release_rows

from kafka_generator.kafka_judge.judge import Reply, class_path, compile_source, replies

_SOURCE: Final = Path(__file__).with_name("ContentJudge.java")

RELEASE: Final = next(row.name for row in release_rows().values() if row.messages == "all")
"""The newest release, whose Connect and assignors are asked."""

MIRROR_RELEASE: Final = "4.3"
"""The release whose MirrorMaker is asked: connect-mirror 4.4.0 is not published."""

_CONNECT: Final = "org.apache.kafka.connect.runtime.distributed"
_COOPERATIVE: Final = f"{_CONNECT}.IncrementalCooperativeConnectProtocol"
_CONSUMER: Final = "org.apache.kafka.clients.consumer"
_MIRROR: Final = "org.apache.kafka.connect.mirror"
_ALLOCATED: Final = f"{_COOPERATIVE}.CONFIG_STATE_V1,{_COOPERATIVE}.ALLOCATION_V1"

CONSTANTS: Final = {
    "connect_worker_metadata": (f"{_CONNECT}.ConnectProtocol.CONFIG_STATE_V0", _ALLOCATED, _ALLOCATED),
    "connect_worker_assignment": (
        f"{_CONNECT}.ConnectProtocol.ASSIGNMENT_V0",
        f"{_COOPERATIVE}.ASSIGNMENT_V1",
        f"{_COOPERATIVE}.ASSIGNMENT_V1",
    ),
    "sticky_user_data": (
        f"{_CONSUMER}.StickyAssignor.STICKY_ASSIGNOR_USER_DATA_V0",
        f"{_CONSUMER}.StickyAssignor.STICKY_ASSIGNOR_USER_DATA_V1",
    ),
    "cooperative_sticky_user_data": (
        f"{_CONSUMER}.CooperativeStickyAssignor.COOPERATIVE_STICKY_ASSIGNOR_USER_DATA_V0",
    ),
    "mirror_offset_sync_key": (f"{_MIRROR}.OffsetSync.KEY_SCHEMA",),
    "mirror_offset_sync_value": (f"{_MIRROR}.OffsetSync.VALUE_SCHEMA",),
    "mirror_checkpoint_key": (f"{_MIRROR}.Checkpoint.KEY_SCHEMA",),
    "mirror_checkpoint_value": (f"{_MIRROR}.Checkpoint.VALUE_SCHEMA_V0",),
    "mirror_heartbeat_key": (f"{_MIRROR}.Heartbeat.KEY_SCHEMA",),
    "mirror_heartbeat_value": (f"{_MIRROR}.Heartbeat.VALUE_SCHEMA_V0",),
}
"""By layout and version, the constants whose schemas read the bytes, one behind the other."""


def release_of(layout: str) -> str:
    """Return the release that is asked about a layout; nothing if its schema is in no constant."""
    if layout not in CONSTANTS:
        return ""
    return MIRROR_RELEASE if CONSTANTS[layout][0].startswith(_MIRROR) else RELEASE


class ContentQuestion(NamedTuple):
    """Content to be read, without what tells its version.

    Attributes:
        layout: name of its layout.
        version: version of the layout.
        content: the bytes.
    """

    layout: str
    version: int
    content: bytes


class ContentJudge:
    """The classes of Connect, MirrorMaker and the assignors."""

    def __init__(self, folder: Path, build: Path) -> None:
        """Compile the judge.

        Args:
            folder: the jars, as `make schemas` leaves them.
            build: folder for what is compiled.
        """
        path = [class_path(folder, RELEASE, build), *map(str, sorted(folder.glob("connect-*.jar")))]
        self._path = ":".join(path)
        compile_source(_SOURCE, self._path, build)

    def ask(self, questions: Sequence[ContentQuestion]) -> list[Reply]:
        """Put questions to the classes, and return their replies in order."""
        return replies("ContentJudge", self._path, b"".join(map(_bytes, questions)))


def _bytes(question: ContentQuestion) -> bytes:
    names = CONSTANTS[question.layout][question.version].encode()
    return b"".join([len(names).to_bytes(2, "big"), names, len(question.content).to_bytes(4, "big"), question.content])
