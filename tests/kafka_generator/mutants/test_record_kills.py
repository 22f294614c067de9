"""The mutants: each is made, met and killed, and what a flag allows is not."""

import json

import pytest
from kafka_format.codec.readings import interpreter_only
from kafka_format.spec import data
from kafka_format.spec.releases import releases
from kafka_generator.coverage.model import Cell
from kafka_generator.mutants import families, layout_kills, layouts, redundancy
from kafka_generator.mutants import questions as asking
from kafka_generator.mutants.kills import first_kill, kills
from kafka_generator.mutants.record_kills import RecordKills
from kafka_generator.mutants.unseen import unseen
from kafka_tools.errors import UsageError

from tests import shipped

VECTORS = data.path("vectors")
MUTANTS = families.load()
VECTORS_AS_JSON = shipped.documents()
KNOWN = RecordKills(VECTORS, VECTORS_AS_JSON).known
NEWEST = next(iter(releases().values()))


@pytest.fixture(scope="module")
def questions():
    return asking.questions(VECTORS)


def test_the_table_has_every_mutant_and_each_is_killed_and_agrees_on_something(questions):
    killed = {mutant["id"]: len(mutant["killed_by"]) for mutant in KNOWN["mutants"]}
    assert list(killed) == [mutant.id for mutant in MUTANTS]
    for mutant in MUTANTS:
        assert 0 < killed[mutant.id] < len(questions[mutant.direction]), mutant.id


@pytest.mark.sampled(10, of="mutants")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_the_smallest_vector_of_the_table_kills(mutant, questions):
    smallest = next(one["smallest"] for one in KNOWN["mutants"] if one["id"] == mutant.id)
    (question,) = (question for question in questions[mutant.direction] if question.id == smallest)
    assert kills(mutant, [question]) == [smallest]


def test_the_right_reference_survives(questions):
    for asked in questions.values():
        some = asked[::9]
        with interpreter_only():
            answers = [question.answer() for question in some]
        assert [mutant.id for mutant, answer in zip(some, answers, strict=True) if mutant.kills(answer)] == []


def test_what_one_flag_allows_is_right(questions, some):
    """Every flag is put to the vectors that name it, and in a usual run to a quarter of the others,
    each of which meets a quarter of the flags."""
    constructed = ("cut/", "check/", "field/")  # thousands of a kind; the flags of a release together are put to them
    known = [question for question in questions["decode"] if not question.id.startswith(constructed)]
    flag_of = {vector["id"]: vector.get("flag") for vector in VECTORS_AS_JSON}
    for number, flag in enumerate(NEWEST.flags):
        named = [question for question in known if flag_of.get(question.id) == flag]
        others = [question for question in known[number:] + known[:number] if flag_of.get(question.id) != flag]
        put = [*named, *some(others, 4, of="vectors")]
        assert [one.id for one in put if one.kills(one.answer(frozenset({flag})))] == [], flag


def test_what_the_newest_release_allows_is_right(questions):
    assert [question.id for question in questions["decode"] if question.kills(question.answer(NEWEST.flags))] == []


def table(**killed_by):
    mutants = [{"id": mutant, "killed_by": places} for mutant, places in killed_by.items()]
    return {"vectors": ["a", "b", "c"], "mutants": mutants}


def test_a_vector_is_redundant_if_it_kills_nothing_and_no_cell_needs_it():
    cells = [Cell("rule", "one", ["a", "b"]), Cell("rule", "two", ["b", "b"]), Cell("rule", "three", ["b", "c"])]
    assert redundancy.redundant(table(mutant=[0]), cells) == [{"vector": "c", "shares": ["rule three"]}]
    assert [one["vector"] for one in redundancy.redundant(table(mutant=[]), cells)] == ["a", "c"]


def is_in_step(vectors):
    return RecordKills(VECTORS, vectors).is_in_step(KNOWN)


def test_the_table_is_in_step_with_its_mutants_and_vectors(monkeypatch):
    assert is_in_step(VECTORS_AS_JSON)
    assert not is_in_step([*VECTORS_AS_JSON, {"id": "new"}])
    assert not is_in_step(VECTORS_AS_JSON[1:])
    monkeypatch.setattr(families, "load", lambda: MUTANTS[:-1])
    assert not is_in_step(VECTORS_AS_JSON)


def test_a_vector_with_another_verdict_is_asked_again_and_one_with_another_title_is_not():
    first, *others = VECTORS_AS_JSON
    assert is_in_step([first | {"title": "Another one", "reach": "crafted"}, *others])
    assert not is_in_step([first | {"verdict": "lenient"}, *others])
    assert json.loads(RecordKills(VECTORS, VECTORS_AS_JSON).text()) == KNOWN


def test_generated_mutants_are_killed_or_nobody_can_see_them():
    hidden = unseen(layout_kills.UNSEEN)
    assert [line["id"] for line in KNOWN["generated"]] == layouts.names()
    assert {line["id"] for line in KNOWN["generated"] if "smallest" not in line} == hidden.keys()


@pytest.mark.parametrize("mutant", list(layouts.mutants())[::50], ids=lambda mutant: mutant.id)
def test_the_smallest_vector_kills_a_generated_mutant(mutant, questions):
    line = next(one for one in KNOWN["generated"] if one["id"] == mutant.id)
    smallest = [question for question in questions["decode"] if question.id == line.get("smallest")]
    assert first_kill(mutant, smallest) == line.get("smallest", "")


def test_a_generated_mutant_that_survives_has_to_be_explained(monkeypatch, questions):
    some = list(layouts.mutants())[:2]
    smallest = {line.get("smallest") for line in KNOWN["generated"] if line["id"] == some[0].id}
    killing = [question for question in questions["decode"] if question.id in smallest]
    monkeypatch.setattr(layouts, "mutants", lambda: iter(some))
    with pytest.raises(UsageError, match=f"no vector kills {some[0].id}"):
        layout_kills.table([], {})
    with pytest.raises(UsageError, match=f"vectors kill {some[0].id}"):
        layout_kills.table(killing, {some[0].id: "nobody looks"})
