"""Signatures of consumers: of a library, under whichever name it is a target."""

from kafka_conformance.diagnosis.signature import consumer_signatures, signatures


def test_what_was_seen_in_a_decoder_was_seen_in_its_consumer():
    known = [one for one in signatures() if one.target == "sarama"]
    assert known
    assert all(one.is_seen_in("sarama") and one.is_seen_in("consumer-sarama") for one in known)
    assert not any(one.is_seen_in("consumer-franz-go") for one in known)


def test_what_was_seen_in_librdkafka_was_seen_in_all_that_have_it():
    known = [one for one in consumer_signatures() if one.target == "consumer-confluent-kafka"]
    assert known
    assert all(one.is_seen_in("consumer-librdkafka") and one.is_seen_in("consumer-kcat") for one in known)


def test_what_was_seen_in_consumers_says_nothing_about_decoders():
    assert not {one.id for one in consumer_signatures()} & {one.id for one in signatures()}
