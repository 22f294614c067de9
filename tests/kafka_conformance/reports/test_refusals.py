"""What targets say of wrong bytes: texts without their numbers, and the vectors behind each."""

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports.refusals import documents, general

from tests.kafka_conformance.reports import runs


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


def test_only_right_refusals_of_invalid_bytes_have_texts() -> None:
    wrong, valid = runs.ACCEPTED.id, runs.GZIP.id
    results = [
        Result(wrong, "x", Outcome.PASSED, detail="bad byte 1"),
        Result(runs.CRASHED.id, "x", Outcome.PASSED, detail="bad byte 22"),
        Result(wrong, "x", Outcome.PASSED, Direction.ENCODE, detail="cannot write 1"),
        Result(wrong, "y", Outcome.PASSED),
        Result(wrong, "z", Outcome.ACCEPTED_INVALID, detail="taken"),
        Result(valid, "x", Outcome.PASSED, detail="fine"),
    ]
    vectors = {vector.id: vector for vector in runs.VECTORS}
    assert list(documents(results, vectors)) == [{"target": "x", "text": "bad byte N", "places": [[1, 2]]}]
