"""The kill table of the protocol: of the mutants that there are, and each smallest vector kills."""

import json

import pytest
from kafka_conformance.vectors import protocol
from kafka_format.spec import data
from kafka_generator.mutants import families
from kafka_generator.mutants.protocol import protocol_kills
from kafka_generator.mutants.protocol.questions import Questions
from kafka_generator.mutants.unseen import unseen
from kafka_generator.protocol_vectors.shapes import layouts
from kafka_tools.errors import UsageError

VECTORS = data.path("vectors")
MUTANTS = families.load_protocol()
TABLE = protocol_kills.ProtocolKills(VECTORS)
KNOWN = TABLE.known
SMALLEST = {line["id"]: line["smallest"] for line in KNOWN["mutants"]}


@pytest.fixture(scope="module")
def questions():
    wanted = set(SMALLEST.values())
    return Questions(vector for vector in protocol.load() if vector.id in wanted)


def test_the_table_is_of_the_mutants_and_the_vectors_that_there_are():
    assert TABLE.is_in_step(KNOWN)
    assert list(SMALLEST) == [mutant.id for mutant in MUTANTS]
    assert json.loads(TABLE.text()) == KNOWN
    other = [line | {"digest": "0" * 8} for line in KNOWN["fields"][:1]]
    assert not TABLE.is_in_step(KNOWN | {"fields": [*other, *KNOWN["fields"][1:]]})
    assert not TABLE.is_in_step(KNOWN | {"mutants": KNOWN["mutants"][1:]})


@pytest.mark.sampled(10, of="mutants")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_the_smallest_vector_of_the_table_kills(mutant, questions):
    smallest = SMALLEST[mutant.id]
    assert questions.kills(mutant, [questions.by_id[smallest]]) == [smallest]


def test_mutants_are_made_of_every_layout_and_vectors_kill_them_or_nobody_can_see_them():
    made = {line["layout"]: line["made"] for line in KNOWN["fields"]}
    assert made.keys() == {layout.name for layout in layouts() if layout.kind != "header"}
    assert sum(made.values()) > 10_000
    assert {mutant for line in KNOWN["fields"] for mutant in line["unseen"]} == unseen(protocol_kills.UNSEEN).keys()


def test_a_mutant_of_a_field_that_survives_has_to_be_explained(monkeypatch):
    lines = [line | {"unseen": ["toy/field/wrong"]} for line in KNOWN["fields"]]
    with pytest.raises(UsageError, match=r"no vector of the protocol kills toy/field/wrong\."):
        list(TABLE.fields(Questions(()), {line["layout"]: line for line in lines}))
    monkeypatch.setattr(protocol_kills, "unseen", lambda _: {"toy/field/wrong": "nobody looks"})
    with pytest.raises(UsageError, match=r"vectors of the protocol kill toy/field/wrong\."):
        list(TABLE.fields(Questions(()), {line["layout"]: line for line in KNOWN["fields"]}))


def test_the_page_has_every_mutant_and_what_kills_it():
    page = protocol_kills.page(KNOWN)
    assert all(f"`{line['smallest']}`" in page and line["does"] in page for line in KNOWN["mutants"])
