import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.protocol import answers
from kafka_format.errors import FormatError
from kafka_format.records import Header, Record

from tests.kafka_conformance.answer_records import RECORDS


@given(st.lists(RECORDS, max_size=4))
def test_bytes_give_the_records_back(records: list[Record]) -> None:
    assert answers.from_bytes(answers.to_bytes(records)) == records


def test_bytes_are_those_of_the_protocol() -> None:
    """Written out by hand from the description of the protocol."""
    full = Record(
        1, 2, 1, b"k", None, (Header(b"h", None), Header(b"", b"v")), 3, 4, 5, transactional=True, control=True, codec=4
    )
    parts = [
        struct.pack(">i", 1),
        struct.pack(">qqb", 1, 2, 1),
        struct.pack(">i", 1) + b"k" + struct.pack(">i", -1),
        struct.pack(">i", 2) + struct.pack(">i", 1) + b"h" + struct.pack(">i", -1) + struct.pack(">ii", 0, 1) + b"v",
        struct.pack(">qhibb", 3, 4, 5, 3, 4),
    ]
    assert answers.to_bytes([full]) == b"".join(parts)


@pytest.mark.parametrize(
    "data", [b"", b"\0\0\0\1", bytes(4) + b"x", b"\x7f\xff\xff\xff" + bytes(60), b"\xff\xff\xff\xff"]
)
def test_bytes_that_are_no_answer_are_a_format_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        answers.from_bytes(data)
