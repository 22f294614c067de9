"""Constructions: each has one fault and says which; none is taken for what it is not."""

from collections import Counter
from pathlib import Path

import pytest
from kafka_format import records
from kafka_format.errors import FormatError, LayoutError
from kafka_generator.constructed import checks, cuts
from kafka_generator.constructed.model import Construction, finish, in_id
from kafka_generator.constructed.subjects import batch, message, seal, subjects
from kafka_generator.payloads import PayloadStore

PAYLOADS = Path(__file__).parents[2] / "vectors/cases/payloads.json"


@pytest.fixture(scope="module")
def store() -> PayloadStore:
    return PayloadStore(PAYLOADS, may_add=False)


def test_a_wrong_construction_names_itself_and_what_it_breaks() -> None:
    one = Construction("check/x", "T", batch()[:-1] + b"?", ["varint.length"], "invalid")
    with pytest.raises(LayoutError, match=r"`check/x`.*is to break varint.length, but: checksum error"):
        finish(one)


def test_a_construction_that_nothing_is_wrong_with_is_refused() -> None:
    with pytest.raises(LayoutError, match=r"`check/x`.*is to be invalid, but the reference accepts it"):
        finish(Construction("check/x", "T", batch(), ["varint.length"], "invalid"))


def test_every_byte_of_every_subject_is_cut_once(store: PayloadStore) -> None:
    ids = Counter(construction.id for construction in cuts.constructions(store))
    assert max(ids.values()) == 1
    for name, size in (("v0", len(message(0))), ("v1", len(message(1))), ("v2", len(batch()))):
        assert {f"cut/{name}/alone-{kept}" for kept in range(1, size)} <= set(ids)
        assert {f"cut/{name}/behind-{kept}" for kept in range(1, size)} <= set(ids)


def test_a_mutation_differs_from_its_twin(store: PayloadStore) -> None:
    data = {construction.id: construction.data for construction in checks.constructions(store)}
    for construction in checks.constructions(store):
        if construction.twin:
            assert construction.data != data[construction.twin], construction.id


def test_sealed_entries_have_the_right_size_and_checksum(store: PayloadStore) -> None:
    for subject in subjects(store):
        if subject.input == "run":
            assert seal(subject.data) == subject.data
    with pytest.raises(FormatError) as caught:
        records.decode(seal(batch() + b"\0"))
    assert caught.value.rule == "v2.records.fill-the-batch"


def test_paths_in_ids() -> None:
    assert in_id(("records", 12, "headers", 0, "key", "length")) == "records-12/headers-0/key/length"
