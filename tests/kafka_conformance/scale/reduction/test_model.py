"""A tree says all that the bytes say, and can be written again whatever is taken out."""

import pytest
from kafka_conformance.scale.reduction import model
from kafka_format import records, sampler
from kafka_format.records import v07


@pytest.mark.parametrize("profile", ["tiny", "mixed", "compressed", "legacy", "v07"])
def test_writing_a_tree_gives_the_batch_back(profile: str) -> None:
    for index in range(60):
        block = sampler.one(5, index, profile)
        data, version = block.input(0), block.format_of(0)
        written = model.write(model.parse(data, version))
        if block.codec_of(0) == "none":
            assert written == data
        elif version != "v07":  # whose offsets count compressed bytes
            assert records.decode(written) == records.decode(data)
        else:
            assert len(v07.decode(written)) == len(v07.decode(data))


def test_what_is_left_out_follows_from_the_rest() -> None:
    record = {"timestamp_delta": 5, "offset_delta": 3, "value": b"v"}
    written = model.write([{"base_offset": 10, "base_timestamp": 100, "records": [record]}])
    [found] = records.decode(written)
    assert (found.offset, found.timestamp) == (13, 105)
    [batch] = model.parse(written, "v2")
    assert (batch["last_offset_delta"], batch["max_timestamp"]) == (3, 105)


def test_a_wrapper_is_written_from_its_messages() -> None:
    inner = [{"offset": 0, "message": {"magic": 1, "attributes": 0, "timestamp": 8, "key": None, "value": b"a"}}]
    written = model.write([{"message": {"magic": 1, "attributes": 1, "key": None}, "inner": inner}])
    [found] = records.decode(written)
    assert (found.timestamp, found.value, found.codec) == (8, b"a", 1)


@pytest.mark.parametrize("attributes", [0, 1, 4])
def test_a_batch_may_have_no_records(attributes: int) -> None:
    assert records.decode(model.write([{"attributes": attributes, "records": []}])) == []
