"""Null and empty taken for one another: what kafka-go 0.4.51 writes, as a run recorded it."""

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.null_habits import HABITS
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Vector

NULL_FOR_EMPTY = {
    "heartbeat-request/3/empties": ("byte 26", "ffff"),
    "leave-group-request/3/empties": ("byte 26", "ffff"),
    "init-producer-id-request/2/empties": ("byte 19", "000000000000"),
    "elect-leaders-response/0/empties": ("byte 24", "ffff"),
}
EMPTY_FOR_NULL = {
    "elect-leaders-request/0/nulls": ("byte 18", "0000000001020302"),
    "describe-client-quotas-response/0/nulls": ("byte 12", "00000000"),
}
IN_ONE = {"txn-offset-commit-request/0/nulls@0": ("byte 60", "0000")}


@pytest.fixture(scope="module")
def vectors() -> dict[str, Vector]:
    families = [
        "heartbeat", "leave_group", "init_producer_id", "elect_leaders", "describe_client_quotas", "txn_offset_commit",
    ]  # fmt: skip
    return {vector.id: vector for vector in message_vectors(in_versions(protocol.load(families=families)))}


def causes(vectors: dict[str, Vector], wrong: dict[str, tuple[str, str]]) -> dict[str, tuple[str, set[str]]]:
    """What is told of a target that gets these wrong, and all else right."""
    results = []
    for name in vectors:
        path, got = wrong.get(name, ("", ""))
        outcome = Outcome.WRONG_ANSWER if path else Outcome.PASSED
        results.append(Result(name, "toy", outcome, path=path, got=got, expected="other" if path else ""))
    diagnosis = diagnose_messages(results, vectors)
    return {cause.id: (cause.does, {result.vector for result in cause.findings}) for cause in diagnosis.causes}


def test_a_habit_of_several_messages_is_one_cause(vectors: dict[str, Vector]) -> None:
    assert causes(vectors, NULL_FOR_EMPTY) == {
        "message/null-for-empty-string": (
            "gives null where a string that may be null is empty",
            set(NULL_FOR_EMPTY),
        )
    }


def test_what_is_done_to_strings_and_to_arrays_is_one_habit(vectors: dict[str, Vector]) -> None:
    assert causes(vectors, NULL_FOR_EMPTY | EMPTY_FOR_NULL) == {
        "message/null-for-empty-string-and-empty-for-null-array": (
            "gives null where a string that may be null is empty, and gives an empty array where there is null",
            {*NULL_FOR_EMPTY, *EMPTY_FOR_NULL},
        )
    }


def test_what_shows_in_one_message_names_it(vectors: dict[str, Vector]) -> None:
    assert causes(vectors, IN_ONE) == {
        "message/empty-for-null-string/txn-offset-commit-request": (
            "gives an empty string where there is null, in the request of txn-offset-commit",
            set(IN_ONE),
        )
    }


def test_other_bytes_at_the_place_are_no_such_habit(vectors: dict[str, Vector]) -> None:
    found = causes(vectors, {name: (path, "7f" + got) for name, (path, got) in NULL_FOR_EMPTY.items()})
    assert not any("null-for-empty" in name for name in found)


def test_habits_are_told_apart() -> None:
    assert len({habit.id for habit in HABITS}) == len({habit.does for habit in HABITS}) == len(HABITS) == 26
    assert [sum(map(bool, habit)) for habit in HABITS] == sorted(sum(map(bool, habit)) for habit in HABITS)
