"""The quick frames are byte for byte what the layouts of the adapter protocol say."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from kafka_conformance.protocol import messages
from kafka_conformance.protocol.frames import Kind, frame
from kafka_conformance.protocol.messages import BlockReply, DecodeRequest, InputKind, Reply, Status
from kafka_conformance.scale import frames

CONTENTS = st.lists(st.binary(max_size=40), max_size=30)
IDS = st.integers(0, 2**31 - 1)


@given(IDS, st.sampled_from(InputKind), CONTENTS)
def test_request_is_what_the_layout_says(block_id: int, kind: InputKind, inputs: list[bytes]) -> None:
    expected = frame(messages.request(DecodeRequest(block_id, kind, inputs)))
    assert frames.decode_request(block_id, kind, inputs) == expected


@given(IDS, CONTENTS)
def test_reply_is_what_the_layout_says(block_id: int, contents: list[bytes]) -> None:
    replies = tuple(Reply(Status.ANSWER, content) for content in contents)
    body = frames.answers_reply(block_id, contents)
    assert body == messages.block_reply(BlockReply(Kind.DECODE, block_id, replies))
    starts = frames.answer_starts(contents)
    ends = [second - 5 for _, second in pairwise([*starts, len(body) + 5])]
    assert [body[start:end] for start, end in zip(starts, ends, strict=True)] == contents
