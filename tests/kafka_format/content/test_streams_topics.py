"""Keys and values in the topics of Kafka Streams, by bytes that Streams 4.4.0 wrote."""

import pytest
from kafka_format.content import Evidence, read_key, read_value

WAITS = bytes.fromhex(
    "0000018bcfe56800 0000000000000000 00000002 696e 00000000 00000001 00000005 7472616365 00000001 78"
    "00000008 0000000000000000 fffffffe 00000008 0000000000000001 0000018bcfe60440"
)
WINDOW = bytes.fromhex("6b 0000018bcfe56800 00000000")
SESSION = bytes.fromhex("6b 0000018bcfe56be8 0000018bcfe56800")
SUBSCRIPTION = bytes.fromhex("01 03 052db27de9df266e8adc51d27311dfd8 70 00000000")


@pytest.mark.parametrize(
    ("data", "topic", "form"),
    [
        (WAITS[:-1], "app-store-changelog", b"\3"),
        (WAITS + b"\0", "app-store-changelog", b"\3"),
        (WAITS, "app-store-changelog", b"\0"),
        (WAITS, "app-store-changelog", b"\3\0"),
        (WAITS, "app-store-changelog", None),
        (WAITS, "orders", b"\3"),
        (WAITS, "", b"\3"),
        (b"", "app-store-changelog", b"\3"),
    ],
)
def test_what_does_not_fit_a_buffer_to_its_last_byte_is_none(data: bytes, topic: str, form: bytes | None) -> None:
    reading = read_value(data, [(b"v", form)], topic)
    assert reading is None or (reading.is_sure, reading.name) == (False, "Confluent's schema registry")


@pytest.mark.parametrize("form", [b"\3", b"\2"])
def test_the_header_of_a_buffer_is_sure_in_a_changelog(form: bytes) -> None:
    """2.4 wrote 2 and these bytes."""
    reading = read_value(WAITS, [(b"v", form)], "app-store-changelog")
    assert reading is not None
    assert (reading.is_sure, reading.fields["topic"], reading.fields["time"]) == (True, "in", "1700000040000")


@pytest.mark.parametrize(
    ("key", "topic"),
    [
        (WINDOW, "orders"),
        (WINDOW[-12:-1], "app-store-changelog"),
        (bytes(20), "app-store-changelog"),
        (b"k" * 30, "app-store-changelog"),
        (WINDOW[:-4] + b"\xff" * 4, "app-store-changelog"),
        (SESSION[:1] + SESSION[9:] + SESSION[1:9], "app-store-changelog"),
        (b"order-1", "app-store-changelog"),
    ],
)
def test_a_key_that_ends_with_no_time_of_our_days_is_plain(key: bytes, topic: str) -> None:
    reading = read_key(key, (), topic)
    assert reading is None or (reading.is_sure, reading.name) == (False, "Confluent's schema registry")


@pytest.mark.parametrize(
    ("part", "data", "topic", "fields"),
    [
        ("key", WINDOW, "app-store-changelog", {"start": "1700000000000", "number": 0}),
        ("key", SESSION, "app-store-changelog", {"end": "1700000001000", "start": "1700000000000"}),
        ("key", bytes.fromhex("00000001 66 70"), "app-fk-subscription-store-changelog", {"foreign_key": "66"}),
        (
            "key",
            bytes.fromhex("0000018bcfe56800 01 6b"),
            "app-KSTREAM-OUTERSHARED-0000000005-store-changelog",
            {"timestamp": "1700000000000", "side": "left"},
        ),
        (
            "value",
            SUBSCRIPTION,
            "app-KTABLE-FK-JOIN-SUBSCRIPTION-REGISTRATION-0000000006-topic",
            {"version": 1, "instruction": 3, "hash": "052db27de9df266e8adc51d27311dfd8", "partition": 0},
        ),
        (
            "value",
            bytes.fromhex("08 6e657732 6f6c6432 02"),
            "app-KTABLE-AGGREGATE-STATE-STORE-0000000004-repartition",
            {"new": "6e657732", "old": "6f6c6432", "is_latest": True},
        ),
    ],
)
def test_what_a_name_says_is_a_guess(part: str, data: bytes, topic: str, fields: dict[str, object]) -> None:
    reading = (read_key if part == "key" else read_value)(data, (), topic)
    assert reading is not None
    assert (reading.evidence, dict(reading.fields)) == (Evidence.TOPIC, fields)
