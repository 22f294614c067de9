import pytest
from kafka_conformance.vectors import loader
from kafka_conformance.vectors.loader import Source
from kafka_conformance.vectors.vector import Reach, Vector
from kafka_generator.card.circumstances import circumstances, is_rare_data, of_evidence, of_layout, of_records

LIVE = (Source.RECORDS, Source.DIRECTIONS, Source.CONVERSATIONS, Source.ORDERS)
SOUND = {Reach.PRODUCER, Reach.BROKER}


def record(timestamp=1_600_000_000_000, *keys, control=False):
    return {"timestamp": str(timestamp), "headers": [[key.hex(), None] for key in keys], "control": control}


def test_every_vector_of_sound_bytes_tells_a_circumstance():
    sound = {
        vector.evidence
        for vector in loader.load(sources=LIVE)
        if isinstance(vector, Vector) and vector.reach in SOUND and set(vector.formats) <= {"v2"}
    }
    assert len(sound) > 200
    assert not [evidence for evidence in sound if of_evidence(evidence) is None]


def test_what_no_line_names_has_no_circumstance():
    assert of_evidence("Nobody ever wrote this.") is None


@pytest.mark.parametrize(
    ("records", "is_rare"),
    [
        ([], False),
        ([record(1000, b"trace", "schl\u00fcssel".encode())], False),
        ([record(0)], True),
        ([record(-1, control=True)], False),  # nobody gives a marker to an application
        ([record(1), record(1 + (1 << 31))], True),
        ([record(1), record(1 << 31)], False),
        ([record(1, b"\xff")], True),
        ([record(1, b"a\0b")], True),
        ([record(1, b"")], True),
        ([record(1, b"12")], True),
        ([record(1, b"__proto__")], True),
    ],
)
def test_what_applications_hardly_write_is_told_by_the_records(records, is_rare):
    assert is_rare_data(records) is is_rare


def test_records_of_a_transaction_are_no_plain_use():
    evidence = "What an application gives to its producer."
    assert [of_records(evidence, [], is_transactional=each).name for each in (False, True)] == ["plain", "transactions"]


def test_consumers_and_producers_need_no_administration():
    assert of_layout("sync_group_response").often == "everyday"
    assert of_layout("create_topics_request").often == of_layout("offset_commit_value").often == "rare"


def test_names_of_circumstances_are_their_own():
    names = [one.name for one in circumstances()]
    assert len(names) == len(set(names))
    assert {one.often for one in circumstances()} == {"everyday", "rare", "old"}
