"""The protocol as the adapters of Python targets write it, in plain `struct`, against the layouts."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import kafka_conformance
import pytest
from hypothesis import given
from kafka_conformance import answers, protocol
from kafka_conformance.protocol import DecodeRequest, EncodeInput, EncodeRequest, InputKind, Reply, Status
from kafka_format.records import Record

from tests.kafka_conformance.test_answers import RECORDS

FOLDER = Path(kafka_conformance.__file__).parent / "targets" / "python-adapter"


@pytest.fixture(scope="module")
def python_adapter() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FOLDER))
    try:
        import python_adapter  # noqa: PLC0415

        yield python_adapter
    finally:
        sys.path.remove(str(FOLDER))


@given(record=RECORDS)
def test_answers_are_those_of_the_layout(python_adapter: ModuleType, record: Record) -> None:
    mirrored = python_adapter.Record(*record._replace(headers=tuple(tuple(header) for header in record.headers)))
    data = answers.to_bytes([record, record])
    assert python_adapter._answer([mirrored, mirrored]) == data
    assert python_adapter._read_answer(data) == [mirrored, mirrored]


def test_requests_are_read_as_the_layout_writes_them(python_adapter: ModuleType) -> None:
    decode = protocol.request(DecodeRequest(3, InputKind.RECORDS, [b"ab", b"", b"c"]))
    assert list(python_adapter._decode_inputs(decode)) == [b"ab", b"", b"c"]
    encode = protocol.request(EncodeRequest(4, [EncodeInput(2, 3, b"xy"), EncodeInput(0, 0, b"")]))
    assert list(python_adapter._encode_inputs(encode)) == [(2, 3, b"xy"), (0, 0, b"")]


def test_replies_are_read_by_the_layout(python_adapter: ModuleType) -> None:
    request = protocol.request(DecodeRequest(7, InputKind.RECORDS, [b""]))
    reply = protocol.parse_block_reply(python_adapter._block_reply(request, [(0, b"abc"), (1, b"no")]))
    assert (reply.kind, reply.block_id) == (protocol.Kind.DECODE, 7)
    assert reply.replies == ((0, b"abc"), (1, b"no"))


def test_frames_end_with_the_input(python_adapter: ModuleType) -> None:
    frames = protocol.frame(b"Hx") + protocol.frame(b"D")
    assert list(python_adapter._frames(io.BytesIO(frames + b"\0\0"))) == [b"Hx", b"D"]


def test_exceptions_are_refusals_and_gaps_are_gaps(python_adapter: ModuleType) -> None:
    def refuse(_: bytes) -> list[Record]:
        raise KeyError("x")

    def pass_on(_: bytes) -> list[Record]:
        raise python_adapter.NotSupported("zstd")

    assert python_adapter._decoded(refuse, b"", partial=True) == (1, b"KeyError: 'x'")
    assert python_adapter._decoded(pass_on, b"", partial=True) == (2, b"zstd")


def test_records_before_an_exception_are_a_partial_answer_to_those_who_know_it(python_adapter: ModuleType) -> None:
    def read(_: bytes) -> Iterator[Record]:
        yield python_adapter.Record(7)
        raise KeyError("x")

    assert python_adapter._decoded(read, b"", partial=False) == (1, b"KeyError: 'x'")
    status, content = python_adapter._decoded(read, b"", partial=True)
    reply = Reply(status, content)
    assert (status, reply.text) == (Status.PARTIAL, "KeyError: 'x'")
    assert [record.offset for record in reply.records] == [7]


def test_integers_that_no_int64_holds_are_not_wrapped(python_adapter: ModuleType) -> None:
    data = python_adapter._answer([python_adapter.Record(2**63, timestamp=-(2**64))])
    [record] = answers.from_bytes(data)
    assert (record.offset, record.timestamp) == (2**63 - 1, -(2**63))


@pytest.mark.parametrize(
    ("base", "delta", "sequence"), [(-1, 5, -1), (0, 0, 0), (10, 5, 15), (2**31 - 1, 0, 2**31 - 1), (2**31 - 1, 1, 0)]
)
def test_sequences_count_on_at_zero(python_adapter: ModuleType, base: int, delta: int, sequence: int) -> None:
    assert python_adapter.sequence_of(base, delta) == sequence
