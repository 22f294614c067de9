"""Mutants of every field: what is made of a layout, and which survive incomplete vectors."""

import pytest
from kafka_conformance.kinds.message.wrong_layouts import mutants
from kafka_conformance.vectors import protocol
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned import Versions
from kafka_generator.mutants.protocol.field_kills import field_kills
from kafka_generator.mutants.protocol.questions import Questions

LAYOUT = "vote_request"
VECTORS = [vector for vector in protocol.load(families=("vote",)) if vector.layout == LAYOUT]


@pytest.fixture(scope="module")
def layout():
    return specification().versioned[LAYOUT]


def test_fields_begin_and_end_elsewhere_and_have_other_types_and_places(layout):
    made = {mutant.id.removeprefix(f"{LAYOUT}/"): mutant.layout for mutant in mutants(layout)}
    assert {
        "cluster_id/never-null",
        "topics/nullable",
        "topics/one",
        "topics.partitions.last_offset/as-int32",
        "topics.partitions.last_offset/as-uint64",
        "topics.partitions.replica_epoch/behind-replica_id",
        "topics.partitions.replica_directory_id/begins-later",
        "topics.partitions.pre_vote/begins-earlier",
        "topics.partitions.tag-section/left-out",
        "tag-section/left-out",
    } <= made.keys()
    (topics,) = (field for field in made["topics.partitions/begins-later"].body.fields if field.name == "topics")
    (partitions,) = (field for field in topics.structure.fields if field.name == "partitions")
    assert partitions.versions == Versions(1, layout.versions.highest)
    assert len(made) == len(list(mutants(layout)))


def test_no_mutant_is_the_layout_itself_or_another_mutant(layout):
    found = [mutant.layout for mutant in mutants(layout)]
    assert layout not in found
    assert len({str(one) for one in found}) == len(found)


def test_vectors_of_a_layout_kill_its_mutants_and_none_at_all_kill_none(layout):
    kills = field_kills(layout, Questions(VECTORS), VECTORS)
    nothing = field_kills(layout, Questions(()), ())
    assert kills.made == nothing.made == len(nothing.survivors) > 50
    assert len(kills.survivors) < kills.made / 10


def test_what_no_vector_has_is_not_seen(layout):
    first = [vector for vector in VECTORS if vector.id == "vote-request/0/smallest"]
    survivors = field_kills(layout, Questions(first), first).survivors
    assert "vote_request/topics.topic_name/as-bytes" in survivors
    assert "vote_request/cluster_id/never-null" not in survivors
