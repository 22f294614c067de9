"""Whatever comes, the broker notes it, goes on or hangs up, and keeps serving others."""

import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import protocol
from kafka_tools.server import BrokerSettings, Topic
from kafka_tools.server.settings import ranges

from tests.kafka_tools.server.client import Client, talking

METADATA = protocol.encode_request("metadata", 12, {"topics": None}, correlation_id=9, client_id="c")
API_VERSIONS = protocol.encode_request("api_versions", 0, {}, correlation_id=3)


def faults(here):
    return [(fault.what, fault.rule) for fault in here.state.notes.faults]


@pytest.mark.parametrize(
    ("request_bytes", "rule"),
    [
        (METADATA[:-1], None),
        (b"\x7f\xff" + METADATA[2:], "protocol.header.known"),
        (METADATA[:2] + b"\x7f\xff" + METADATA[4:], "protocol.header.known"),
        (b"\xff" * 20, "protocol.header.known"),
        (protocol.encode_request("create_topics", 7, {}), "protocol.header.known"),
    ],
    ids=["cut", "no such API", "no such version", "rubbish", "an API that it said it has not"],
)
def test_it_hangs_up_on_what_cannot_be_answered(request_bytes, rule):
    with talking(Topic("t")) as (here, client):
        client.send(request_bytes)
        assert client.receive() is None
        ((_, noted),) = faults(here)
        assert rule in {None, noted}
        other = Client(here)
        other.ask("metadata", 12, {"topics": None})
        other.close()


@pytest.mark.parametrize("size", [b"\0\0\0\0", b"\0\0\0\7", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff"])
def test_a_size_that_no_request_has_ends_the_connection_at_once(size):
    with talking(Topic("t")) as (here, client):
        client.raw(size)
        assert client.receive() is None
        assert len(faults(here)) == 1


@pytest.mark.parametrize(("first", "words"), [(b"\x16\x03\x01\x02", "handshake of TLS"), (b"GET ", "words of HTTP")])
def test_a_client_of_another_protocol_is_told_which_it_speaks(first, words):
    with talking(Topic("t")) as (here, client):
        client.raw(first)
        assert client.receive() is None
        assert [words in fault.detail for fault in here.state.notes.faults] == [True]


def test_bytes_behind_the_body_are_noted_and_the_request_is_answered_as_kafka_does():
    with talking(Topic("t")) as (here, client):
        client.send(API_VERSIONS + b"\0\0\0\0")  # as librdkafka 0.11 sends it
        assert protocol.decode_response(client.receive(), "api_versions", 0).body.error_code == 0
        assert faults(here) == [("api_versions 0", "protocol.body.exact")]


@pytest.mark.parametrize(("behind", "is_overlooked"), [(b"\0\0\0\0", True), (b"\1", False)])
def test_what_widely_used_clients_leave_behind_a_body_is_told_from_what_nobody_does(behind, is_overlooked):
    with talking(Topic("t")) as (here, client):
        client.send(API_VERSIONS + behind)  # librdkafka 0.11 sends four zeros
        assert client.receive() is not None
        assert [fault.is_overlooked for fault in here.state.notes.faults] == [is_overlooked]


@pytest.mark.parametrize("version", [1, 6, 100])
def test_a_newer_version_of_api_versions_is_answered_in_version_0(version):
    settings = BrokerSettings(versions=ranges(chosen={"api_versions": (0, 0)}))
    with talking(Topic("t"), settings=settings) as (_, client):
        client.send(b"\0\x12" + version.to_bytes(2, "big") + b"\0\0\0\x05\xff\xff whatever")
        answer = protocol.decode_response(client.receive(), "api_versions", 0)
    assert (answer.header.correlation_id, answer.body.error_code) == (5, 35)
    assert [(key.api_key, key.min_version, key.max_version) for key in answer.body.api_keys] == [(18, 0, 0)]


def test_versions_are_those_that_were_chosen():
    with talking(Topic("t"), settings=BrokerSettings(versions=ranges("v1", {"fetch": (2, 2)}))) as (here, client):
        keys = {key.api_key: (key.min_version, key.max_version) for key in client.ask("api_versions", 0, {}).api_keys}
        assert (keys[1], keys[0]) == ((2, 2), (0, 2))
        assert 22 not in keys
        client.send(protocol.encode_request("fetch", 4, {}))
        assert client.receive() is None
        assert faults(here) == [("fetch 4", "protocol.header.known")]


def test_a_broker_of_v1_has_no_group_requests_of_later_releases():
    """kafka-python takes a broker with JoinGroup 2 for one of 0.11, and asks it for a producer
    id."""
    of_0_10_2 = {"offset_commit": 2, "offset_fetch": 2, "join_group": 1, "sync_group": 0, "find_coordinator": 0}
    assert of_0_10_2.items() <= {api: high for api, (_, high) in ranges("v1").items()}.items()


def test_a_client_that_says_nothing_is_left_and_one_too_many_is_not_let_in():
    with talking(Topic("t"), settings=BrokerSettings(idle_seconds=0.01)) as (_, client):
        assert client.receive() is None
    with talking(Topic("t"), settings=BrokerSettings(most_connections=1)) as (here, client):
        client.ask("api_versions", 0, {})
        other = Client(here)
        assert other.receive() is None
        other.close()


def test_every_request_is_a_line_of_json():
    lines = []
    with talking(Topic("t"), sink=lines.append) as (_, client):
        client.ask("metadata", 12, {"topics": None})
        client.send(b"\xff" * 20)
        client.receive()
    notes = [json.loads(line) for line in lines]
    assert [note["kind"] for note in notes] == ["opened", "request", "fault", "closed"]
    assert (notes[1]["api"], notes[1]["version"], notes[1]["client_id"]) == ("metadata", 12, "test")
    assert notes[2]["request"] == "ff" * 20


@pytest.fixture(scope="module")
def served():
    complaints = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = complaints.append
    logging.getLogger("asyncio").addHandler(handler)
    with talking(Topic("t", b"\0" * 30)) as (here, _):
        yield here
    logging.getLogger("asyncio").removeHandler(handler)
    assert not [record.getMessage() for record in complaints]  # no traceback


REQUESTS = [
    protocol.encode_request("fetch", 12, {"topics": [{"topic": "t", "partitions": [{"partition": 0}]}]}),
    protocol.encode_request("produce", 9, {"acks": 1, "topic_data": [{"name": "t", "partition_data": [{}]}]}),
    protocol.encode_request("join_group", 6, {"group_id": "g"}),
    protocol.encode_request("offset_fetch", 8, {"groups": [{"group_id": "g", "topics": None}]}),
    protocol.encode_request("find_coordinator", 4, {"coordinator_keys": ["g"]}),
    METADATA,
]


@given(st.sampled_from(REQUESTS), st.integers(0, 80), st.binary(min_size=1, max_size=4))
def test_a_damaged_request_gets_an_answer_or_the_end_of_the_connection(served, request_bytes, place, damage):
    place %= len(request_bytes)
    client = Client(served)
    client.send(request_bytes[:place] + damage + request_bytes[place + len(damage) :])
    client.send(API_VERSIONS)
    while (answer := client.receive()) is not None and answer[:4] != b"\0\0\0\3":
        pass
    client.close()
