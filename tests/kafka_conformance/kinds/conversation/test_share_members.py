"""Members of share groups: a sound one passes every conversation, a wrong one does not."""

import pytest
from kafka_conformance.outcomes import Outcome

from tests.kafka_conformance.kinds.conversation.share_member import ShareMember
from tests.kafka_conformance.kinds.conversation.test_members import found, result
from tests.kafka_conformance.kinds.conversation.wrong_share_members import WRONG

CASES = found("conversation/share-groups/*")


@pytest.mark.parametrize("name", CASES)
def test_a_sound_member_passes(world, name):
    came = result(world, ShareMember, CASES[name])
    assert came.outcome is Outcome.PASSED, came.detail


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_member_fails(world, name):
    kind, case = WRONG[name]
    assert result(world, kind, CASES[case]).outcome.is_finding
