"""JSON as Kafka's JsonConverter classes write it."""

import pytest
from kafka_format import protocol
from kafka_format.errors import EncodeError

from tests.kafka_format.codec.compiler import samples

KAFKA = {
    "transactionalId": None, "acks": -1, "timeoutMs": 1000,
    "topicData": [{"topicId": "AAECAwQFBgcICQoLDA0ODw", "partitionData": [{"index": 0, "records": "+/8="}]}],
}  # fmt: skip


def test_a_request_as_kafka_writes_it() -> None:
    produce = protocol.request("produce", 13)
    value = protocol.from_json(produce, KAFKA)
    topic = value.topic_data[0]
    assert (value.acks, topic.topic_id, topic.partition_data[0].records) == (-1, bytes(range(16)), b"\xfb\xff")
    assert protocol.to_json(produce, value) == KAFKA


def test_tagged_fields_with_their_defaults_are_left_out_and_unknown_ones_told() -> None:
    fetch = protocol.request("fetch", 15)
    value = fetch.type(cluster_id="c", unknown_tagged_fields=((9, b"z"),))
    given = protocol.to_json(fetch, value)
    assert given["clusterId"] == "c"
    assert "replicaState" not in given
    assert given["_unknownTaggedFields"] == [{"tag": 9, "content": "eg=="}]


@pytest.mark.sampled(3, of="layouts")
@pytest.mark.parametrize("name", samples.NAMES)
def test_there_and_back(name: str) -> None:
    for number in samples.numbers(name):
        compiled, value = samples.of(name, number, 1)
        again = protocol.from_json(compiled, protocol.to_json(compiled, value))
        assert compiled.encode(again) == compiled.encode(value)


@pytest.mark.parametrize(
    ("given", "path", "text"),
    [
        ({"ack": 1}, "ack", "did you mean `acks`?"),
        ({"topicData": [5]}, "topicData.0", "takes an object, not int"),
        ({"topicData": [{"topicId": "!"}]}, "topicData.0.topicId", "is not base64"),
    ],
)
def test_json_that_is_none(given: dict[str, object], path: str, text: str) -> None:
    with pytest.raises(EncodeError) as caught:
        protocol.from_json(protocol.request("produce", 13), given)
    assert ".".join(map(str, caught.value.path)) == path
    assert text in str(caught.value)


def test_the_names_of_earlier_releases() -> None:
    """4.2 called the field generationId, and still does in the JSON of those who use it."""
    compiled = protocol.request("txn_offset_commit", 3)
    value = protocol.from_json(compiled, {"generationId": 5, "memberId": "m"})
    assert value.generation_id_or_member_epoch == 5
    with pytest.raises(EncodeError, match="former name"):
        protocol.from_json(compiled, {"generationIdOrMemberEpoch": 5, "generationId": 5})


def test_what_json_leaves_out_is_what_a_decoder_gives() -> None:
    fetch = protocol.request("fetch", 15)
    value = protocol.from_json(fetch, {"_unknownTaggedFields": [{"tag": 9, "content": "eg=="}]})
    assert value == fetch.decode(fetch.encode(value))
    assert (value.topics, value.unknown_tagged_fields[0].content) == ([], b"z")
