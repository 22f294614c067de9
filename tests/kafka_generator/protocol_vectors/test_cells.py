"""Cells of the protocol's vectors: what there is to show, and what a vector shows."""

from functools import cache
from typing import Any

import pytest
from kafka_generator.coverage.model import Cell
from kafka_generator.protocol_vectors import cells


@cache
def empty_cells() -> dict[str, Cell]:
    """Return the cells as they are without vectors."""
    return {cell.name: cell for cell in cells.cells([])}


def shown(document: dict[str, Any]) -> set[str]:
    """Return the cells that a vector lies in."""
    return {cell.name for cell in cells.cells([document]) if cell.vectors}


@pytest.mark.parametrize(
    "name",
    [
        "fetch_request 3 maxBytes: highest",
        "fetch_request 12 clusterId: absent",
        "fetch_request 12 topics[].partitions[]._unknownTaggedFields: some",
        "fetch_request 12 topics-0/topic/length/null",
        "fetch_request 0 topics-0/partitions/count/minus-two",
        "consumer_group_heartbeat_response 0 assignment/marker/five",
        "metadata_request 4 allow-auto-topic-creation/two",
    ],
)
def test_what_there_is_to_show(name: str) -> None:
    assert empty_cells()[name].is_empty


@pytest.mark.parametrize(
    "name",
    [
        "fetch_request 2 maxBytes: highest",
        "fetch_request 11 clusterId: null",
        "fetch_request 0 topics-0/topic/length/overlong",
        "metadata_request 3 allow-auto-topic-creation/two",
    ],
)
def test_what_a_version_does_not_have(name: str) -> None:
    assert name not in empty_cells()


def test_what_is_left_out_says_why() -> None:
    assert empty_cells()["fetch_response 0 responses[].partitions[].records: long"].excluded
    assert (
        empty_cells()["fetch_request 12 clusterId: null"].excluded
        == "it is the default of a tagged field, and `default` shows it"
    )


def test_a_valid_vector_shows_values_in_all_its_versions() -> None:
    document = {
        "id": "heartbeat-request/0/x", "kind": "request", "layout": "heartbeat_request", "versions": [0, 1],
        "verdict": "valid", "value": {"groupId": "é", "generationId": -1, "memberId": ""},
    }  # fmt: skip
    words = {"groupId: some", "groupId: foreign", "generationId: minus-one", "memberId: empty"}
    assert shown(document) == {f"heartbeat_request {number} {word}" for number in (0, 1) for word in words}


def test_a_fault_is_no_value() -> None:
    document = {
        "id": "heartbeat-request/0/group-id/length/null", "kind": "request", "layout": "heartbeat_request",
        "versions": [0], "verdict": "invalid",
    }  # fmt: skip
    assert shown(document) == {"heartbeat_request 0 group-id/length/null"}
