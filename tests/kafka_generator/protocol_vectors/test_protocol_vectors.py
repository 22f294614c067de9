"""The protocol's vectors are checked against the reference and Kafka before they are written."""

from dataclasses import replace
from pathlib import Path

import pytest
from kafka_format.errors import LayoutError
from kafka_generator.protocol_vectors import cases, files, oracle
from kafka_generator.protocol_vectors.case import MessageCase, judge
from kafka_generator.protocol_vectors.shapes import Shape, shapes
from kafka_generator.unjudged import Unjudged


@pytest.fixture(scope="module")
def shape() -> Shape:
    return next(group for group in shapes() if group.whole.name == "metadata_request" and 9 in group.versions)


@pytest.fixture(scope="module")
def typical(shape: Shape) -> MessageCase:
    return next(case for case in cases.cases(shape) if case.word == "typical")


def test_versions_with_the_same_fields_are_one_shape() -> None:
    found = [group.versions for group in shapes() if group.whole.name == "fetch_request"]
    assert found == [(0, 1, 2), (3,), (4,), (5, 6), (7, 8), (9, 10), (11,), (12,), (13, 14), (15, 16), (17,), (18,)]


def test_bytes_that_mean_something_else_are_refused(typical: MessageCase) -> None:
    value = dict(typical.value or {})
    value["allow_auto_topic_creation"] = not value["allow_auto_topic_creation"]
    with pytest.raises(LayoutError, match="read as another value than was written"):
        judge(replace(typical, value=value))


def test_a_fault_that_is_none_is_refused(typical: MessageCase) -> None:
    with pytest.raises(LayoutError, match=r"is to break varint.length, but: None"):
        judge(replace(typical, is_valid=False, rules=("varint.length",)))


def test_wrong_bytes_are_not_valid(typical: MessageCase) -> None:
    with pytest.raises(LayoutError, match="is to be valid, but: structure error"):
        judge(replace(typical, data=typical.data[:-1]))


def test_no_bytes_come_twice_in_a_shape(shape: Shape) -> None:
    found = [case.data for case in cases.cases(shape)]
    assert len(set(found)) == len(found)


def test_a_vector_that_no_kafka_has_judged_is_not_written(tmp_path: Path, typical: MessageCase) -> None:
    (tmp_path / "cases").mkdir()
    families = {"metadata": [judge(typical)]}
    with pytest.raises(LayoutError, match="Kafka was not asked about just these"):
        files.documents(tmp_path, families)
    record = oracle.OracleLine(tmp_path / "cases" / files.ORACLE)
    record.keep("metadata", [typical], {name: {} for name in oracle.RELEASES} | {"4.4": {typical.id: "accepted"}})
    record.save(["metadata"])
    assert '"oracle": {"4.4.0": "accepted"}' in files.text(files.documents(tmp_path, families)["metadata"])
    changed = {"metadata": [judge(replace(typical, word="other"))]}
    with pytest.raises(LayoutError, match="Kafka was not asked about just these"):
        files.documents(tmp_path, changed)


def test_on_trial_new_vectors_are_marked_and_known_ones_keep_their_answers(
    tmp_path: Path, typical: MessageCase
) -> None:
    stored = tmp_path / "protocol" / "metadata.jsonl.gz"
    known = files.documents(tmp_path, {"metadata": [judge(typical)]}, Unjudged(are_allowed=True))["metadata"]
    known[0] |= {"oracle": {"4.4.0": "accepted"}}
    del known[0]["judged"]
    stored.parent.mkdir()
    files.write(stored, files.text(known))
    unjudged = Unjudged(are_allowed=True)
    both = {"metadata": [judge(typical), judge(replace(typical, word="other"))]}
    old, new = files.documents(tmp_path, both, unjudged)["metadata"]
    assert old == known[0]
    assert (new["oracle"], new["judged"]) == ({}, False)
    (notice,) = unjudged.notices()
    assert notice.startswith("not judged yet: 1 vectors;")
    assert "`python generate.py --protocol-oracle`" in notice
