"""Control records are read with layouts of their own; these say what the schemas of Kafka say."""

from typing import Any

import pytest
from kafka_conformance.vectors import protocol as vectors
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Verdict
from kafka_format import protocol
from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError
from kafka_format.records import control

VERSION = b"\0\0"
"""What stands in front of a key and of a marker; the others have their version inside."""

SCHEMAS = {
    "control_record_type_schema": ("control_record_key", VERSION),
    "transaction_marker": ("end_txn_marker", VERSION),
    "leader_change_message": ("leader_change_v0", b""),
    "snapshot_header_record": ("snapshot_header", b""),
    "snapshot_footer_record": ("snapshot_footer", b""),
    "kraft_version_record": ("kraft_version", b""),
    "voters_record": ("kraft_voters", b""),
}
"""The layout that control records are read with, and what stands in front of the schema's bytes."""

LOOSER = "tags-in-any-order"
"""The one difference: Kafka throws where it writes unknown tags again that are not in order, and
nobody writes a control record again. So their readers have no such rule."""

ASKED = [
    vector for vector in vectors.load(families=["control_records"]) if vector.layout in SCHEMAS and 0 in vector.versions
]


def test_every_control_record_has_a_schema() -> None:
    assert {name for name, _ in SCHEMAS.values()} == {"control_record_key", *control.VALUES.values()}


@pytest.mark.sampled(4, of="vectors")
@pytest.mark.parametrize("asked", ASKED, ids=lambda one: one.id)
def test_control_records_are_read_as_their_schemas_say(asked: ProtocolVector) -> None:
    name, front = SCHEMAS[asked.layout]
    is_loose = asked.flag == LOOSER
    if asked.verdict is not Verdict.VALID and not is_loose:
        with pytest.raises(FormatError):
            structure(name).decode(front + asked.data)
        return
    value = protocol.schema(asked.layout, 0).decode(asked.data, flags=frozenset([asked.flag] if is_loose else []))
    found = _plain(structure(name).decode(front + asked.data))
    assert {key: own for key, own in found.items() if key != "version" or not front} == _plain(value)


def _plain(value: Any) -> Any:
    """Return a value as dictionaries, with what both call the same, and without counts."""
    if isinstance(value, list | tuple) and not hasattr(value, "_asdict"):
        return [_plain(one) for one in value]
    if not hasattr(value, "_asdict"):
        return value
    fields = {name: _plain(own) for name, own in value._asdict().items() if not name.endswith("_count")}
    if "tagged_fields" in fields:
        fields["unknown_tagged_fields"] = fields.pop("tagged_fields")["fields"]
    return {name: own.encode() if isinstance(own, str) else own for name, own in fields.items()}
