"""Every vector of a key or a value in a topic, explained: all of its bytes, and its fault where it
is."""

import pytest
from kafka_conformance.vectors import protocol
from kafka_format.explain.topic_records import explain_key, explain_value
from kafka_format.protocol.records import KEYED


def test_all_bytes_are_explained_and_the_fault_is_where_the_vector_has_it() -> None:
    for vector in protocol.load(families=["topic_records"]):
        if vector.kind == "framed_record_key":
            explained = explain_key(vector.topic, vector.data)
        else:
            key = f"{vector.layout.removesuffix('_value')}_key" if vector.topic in KEYED else ""
            explained = explain_value(vector.topic, vector.data, key)
        assert b"".join(line.raw for line in explained.lines) == vector.data
        told = vector.fault and (vector.fault["rule"], vector.fault["offset"])
        assert told == (explained.fault and (explained.fault.rule, explained.fault.offset)), vector.id
        assert bool(explained.fault) == any(line.fault for line in explained.lines), vector.id


def test_a_value_whose_key_is_not_given() -> None:
    with pytest.raises(ValueError, match="follows from its key"):
        explain_value("__consumer_offsets", b"\0\0")
    with pytest.raises(ValueError, match="have no schema"):
        explain_key("__cluster_metadata", b"\0\0")
