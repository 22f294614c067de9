"""Keys and values of Kafka's own topics, by hand."""

import pytest
from kafka_format import protocol
from kafka_format.errors import FormatError

OFFSET_KEY = "0001 0001 67 0001 74 00000003"


def test_a_committed_offset() -> None:
    key = protocol.decode_key("__consumer_offsets", bytes.fromhex(OFFSET_KEY))
    assert key.layout == "offset_commit_key"
    assert key.value == ("g", "t", 3)
    text = "0003 000000000000002a ffffffff 0000 0000000000000001"
    value = protocol.decode_value("__consumer_offsets", bytes.fromhex(text), key)
    assert (value.layout, value.version) == ("offset_commit_value", 3)
    assert value.value == (42, -1, "", 1)


def test_a_metadata_record() -> None:
    """Frame version 1, number 2, version 0; a topic with its id."""
    text = "01 02 00 02 74" + "00" * 15 + "07 00"
    record = protocol.decode_value("__cluster_metadata", bytes.fromhex(text))
    assert (record.layout, record.version, record.value.name) == ("topic_record", 0, "t")


@pytest.mark.parametrize(
    ("topic", "text", "rule", "path"),
    [
        ("__consumer_offsets", "", "field.truncated", "number"),
        ("__consumer_offsets", "0063", "protocol.record.known", "number"),
        ("__consumer_offsets", OFFSET_KEY + "00", "protocol.body.exact", ""),
        ("__transaction_state", "0001 0001 74", "protocol.record.known", "number"),
    ],
)
def test_a_key_that_is_none(topic: str, text: str, rule: str, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        protocol.decode_key(topic, bytes.fromhex(text))
    assert (caught.value.rule, caught.value.path_text) == (rule, path)


@pytest.mark.parametrize(
    ("text", "rule", "path"),
    [
        ("02 02 00", "field.const", "frame_version"),
        ("01 7f 00", "protocol.record.known", "number"),
        ("01 02 63", "protocol.record.known", "version"),
        ("01 02 00", "field.truncated", "name.length"),
    ],
)
def test_a_metadata_record_that_is_none(text: str, rule: str, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        protocol.decode_value("__cluster_metadata", bytes.fromhex(text))
    assert (caught.value.rule, caught.value.path_text) == (rule, path)


def test_topics_without_schemas() -> None:
    with pytest.raises(ValueError, match="keys of orders have no schema"):
        protocol.decode_key("orders", b"")
    with pytest.raises(ValueError, match="values of orders have no schema"):
        protocol.decode_value("orders", b"")
    with pytest.raises(ValueError, match="follows from its key; decode the key first"):
        protocol.decode_value("__consumer_offsets", b"")
