"""Bugs of brokers: each is about vectors that there are, and has a program that confirms it."""

import pytest
from kafka_conformance.confirmation import confirmation
from kafka_conformance.targets import catalogue, manifest, resolve
from kafka_conformance.targets.catalogue import Part
from kafka_tools.errors import UsageError

KNOWN = [finding for about in catalogue.about(Part.BROKER).values() for finding in about.findings]


@pytest.mark.parametrize("finding", KNOWN, ids=lambda finding: f"{finding.target}-{finding.id}")
def test_a_producer_can_send_what_shows_a_bug(finding):
    assert isinstance(confirmation.sent_of(finding.smallest), bytes)
    assert finding.gives


@pytest.mark.parametrize("target", catalogue.about(Part.BROKER))
def test_a_broker_with_bugs_is_known_in_that_version_and_has_a_program(target):
    about = catalogue.about(Part.BROKER)[target]
    assert about.version in manifest.load_all()[target].all_versions
    assert list(about.script.parent.glob(f"{about.script.name}.*"))


def test_what_no_producer_sends_is_wrong_usage():
    with pytest.raises(UsageError, match="no producer sends v07/magic/unknown"):
        confirmation.sent_of("v07/magic/unknown")


@pytest.mark.parametrize("target", catalogue.about(Part.BROKER))
def test_bugs_of_brokers_are_confirmed_where_they_are_installed(target, request):
    if not request.config.getoption("--whole"):
        pytest.skip("starts brokers; --whole does it")
    from_outside = catalogue.about(Part.BROKER)[target]
    missing = resolve.installation(target).missing()
    if missing is not None:
        pytest.skip(f"{target}: {missing}")
    for one in confirmation.confirm_appends(from_outside):
        assert one.is_confirmed, one
