"""Quick requests have the bytes of the layouts; broken replies are told from wrong ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.errors import ProtocolError
from kafka_conformance.protocol import messages
from kafka_conformance.protocol.frames import FrameKind, frame
from kafka_conformance.protocol.messages import BlockReply, DecodeRequest, InputKind, Reply, Status
from kafka_conformance.scale.ask import block_frames
from kafka_format import structure

from tests.kafka_conformance.scale.miniature_batches import MiniatureBlock, columns_of

CONTENTS = st.lists(st.binary(max_size=300), min_size=1, max_size=30)
IDS = st.integers(0, 2**31 - 1)


def block_of(inputs: list[bytes]) -> MiniatureBlock:
    return MiniatureBlock(b"".join(inputs), np.cumsum([0, *map(len, inputs)]), columns_of([[] for _ in inputs]))


@given(IDS, st.sampled_from(InputKind), CONTENTS, st.data())
def test_request_is_what_the_layout_says(
    block_id: int, kind: InputKind, inputs: list[bytes], data: st.DataObject
) -> None:
    numbers = sorted(data.draw(st.sets(st.integers(0, len(inputs) - 1))))
    for chosen in (range(len(inputs)), numbers):
        expected = frame(messages.request(DecodeRequest(block_id, kind, [inputs[number] for number in chosen])))
        assert block_frames.decode_request(block_id, kind, block_of(inputs), chosen) == expected


@given(IDS, st.lists(st.builds(Reply, st.sampled_from(Status), st.binary(max_size=20)), max_size=20))
def test_reply_is_what_the_layout_says(block_id: int, replies: list[Reply]) -> None:
    body = messages.block_reply(BlockReply(FrameKind.DECODE, block_id, tuple(replies)))
    found_id, count, at = block_frames.read_reply(body)
    found = []
    for place in range(count):
        reply, at = block_frames.read_result(body, at, place)
        found.append(reply)
    assert (found_id, found, at) == (block_id, replies, len(body))


@pytest.mark.parametrize(
    ("results", "text"),
    [
        (b"", "ends before result 3"),
        (b"\0\0\0\0", "ends before result 3"),
        (b"\5\0\0\0\0", "status 5 for input 3"),
        (b"\0\0\0\0\1", "result 3 claims 1 bytes"),
        (b"\0\xff\xff\xff\xff", "result 3 claims -1 bytes"),
    ],
)
def test_result_that_cannot_be_read_is_refused(results: bytes, text: str) -> None:
    with pytest.raises(ProtocolError, match=text):
        block_frames.read_result(results, 0, 3)


@pytest.mark.parametrize("body", [b"D", b"E" + bytes(8), b"H{}"])
def test_what_is_no_reply_to_a_block_is_refused(body: bytes) -> None:
    with pytest.raises(ProtocolError, match="instead of the reply to a block"):
        block_frames.read_reply(body)


def test_end_of_a_child_is_what_the_layout_says() -> None:
    body = structure("child_ended").encode({"status": -11, "input": 5})
    assert body[0] == block_frames.CHILD_ENDED
    assert block_frames.read_child_ended(body) == (-11, 5)
