"""Signatures of clients: of a library, under whichever name it is a target."""

from kafka_conformance.diagnosis.signature import client_signatures, signatures


def test_what_was_seen_in_a_library_was_seen_in_its_consumer_and_producer():
    known = [one for one in signatures() if one.target == "sarama"]
    assert known
    assert all(one.is_seen_in(name) for one in known for name in ("sarama", "consumer-sarama", "producer-sarama"))
    assert not any(one.is_seen_in("consumer-franz-go") for one in known)


def test_what_was_seen_in_librdkafka_was_seen_in_all_that_have_it():
    known = [one for one in client_signatures() if one.target == "consumer-confluent-kafka"]
    assert known
    assert all(one.is_seen_in("consumer-librdkafka") and one.is_seen_in("consumer-kcat") for one in known)


def test_what_was_seen_in_producers_was_seen_in_no_consumer():
    known = [one for one in client_signatures() if one.target == "producer-kafkajs"]
    assert known
    assert not any(one.is_seen_in("consumer-kafkajs") or one.is_seen_in("kafkajs") for one in known)


def test_what_was_seen_in_clients_says_nothing_about_decoders():
    assert not {one.id for one in client_signatures()} & {one.id for one in signatures()}
