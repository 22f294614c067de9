"""What clients say of wrong bytes: texts without their numbers, and the rules behind each."""

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.golden import load
from kafka_conformance.vectors.vector import Verdict
from kafka_generator.error_texts import general, texts_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Record is corrupt (stored crc = 17, computed crc = 2211517627)", "(stored crc = N, computed crc = N)"),
        ("2 records, then: Invalid magic found in record: 66", "Invalid magic found in record: N"),
        ("InvalidRecordException: no room after 1 record", "InvalidRecordException: no room"),
        (
            "encoded crc 7a0fd01c does not match calculated crc -581397fd",
            "encoded crc N does not match calculated crc N",
        ),
        ("'utf-8' codec can't decode byte 0xff in position 0", "'utf-8' codec can't decode byte N in position N"),
        ("int32 and v2 stay, and so does faced", "int32 and v2 stay, and so does faced"),
    ],
)
def test_numbers_are_taken_out_and_words_stay(text: str, expected: str) -> None:
    assert general(text).endswith(expected)


def test_a_text_leads_to_the_rules_that_were_broken() -> None:
    invalid = [vector for vector in load() if vector.verdict is Verdict.INVALID and vector.fault is not None]
    first, second = invalid[0], next(one for one in invalid if one.fault.rule != invalid[0].fault.rule)
    valid = next(vector for vector in load() if vector.verdict is Verdict.VALID)
    results = [
        Result(first.id, "x", Outcome.PASSED, detail="bad byte 1"),
        Result(second.id, "x", Outcome.PASSED, detail="bad byte 22"),
        Result(first.id, "x", Outcome.ACCEPTED_INVALID, detail="taken"),
        Result(valid.id, "x", Outcome.PASSED, detail="fine"),
    ]
    (found,) = texts_of(results, load())
    assert first.fault is not None
    assert second.fault is not None
    assert found["text"] == "bad byte N"
    assert found["rules"] == {first.fault.rule: 1, second.fault.rule: 1}
