"""Control records as kafka-dump-log prints them."""

import json
from typing import Any, Final

from kafka_format.errors import FormatError
from kafka_format.records import Record, control
from kafka_format.spec.layout.release_names import numbers

from kafka_tools.logs import java_text

_LENIENT: Final = frozenset({control.TRAILING})
_TITLES: Final = {
    "leader_change": " LeaderChange: ",
    "snapshot_header": " SnapshotHeader ",
    "snapshot_footer": " SnapshotFooter ",
    "kraft_version": " KRaftVersion ",
    "kraft_voters": " KRaftVoters ",
}
_LEADER_CHANGE_SINCE: Final = (4, 1)
"""Since this release the value of a leader change is printed (KAFKA-19069)."""

_NOT_SHOWN: Final = ("tagged_fields",)


def control_text(record: Record, release: str) -> str:
    """Return what the tool of a release prints of a control record after its header keys."""
    try:
        marker = control.read(record.key, record.value, flags=_LENIENT)
    except FormatError as error:
        return f" {error}"
    if marker.type in {"abort", "commit"}:
        return f" endTxnMarker: {marker.type.upper()} coordinatorEpoch: {marker.fields.coordinator_epoch}"
    if marker.type == control.UNKNOWN or (marker.type == "leader_change" and numbers(release) < _LEADER_CHANGE_SINCE):
        return f" controlType: {marker.type.upper()}({marker.number})"
    return _TITLES[marker.type] + json.dumps(_plain(marker.fields), separators=(",", ":"))


def _plain(value: Any) -> Any:  # noqa: ANN401 - a value of any layout
    """Return a value as Kafka's JSON has it: names in camel case, no counts, no tagged fields."""
    if hasattr(value, "_asdict"):
        items = value._asdict().items()
        return {_camel(name): _plain(item) for name, item in items if name not in _NOT_SHOWN and not _counts(name)}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return java_text.decode(value) if isinstance(value, bytes) else value


def _counts(name: str) -> bool:
    return name.endswith("_count")


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
