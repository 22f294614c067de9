"""The declared faults: each is made, reached and found out, and what is allowed is not."""

import json
from pathlib import Path

import pytest
from kafka_conformance.errors import UsageError
from kafka_format.errors import LayoutError
from kafka_format.spec import data
from kafka_format.spec.releases import releases
from kafka_generator.coverage.model import Cell
from kafka_generator.mutants import generated, mechanical, putting, redundancy, report
from kafka_generator.mutants.declared import Fault, load
from kafka_generator.mutants.judging import first_kill, kills
from kafka_generator.mutants.source import Edit

VECTORS = data.path("vectors")
FAULTS = load(VECTORS / "faults")
KNOWN = report.read(VECTORS)
NEWEST = next(iter(releases().values()))
SAMPLE = FAULTS[::12]
"""Every one of them takes what generate.py --kills takes; these are of all families."""


@pytest.fixture(scope="module")
def questions():
    return putting.questions(VECTORS)


def declared(tmp_path, text):
    (tmp_path / "faults.yaml").write_text(text, encoding="utf-8")
    return load(tmp_path)


def test_the_table_has_every_fault_and_each_is_killed_and_agrees_on_something(questions):
    killed = {one["id"]: len(one["killed_by"]) for one in KNOWN["faults"]}
    assert list(killed) == [fault.id for fault in FAULTS]
    for fault in FAULTS:
        assert 0 < killed[fault.id] < len(questions[fault.direction]), fault.id


@pytest.mark.parametrize("fault", SAMPLE, ids=lambda fault: fault.id)
def test_the_smallest_vector_of_the_table_kills(fault, questions):
    smallest = next(one["smallest"] for one in KNOWN["faults"] if one["id"] == fault.id)
    (question,) = (one for one in questions[fault.direction] if one.id == smallest)
    assert kills(fault, [question]) == [smallest]


def test_the_right_reference_survives(questions):
    right = Fault("right", "Does everything right.", "decode", "", ("mutation",))
    for asked in questions.values():
        assert kills(right, asked[::9]) == []


def test_what_one_flag_allows_is_no_fault(questions):
    constructed = ("cut/", "check/", "field/")  # thousands of a kind; the flags of a release together are put to them
    some = [one for one in questions["decode"] if not one.id.startswith(constructed)]
    for flag in NEWEST.flags:
        assert [one.id for one in some if one.kills(one.answered(frozenset({flag})))] == [], flag


def test_what_the_newest_release_allows_is_no_fault(questions):
    assert [one.id for one in questions["decode"] if one.kills(one.answered(NEWEST.flags))] == []


def test_faults_that_cannot_be_made_any_more_are_told():
    fault = Fault("gone", "", "decode", "", ("mutation",), (Edit("records/entries.py", "what was there once", ""),))
    with pytest.raises(UsageError, match=r"gone: records/entries\.py has 'what was there once' 0 times"):
        report.check_edits([fault])


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{id: a, does: Nothing., source: [mutation]}", "changes nothing"),
        (
            "{id: a, does: Nothing., edits: [{file: records/entries.py, old: a, new: b}]}",
            "does not say where it is drawn from",
        ),
        ("{id: a, does: Nothing., source: [mutation], allows: [no.such.rule]}", "there is no rule `no.such.rule`"),
        (
            "{id: a, does: Nothing., source: [mutation], rules: [no.such.rule], allows: [v2.offset]}",
            "there is no rule `no.such.rule`",
        ),
        ("{id: a, does: Nothing., source: [mutation], allow: [v2.crc]}", "unknown key `allow`"),
    ],
)
def test_a_wrong_declaration_says_what_is_wrong_and_where(tmp_path, line, error):
    with pytest.raises(LayoutError, match=error) as caught:
        declared(tmp_path, f"direction: decode\nfamily: f\nfaults:\n  - {line}\n")
    assert caught.value.file == "vectors/faults/faults.yaml"


def test_an_id_stands_once(tmp_path):
    fault = "{id: a, does: Nothing., source: [mutation], edits: [{file: records/entries.py, old: a, new: b}]}"
    with pytest.raises(LayoutError, match="`a` stands twice"):
        declared(tmp_path, f"direction: decode\nfamily: f\nfaults:\n  - {fault}\n  - {fault}\n")


def table(**killed_by):
    faults = [{"id": fault, "killed_by": places} for fault, places in killed_by.items()]
    return {"vectors": ["a", "b", "c"], "faults": faults}


def test_a_vector_is_redundant_if_it_kills_nothing_and_no_cell_needs_it():
    cells = [Cell("rule", "one", ["a", "b"]), Cell("rule", "two", ["b", "b"]), Cell("rule", "three", ["b", "c"])]
    assert redundancy.redundant(table(fault=[0]), cells) == [{"vector": "c", "shares": ["rule three"]}]
    assert [one["vector"] for one in redundancy.redundant(table(fault=[]), cells)] == ["a", "c"]


def test_the_table_is_in_step_with_its_faults_and_vectors():
    ids = KNOWN["vectors"]
    assert report.is_in_step(KNOWN, FAULTS, ids)
    assert not report.is_in_step(KNOWN, FAULTS, [*ids, "new"])
    assert not report.is_in_step(KNOWN, FAULTS[:-1], ids)
    assert json.loads(report.text(KNOWN)) == KNOWN


def test_every_file_says_in_its_name_what_its_faults_are_of():
    for path in Path(VECTORS / "faults").glob("*.yaml"):
        assert path.stem.startswith(next(fault.direction for fault in FAULTS if fault.family in path.stem))


def test_generated_faults_are_killed_or_nobody_can_see_them():
    hidden = mechanical.unseen(VECTORS / "faults")
    assert [line["id"] for line in KNOWN["generated"]] == generated.names()
    assert {line["id"] for line in KNOWN["generated"] if "smallest" not in line} == hidden.keys()


@pytest.mark.parametrize("fault", list(generated.faults())[::25], ids=lambda fault: fault.id)
def test_the_smallest_vector_kills_a_generated_fault(fault, questions):
    line = next(one for one in KNOWN["generated"] if one["id"] == fault.id)
    smallest = [one for one in questions["decode"] if one.id == line.get("smallest")]
    assert first_kill(fault, smallest) == line.get("smallest", "")


def test_a_generated_fault_that_survives_has_to_be_explained(monkeypatch, questions):
    some = list(generated.faults())[:2]
    monkeypatch.setattr(generated, "faults", lambda: iter(some))
    with pytest.raises(UsageError, match=f"no vector kills {some[0].id}"):
        mechanical.table([], {})
    with pytest.raises(UsageError, match=f"vectors kill {some[0].id}"):
        mechanical.table(questions["decode"], {some[0].id: "nobody looks"})
