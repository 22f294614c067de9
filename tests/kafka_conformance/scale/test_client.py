"""Blocks go out and come back, one at a time, taken apart only if they are not as expected."""

import pytest
from kafka_conformance.errors import TargetLostError
from kafka_conformance.protocol.messages import InputKind, Status
from kafka_conformance.scale import frames
from kafka_conformance.scale.client import BlockClient

from tests.kafka_conformance.scale.toybatches import answer
from tests.kafka_conformance.toys import QUICK, command

INPUTS = [b"\x01", b"\x02", b"\xff"]


def test_reply_is_taken_apart_only_if_it_is_not_right() -> None:
    with BlockClient(command("serve"), QUICK) as client:
        block_id = client.put_block(INPUTS[:2], InputKind.RECORDS)
        assert client.outstanding == (block_id,)
        right = frames.answers_reply(block_id, [answer(1), answer(2)])
        assert client.take_block(block_id, lambda body: body == right) is None
        assert client.outstanding == ()
        block_id = client.put_block(INPUTS, InputKind.RECORDS)
        replies = client.take_block(block_id, lambda _: False)
        assert replies is not None
        assert [reply.status for reply in replies] == [Status.ANSWER, Status.ANSWER, Status.REFUSED]
        assert client.outstanding == ()


def test_reply_that_does_not_fit_ends_the_target() -> None:
    with BlockClient(command("answers_another_block"), QUICK) as client:
        block_id = client.put_block(INPUTS, InputKind.RECORDS)
        with pytest.raises(TargetLostError, match="answered block 4711, which was never asked"):
            client.take_block(block_id, lambda _: False)
