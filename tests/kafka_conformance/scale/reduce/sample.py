"""A reduced finding to make others of."""

from dataclasses import replace
from typing import Any

from kafka_conformance.reduction import tree
from kafka_conformance.scale.results.reductions import Effort, Failure, GeneratedBatch, Minimal, Reduced, ReducedCause

DATA = tree.write([{"records": [{"attributes": -128, "key": b"\7"}]}])
PARTS = ("records[0].attributes.bit_7 = 1", "records[0].key = hex:07")
FINDING = Reduced(
    GeneratedBatch("slipping", 7, 1234, "mixed", "wrong-answer", "records[*].offset", batches=5, size=900),
    Failure(
        library="slipping",
        version="1.2",
        outcome="wrong-answer",
        symptom="records[*].offset",
        path="records[0].offset",
        expected="0",
        got="1",
        detail="records[0].offset is 1, not 0",
    ),
    Minimal("v2", "none", len(DATA), DATA.hex(), fault="", twin="", redone=True, parts=PARTS, part_count=2),
    ReducedCause(PARTS[:1], proven=True),
    Effort(questions=40, seconds=0.5, finished=True),
)


def change(finding: Reduced = FINDING, **parts: dict[str, Any]) -> Reduced:
    """Return a finding with other fields in some of its parts: `change(batch={"seed": 8})`."""
    return replace(finding, **{name: replace(getattr(finding, name), **fields) for name, fields in parts.items()})
