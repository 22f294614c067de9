"""The direction deliver: a fetch response in, the application's records and next offset out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from kafka_conformance.protocol import answers
from kafka_conformance.protocol.frames import FrameKind
from kafka_conformance.protocol.messages import DeliverInput, Reply
from kafka_conformance.vectors import json_answers
from kafka_format import structure
from kafka_format.broker import consumer
from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.directions.tables import hold

OUTCOMES: Final = ("whole", "too-small", "stopped")
"""Names of the outcomes 0, 1 and 2 of the layout `delivery`."""

_SEEN: Final = ("offset", "timestamp", "timestamp_type", "key", "value", "headers")
"""The fields of a record that an application sees."""


class Delivering:
    """Kafka's consumer."""

    kind = FrameKind.DELIVER
    keys = ("fetch_offset", "isolation", "aborted")
    expected_keys = ("delivered", "next_offset", "too_small", "fault")

    def question(self, section: Section, data: bytes) -> DeliverInput:
        """Return the fetch response as a target gets it."""
        isolation = consumer.ISOLATIONS.index(_isolation(section))
        return DeliverInput(section.number("fetch_offset") or 0, isolation, _aborted_transactions(section), data)

    def question_keys(self, section: Section) -> dict[str, Any]:
        """Return fetch offset, isolation level and aborted transactions."""
        return {
            "fetch_offset": str(section.number("fetch_offset") or 0),
            "isolation": _isolation(section),
            "aborted": [[str(number) for number in pair] for pair in _aborted_transactions(section)],
        }

    def outcome(self, section: Section, data: bytes) -> dict[str, Any]:
        """Return what the reference's consumer delivers."""
        fetch_offset = section.number("fetch_offset") or 0
        delivered = consumer.deliver(data, fetch_offset, _isolation(section), _aborted_transactions(section))
        outcome = 1 if delivered.too_small else 2 if delivered.error else 0
        expected = {
            "delivered": [record.offset for record in delivered.records],
            "next_offset": delivered.next_offset,
            "too_small": delivered.too_small,
            "fault": delivered.error and delivered.error.rule,
        }
        hold(section, expected)
        if delivered.error and "fault" not in section.section("expect").values:
            raise section.error(f"is to be read to its end, but: {delivered.error}")
        document = {
            "outcome": OUTCOMES[outcome],
            "next_offset": str(delivered.next_offset),
            "records": [_what_is_seen(record) for record in json_answers.to_json(delivered.records)],
            "skipped": [[skip.entry, skip.reason.value, *map(str, skip[2:])] for skip in delivered.skipped],
        }
        return document | ({"rule": delivered.error.rule} if delivered.error else {})

    def comparable(self, outcome: Mapping[str, Any]) -> Any:
        """Return all but what only the reference tells."""
        return {key: outcome[key] for key in ("outcome", "next_offset", "records")}

    def read_answer(self, reply: Reply) -> Any:
        """Read a delivery."""
        if reply.status:
            return reply.text
        wire = structure("delivery").decode(reply.content)
        visible = json_answers.to_json([answers.from_wire(record) for record in wire.records])
        return {
            "outcome": OUTCOMES[wire.outcome],
            "next_offset": str(wire.next_offset),
            "records": [_what_is_seen(record) for record in visible],
        }


def _isolation(section: Section) -> str:
    return section.text("isolation") or consumer.READ_UNCOMMITTED


def _aborted_transactions(section: Section) -> list[tuple[int, int]]:
    return [(producer_id, offset) for producer_id, offset in section.values.get("aborted", [])]


def _what_is_seen(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: record[key] for key in _SEEN}
