import pytest
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import FindingKind, Part
from kafka_conformance.vectors.patterns import WILD
from kafka_conformance.vectors.vector import Reach
from kafka_generator.card.moments import moment_of, of_message, of_record


def test_bytes_of_old_formats_are_old_data_whoever_wrote_them():
    assert of_record(Reach.PRODUCER, ["v1"]) == "old"
    assert of_record(Reach.BROKER, ["v0", "v2"]) == "old"
    assert of_record(Reach.BROKER, ["v2"]) == "today"


def test_damage_and_craft_have_no_age():
    assert of_record(Reach.DAMAGE, ["v0"]) == "damaged"
    assert of_record(Reach.CRAFTED, ["v2"]) == "crafted"


def test_what_only_another_broker_writes_is_said_to_be_so():
    assert of_record(Reach.PRODUCER, ["v2"], elsewhere=True) == "elsewhere"
    assert moment_of(["v2/snappy/little-endian-versions"]) == "elsewhere"


def test_versions_that_kafka_4_removed_are_old():
    assert of_message(Reach.PRODUCER, "fetch_request", 3) == "old"  # KIP-896
    assert of_message(Reach.PRODUCER, "fetch_request", 4) == "today"
    assert of_message(Reach.CRAFTED, "fetch_request", 4) == "crafted"
    assert of_message(Reach.PRODUCER, "no_such_layout", 0) == "today"


def test_a_bug_has_the_first_moment_of_its_vectors():
    assert moment_of(["v1/timestamp/zero", "v2/header/null-value"]) == "today"
    assert moment_of(["v1/timestamp/zero", "v2/crc/flipped-bit-in-crc"]) == "old"


def test_vectors_that_are_gone_say_nothing():
    assert moment_of(["no/such-vector"]) == "crafted"
    assert moment_of([]) == "crafted"


def test_what_only_hostile_writers_reach_is_not_of_today():
    for group in catalogue.load_all():
        for finding in group.findings:
            named = [vector for vector in finding.vectors if not WILD.search(vector)]
            if finding.kind in (FindingKind.LAX, FindingKind.HOSTILE) and group.part in (Part.DECODER, Part.CONSUMER):
                assert moment_of(named) in ("damaged", "crafted"), f"{finding.target}/{finding.id}"


@pytest.mark.parametrize("vector", ["conversation/leaders/truncated-log", "deliver/control/emptied"])
def test_what_brokers_do_today_is_of_today(vector):
    assert moment_of([vector]) == "today"


@pytest.mark.parametrize(
    ("vector", "moment"),
    [
        ("content/confluent/two-bytes", "today"),
        ("content/registries/glue-zlib-cut", "damaged"),
        ("content/registries/apicurio-protobuf-count-highest", "crafted"),
    ],
)
def test_what_serializers_write_is_of_today(vector, moment):
    assert moment_of([vector]) == moment
