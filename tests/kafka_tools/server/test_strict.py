"""A strict topic refuses fetches as Kafka does; a cluster of two nodes has a port for each."""

import pytest
from kafka_format import records
from kafka_format.records import Record
from kafka_generator.conversations.logs import log
from kafka_tools import server as broker
from kafka_tools.server import BrokerSettings, Topic, Topics

from tests.kafka_tools.server.client import Client


def batch(first):
    return records.encode([Record(first + index, 1, 0, None, b"v") for index in range(3)])


@pytest.fixture
def served():
    topic = Topic("t", batch(3) + batch(6), 3, 9, leader_epoch=2, is_strict=True)
    with broker.running(Topics([topic]), BrokerSettings(nodes=2)) as serving:
        yield topic, serving


@pytest.mark.parametrize(
    ("offset", "epoch", "error"), [(3, 2, 0), (9, -1, 0), (2, -1, 1), (10, -1, 1), (3, 1, 74), (3, 3, 75)]
)
def test_offsets_and_epochs(served, offset, epoch, error):
    topic, serving = served
    client = Client(serving)
    asked = {"partition": 0, "fetch_offset": offset, "partition_max_bytes": 1 << 20, "current_leader_epoch": epoch}
    body = {"max_wait_ms": 1, "topics": [{"topic": topic.name, "partitions": [asked]}]}
    assert client.ask("fetch", 12, body).responses[0].partitions[0].error_code == error
    client.close()


def test_only_the_leader_serves(served):
    topic, serving = served
    topic.leader = 2
    client = Client(serving)
    assert client.fetch(topic, 3).responses[0].partitions[0].error_code == 6
    answer = client.ask("metadata", 8, {"topics": [{"name": "t"}]})
    assert {node.node_id: node.port for node in answer.brokers} == serving.state.ports
    assert (answer.topics[0].partitions[0].leader_id, answer.topics[0].partitions[0].leader_epoch) == (2, 2)
    client.close()


def test_only_the_leader_takes_records(served):
    topic, serving = served
    client = Client(serving)
    body = {"acks": 1, "topic_data": [{"name": "t", "partition_data": [{"index": 0, "records": batch(9)}]}]}
    codes = []
    for topic.leader in (2, 1):
        answer = client.ask("produce", 9, body).responses[0].partition_responses[0]
        codes.append((answer.error_code, len(serving.state.produced_records)))
    assert codes == [(6, 0), (0, 1)]
    client.close()


def test_where_an_epoch_ended():
    data = log(["0..2", {"offsets": "3..4", "epoch": 2}, {"offsets": "5..5", "epoch": 4}])
    topic = Topic("t", data, 0, 6, leader_epoch=4, is_strict=True)
    expected = {0: (0, 3), 1: (0, 3), 2: (2, 5), 3: (2, 5), 4: (4, 6), 5: (-1, -1)}
    assert {epoch: topic.epoch_end(epoch) for epoch in range(6)} == expected


def test_a_follower_serves_too(served):
    topic, serving = served
    topic.leader, topic.followers = 2, (1,)
    client = Client(serving)
    assert client.fetch(topic, 3).responses[0].partitions[0].error_code == 0
    client.close()


@pytest.mark.parametrize(("level", "records_end", "end"), [(0, 9, 9), (1, 6, 6)])
def test_an_open_transaction_holds_back_who_reads_committed(served, level, records_end, end):
    topic, serving = served
    topic.last_stable_offset = 6
    client = Client(serving)
    answer = client.fetched(topic, 3, isolation_level=level)
    assert (records.decode(answer.records)[-1].offset + 1, answer.last_stable_offset) == (records_end, 6)
    latest = {"partition_index": 0, "timestamp": -1}
    body = {"isolation_level": level, "topics": [{"name": "t", "partitions": [latest]}]}
    assert client.ask("list_offsets", 5, body).topics[0].partitions[0].offset == end
    client.close()
