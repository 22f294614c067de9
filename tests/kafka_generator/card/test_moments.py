import pytest
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import FindingKind, Part
from kafka_conformance.vectors.patterns import WILD
from kafka_conformance.vectors.vector import Reach
from kafka_generator.card.circumstances import Circumstance
from kafka_generator.card.moments import moment_of, of_message, of_record, when

RARE = Circumstance("seldom", "once in a while", "rare")


def test_bytes_of_old_formats_are_old_data_whoever_wrote_them():
    assert of_record(Reach.PRODUCER, ["v1"], RARE).moment == "old"
    assert of_record(Reach.BROKER, ["v0", "v2"], None).moment == "old"
    assert of_record(Reach.BROKER, ["v2"], None).moment == "everyday"
    assert of_record(Reach.BROKER, ["v2"], RARE) == ("rare", "once in a while")


def test_damage_and_craft_have_no_age():
    assert of_record(Reach.DAMAGE, ["v0"], RARE).moment == "damaged"
    assert of_record(Reach.CRAFTED, ["v2"], None).moment == "crafted"


def test_what_only_another_broker_writes_is_said_to_be_so():
    assert of_record(Reach.PRODUCER, ["v2"], RARE, elsewhere=True).moment == "elsewhere"
    assert moment_of(["v2/snappy/little-endian-versions"]) == "elsewhere"


def test_versions_that_kafka_4_removed_are_old():
    assert of_message(Reach.PRODUCER, "fetch_request", 3).moment == "old"  # KIP-896
    assert of_message(Reach.PRODUCER, "fetch_request", 4).moment == "everyday"
    assert of_message(Reach.CRAFTED, "fetch_request", 4).moment == "crafted"
    assert of_message(Reach.PRODUCER, "no_such_layout", 0).moment == "rare"


def test_a_bug_has_the_first_moment_of_its_vectors():
    assert moment_of(["v1/timestamp/zero", "v2/header/null-value"]) == "everyday"
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


@pytest.mark.parametrize(
    ("vectors", "moment"),
    [
        (["conversation/leaders/moved"], "everyday"),
        (["deliver/control/emptied"], "everyday"),  # compaction
        (["conversation/leaders/truncated-log"], "rare"),  # an unclean election
        (["conversation/leaders/truncated-log", "conversation/leaders/moved"], "everyday"),
        (["conversation/consumer-groups/topic-made-anew"], "rare"),
        (["conversation/versions/fetch-4"], "old"),  # brokers of 0.11
        (["produce/v2/timestamp-0"], "rare"),
        (["produce/v2/header-without-value"], "everyday"),
        (["v2/header/key-not-utf8"], "rare"),
    ],
)
def test_what_happens_today_is_everyday_or_rare(vectors, moment):
    assert moment_of(vectors) == moment


def test_requests_of_administrators_are_rare():
    assert of_message(Reach.PRODUCER, "describe_acls_request", 3).moment == "rare"
    assert of_message(Reach.PRODUCER, "produce_request", 9).moment == "everyday"


def test_of_several_circumstances_plain_use_is_said():
    assert when(["deliver/control/emptied", "v2/gzip/plain"]) == ("everyday", "in plain use")
    assert when(["deliver/control/emptied", "v1/timestamp/zero"]).words == "with transactions"


@pytest.mark.parametrize(
    ("vector", "moment"),
    [
        ("content/confluent/two-bytes", "everyday"),
        ("content/registries/glue-zlib-cut", "damaged"),
        ("content/registries/apicurio-protobuf-count-highest", "crafted"),
    ],
)
def test_what_serializers_write_is_of_today(vector, moment):
    assert moment_of([vector]) == moment
