"""Which versions of a broker are asked."""

from kafka_conformance.kinds.broker.versions import Versions

KAFKA = Versions({"fetch": range(4, 19)})
BY_NAME = range(4, 13)  # Fetch 13 is the first that names topics by id alone (KIP-516)


def test_a_topic_without_id_is_fetched_by_name_alone():
    assert KAFKA.fetching(bytes(16)) == BY_NAME


def test_a_topic_with_an_id_is_fetched_in_all_versions():
    assert KAFKA.fetching(bytes(15) + b"\1") == range(4, 19)


def test_a_broker_that_has_no_newer_version_is_asked_in_those_that_it_has():
    assert Versions({"fetch": range(4)}).fetching(bytes(16)) == range(4)


def test_a_broker_without_fetch_has_no_version_of_it():
    assert not Versions({}).fetching(bytes(16))
