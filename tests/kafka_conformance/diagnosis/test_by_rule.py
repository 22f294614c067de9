"""General signatures are made of vectors of records, whatever else is put in the same run."""

from __future__ import annotations

from kafka_conformance.diagnosis.by_rule import general_signatures
from kafka_conformance.kinds.table import KINDS
from kafka_conformance.vectors.loader import Filters
from kafka_conformance.vectors.vector import Subject


def test_every_vector_that_a_run_may_have_can_be_looked_at() -> None:
    vectors = [vector for kind in KINDS if kind.about != "messages" for vector in kind.load(Filters())]
    others = {vector.id for vector in vectors if vector.subject in {Subject.CONTENT, Subject.SCENARIO}}
    found = general_signatures(vectors)
    assert others
    assert found
    assert not [signature.id for signature in found if others & set(signature.fails)]
