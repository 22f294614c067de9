"""The direction assign: what a producer sent in, what its broker appends out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.hello import CODECS
from kafka_conformance.protocol.messages import AssignInput, Reply
from kafka_conformance.vectors import json_answers
from kafka_format import structure
from kafka_format.broker import offsets
from kafka_format.errors import FormatError
from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.decompression import decompress_entries, is_packed
from kafka_generator.directions.tables import hold

_TIMESTAMP_TYPES: Final = json_answers.TIMESTAMP_TYPES[1:]


class Assigning:
    """Kafka's broker at a produce request."""

    kind = FrameKind.ASSIGN
    keys = ("first_offset", "topic")
    expected_keys = (
        "last_offset", "in_place", "changed", "checksum_recomputed", "max_timestamp", "fault", "hex", "unpacked",
    )  # fmt: skip

    def question(self, section: Section, data: bytes) -> AssignInput:
        """Return what the producer sent, and the topic."""
        topic = _topic(section)
        codec = -1 if topic.codec == offsets.PRODUCER else CODECS.index(topic.codec)
        rest = (codec, topic.timestamp_type, topic.now, topic.leader_epoch)
        return AssignInput(section.number("first_offset") or 0, topic.magic, *rest, data)

    def question_keys(self, section: Section) -> dict[str, Any]:
        """Return the first offset and the topic."""
        topic = _topic(section)._asdict()
        topic["timestamp_type"] = _TIMESTAMP_TYPES[topic["timestamp_type"]]
        topic["now"] = str(topic["now"])
        return {"first_offset": str(section.number("first_offset") or 0), "topic": topic}

    def outcome(self, section: Section, data: bytes) -> dict[str, Any]:
        """Return what the reference's broker appends, or the rule by which it refuses."""
        try:
            assigned = offsets.assign(data, section.number("first_offset") or 0, _topic(section))
        except FormatError as error:
            hold(section, {"fault": error.rule})
            return {"outcome": "refused", "rule": error.rule}
        names = ("last_offset", "in_place", "changed", "checksum_recomputed", "max_timestamp")
        document: dict[str, Any] = {name: getattr(assigned, name) for name in names}
        document |= {"hex": assigned.data.hex()} if assigned.in_place else bytes_of(assigned.data)
        document["changed"] = list(document["changed"])
        hold(section, document)
        for name in ("last_offset", "max_timestamp"):
            document[name] = str(document[name])
        return {"outcome": "appended", **document}

    def comparable(self, outcome: Mapping[str, Any]) -> Any:
        """Return what a broker tells: not which fields changed, which the bytes show."""
        if outcome["outcome"] == "refused":
            return "refused"
        names = ("last_offset", "in_place", "max_timestamp", "hex", "unpacked")
        return {key: outcome[key] for key in names if key in outcome}

    def read_answer(self, reply: Reply) -> Any:
        """Read what was appended."""
        if reply.status:
            return "refused" if reply.status == 1 else reply.text
        wire = structure("assigned").decode(reply.content)
        numbers = {"last_offset": str(wire.last_offset), "max_timestamp": str(wire.max_timestamp)}
        entries = {"hex": wire.entries.hex()} if wire.in_place else bytes_of(wire.entries)
        return numbers | {"in_place": bool(wire.in_place)} | entries


def bytes_of(entries: bytes) -> dict[str, str]:
    """Return a vector's form of the bytes: `hex`, or `unpacked` if a codec compressed them."""
    return {"unpacked": decompress_entries(entries).hex()} if is_packed(entries) else {"hex": entries.hex()}


def _topic(section: Section) -> offsets.TopicState:
    topic = section.section("topic")
    topic.only("magic", "codec", "timestamp_type", "now", "leader_epoch")
    values = dict(topic.values)
    if "timestamp_type" in values:
        values["timestamp_type"] = _TIMESTAMP_TYPES.index(values["timestamp_type"])
    return offsets.TopicState(**values)
