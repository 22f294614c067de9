"""Requests and responses as reports show them."""

from kafka_conformance.kinds.message.questions import MessageQuestion
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.reports.marked_dump import Mark, dump
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Reach, Vector

HEADER = 4 + 4 + 2 + 8 + 1
"""API and version, correlation id, `client-1` after its length, no tagged fields."""


def made(name: str, number: int, family: str = "heartbeat") -> Vector:
    vectors = {vector.id: vector for vector in protocol.load(families=[family])}
    return message_vectors([MessageQuestion(vectors[name], number)])[0]


def test_a_request() -> None:
    vector = made("heartbeat-request/4/typical", 4)
    assert (vector.format, vector.family, vector.formats) == ("request", "heartbeat", ("4",))
    assert vector.reach is Reach.BROKER
    assert vector.data[:4] == bytes.fromhex("000c0004")
    rows = dump(vector)
    assert rows[0].line.path == "header.request_api_key"
    assert all(row.mark is Mark.NONE for row in rows)


def test_the_fault_counts_from_the_header() -> None:
    vector = made("heartbeat-request/4/group-id/length/null", 4)
    assert vector.fault is not None
    assert (vector.fault.rule, vector.fault.offset) == ("compact.not-null", HEADER)
    (row,) = [row for row in dump(vector) if row.mark is Mark.FAULT]
    assert row.line.start == HEADER


def test_where_bytes_come_from() -> None:
    assert made("heartbeat-request/4/highest", 4).reach is Reach.CRAFTED
    assert made("heartbeat-request/4/trailing", 4).reach is Reach.CRAFTED
    assert made("wild/metadata-request/13/librdkafka-2-16-0", 13, "wild").reach is Reach.PRODUCER
