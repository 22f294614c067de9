"""The direction convert: a run of entries in, what an old client gets of it out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.messages import ConvertInput, Reply
from kafka_format import records
from kafka_format.broker import conversion
from kafka_format.errors import FormatError
from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.directions.assignment import bytes_of
from kafka_generator.directions.tables import hold


class Converting:
    """Kafka's broker at a fetch request of an old version."""

    kind = FrameKind.CONVERT
    keys = ("magic", "first_offset")
    expected_keys = ("offsets", "lost", "fault", "hex", "unpacked")

    def question(self, section: Section, data: bytes) -> ConvertInput:
        """Return the entries, and what the client reads."""
        return ConvertInput(section.number("magic") or 0, section.number("first_offset") or 0, data)

    def question_keys(self, section: Section) -> dict[str, Any]:
        """Return the highest magic of the client, and its fetch offset."""
        return {"magic": section.number("magic") or 0, "first_offset": str(section.number("first_offset") or 0)}

    def outcome(self, section: Section, data: bytes) -> dict[str, Any]:
        """Return what the reference converts to, or the rule by which it refuses."""
        try:
            result = conversion.down_convert(data, section.number("magic") or 0, section.number("first_offset") or 0)
        except FormatError as error:
            hold(section, {"fault": error.rule})
            return {"outcome": "refused", "rule": error.rule}
        converted = bytes_of(result.data)
        numbers = [record.offset for record in records.decode(result.data)]
        hold(section, {
            "offsets": numbers,
            "lost": [[loss.entry, loss.loss.value, list(loss.offsets)] for loss in result.losses],
            **converted,
        })  # fmt: skip
        lost = [[loss.entry, loss.loss.value, [str(offset) for offset in loss.offsets]] for loss in result.losses]
        return {"outcome": "converted", **converted, "lost": lost}

    def comparable(self, outcome: Mapping[str, Any]) -> Any:
        """Return the bytes; Kafka does not tell what it leaves out."""
        if outcome["outcome"] == "refused":
            return "refused"
        return {key: outcome[key] for key in ("hex", "unpacked") if key in outcome}

    def read_answer(self, reply: Reply) -> Any:
        """Read what was converted."""
        if reply.status:
            return "refused" if reply.status == 1 else reply.text
        return bytes_of(reply.content)
