"""Fields at fixed places."""

import pytest
from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError, LayoutError

from tests.kafka_format.logs import flipped
from tests.kafka_format.wire import V1, V2


def test_the_fixed_part_of_a_batch_is_its_header_of_61_bytes() -> None:
    form = prefix("record_batch")
    assert form.size == 61
    assert (form.places["magic"], form.places["crc"], form.places["attributes"]) == (16, 17, 21)
    assert form.read(V2).crc == 0x44C98E4F


def test_the_fixed_part_ends_where_a_length_begins() -> None:
    assert prefix("message_v1").size == 14
    assert prefix("message_v1").read(V1, 12).timestamp == 1000


def test_writing_changes_those_bytes_and_no_others() -> None:
    data = bytearray(b"\xff" + V2)
    prefix("record_batch").write(data, 1, base_offset=7, partition_leader_epoch=3)
    assert bytes(data) == b"\xff" + (7).to_bytes(8, "big") + V2[8:12] + (3).to_bytes(4, "big") + V2[16:]


@pytest.mark.parametrize(("name", "data", "start"), [("record_batch", V2, 0), ("message_v1", V1, 12)])
def test_checksums_are_checked_and_sealed(name: str, data: bytes, start: int) -> None:
    form = prefix(name)
    form.check(data, start, len(data))
    wrong = bytearray(flipped(data))
    with pytest.raises(FormatError) as caught:
        form.check(bytes(wrong), start, len(wrong), ("here",))
    assert (caught.value.offset, caught.value.path_text) == (start + form.places["crc"], "here.crc")
    form.seal(wrong, start, len(wrong))
    form.check(bytes(wrong), start, len(wrong))


def test_there_is_no_prefix_of_nothing() -> None:
    with pytest.raises(LayoutError):
        prefix("no_such_layout")
