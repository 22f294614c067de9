"""Members of KIP-848 groups: a sound one passes every conversation, a wrong one does not."""

from dataclasses import replace

import pytest
from kafka_conformance.kinds.conversation import dialog
from kafka_conformance.kinds.conversation import questions as catalogue
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.vectors import conversations, loader

from tests.kafka_conformance.kinds.conversation.in_process import judged
from tests.kafka_conformance.kinds.conversation.member import Member
from tests.kafka_conformance.kinds.conversation.wrong_members import WRONG

HELLO = Hello("it", "1", "Python", ("v2",), ("none",), ("offset", "timestamp", "value"), checks_crc=True)


def found(pattern="conversation/consumer-groups/*"):
    return {
        vector.id.rpartition("/")[2]: catalogue.conversation(vector)
        for vector in loader.of_family(conversations.FAMILY, [pattern])
    }


CASES = found()


def result(world, kind, conversation):
    conversation = replace(conversation, patience=2.0)
    return judged(conversation, HELLO, dialog.hold(kind(world), conversation))


def test_each_conversation_finds_a_wrong_member():
    assert {case for _, case in WRONG.values()} == {*CASES}


@pytest.mark.parametrize("name", CASES)
def test_a_sound_member_passes(world, name):
    came = result(world, Member, CASES[name])
    assert came.outcome is Outcome.PASSED, came.detail


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_member_fails(world, name):
    kind, case = WRONG[name]
    assert result(world, kind, CASES[case]).outcome.is_finding
