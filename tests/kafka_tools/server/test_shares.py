"""Share groups as Kafka has them: sessions, acquisition, acknowledgements that are refused."""

import pytest
from kafka_generator.conversations.logs import log
from kafka_tools import server as broker
from kafka_tools.server import BrokerSettings, Topic, Topics
from kafka_tools.server.settings import ranges

from tests.kafka_tools.server.client import Client

INVALID_REQUEST, INVALID_RECORD_STATE, NOT_FOUND, OTHER_EPOCH = 42, 121, 122, 123
VERSIONS = {"share_fetch": (1, 2), "share_acknowledge": (1, 2), "share_group_heartbeat": (1, 1)}


@pytest.fixture(scope="module")
def serving():
    topics = Topics(Topic(name, log(["0..2", "3..4"]), 0, 5) for name in ("t", "u", "v"))
    with broker.running(topics, BrokerSettings(versions=ranges(chosen=VERSIONS), empty_seconds=0.0)) as running:
        yield running


@pytest.fixture
def member(serving, request):
    """A member of a group of its own."""
    client = Client(serving)
    client.group = request.node.name
    client.topic = next(iter(serving.state.topics)).topic_id
    yield client
    client.close()


def said(client, *batches):
    rows = [{"first_offset": first, "last_offset": last, "acknowledge_types": types} for first, last, types in batches]
    return [{"topic_id": client.topic, "partitions": [{"partition_index": 0, "acknowledgement_batches": rows}]}]


def of(client, epoch, topics, member="m"):
    return {"group_id": client.group, "member_id": member, "share_session_epoch": epoch, "topics": topics}


def fetch(client, epoch, *batches, version=2, **more):
    body = {**of(client, epoch, said(client, *batches)), "max_wait_ms": 0, "min_bytes": 1, "max_records": 500}
    return client.ask("share_fetch", version, {**body, "batch_size": 500, "forgotten_topics_data": [], **more})


def acknowledge(client, epoch, *batches, **more):
    return client.ask("share_acknowledge", 1, {**of(client, epoch, said(client, *batches)), **more})


def runs(answer):
    (topic,) = answer.responses
    return [tuple(run)[:3] for run in topic.partitions[0].acquired_records]


@pytest.mark.parametrize(
    "batch",
    [
        (4, 0, [1]),
        (0, 4, []),
        (0, 4, [1, 1]),
        (0, 0, [5]),
        (0, 0, [-1]),
        (0, 2**62, [1]),
        (-(2**63), 2**63 - 1, [1]),
    ],
)
def test_an_acknowledgement_that_is_none(member, batch):
    fetch(member, 0)
    assert fetch(member, 1, batch).error_code == INVALID_REQUEST
    assert acknowledge(member, 1, batch).error_code == INVALID_REQUEST


def test_epochs_of_a_session(member):
    assert fetch(member, 1).error_code == NOT_FOUND
    assert acknowledge(member, 1).error_code == NOT_FOUND
    assert fetch(member, -1).error_code == NOT_FOUND
    assert fetch(member, 0, (0, 0, [1])).error_code == INVALID_REQUEST
    assert fetch(member, 0).error_code == 0
    assert acknowledge(member, 0).error_code == OTHER_EPOCH
    assert fetch(member, 2).error_code == OTHER_EPOCH
    assert [fetch(member, 1).error_code, acknowledge(member, 2).error_code, fetch(member, 3).error_code] == [0, 0, 0]
    assert acknowledge(member, -1).error_code == 0
    assert fetch(member, 4).error_code == NOT_FOUND


def test_a_record_is_acquired_once_until_it_is_released(member):
    assert runs(fetch(member, 0)) == [(0, 4, 1)]
    assert runs(fetch(member, 1)) == []
    assert runs(fetch(member, 2, (0, 4, [1, 2, 3, 0, 2]))) == [(1, 1, 2), (4, 4, 2)]
    answer = acknowledge(member, 3, (0, 1, [1]))
    assert answer.responses[0].partitions[0].error_code == INVALID_RECORD_STATE
    assert runs(fetch(member, 4, (1, 1, [2]), (4, 4, [1]))) == [(1, 1, 3)]


def test_a_record_is_delivered_five_times(member):
    fetch(member, 0)
    counts = [runs(fetch(member, epoch, (0, 4, [2]))) for epoch in range(1, 6)]
    assert counts == [[(0, 4, 2)], [(0, 4, 3)], [(0, 4, 4)], [(0, 4, 5)], []]


def test_only_who_says_so_renews(member):
    fetch(member, 0)
    refused = fetch(member, 1, (0, 4, [4])).responses[0].partitions[0]
    assert refused.acknowledge_error_code == INVALID_REQUEST
    renewed = fetch(member, 2, (0, 4, [4, 1, 4, 2, 4]), is_renew_ack=True)
    assert (renewed.responses[0].partitions[0].acknowledge_error_code, runs(renewed)) == (0, [])
    assert runs(fetch(member, 3)) == [(3, 3, 2)]


def test_who_hangs_up_lets_go(member, serving):
    fetch(member, 0)
    other = Client(serving)
    other.group, other.topic = member.group, member.topic
    body = of(other, 0, said(other), "n")
    assert runs(fetch(other, 0, **body)) == []
    member.close()
    epoch = 1
    while not (got := runs(fetch(other, epoch, **{**body, "share_session_epoch": epoch}))):
        epoch += 1
    assert got == [(0, 4, 2)]
    other.close()


def test_a_topic_that_is_not_there(member):
    member.topic = bytes(16)
    assert fetch(member, 0).responses[0].partitions[0].error_code == 100
