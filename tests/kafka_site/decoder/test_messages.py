"""Requests and responses in the decoder of the page, against what clients and brokers sent, and
against the reference where that is damaged."""

import math
import random
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.kinds.serde.questions import load as load_contents
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.loader import EVERY, Filters
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_format.compression import NAMES
from kafka_format.explain.lines import Line
from kafka_format.explain.lines import explain as explain_records
from kafka_format.explain.requests import explain_request, explain_response
from kafka_format.protocol import encode_request, encode_response
from kafka_format.protocol.records import topics
from kafka_format.records import Header, Record, encode
from kafka_site.decoder import bundle

from tests.kafka_format.content import test_readings as readings
from tests.kafka_format.explain import test_schema_spans as members
from tests.kafka_format.explain.test_telemetry import push
from tests.kafka_site.decoder.scripts import ask, node
from tests.kafka_site.decoder.test_reader import damage, skip_without_libraries
from tests.sampling import Share

HEADERS = [
    (Header(b"__value_schema_id", readings.PREFIX + b"\2\2"),),
    (Header(b"__key_schema_id", b"\1" + readings.GUID.bytes), Header(b"__key_schema_id", None)),
    (Header(b"__value_schema_id", readings.PREFIX + b"\1"),),
    (Header(b"ce_specversion", b"1.0"), Header(b"ce_id", b"a")),
    (Header(b"content-type", b"application/cloudevents+json"),),
    (Header(b"content-type", b"avro/binary+abc"),),
    (Header(b"apicurio.value.globalId", bytes(7) + b"\7"), Header(b"apicurio.value.encoding", b"BINARY")),
]

KINDS = {"framed_request": "request", "framed_response": "response"}
SAMPLE = 24


@pytest.fixture(scope="module")
def captured(some_of_module: Share, folder: Path) -> Sequence[ProtocolVector]:
    skip_without_libraries(folder)
    vectors = [vector for vector in protocol.load(families=["wild"]) if vector.kind in KINDS]
    return some_of_module(vectors, SAMPLE, of="vectors")


def test_its_lines_are_those_of_the_reference_down_to_the_records(
    captured: Sequence[ProtocolVector], folder: Path
) -> None:
    answers = ask(folder, [question(vector, vector.data, lines=True) for vector in captured])
    for vector, answer in zip(captured, answers, strict=True):
        assert answer["lines"] == reference_lines(vector, vector.data), vector.id
        assert answer["fault"] is None, vector.id


def test_it_says_of_damaged_bytes_what_the_reference_says(
    captured: Sequence[ProtocolVector], folder: Path, pytestconfig: pytest.Config
) -> None:
    damages = 3 if pytestconfig.getoption("whole") else 1
    dice = random.Random(18)  # noqa: S311 - the same damage each time
    damaged = [(vector, damage(vector.data, dice)) for vector in captured for _ in range(damages)]
    answers = ask(folder, [question(vector, data, lines=True) for vector, data in damaged])
    for (vector, data), answer in zip(damaged, answers, strict=True):
        assert answer["lines"] == reference_lines(vector, data), (vector.id, data.hex())


def test_records_of_kafkas_own_topic_in_a_part_of_a_snapshot_are_explained(folder: Path) -> None:
    vector = protocol.find("wild/fetch-snapshot-response/1/broker-4-4-0-quorum")
    assert vector is not None
    (answer,) = ask(folder, [question(vector, vector.data, lines=True)])
    assert answer["lines"] == reference_lines(vector, vector.data)
    assert any(path.endswith(".value.frame_version") for _, path, *_ in answer["lines"])


def test_numbers_with_a_fraction_are_written_as_the_reference_writes_them(folder: Path) -> None:
    """JavaScript says 1000000 of 1000000.0, and turns to exponents elsewhere."""
    vector = protocol.find("wild/alter-client-quotas-request/1/java-3-9-2-admin-and-3-9-2")
    assert vector is not None
    numbers = [0.0, -0.0, 1e6, -2.5, 1e-4, 1e-5, 1e15, 1e16, 1.5e300, 5e-324, math.inf, -math.inf, math.nan]
    changed = [vector.data.replace(struct.pack(">d", 1e6), struct.pack(">d", number)) for number in numbers]
    assert len(set(changed)) == len(numbers)
    answers = ask(folder, [question(vector, data, lines=True) for data in changed])
    assert [answer["lines"] for answer in answers] == [reference_lines(vector, data) for data in changed]


@pytest.mark.parametrize(
    ("kind", "name", "metadata"),
    [
        ("connect", "default", members.WORKER_0),
        ("connect", "sessioned", members.WORKER_1[:-4] + bytes(3) + bytes([len(members.ASSIGNED)]) + members.ASSIGNED),
        ("consumer", "sticky", members.subscription(members.STICKY_0)),
        ("consumer", "sticky", members.subscription(members.STICKY_1)),
        ("consumer", "sticky", members.subscription(members.STICKY_1 + b"\0")),
        ("consumer", "cooperative-sticky", members.subscription(members.COOPERATIVE)),
        ("consumer", "range", members.subscription(members.STICKY_1)),
        ("stream", "stream", members.WORKER_0),
        ("", "", members.subscription(members.STICKY_1)),
    ],
)
def test_names_in_a_message_say_what_its_bytes_hold(kind: str, name: str, metadata: bytes, folder: Path) -> None:
    body = {"protocol_type": kind, "protocols": [{"name": name, "metadata": metadata}]}
    data = encode_request("join_group", 2, body)
    (answer,) = ask(folder, [{"hex": data.hex(), "kind": "request", "api": 11, "version": 2, "lines": True}])
    lines = explain_request(data).lines
    assert [line[1:5] for line in answer["lines"]] == [
        [line.path, line.start, line.raw.hex(), line.value] for line in lines
    ]


def test_metrics_in_a_request_are_explained_as_the_reference_explains_them(folder: Path) -> None:
    skip_without_libraries(folder)
    vectors = load_contents(Filters(("content/telemetry/*",)))
    codecs = [NAMES.index(vector.formats[0].removeprefix("telemetry").lstrip("-") or "none") for vector in vectors]
    pushes = [push(vector.data, codec) for vector, codec in zip(vectors, codecs, strict=True)]
    answers = ask(
        folder, [{"hex": data.hex(), "kind": "request", "api": 72, "version": 0, "lines": True} for data in pushes]
    )
    for vector, data, answer in zip(vectors, pushes, answers, strict=True):
        assert answer["lines"] == rows(explain_request(data).lines), vector.id


def test_notes_about_contents_are_those_of_the_reference(folder: Path) -> None:
    guid = b"\1" + readings.GUID.bytes
    inputs = [
        ([Record(0, 1, key=readings.PREFIX + b"x", value=guid + b"\0\x0a")], ""),
        ([Record(0, 1, value=readings.GLUE), Record(1, 1, value=readings.GLUE[:2] + bytes(20))], ""),
        *(([Record(0, 1, key=b"k", value=b"{}", headers=headers)], "") for headers in HEADERS),
    ]
    answers = ask(folder, [{"kind": "records", "hex": encode(some).hex(), "lines": True} for some, _ in inputs])
    for (some, _), answer in zip(inputs, answers, strict=True):
        values = [said(line.value) for line in explain_records(encode(some)).lines]
        assert [line[4] for line in answer["lines"]] == values


def test_notes_by_the_topic_in_a_response_are_those_of_the_reference(folder: Path) -> None:
    for topic, key, value in (
        ("mm2-offset-syncs.b.internal", readings.SYNC_KEY, bytes(16)),
        ("heartbeats", readings.SYNC_KEY, readings.HEARTBEAT),
        ("orders", readings.SYNC_KEY, readings.HEARTBEAT),
    ):
        partition = {"partition_index": 0, "records": encode([Record(0, 1, key=key, value=value)])}
        data = encode_response("fetch", 4, {"responses": [{"topic": topic, "partitions": [partition]}]})
        (answer,) = ask(folder, [{"kind": "response", "hex": data.hex(), "api": 1, "version": 4, "lines": True}])
        values = [said(line.value) for line in explain_response(data, 1, 4).lines]
        assert [line[4] for line in answer["lines"]] == values
        assert any("MirrorMaker" in line for line in values) == (topic != "orders")


STREAMS = {
    ("value", "app-fk-subscription-registration-topic", b""): "foreign-key-subscription",
    ("value", "app-KTABLE-FK-JOIN-SUBSCRIPTION-RESPONSE-0000000014-topic", b""): "foreign-key-response",
    ("value", "app-KTABLE-AGGREGATE-STATE-STORE-0000000004-repartition", b""): "table-change",
    ("key", "app-fk-subscription-store-changelog", b""): "foreign-key-store-key",
    ("key", "app-j-outer-shared-join-store-changelog", b""): "join-key",
    ("key", "app-windows-changelog", b""): "window-store-key",
    ("key", "app-sessions-changelog", b""): "session",
    ("value", "app-suppressed-changelog", b"\3"): "suppressed-value",
    ("value", "app-two-changelog", b"\2"): "suppressed-value-two",
    ("value", "app-three-changelog", b"\2"): "suppressed-value",
    ("value", "app-one-changelog", b"\1"): "suppressed-value-one",
}
"""Kinds of content by part, topic and the header `v`."""


@pytest.mark.parametrize(("part", "topic", "form"), STREAMS)
def test_notes_in_topics_of_streams_are_those_of_the_reference(
    folder: Path, part: str, topic: str, form: bytes
) -> None:
    kind = STREAMS[part, topic, form]
    found = [vector.data for vector in load_contents(EVERY) if vector.document["content"] == kind]
    records = [Record(at, 1, headers=(Header(b"v", form),), **{part: data}) for at, data in enumerate(found)]
    partition = {"partition_index": 0, "records": encode(records)}
    data = encode_response("fetch", 4, {"responses": [{"topic": topic, "partitions": [partition]}]})
    (answer,) = ask(folder, [{"kind": "response", "hex": data.hex(), "api": 1, "version": 4, "lines": True}])
    values = [said(line.value) for line in explain_response(data, 1, 4).lines]
    assert [line[4] for line in answer["lines"]] == values
    assert any("Kafka Streams" in line for line in values)


def question(vector: ProtocolVector, data: bytes, **more: Any) -> dict[str, Any]:
    how = {"kind": KINDS[vector.kind], "api": vector.api, "version": vector.versions[0]}
    return {"hex": data.hex(), **how, **more}


def reference_lines(vector: ProtocolVector, data: bytes) -> list[list[Any]]:
    explain = explain_request if KINDS[vector.kind] == "request" else explain_response
    return rows(explain(data, vector.api, vector.versions[0]).lines)


def rows(lines: Sequence[Line]) -> list[list[Any]]:
    return [
        [line.entry, line.path, line.start, line.raw.hex(), said(line.value), line.payload, line.fault is not None]
        for line in lines
    ]


def said(value: str) -> str:
    """Return a value as JavaScript says it, which has other words for True and False."""
    return value.lower() if value in {"True", "False"} else value


def test_records_of_kafkas_own_topics_are_explained_by_their_schemas(folder: Path) -> None:
    batches = list(of_topics(protocol.load(families=["topic_records"])))
    answers = ask(
        folder, [{"kind": "records", "hex": data.hex(), "topic": topic, "lines": True} for topic, data in batches]
    )
    assert {topic for topic, _ in batches} == set(topics())
    for (topic, data), answer in zip(batches, answers, strict=True):
        expected = [[line.path, line.start, said(line.value)] for line in explain_records(data, topic=topic).lines]
        assert [[line[1], line[2], line[4]] for line in answer["lines"]] == expected, (topic, data.hex())


def of_topics(vectors: Sequence[ProtocolVector]) -> Iterator[tuple[str, bytes]]:
    """Yield batches of one record for each vector of a value, with a key where that says what the
    value is."""
    keys = {vector.layout: vector.data for vector in vectors if vector.kind == "framed_record_key"}
    for vector in vectors:
        if vector.kind == "framed_record_value":
            key = keys.get(vector.layout.removesuffix("_value") + "_key")
            yield vector.topic, encode([Record(0, timestamp=1, key=key, value=vector.data)])


@pytest.mark.whole
@pytest.mark.parametrize("about", ["records", "messages"])
def test_the_suite_finds_nothing(folder: Path, about: str, tmp_path: Path) -> None:
    adapter = f"cmd:{node()} {bundle.SOURCES / 'adapter.js'} {folder}"
    done = subprocess.run(
        [sys.executable, "-m", "kafka_conformance", "run", adapter, "--about", about, "--report", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:]
