"""Targets that have one thing wrong in a layout: what they have wrong is what is told.

What such a target says is what aiokafka 0.14.0 said of the same vectors: its class
`DescribeGroupsResponse_v3` is that of version 2, and `current_leader_epoch` is an `Int64` in its
`OffsetRequest_v4`.
"""

from collections.abc import Callable, Iterable

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.misreading import Misreading, misreadings
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.kinds.message.wrong_answers import Manner, probe
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Vector, Verdict

BYTES = Manner("bytes", refuses_trailing=False)
Says = Callable[[Vector], Result | None]


def asked(family: str, kind: str) -> list[Vector]:
    vectors = message_vectors(in_versions(protocol.load(families=[family])))
    return [vector for vector in vectors if vector.format == kind and vector.verdict is Verdict.VALID]


def told(layout: str, vectors: Iterable[Vector], says: Says, manner: Manner = BYTES) -> list[Misreading]:
    results = [(vector, says(vector) or Result(vector.id, "toy", Outcome.PASSED)) for vector in vectors]
    return list(misreadings(layout, [probe(one, result) for one, result in results], manner))


def test_nothing_wrong() -> None:
    assert told("heartbeat_request", asked("heartbeat", "request"), lambda _: None) == []


def test_a_version_read_as_the_one_before() -> None:
    """Each group ends with an int32 that is not read, so bytes are missing: the field is named."""
    vectors = asked("describe_groups", "response")
    shorter = {
        "describe-groups-response/3/single": ("byte 50", "the end"),
        "describe-groups-response/3/typical": ("byte 202", "the end"),
    }

    def says(vector: Vector) -> Result | None:
        if vector.formats != ("3",) or not vector.data[12:16].rstrip(b"\0") or vector.id.endswith("/no-items"):
            return None
        path, got = shorter.get(vector.id, (f"byte {len(vector.data) - 4}", "the end"))
        return Result(vector.id, "toy", Outcome.WRONG_ANSWER, path=path, got=got)

    (diagnosis, *_) = told("describe_groups_response", vectors, says)
    assert diagnosis.candidate.id == "describe_groups_response/groups.authorized_operations/begins-later"
    assert tuple(diagnosis.wrong) == (3,)


def test_an_integer_of_another_width() -> None:
    """Versions 4 and 5 with partitions are refused: four bytes of the next field are taken."""

    def says(vector: Vector) -> Result | None:
        has_partitions = not vector.id.partition("@")[0].endswith(("smallest", "/no-items", "/no-inner-items"))
        if int(vector.formats[0]) < 4 or not has_partitions:
            return None
        return Result(vector.id, "toy", Outcome.REFUSED_VALID, detail="requires a buffer of 8 bytes")

    vectors = [question for question in asked("list_offsets", "request") if int(question.formats[0]) < 6]
    (diagnosis, *_) = told("list_offsets_request", vectors, says)
    assert diagnosis.candidate.id == "list_offsets_request/topics.partitions.current_leader_epoch/as-int64"
    assert sorted(diagnosis.wrong) == [4, 5]


@pytest.mark.parametrize("outcome", [Outcome.CRASHED, Outcome.BROKEN_PROTOCOL])
def test_who_dies_of_everything_misreads_nothing(outcome: Outcome) -> None:
    vectors = asked("heartbeat", "request")
    assert told("heartbeat_request", vectors, lambda result: Result(result.id, "toy", outcome)) == []


def test_who_answers_nonsense_has_no_layout_wrong() -> None:
    """All fail, as with many mutants; but none would say what this one says."""
    vectors = asked("heartbeat", "request")
    assert (
        told("heartbeat_request", vectors, lambda result: Result(result.id, "toy", Outcome.WRONG_ANSWER, path="x"))
        == []
    )
