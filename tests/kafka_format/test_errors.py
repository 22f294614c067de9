"""An error knows which record it is about, from the path that its reader gives."""

import pytest
from kafka_format import compression, structure
from kafka_format.errors import FormatError, Stage
from kafka_format.records import Record, decode, encode

from tests.fuzz.mutator import whole


@pytest.mark.parametrize(
    ("path", "record"),
    [
        ("records[2].key.length", 2),
        ("records[12].headers[3].key", 12),
        ("message.value[4].message.crc", 4),
        ("message.payload[1].message", 1),
        ("records", None),
        ("record_count", None),
        ("voters[3].id", None),
        ("", None),
    ],
)
def test_the_path_says_which_record(path: str, record: int | None) -> None:
    assert FormatError("", rule="a.b", stage=Stage.STRUCTURE, offset=0, path=path).record == record


def test_a_given_record_is_kept() -> None:
    assert FormatError("", rule="a.b", stage=Stage.STRUCTURE, offset=0, path="records[2]", record=7).record == 7


def test_entry_and_record_of_a_fault_in_a_batch() -> None:
    good = encode([Record(0, timestamp=1), Record(1, timestamp=1)])
    bad = bytearray(good)
    bad[-3] = 0x03  # the key of the second record has length -2
    with pytest.raises(FormatError) as caught:
        decode(good + whole(bytes(bad), 2))
    assert (caught.value.entry, caught.value.record, caught.value.path) == (1, 1, "records[1].key.length")
    assert not caught.value.payload


def test_entry_and_record_of_a_fault_in_a_wrapper() -> None:
    bad = bytearray(encode([Record(0, timestamp=1), Record(1, timestamp=1)], magic=1))
    bad[-1] ^= 1  # so the checksum of the second message is wrong
    value = compression.compress("gzip", bytes(bad))
    wrapper = structure("message_set_entry").encode(
        {"offset": 1, "message": {"magic": 1, "attributes": 1, "value": value}}
    )
    with pytest.raises(FormatError) as caught:
        decode(wrapper)
    error = caught.value
    assert (error.entry, error.record, error.path, error.payload) == (0, 1, "message.value[1].message.crc", True)
    assert error.offset == len(bad) // 2 + 12
    assert "of the decompressed payload" in str(error)
