"""The numbers that all formats share are in the same places in every layout."""

import pytest
from kafka_format import compression
from kafka_format.records import model, v07
from kafka_format.records.formats import CODECS
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Bits

BATCH, MESSAGES, OLD_MESSAGE = "record_batch", ("message_v0", "message_v1"), "v07_message_1"


def bits(layout: str, name: str) -> Bits:
    return find(layout).field("attributes").part(name)


@pytest.mark.parametrize("layout", [BATCH, *MESSAGES])
def test_the_codec_stands_in_the_same_bits_of_messages_and_batches(layout: str) -> None:
    """KIP-98 kept the place that the codec has since 0.8."""
    assert bits(layout, "codec").in_place == model.CODEC_MASK == 0b0000_0111


def test_the_codec_of_0_7_has_bits_of_its_own() -> None:
    """Two of them: kafka.message.Message of 0.7.2, CompressionCodeMask = 0x03."""
    assert bits(OLD_MESSAGE, "codec").in_place == v07.CODEC_MASK == 0b0000_0011


@pytest.mark.parametrize("layout", [BATCH, "message_v1"])
def test_the_timestamp_type_stands_in_the_same_bit_of_messages_and_batches(layout: str) -> None:
    """KIP-32 for messages, KIP-98 for batches."""
    assert bits(layout, "timestamp_type").in_place == model.TIMESTAMP_TYPE_BIT == 0b0000_1000


def test_only_batches_say_whether_they_are_transactional_or_control_batches() -> None:
    assert (model.TRANSACTIONAL_BIT, model.CONTROL_BIT) == (0b0001_0000, 0b0010_0000)
    assert {part.name for part in find("message_v1").field("attributes").bits} == {"codec", "timestamp_type"}


@pytest.mark.parametrize("layout", [BATCH, *MESSAGES, OLD_MESSAGE])
def test_codecs_have_the_same_numbers_everywhere(layout: str) -> None:
    names = bits(layout, "codec").names
    assert names == compression.NAMES[: len(names)]
    assert names in CODECS.values()


@pytest.mark.parametrize("layout", [BATCH, "message_v1"])
def test_timestamp_types_have_the_numbers_of_records(layout: str) -> None:
    assert bits(layout, "timestamp_type").names.index("create_time") == model.CREATE_TIME
    assert bits(layout, "timestamp_type").names.index("log_append_time") == model.LOG_APPEND_TIME
