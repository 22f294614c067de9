"""Planted codecs: the cause that fits comes first, and there are few others."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from kafka_conformance.child.session import Reaction
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.judge import judge
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import MessageVector, message_vectors
from kafka_conformance.kinds.message.wrong_answers import Probe, layout_of, leave_out_unknown, probe
from kafka_conformance.kinds.message.wrong_codecs import OF_ITEMS, WRONG_CODECS
from kafka_conformance.kinds.message.wrong_codecs.plain import PlainCodec
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Verdict
from kafka_format.primitives.varints import UVARINT
from kafka_format.protocol.json_form import EXACT
from kafka_format.spec.layout.model import Varint

from tests.kafka_conformance.kinds.message.faults import BrokenError, Faults, PlantedCodec
from tests.kafka_conformance.kinds.message.planted_codecs import HELD_OUT, PLANTS, recode

FAMILIES = ["fetch", "metadata", "create_topics", "heartbeat", "alter_client_quotas", "describe_topic_partitions"]
NEWEST = 2
"""Versions of each message that are put: what is planted is in all of them."""

MOST_CAUSES = 3
_SURPLUS = "/surplus-"
PLAIN = PlantedCodec("none", "")


@pytest.fixture(scope="module")
def probes() -> list[Probe]:
    """Return messages that a codec without a fault gets right: all without bytes behind them."""
    vectors = message_vectors(in_versions(protocol.load(families=FAMILIES)))
    newest: dict[tuple[str, str], int] = {}
    for vector in vectors:
        message = vector.family, vector.format
        newest[message] = max(newest.get(message, 0), int(vector.formats[0]))
    kept = [
        probe(vector, Result(vector.id, "planted", Outcome.PASSED))
        for vector in vectors
        if vector.verdict is Verdict.VALID and int(vector.formats[0]) > newest[vector.family, vector.format] - NEWEST
    ]
    wrong = {result.vector for result in code(kept, PLAIN) if result.is_finding}
    assert [name for name in wrong if _SURPLUS not in name] == []
    return [each for each in kept if each.vector.id not in wrong]


def code(probes: list[Probe], plant: PlantedCodec) -> Iterator[Result]:
    """Yield what comes of messages that a planted codec reads, and writes again."""
    for each in probes:
        vector = each.vector
        assert isinstance(vector, MessageVector)
        is_here = plant.message in {"", f"{vector.family} {vector.format}"}
        try:
            content = answer(each, plant, Faults(plant, is_here))
            reply = Reply(Status.ANSWER, content)
        except (BrokenError, OverflowError, ValueError, TypeError, AttributeError, IndexError):
            reply = Reply(Status.REFUSED, b"broken")
        yield judge(vector.message, "planted", plant.form, Reaction(0, reply, 0.0))


def answer(asked: Probe, plant: PlantedCodec, faults: Faults) -> bytes:
    layout = layout_of(asked)
    got = recode(layout, asked.data, faults, plant.form)
    if plant.form == "bytes":
        return asked.vector.data[: asked.body] + got
    shown = json.loads(json.dumps(EXACT.write(layout, got)), object_hook=leave_out_unknown)
    return json.dumps({"header": {}, "body": shown}).encode()


def test_the_plain_codec_is_right(probes: list[Probe]) -> None:
    codec = PlainCodec()
    for each in probes:
        if each.vector.canonical:
            values, end = codec.read(layout_of(each), each.data, 0)
            assert (codec.write(layout_of(each), values), end) == (each.data, len(each.data))


@pytest.mark.parametrize(
    ("name", "number", "written"),
    [
        ("writes/varint-ends-at-128", 127, "7f"),
        ("writes/varint-ends-at-128", 128, "80"),
        ("writes/varint-ends-at-128", 129, "8101"),
        ("writes/varint-ends-at-128", 16384, "8080"),
        ("writes/varint-ends-before-127", 126, "7e"),
        ("writes/varint-ends-before-127", 127, "ff00"),
        ("writes/varint-ends-before-127", 128, "8001"),
    ],
)
def test_varints_that_end_a_byte_early_or_late(name: str, number: int, written: str) -> None:
    (codec,) = (each for each in WRONG_CODECS if each.id == name)
    assert codec.codec().write_varint(Varint(UVARINT), number).hex() == written


def test_names_are_unique() -> None:
    names = [codec.id for codec in (*WRONG_CODECS, *OF_ITEMS)]
    assert len(names) == len(set(names))


NOT_YET = {"json read varint zigzag", "bytes read varint zigzag"}
"""Planted codecs of which another cause comes first.

These take a negative number of items for null where null cannot be, and the wrong codec of the
suite refuses it. Nearly all is refused by both, as by who reads lengths of another width, or no
tagged fields of inner structures.
"""


@pytest.mark.sampled(40, of="mutants")
@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(plant, id=str(plant), marks=[pytest.mark.xfail(strict=True)] if str(plant) in NOT_YET else [])
        for plant in [*PLANTS, *HELD_OUT]
    ],
)
def test_the_right_cause_comes_first(probes: list[Probe], plant: PlantedCodec) -> None:
    results = list(code(probes, plant))
    found = diagnose_messages(results, {each.vector.id: each.vector for each in probes}, plant.form).causes
    assert plant.cause in found[0].id, [(each.id, len(each.findings)) for each in found]
    assert len(found) <= MOST_CAUSES, [(each.id, len(each.findings)) for each in found]
