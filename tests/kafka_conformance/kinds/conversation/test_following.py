"""Which requests of a conversation must have come."""

from types import SimpleNamespace

import pytest
from kafka_conformance.kinds.conversation import following
from kafka_conformance.kinds.conversation.script import Step

ASKED = SimpleNamespace(steps=[Step(request="offset_fetch", when={"member_epoch": {"from": 0}})])


def seen(*members):
    requests = [SimpleNamespace(api="offset_fetch", value={"member_id": member}.get) for member in members]
    return SimpleNamespace(steps=[], requests=requests)


@pytest.mark.parametrize("members", [(), ("m",), (None, "m")], ids=["no request", "another", "one with, one without"])
def test_a_request_that_a_step_waits_for_must_come(members):
    assert following.missing_request(ASKED, seen(*members)).path == "steps[0].when"


def test_brokers_look_at_no_epoch_where_offsets_are_asked_without_a_member():
    assert following.missing_request(ASKED, seen(None, None)) is None
