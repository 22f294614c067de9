"""What is told of messages that were recorded, and who is recorded."""

import pytest
from kafka_generator.recordings.wild import traffic
from kafka_generator.recordings.wild.proxy import Frame
from kafka_generator.recordings.wild.sessions import PROGRAMS, sessions

HEARTBEAT_4 = bytes.fromhex("000000070000000000000000")


def test_nothing_is_wrong_with_what_is_read_and_written_again() -> None:
    assert traffic.fault(Frame("response", 12, 4, HEARTBEAT_4)) == ""


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (Frame("response", 12, 4, HEARTBEAT_4[:-1]), "[field.truncated]"),
        (Frame("response", 12, 4, HEARTBEAT_4 + b"\0"), "[protocol.body.exact]"),
        # KIP-511: brokers answer in version 0 if they do not know the one that was asked.
        (Frame("response", 18, 3, bytes.fromhex("00000007002300000000")), ""),
        # The tagged field finalizedFeaturesEpoch is there, although it has its default.
        (Frame("response", 18, 3, bytes.fromhex("00000007000001000000000101" + "08" + "ff" * 8)), "is written as"),
    ],
)
def test_what_is_wrong_is_told(frame: Frame, told: str) -> None:
    found = traffic.fault(frame)
    assert told in found
    assert bool(found) == bool(told)


def test_the_program_of_every_session_is_there() -> None:
    known = list(sessions())
    assert all((PROGRAMS / session.program[0]).is_file() for session in known)
    assert {release for session in known for release in session.brokers} == set(traffic.RELEASES)


@pytest.mark.parametrize(
    ("label", "library"),
    [("franz-go-1.22.2-session", "franz-go"), ("java-4.4.0", "java"), ("broker-4.4.0-quorum", "broker"), ("x", "x")],
)
def test_a_client_without_its_release(label: str, library: str) -> None:
    assert traffic.without_release(label) == library


@pytest.mark.parametrize("others", [[], ["a"], ["a", "b"], ["a", "b", "c"]])
def test_what_few_others_have_said_is_stored(others: list[str]) -> None:
    assert traffic._is_new("mine", others)


@pytest.mark.parametrize("others", [["a", "mine"], ["a", "b", "c", "d"]])
def test_what_others_have_said_is_not_stored_again(others: list[str]) -> None:
    assert not traffic._is_new("mine", others)
