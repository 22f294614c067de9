"""A reduced finding to make others of."""

from kafka_conformance.scale.reduction import model
from kafka_conformance.scale.reduction.reduced import Reduced

DATA = model.write([{"records": [{"attributes": -128, "key": b"\7"}]}])
FOUND = Reduced(
    target="slipping",
    name="slipping",
    version="1.2",
    seed=7,
    index=1234,
    profile="mixed",
    batches=5,
    found="wrong-answer",
    symptom="records[*].offset",
    outcome="wrong-answer",
    about="records[*].offset",
    path="records[0].offset",
    expected="0",
    got="1",
    detail="records[0].offset is 1, not 0",
    format="v2",
    codec="none",
    size=900,
    reduced_size=len(DATA),
    hex=DATA.hex(),
    fault="",
    twin="",
    redone=True,
    calls=40,
    seconds=0.5,
    telling=("records[0].attributes.bit_7 = 1", "records[0].key = hex:07"),
    parts=2,
    cause=("records[0].attributes.bit_7 = 1",),
    mends=True,
    finished=True,
)
