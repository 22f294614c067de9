"""The reach of vectors: what is declared, what is derived, and the rule for verdicts."""

from pathlib import Path

import pytest
from kafka_conformance.vectors.vector import Reach
from kafka_format.errors import LayoutError
from kafka_generator.reach import streams, table
from kafka_generator.reach.model import broker, crafted_origin, damage, producer, rarest

from tests import shipped

VECTORS = Path(__file__).resolve().parents[3] / "vectors"
BY_ID = {name: vector.document for name, vector in shipped.vectors().items()}


@pytest.mark.parametrize(
    ("vector", "reach"),
    [
        ("v2/key/null", "producer"),
        ("v2/value/8192-bytes", "producer"),
        ("v2/producer/idempotent", "producer"),
        ("v2/snappy/raw-block", "producer"),  # librdkafka
        ("v2/snappy/chunks-of-1024", "producer"),  # KAFKA-5236
        ("v0/wrapper/snappy", "producer"),
        ("check/v07-magic-0/twin", "producer"),
        ("v2/offset/gaps-after-compaction", "broker"),
        ("v2/timestamp/log-append-time", "broker"),
        ("v2/control/commit", "broker"),
        ("v2/batch/empty", "broker"),
        ("v1/wrapper/gaps", "broker"),
        ("v1/timestamp/none", "broker"),  # converted from v0
        ("run/v0-then-v2", "broker"),
        ("run/cut/last-byte", "broker"),
        ("check/v2/crc/lowest-bit", "damage"),
        ("check/v1/message/crc/highest-bit", "damage"),
        ("check/v2/batch_length/one-less", "damage"),
        ("check/v2/magic/3", "damage"),  # the checksum of a batch does not cover its magic
        ("run/zeros/11", "damage"),
        ("check/v1/message/magic/3", "crafted"),  # that of a message does
        ("v1/message/trailing-bytes", "crafted"),
        ("v2/varint/overlong", "crafted"),
        ("v2/record-count/one-more", "crafted"),
        ("v2/batch/unused-attribute-bits", "crafted"),
        ("v2/gzip/empty-batch", "crafted"),
        ("framing/gzip/comment", "crafted"),
        ("v1/wrapper/key", "crafted"),
    ],
)
def test_the_reach_of_a_vector(vector: str, reach: str) -> None:
    assert BY_ID[vector]["reach"]["from"] == reach


def test_what_a_producer_or_a_broker_wrote_comes_from_it() -> None:
    for vector in BY_ID.values():
        if vector["family"] == "wild":
            reach, verb = ("broker", "made") if vector["id"].startswith("wild/broker-") else ("producer", "written")
            assert vector["reach"]["from"] == reach
            assert vector["provenance"]["source"].startswith(vector["reach"]["evidence"].removeprefix(f"{verb} by "))


def test_no_flipped_bit_or_cut_is_taken_for_what_somebody_writes() -> None:
    refused = [vector for vector in BY_ID.values() if vector["verdict"] == "invalid"]
    assert {vector["reach"]["from"] for vector in refused} == {"damage", "crafted"}


def test_the_rarest_feature_decides() -> None:
    origins = [producer("a"), crafted_origin("b"), broker("c"), damage("d")]
    assert rarest(origins).reach is Reach.CRAFTED
    assert rarest(origins[2:]).evidence == "d"


def test_a_stream_of_two_members_has_another_shape() -> None:
    vector = BY_ID["v2/gzip/two-members"]["hex"], BY_ID["v2/gzip/plain"]["hex"]
    two, one = (streams.shape("gzip", bytes.fromhex(text)[61:]) for text in vector)
    assert (two[:-1], two[-1], one[-1]) == (one[:-1], False, True)


def declared(tmp_path: Path, line: str) -> list[table.Declared]:
    file = tmp_path / table.FILE
    file.write_text(f"reach:\n  - {line}\n  - {{vectors: [b], from: damage, evidence: torn}}\n", encoding="utf-8")
    return table.load(file)


def vector(name: str, verdict: str, reach: str) -> dict[str, object]:
    return {"id": name, "verdict": verdict, "reach": {"from": reach, "evidence": "why"}}


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{vectors: [a], from: nowhere, evidence: why}", "unknown reach `nowhere`"),
        ("{vectors: [a], from: broker}", "evidence"),
        ("{vectors: [a], from: broker, evidence: why, extra: 1}", "extra"),
        ("{vectors: [c*], from: broker, evidence: why}", "no vector `c\\*`"),
    ],
)
def test_a_table_that_is_wrong_is_refused(tmp_path: Path, line: str, error: str) -> None:
    with pytest.raises(LayoutError, match=error):
        table.check(declared(tmp_path, line), [vector("a", "valid", "broker"), vector("b", "valid", "damage")])


def test_a_vector_has_one_reach(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="`b` has a reach already"):
        table.find(declared(tmp_path, "{vectors: [b], from: broker, evidence: why}"), "b")


def test_what_somebody_writes_is_lenient_only_with_a_reason(tmp_path: Path) -> None:
    vectors = [vector("a", "lenient", "producer"), vector("b", "valid", "damage")]
    table.check(declared(tmp_path, "{vectors: [a], from: producer, evidence: why, lenient: no answer}"), vectors)
    with pytest.raises(LayoutError, match="`a` is lenient, but comes from a producer"):
        table.check(declared(tmp_path, "{vectors: [a], from: producer, evidence: why}"), vectors)
    with pytest.raises(LayoutError, match="`x` is lenient, but comes from a broker"):
        table.check([], [vector("x", "lenient", "broker")])
