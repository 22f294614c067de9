"""Keys and values of Kafka's own topics: every record is there, and what is wrong in front."""

from collections import Counter

import pytest
from kafka_format import protocol
from kafka_format.errors import FormatError
from kafka_format.protocol import records
from kafka_format.spec.layout import specification
from kafka_generator.protocol_vectors import topic_records
from kafka_generator.protocol_vectors.case import MessageCase, judge

CASES = list(topic_records.cases())


def test_every_record_of_every_topic_is_there_in_every_version() -> None:
    counts = Counter((case.topic, case.shape.whole.name) for case in CASES if case.word == "whole")
    for topic, enumeration in records.KEYED.items():
        for name in specification().enums[enumeration].values.values():
            assert counts.pop((topic, f"{name}_key")) == 1
            versions = specification().versioned[f"{name}_value"].versions.numbers
            assert counts.pop((topic, f"{name}_value")) == len(versions)
    for topic, (enumeration, _) in records.FRAMED.items():
        for name in specification().enums[enumeration].values.values():
            assert counts.pop((topic, name)) == len(specification().versioned[name].versions.numbers)
    assert not counts


@pytest.mark.parametrize(
    ("topic", "front"),
    [
        ("__cluster_metadata", "010200"),  # AbstractApiMessageSerde: frame version, number, version
        ("__remote_log_metadata", "010200"),  # the same class writes them
        ("__consumer_offsets", "0017"),  # CoordinatorRecordSerde: the number of the record
    ],
)
def test_what_stands_in_front_is_what_kafka_writes(topic: str, front: str) -> None:
    case = next(case for case in CASES if case.topic == topic and case.data.hex().startswith(front))
    judged = judge(case)
    assert case.word == "whole"
    assert judged.canonical
    assert case.json_form(judged.value)["version"] == 0


def test_a_value_belongs_to_the_number_of_its_key() -> None:
    numbers = {case.shape.whole.name: topic_records.key_number(case) for case in CASES}
    assert numbers["offset_commit_value"] == 1
    assert numbers["share_update_value"] == 1
    assert numbers["topic_record"] == 0


def by_word(word: str) -> list[MessageCase]:
    return [case for case in CASES if case.word == word]


def test_kafka_takes_no_bytes_behind_a_metadata_record_whatever_is_allowed() -> None:
    allowed = frozenset({"body-trailing-bytes"})
    for case in by_word("trailing"):
        if case.topic in records.FRAMED:
            assert case.verdict == "invalid"
            with pytest.raises(FormatError, match=r"protocol\.body\.exact"):
                protocol.decode_value(case.topic, case.data, flags=allowed)
        else:
            assert case.verdict == "lenient"
            assert judge(case).value is not None
