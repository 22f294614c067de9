"""Structures of the protocol by themselves in the decoder of the page, against the reference."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_site.decoder import links
from kafka_site.wire.explanation import explain_vector

from tests.kafka_site.decoder.scripts import ask
from tests.kafka_site.decoder.test_messages import said
from tests.sampling import Share

FAMILIES = ("fetch", "topic_records", "quorum", "headers", "metadata_records", "groups")
SAMPLE = 60


@pytest.fixture(scope="module")
def vectors(request: pytest.FixtureRequest, some_of_module: Share) -> Sequence[ProtocolVector]:
    whole = request.config.getoption("whole")
    return some_of_module(protocol.load(families=() if whole else FAMILIES), SAMPLE, of="vectors")


def test_what_a_link_opens_is_what_the_reference_says(vectors: Sequence[ProtocolVector], folder: Path) -> None:
    """Every kind of vector of the protocol: what its link carries, and what comes of it."""
    opened = [vector for vector in vectors if links.of_message("vectors/messages/x", vector.document)]
    assert {vector.verdict for vector in opened} >= {"valid", "invalid"}
    answers = ask(folder, [_question(vector) for vector in opened])
    for vector, answer in zip(opened, answers, strict=True):
        expected = explain_vector(vector.document)
        lines = [[line.path, line.start, line.raw.hex(), said(line.value)] for line in expected.lines]
        assert [[line[1], line[2], line[3], line[4]] for line in answer["lines"]] == lines, vector.id
        rule = answer["fault"] and answer["fault"]["rule"]
        assert rule == (expected.fault and expected.fault.rule), vector.id


def _question(vector: ProtocolVector) -> dict[str, Any]:
    link = links.of_message("vectors/messages/x", vector.document)
    carried = dict(parse_qsl(link.partition("#")[2]))
    numbers = {name: json.loads(carried[name]) for name in ("api", "version") if name in carried}
    return {**carried, **numbers, "kind": carried["as"], "lines": True}
