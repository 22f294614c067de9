"""Counts that add up, from rows that know of every batch."""

import json

import pytest
from kafka_conformance.scale.results import summary_json
from kafka_conformance.scale.results.summary import ScaleSummary

from tests.kafka_conformance.scale.summaries import PASSED, UNDECLARED, WRONG, done, summed


@pytest.mark.parametrize(
    ("result", "status"),
    [
        (summed(done(0, [PASSED, UNDECLARED])), 0),
        (summed(done(0, [PASSED, WRONG])), 1),
        (summed(done(0, [PASSED, WRONG]), gaps=("chunk 1",)), 2),
        (summed(done(0, [PASSED, WRONG]), interrupted=True), 2),
        (summed(done(0, [PASSED, UNDECLARED]), gaps=("chunk 1",)), 2),
        (summed(done(0, [PASSED, UNDECLARED]), interrupted=True), 2),
        (summed(done(0, [PASSED], problem="given up")), 2),
        (summed(done(0, [PASSED, WRONG], problem="given up")), 1),
    ],
)
def test_exit_status(result: ScaleSummary, status: int) -> None:
    assert result.status == status


def test_document_is_json_with_every_count() -> None:
    document = json.loads(json.dumps(summary_json.document(summed(done(0, [PASSED, WRONG]), gaps=("chunk 1",)))))
    assert (document["complete"], document["gaps"], document["settings"]["seed"]) == (False, ["chunk 1"], 7)
    [target] = document["targets"]
    assert target["outcomes"] == {"passed": 40, "wrong-answer": 3}
    assert {"format": "v2", "codec": "gzip", "outcome": "wrong-answer", "batches": 3} in target["cells"]
    assert target["symptoms"][0]["first"] == 17
    assert document["timing"]["rate"] == 25.0
    # At 25 a second, and at 72 ms of processor time each.
    assert document["timing"]["billion_hours"] == pytest.approx(11111.111)
    assert document["timing"]["billion_cpu_hours"] == pytest.approx(20000)
