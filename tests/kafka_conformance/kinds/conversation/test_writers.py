"""Producers: a sound one passes every conversation, a wrong one does not."""

from fnmatch import fnmatchcase

import pytest
from kafka_conformance.kinds.conversation import questions as catalogue
from kafka_conformance.kinds.conversation.producing import produce
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.vectors import conversations, loader

from tests.kafka_conformance.kinds.conversation.in_process import judged
from tests.kafka_conformance.kinds.conversation.writer import Writer
from tests.kafka_conformance.kinds.conversation.wrong_writers import WRONG

HELLO = Hello("it", "1", "Python", ("v2",), ("none",), ("offset", "value"), checks_crc=True, kind="producer")
FAMILIES = ("conversation/idempotence/*", "conversation/transactions-v[12]/*")
CASES = {
    vector.id.partition("/")[2]: catalogue.conversation(vector)
    for vector in loader.of_family(conversations.FAMILY)
    if any(fnmatchcase(vector.id, family) for family in FAMILIES)
}


def result(world, kind, conversation):
    return judged(conversation, HELLO, produce(kind(world), conversation))


@pytest.mark.parametrize("name", CASES)
def test_a_sound_producer_passes(world, name):
    came = result(world, Writer, CASES[name])
    assert came.outcome is Outcome.PASSED, came.detail


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_producer_fails(world, name):
    kind, case = WRONG[name]
    assert result(world, kind, CASES[case]).outcome.is_finding
