"""One version as a run of fields: against Kafka's own description, and against real bytes."""

import re

import pytest
from kafka_conformance.vectors import protocol
from kafka_format.spec.layout import specification
from kafka_site.wire.explanation import explain_vector
from kafka_site.wire.rows import Part, parts

FETCH_12 = """
size: int32
header: request_api_key int16, request_api_version int16, correlation_id int32, client_id nullable, tagged fields
replica_id int32, max_wait_ms int32, min_bytes int32, max_bytes int32, isolation_level int8
session_id int32, session_epoch int32
topics: topic string
  partitions: partition int32, current_leader_epoch int32, fetch_offset int64, last_fetched_epoch int32,
    log_start_offset int64, partition_max_bytes int32, tagged fields
  tagged fields
"""
"""What FetchRequest.json of Kafka 2.7 says, up to the end of `topics`."""


@pytest.fixture(scope="module")
def fetch() -> list[Part]:
    return list(parts(specification().versioned["fetch_request"], 12))


def test_fields_stand_in_the_order_of_the_wire(fetch: list[Part]) -> None:
    words = re.findall(r"tagged fields|[a-z_]+(?= int| nullable| string|:)", FETCH_12.replace("header:", ""))
    names = [row.name for part in fetch for row in part.rows]
    assert names[: len(words)] == words


def test_places_count_from_the_part_and_from_the_item(fetch: list[Part]) -> None:
    rows = {row.path: row for part in fetch for row in part.rows}
    assert [rows[name].place for name in ("header.client_id", "session_id", "topics")] == ["8", "17", "25"]
    assert rows["topics.partitions.partition_max_bytes"].place == "28"
    assert rows["topics.partitions"].place == ""
    assert rows["rack_id"].place == ""


def test_lengths_and_nulls_are_told_as_the_version_has_them(fetch: list[Part]) -> None:
    rows = {row.path: row for part in fetch for row in part.rows}
    assert (rows["header.client_id"].type, rows["header.client_id"].null) == ("int16: length, then bytes", "-1")
    assert (rows["cluster_id"].type, rows["cluster_id"].null) == ("uvarint: length + 1, then bytes", "0")
    assert rows["topics"].type == "uvarint: count + 1"
    older = {row.path: row for part in parts(specification().versioned["fetch_request"], 11) for row in part.rows}
    assert older["topics"].type == "int32: count"
    assert "unknown_tagged_fields" not in older


FAMILIES = ("wild", "topic_records", "quorum", "headers")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_field_of_real_bytes_is_a_row(family: str) -> None:
    """What the explanation calls `body.topics[0].topic.length` is a part of the row
    `topics.topic`."""
    vectors = [vector for vector in protocol.load(families=[family]) if vector.verdict == "valid"]
    for vector in vectors[:: max(len(vectors) // 12, 1)]:
        layout = specification().versioned[vector.layout]
        rows = {row.path for part in parts(layout, vector.versions[0]) for row in part.rows}
        lines = [line for line in explain_vector(vector.document).lines if line.entry is None]
        found = {_row_of(line.path, framed=vector.is_framed) for line in lines}
        assert {path for path in found if not _is_inside(path, rows)} == set(), vector.id


def _row_of(path: str, *, framed: bool) -> str:
    plain = re.sub(r"\[\d+\]$", ".item", path)
    plain = re.sub(r"\[\d+\]", "", plain).removeprefix("body.")
    return re.sub(r"\.(length|count|marker)$", "", plain) if framed or plain else plain


def _is_inside(path: str, rows: set[str]) -> bool:
    """Tell whether a path is a row, or what a row's bytes hold; what says the version has a
    prefix."""
    steps = path.split(".")
    known = (".".join(steps[:end]) for end in range(len(steps), 0, -1))
    return any(row in rows or f"front.{row}" in rows for row in known)
