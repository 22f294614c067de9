"""Control records as kafka-dump-log prints them."""

from typing import Any, Final

from kafka_format.codec.compiler import version
from kafka_format.errors import FormatError
from kafka_format.protocol.json_form import to_json
from kafka_format.records import Record, control
from kafka_format.spec.layout.release_table import numbers

from kafka_tools.logs import java_json

_LENIENT: Final = frozenset({control.TRAILING})
_TITLES: Final = {
    "leader_change": " LeaderChange: ",
    "snapshot_header": " SnapshotHeader ",
    "snapshot_footer": " SnapshotFooter ",
    "kraft_version": " KRaftVersion ",
    "kraft_voters": " KRaftVoters ",
}
_ENDS: Final = ("abort", "commit")
_SCHEMAS: Final = {
    "leader_change": "leader_change_message",
    "snapshot_header": "snapshot_header_record",
    "snapshot_footer": "snapshot_footer_record",
    "kraft_version": "kraft_version_record",
    "kraft_voters": "voters_record",
}
"""The schema of the value, by type; brokers and the tool read version 0 of it."""

_LEADER_CHANGE_SINCE: Final = (4, 1)
"""Since this release the value of a leader change is printed (KAFKA-19069)."""


def control_text(record: Record, release: str) -> str:
    """Return what the tool of a release prints of a control record after its header keys."""
    try:
        marker = control.read(record.key, record.value, flags=_LENIENT)
        if marker.type in _ENDS:
            return f" endTxnMarker: {marker.type.upper()} coordinatorEpoch: {marker.fields.coordinator_epoch}"
        is_read = marker.type != "leader_change" or numbers(release) >= _LEADER_CHANGE_SINCE
        if marker.type == control.UNKNOWN or not is_read:
            return f" controlType: {marker.type.upper()}({marker.number})"
        return _TITLES[marker.type] + java_json.text(_data(marker.type, record.value or b""))
    except FormatError as error:
        return f" {error}"


def document(record: Record) -> dict[str, Any]:
    """Return a control record's `key` and `value` with layout and data, or its `error`."""
    try:
        marker = control.read(record.key, record.value, flags=_LENIENT)
        if marker.type in _ENDS:
            value = _read("transaction_marker", {"coordinatorEpoch": marker.fields.coordinator_epoch})
        elif marker.type == control.UNKNOWN:
            value = None
        else:
            value = _read(_SCHEMAS[marker.type], _data(marker.type, record.value or b""))
    except FormatError as error:
        return {"error": str(error)}
    return {"key": _read("control_record_type_schema", {"type": marker.number}), "value": value}


def _read(layout: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"layout": layout, "version": 0, "data": data}


def _data(kind: str, value: bytes) -> dict[str, Any]:
    compiled = version(_SCHEMAS[kind], 0)
    return to_json(compiled, compiled.read(value)[0])
