"""An error knows which record it is about, from the path that its reader gives."""

import pytest
from kafka_format import FormatError, compression, structure
from kafka_format.errors import EncodeError, FieldPath, Stage
from kafka_format.records import Record, decode, encode

from tests.fuzz.mutator import whole


@pytest.mark.parametrize(
    ("path", "record", "words"),
    [
        (("records", 2, "key", "length"), 2, "records[2].key.length"),
        (("records", 12, "headers", 3, "key"), 12, "records[12].headers[3].key"),
        (("message", "value", 4, "message", "crc"), 4, "message.value[4].message.crc"),
        (("message", "payload", 1, "message"), 1, "message.payload[1].message"),
        (("records",), None, "records"),
        (("record_count",), None, "record_count"),
        (("voters", 3, "id"), None, "voters[3].id"),
        (("value", "voters", 3, "id"), None, "value.voters[3].id"),
        ((), None, ""),
    ],
)
def test_the_path_says_which_record(path: FieldPath, record: int | None, words: str) -> None:
    error = FormatError("", rule="a.b", stage=Stage.STRUCTURE, offset=0, path=path)
    assert (error.record, error.path_text) == (record, words)


@pytest.mark.parametrize(("path", "words"), [((2, "timestamp"), "[2].timestamp"), ((), "the value")])
def test_what_cannot_be_written_is_told_by_its_path(path: FieldPath, words: str) -> None:
    error = EncodeError("is wrong", path=path)
    assert str(error) == f"cannot encode {words}: is wrong"


BROKEN = FormatError("is 3", rule="a.b", stage=Stage.CHECKSUM, offset=5, path=("key",), hint="Look.", entry=1)


def test_an_error_is_placed_by_making_another() -> None:
    error = BROKEN.within("records", 2, offset=100)
    assert (error.offset, error.path, error.payload) == (105, ("records", 2, "key"), False)
    assert (error.detail, error.rule, error.stage, error.hint, error.entry) == ("is 3", "a.b", "checksum", "Look.", 1)
    assert (BROKEN.offset, BROKEN.path) == (5, ("key",))


def test_the_entry_of_an_error_is_that_of_the_outermost_run() -> None:
    assert BROKEN.within().entry == 1
    assert BROKEN.within(entry=0).entry == 0


def test_an_offset_in_a_payload_is_not_moved() -> None:
    inside = BROKEN.within("message", "value", 0, payload=True)
    assert (inside.offset, inside.payload) == (5, True)
    outside = inside.within("entries", 7, offset=100)
    assert (outside.offset, outside.payload) == (5, True)
    assert outside.path_text == "entries[7].message.value[0].key"


def test_entry_and_record_of_a_fault_in_a_batch() -> None:
    good = encode([Record(0, timestamp=1), Record(1, timestamp=1)])
    bad = bytearray(good)
    bad[-3] = 0x03  # the key of the second record has length -2
    with pytest.raises(FormatError) as caught:
        decode(good + whole(bytes(bad), 2))
    assert (caught.value.entry, caught.value.record, caught.value.path_text) == (1, 1, "records[1].key.length")
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
    assert (error.entry, error.record, error.path_text, error.payload) == (0, 1, "message.value[1].message.crc", True)
    assert error.offset == len(bad) // 2 + 12
    assert "of the decompressed payload" in str(error)
