"""The answering side of the adapter protocol: a decode function on standard input and output.

`kafka-conformance adapter reference` and every `python:module:function` target are this loop around
a function. It is the protocol once more in the open, small enough to read before writing an adapter
in another language: read a frame, answer it, until the end of input. The function runs in a process
of its own, so one that crashes or hangs is caught like any other target.
"""

import os
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from kafka_conformance.protocol import answers, messages
from kafka_conformance.protocol.frames import LENGTH_BYTES, FrameKind, frame
from kafka_conformance.protocol.hello import asks_for_partial, hello_reply
from kafka_conformance.protocol.messages import (
    BlockReply,
    DecodeRequest,
    EncodeInput,
    EncodeRequest,
    InputRequest,
    Reply,
    Status,
)
from kafka_conformance.serving import isolated_loop
from kafka_conformance.serving.functions import Encode, Served


def serve(served: Served, requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until the end of input.

    Raises:
        protocol.ProtocolError: the runner sent something that is no request.
    """
    partial = False
    while len(head := requests.read(LENGTH_BYTES)) == LENGTH_BYTES:
        body = requests.read(int.from_bytes(head, "big"))
        partial |= body[:1] == b"H" and served.hello.partial and asks_for_partial(body)
        replies.write(frame(_reply(served, body, partial=partial)))
        replies.flush()


def serve_standard_streams(load: Callable[[], Served]) -> None:
    """Serve over the process's own pipes what `load` returns, in isolation if that is asked for.

    Whatever is printed from then on, by loading too, goes to standard error.
    """
    replies = os.dup(1)
    os.dup2(2, 1)
    served = load()
    if isolated_loop.is_asked_for():
        isolated_loop.serve(served, sys.stdin.fileno(), replies)
    else:
        serve(served, sys.stdin.buffer, os.fdopen(replies, "wb"))


def _reply(served: Served, body: bytes, *, partial: bool) -> bytes:
    if body[:1] == b"H":
        return hello_reply(served.hello)
    asked = messages.parse_request(body)
    if isinstance(asked, DecodeRequest):
        results = tuple(_decode(served, data, asked.input_kind, partial=partial) for data in asked.inputs)
        return messages.block_reply(BlockReply(FrameKind.DECODE, asked.block_id, results))
    if isinstance(asked, InputRequest):
        return messages.block_reply(
            BlockReply(asked.kind, asked.block_id, tuple(served.answer(item) for item in asked.inputs))
        )
    return messages.block_reply(BlockReply(FrameKind.ENCODE, asked.block_id, _encode_block(served, asked)))


def _decode(served: Served, data: bytes, input_kind: int, *, partial: bool) -> Reply:
    decode = served.decoder(input_kind)
    if decode is None:
        return Reply(Status.UNSUPPORTED, f"does not decode inputs of kind {input_kind}".encode())
    items: list[Any] = []
    try:
        items.extend(decode(data))
    except served.refusals as error:
        refusal = served.refusal(error)
        if not (partial and items):
            return refusal
        return messages.partial_reply(answers.to_bytes([served.record(item) for item in items]), refusal.content)
    return Reply(Status.ANSWER, answers.to_bytes([served.record(item) for item in items]))


def _encode_block(served: Served, asked: EncodeRequest) -> tuple[Reply, ...]:
    encode = served.encode
    if encode is None:
        return tuple(Reply(Status.UNSUPPORTED, b"does not encode") for _ in asked.inputs)
    return tuple(_encode(served, encode, item) for item in asked.inputs)


def _encode(served: Served, encode: Encode, item: EncodeInput) -> Reply:
    try:
        return Reply(Status.ANSWER, encode(item.magic, item.codec, answers.from_bytes(item.answer)))
    except served.refusals as error:
        return served.refusal(error)
