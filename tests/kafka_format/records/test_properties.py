"""Whatever the bytes are: records, or one typed error that says where."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import strategies
from kafka_format.errors import FormatError
from kafka_format.records import Record, decode
from kafka_format.spec.layout import specification

from tests.kafka_format.examples import examples

pytestmark = [
    pytest.mark.usefixtures("engine"),
    pytest.mark.parametrize("engine", ["machine", "python"], indirect=True),
]

FLAGS = st.sampled_from([frozenset(), frozenset(specification().flags.values())])
INT64 = range(-(1 << 63), 1 << 63)


def fault_of(data: bytes, flags: Iterable[str] = ()) -> FormatError | None:
    """The fault, if there is one; any other error ends the test."""
    try:
        decode(data, flags=frozenset(flags))
    except FormatError as error:
        return error
    return None


@given(strategies.entries())
@examples()
def test_valid_runs_are_read(data: bytes) -> None:
    for record in decode(data):
        assert type(record) is Record
        assert all(number in INT64 for number in (record.offset, record.timestamp, record.producer_id))
        assert -(1 << 31) <= record.sequence < 1 << 31


@given(strategies.entries(), strategies.entries())
@examples(50)
def test_runs_can_be_joined(first: bytes, second: bytes) -> None:
    """A run of whole entries reads the same whatever follows."""
    alone = decode(first)
    whole = _whole(first)
    assert decode(first[:whole] + second) == alone + decode(second)


def _whole(data: bytes) -> int:
    """Where the last whole entry ends, by the sizes alone."""
    end = 0
    while len(data) - end >= 12 and (size := int.from_bytes(data[end + 8 : end + 12], "big")) + end + 12 <= len(data):
        end += 12 + size
    return end


@given(data=strategies.damaged(strategies.entries()), flags=FLAGS)
@examples()
def test_damaged_runs(data: bytes, flags: frozenset[str]) -> None:
    error = fault_of(data, flags)
    assert error is None or (error.entry is not None and (error.payload or 0 <= error.offset <= len(data)))


@given(data=st.binary(max_size=200), flags=FLAGS)
@examples()
def test_any_bytes(data: bytes, flags: frozenset[str]) -> None:
    error = fault_of(data, flags)
    assert error is None or error.entry == 0


@pytest.mark.parametrize("inner", [0, 1])
@pytest.mark.parametrize("magic", [0, 1])
@given(data=st.data(), flags=FLAGS)
@examples(50)
def test_damaged_messages_in_a_wrapper(magic: int, inner: int, data: st.DataObject, flags: frozenset[str]) -> None:
    message_set = strategies.encoded("message_set_entry", message=strategies.values(f"message_v{inner}"))
    run = st.lists(strategies.damaged(message_set, "message_set_entry"), max_size=3).map(b"".join)
    error = fault_of(data.draw(strategies.wrappers(magic, run)), flags)
    assert error is None or (error.entry == 0 and error.path_text.startswith(("message.value", "offset")))
