"""What members of groups tell, read by the names that stand in the message.

The bytes of Connect, of the sticky assignors and of Streams were written by classes of Kafka 4.4.0.
"""

import pytest
from kafka_format import protocol
from kafka_format.explain.requests import explain_request, explain_response

WORKER_0 = bytes.fromhex("0000 0015 687474703a2f2f31302e302e302e313a383038332f ffffffffffffffff")
WORKER_1 = bytes.fromhex("0001 0000 0000000000000005 ffffffff")
ASSIGNED = bytes.fromhex(
    "0000 0000 000d 636f6e6e6563742d312d616230 0015 687474703a2f2f31302e302e302e313a383038332f"
    "0000000000000001 00000001 0002 6331 00000003 ffffffff 00000000 00000001"
)
STICKY_0 = bytes.fromhex("00000001 0006 6f7264657273 00000002 00000000 00000002")
STICKY_1 = STICKY_0 + bytes.fromhex("00000004")
COOPERATIVE = bytes.fromhex("00000007")


def joined(kind: str, name: str, metadata: bytes, version: int = 2) -> dict[str, str]:
    body = {"protocol_type": kind, "protocols": [{"name": name, "metadata": metadata}]}
    explained = explain_request(protocol.encode_request("join_group", version, body))
    assert explained.fault is None
    within = "body.protocols[0].metadata"
    return {line.path.removeprefix(within): line.value for line in explained.lines if line.path.startswith(within)}


def subscription(user_data: bytes) -> bytes:
    return bytes.fromhex("0000 00000001 0001 74") + len(user_data).to_bytes(4, "big") + user_data


@pytest.mark.parametrize(("metadata", "offset"), [(WORKER_0, "-1"), (WORKER_1, "5")])
def test_metadata_of_a_worker_of_connect(metadata: bytes, offset: str) -> None:
    fields = joined("connect", "default", metadata)
    assert fields[".config_offset"] == offset
    assert (".allocation.length" in fields) == (metadata == WORKER_1)


def test_the_allocation_of_a_worker_is_an_assignment() -> None:
    metadata = WORKER_1[:-4] + len(ASSIGNED).to_bytes(4, "big") + ASSIGNED
    assert joined("connect", "compatible", metadata)[".allocation.assignment[0].connector"] == "'c1'"


def test_what_a_worker_of_connect_is_assigned() -> None:
    body = {"protocol_type": "connect", "protocol_name": "default", "assignment": ASSIGNED}
    explained = explain_response(protocol.encode_response("sync_group", 5, body), "sync_group", 5)
    values = {line.path: line.value for line in explained.lines}
    assert values["body.assignment.leader"] == "'connect-1-ab0'"
    assert [values[f"body.assignment.assignment[0].tasks[{index}]"] for index in range(3)] == ["-1", "0", "1"]


@pytest.mark.parametrize("kind", ["consumer", "stream", ""])
def test_bytes_of_connect_in_another_group_stay_bytes(kind: str) -> None:
    assert not any("config_offset" in path for path in joined(kind, "default", WORKER_0))


def test_a_group_of_a_kind_that_is_not_known_is_not_guessed() -> None:
    assert joined("schema-registry", "v0", subscription(b""))[""] == "13 bytes"


@pytest.mark.parametrize(("user_data", "generation"), [(STICKY_0, None), (STICKY_1, "4")])
def test_user_data_of_the_sticky_assignor(user_data: bytes, generation: str | None) -> None:
    fields = joined("consumer", "sticky", subscription(user_data))
    assert fields[".user_data.previous_assignment[0].topic"] == "'orders'"
    assert fields.get(".user_data.generation") == generation


def test_user_data_of_the_cooperative_sticky_assignor() -> None:
    assert joined("consumer", "cooperative-sticky", subscription(COOPERATIVE))[".user_data.generation"] == "7"


@pytest.mark.parametrize("user_data", [STICKY_1[:-1], STICKY_1 + b"\0", b"\xff" * 9])
def test_user_data_that_no_version_fits_stays_bytes(user_data: bytes) -> None:
    fields = joined("consumer", "sticky", subscription(user_data))
    assert fields[".user_data"] == f"{len(user_data)} bytes"


def test_user_data_of_an_assignor_that_is_not_known_stays_bytes() -> None:
    assert joined("consumer", "range", subscription(STICKY_1))[".user_data"] == "28 bytes"


def test_user_data_of_streams_says_its_version() -> None:
    version_1 = (1).to_bytes(4, "big") + bytes(16) + bytes(4) + bytes(4)
    fields = joined("consumer", "stream", subscription(version_1))
    assert (fields[".user_data.version"], ".user_data.prev_tasks.count" in fields) == ("1", True)
    version_2 = (2).to_bytes(4, "big") + version_1[4:]
    assert joined("consumer", "stream", subscription(version_2))[".user_data"] == "28 bytes"
