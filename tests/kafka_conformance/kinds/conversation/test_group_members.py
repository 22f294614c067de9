"""Members of groups, and what clients tell of themselves: sound ones pass every conversation,
wrong ones do not."""

import pytest
from kafka_conformance.outcomes import Outcome

from tests.kafka_conformance.kinds.conversation import (
    wrong_classic_members,
    wrong_share_members,
    wrong_streams_members,
    wrong_telemetry_clients,
)
from tests.kafka_conformance.kinds.conversation.classic_member import ClassicMember
from tests.kafka_conformance.kinds.conversation.share_member import ShareMember
from tests.kafka_conformance.kinds.conversation.streams_member import StreamsMember
from tests.kafka_conformance.kinds.conversation.telemetry_client import TelemetryClient
from tests.kafka_conformance.kinds.conversation.test_members import found, result

KINDS = {
    "rebalances": (ClassicMember, wrong_classic_members),
    "share-groups": (ShareMember, wrong_share_members),
    "streams-groups": (StreamsMember, wrong_streams_members),
    "telemetry": (TelemetryClient, wrong_telemetry_clients),
}
CASES = {family: found(f"conversation/{family}/*") for family in KINDS}


@pytest.mark.parametrize("family", KINDS)
def test_each_conversation_finds_a_wrong_member(family):
    assert {case for _, case in KINDS[family][1].WRONG.values()} == {*CASES[family]}


@pytest.mark.parametrize(("family", "name"), [(family, name) for family in KINDS for name in CASES[family]])
def test_a_sound_member_passes(world, family, name):
    came = result(world, KINDS[family][0], CASES[family][name])
    assert came.outcome is Outcome.PASSED, came.detail


REPEATED = [
    name for name, case in CASES["rebalances"].items() if any(step.until == "join_group" for step in case.steps)
]


@pytest.mark.parametrize("name", REPEATED)
def test_a_member_may_pass_over_an_answer_that_brokers_repeat(world, name):
    passed_over = []

    def on_heartbeat_error(self, code):
        passed_over.append(code)
        if len(passed_over) > 1:
            ClassicMember.on_heartbeat_error(self, code)

    kind = wrong_classic_members.wrong(on_heartbeat_error=on_heartbeat_error)
    came = result(world, kind, CASES["rebalances"][name])
    assert came.outcome is Outcome.PASSED, came.detail
    assert len(passed_over) >= 2


@pytest.mark.parametrize(("family", "name"), [(family, name) for family in KINDS for name in KINDS[family][1].WRONG])
def test_a_wrong_member_fails(world, family, name):
    kind, case = KINDS[family][1].WRONG[name]
    assert result(world, kind, CASES[family][case]).outcome.is_finding
