"""Metrics inside a PushTelemetry request: known by its API, decompressed by what it says."""

import pytest
from kafka_conformance.kinds.serde.questions import load
from kafka_conformance.vectors.loader import Filters
from kafka_conformance.vectors.vector import Vector
from kafka_format import compression
from kafka_format.explain.contents import explain_content
from kafka_format.explain.inside import How
from kafka_format.explain.requests import explain_request
from kafka_format.protocol import encode_request

from tests.kafka_format.content.test_telemetry import GAUGE

POINT = "body.metrics.resource_metrics[0].scope_metrics[0].metrics[0].gauge.data_points[0].as_double"
VECTORS = load(Filters(("content/telemetry/*",)))


def push(metrics: bytes, codec: int = 0) -> bytes:
    """Return a request that pushes metrics."""
    body = {
        "client_instance_id": bytes(16),
        "subscription_id": 1,
        "terminating": False,
        "compression_type": codec,
        "metrics": metrics,
    }
    return encode_request("push_telemetry", 0, body, client_id="c")


def test_a_stream_that_is_broken_is_wrong_where_it_lies() -> None:
    explained = explain_request(push(GAUGE, 1))
    assert explained.fault is not None
    assert (explained.fault.rule, explained.fault.path_text) == (
        "compression.gzip.magic",
        "body.metrics.compressed",
    )


def test_a_message_that_is_broken_is_wrong_where_it_lies() -> None:
    data = push(GAUGE[:-1])
    explained = explain_request(data)
    assert explained.fault is not None
    assert explained.fault.rule == "content.telemetry.message"
    assert explained.fault.offset == data.index(GAUGE[:-1]) + 1


@pytest.mark.parametrize("codec", range(len(compression.NAMES)))
def test_metrics_are_shown_by_their_names(codec: int) -> None:
    metrics = compression.compress(compression.NAMES[codec], GAUGE)
    explained = explain_request(push(metrics, codec))
    assert explained.fault is None
    (point,) = [line for line in explained.lines if line.path == POINT]
    assert (point.value, point.payload) == ("1.5", codec > 0)


@pytest.mark.parametrize(("metrics", "codec"), [(b"", 4), (b"", 0), (b"\xff\xff", 9)])
def test_nothing_is_said_of_no_bytes_and_of_an_unknown_codec(metrics: bytes, codec: int) -> None:
    assert explain_request(push(metrics, codec)).fault is None


@pytest.mark.parametrize("codec", [0, 1, 4])
def test_what_is_cut_is_missing_and_not_wrong(codec: int) -> None:
    data = push(compression.compress(compression.NAMES[codec], GAUGE), codec)
    for end in range(data.index(b"c") + 1, len(data)):
        explained = explain_request(data[:end], how=How(may_be_cut=True))
        assert explained.fault is None
        assert explained.missing


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector.id)
def test_the_explanation_finds_what_the_vector_says(vector: Vector) -> None:
    data = vector.data
    explained = explain_content(vector.formats[0], data)
    assert b"".join(each.raw for each in explained.lines if not each.payload) == data
    assert (() if explained.fault is None else (explained.fault.rule,)) == tuple(vector.rules)
