"""Ids, states and markers: partition.metadata, meta.properties, quorum-state, clean shutdown."""

import pytest
from kafka_format.errors import FormatError
from kafka_format.log.text import clean_shutdown, meta_properties, partition_metadata, quorum_state
from kafka_format.log.text.meta_properties import MetaProperties
from kafka_format.log.text.partition_metadata import PartitionMetadata
from kafka_format.log.text.quorum_state import QuorumState

from tests.kafka_format.log import real

ID = "a2Fma2EtZm9ybWF0LWNvbg"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "log.partition-metadata.lines"),
        ("version: 0", "log.partition-metadata.lines"),
        ("version:0\ntopic_id: " + ID, "log.partition-metadata.lines"),
        ("version: x\ntopic_id: " + ID, "log.partition-metadata.version"),
        ("version: -1\ntopic_id: " + ID, "log.partition-metadata.version"),
        ("version: 0\ntopic_id: " + "A" * 22, "log.partition-metadata.topic-id"),
        ("version: 0\ntopic_id: " + "a" * 21, "log.partition-metadata.topic-id"),
        ("version: 0\ntopic_id: " + "*" * 22, "log.partition-metadata.topic-id"),
    ],
)
def test_partition_metadata_that_kafka_cannot_read(text: str, rule: str) -> None:
    with pytest.raises(FormatError) as caught:
        partition_metadata.decode(text.encode(), frozenset({"partition-metadata-keys-unread"}))
    assert caught.value.rule == rule


def test_kafka_does_not_look_at_the_keys_of_partition_metadata() -> None:
    text = f"a: 0\nb: {ID}".encode()
    assert partition_metadata.decode(text, frozenset({"partition-metadata-keys-unread"})) == PartitionMetadata(0, ID)
    with pytest.raises(FormatError) as caught:
        partition_metadata.decode(text)
    assert caught.value.rule == "log.partition-metadata.keys"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("version=\nbroker.id=1\n", "log.meta-properties.version"),
        ("version=2\nnode.id=1\ncluster.id=x\n", "log.meta-properties.version"),
        ("version=1\ncluster.id=x\n", "log.meta-properties.keys"),
        ("version=1\nnode.id=1\n", "log.meta-properties.keys"),
        ("version=1\nnode.id=one\ncluster.id=x\n", "log.meta-properties.keys"),
        ("version=1\nnode.id=1\ncluster.id=x\ndirectory.id=short\n", "log.meta-properties.directory-id"),
    ],
)
def test_meta_properties_that_keep_a_broker_from_starting(text: str, rule: str) -> None:
    with pytest.raises(FormatError) as caught:
        meta_properties.decode(text.encode())
    assert caught.value.rule == rule


def test_meta_properties_of_zookeepers_time() -> None:
    text = b"#\n#Mon Jan 01 00:00:00 UTC 2018\nversion=0\nbroker.id=3\n"
    assert meta_properties.decode(text) == MetaProperties(0, 3)
    assert meta_properties.decode(b"broker.id=3\n") == MetaProperties(0, 3)
    assert meta_properties.decode(b"") == MetaProperties(0, None)


def test_properties_are_read_as_java_reads_them() -> None:
    """java.util.Properties: three separators, escapes, lines that go on, the last value of a
    key."""
    text = b"! a comment\na=1\nb : 2\nc 3\n\\u0064=\\u0034\\t!\ne=5\\\n    6\n\na=7\nf\n"
    values = {key: value for key, (value, _) in meta_properties.properties(text).items()}
    assert values == {"a": "7", "b": "2", "c": "3", "d": "4\t!", "e": "56", "f": ""}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "log.quorum-state.json"),
        ("\n{}", "log.quorum-state.json"),
        ("[1]", "log.quorum-state.json"),
        ("[" * 100_000, "log.quorum-state.json"),
        ("{}", "log.quorum-state.version"),
        ('{"data_version":2}', "log.quorum-state.version"),
        ('{"data_version":true}', "log.quorum-state.version"),
        ('{"data_version":1}', "log.quorum-state.keys"),
        (
            '{"leaderId":1,"leaderEpoch":"2","votedId":3,"votedDirectoryId":"x","data_version":1}',
            "log.quorum-state.keys",
        ),
        ('{"leaderId":1,"leaderEpoch":2,"votedId":3,"currentVoters":[1],"data_version":0}', "log.quorum-state.keys"),
    ],
)
def test_quorum_states_that_keep_a_node_from_starting(text: str, rule: str) -> None:
    with pytest.raises(FormatError) as caught:
        quorum_state.decode(text.encode())
    assert caught.value.rule == rule


def test_the_newer_quorum_state() -> None:
    text = b'{"leaderId":2,"leaderEpoch":7,"votedId":-1,"votedDirectoryId":"AAAAAAAAAAAAAAAAAAAAAA","data_version":1}'
    assert quorum_state.decode(text) == QuorumState(1, 2, 7, -1)
    assert quorum_state.encode(QuorumState(1, 2, 7, -1)) == text


@pytest.mark.parametrize("text", ["x", "{}", '{"version":1,"brokerEpoch":1}', '{"version":0,"brokerEpoch":"1"}'])
def test_a_marker_that_says_nothing(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        clean_shutdown.decode(text.encode())
    assert caught.value.rule == "log.clean-shutdown.json"


def test_the_marker_of_old_releases_is_empty() -> None:
    assert clean_shutdown.decode(b"").broker_epoch == -1


@pytest.mark.parametrize("directory", real.NAMES)
def test_what_brokers_wrote(directory: str) -> None:
    files = real.files(directory)
    topic_ids = {
        path: partition_metadata.decode(data).topic_id for path, data in files.items() if path.endswith(".metadata")
    }
    assert len(set(topic_ids.values())) == len(topic_ids) == 7
    assert (
        topic_ids["__cluster_metadata-0/partition.metadata"] == "AAAAAAAAAAAAAAAAAAAAAQ"
    )  # clients Uuid.METADATA_TOPIC_ID
    for path, data in files.items():
        if path.endswith(".metadata"):
            assert partition_metadata.encode(partition_metadata.decode(data)) == data
    state = quorum_state.decode(files["__cluster_metadata-0/quorum-state"])
    assert state == QuorumState(0, leader_id=1, leader_epoch=1, voted_id=-1, current_voters=(1,))
    assert quorum_state.encode(state) == files["__cluster_metadata-0/quorum-state"]
    meta = meta_properties.decode(files["meta.properties"])
    assert (meta.version, meta.node_id, meta.cluster_id, meta.others) == (1, 1, ID, ())
    assert meta_properties.encode(meta).decode() == files["meta.properties"].decode().partition("UTC 2026\n")[2]
    assert (clean_shutdown.NAME in files) == directory.endswith("stopped")
    if clean_shutdown.NAME in files:
        marker = clean_shutdown.decode(files[clean_shutdown.NAME])
        assert clean_shutdown.encode(marker) == files[clean_shutdown.NAME]
