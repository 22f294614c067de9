"""Bugs of brokers: each is about vectors that there are, and has a program that confirms it."""

import pytest
from kafka_conformance.confirmation import confirmation
from kafka_conformance.targets import catalogue, manifest, resolve
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.folders import TARGETS
from kafka_conformance.vectors import loader, scenarios
from kafka_tools.errors import UsageError

ABOUT = [*catalogue.about(Part.BROKER).values(), *catalogue.about(Part.SCENARIO).values()]
QUESTIONS = (TARGETS / "common" / "confirm" / "questions.py").read_text(encoding="utf-8")
KNOWN = [finding for about in catalogue.about(Part.BROKER).values() for finding in about.findings]


@pytest.mark.parametrize("finding", KNOWN, ids=lambda finding: f"{finding.target}-{finding.id}")
def test_a_producer_can_send_what_shows_a_bug(finding):
    assert isinstance(confirmation.sent_of(finding.smallest), bytes)
    assert finding.gives


@pytest.mark.parametrize("about", catalogue.about(Part.SCENARIO).values(), ids=lambda about: about.target)
def test_a_broker_can_be_asked_what_shows_a_bug(about):
    known = {vector.id for vector in loader.of_family(scenarios.FAMILY)}
    for finding in about.findings:
        assert known.issuperset(finding.vectors)
        assert not finding.gives or f'"{finding.smallest}"' in QUESTIONS


@pytest.mark.parametrize("about", ABOUT, ids=lambda about: f"{about.target}-{about.part}")
def test_a_broker_with_bugs_is_known_in_that_version_and_has_a_program(about):
    assert about.version in manifest.load_all()[about.target].all_versions
    assert list(about.script.parent.glob(f"{about.script.name}.*"))


def test_what_no_producer_sends_is_wrong_usage():
    with pytest.raises(UsageError, match="no producer sends v07/magic/unknown"):
        confirmation.sent_of("v07/magic/unknown")


@pytest.mark.parametrize("about", ABOUT, ids=lambda about: f"{about.target}-{about.part}")
def test_bugs_of_brokers_are_confirmed_where_they_are_installed(about, request):
    if not request.config.getoption("--whole"):
        pytest.skip("starts brokers; --whole does it")
    missing = resolve.installation(about.target).missing()
    if missing is not None:
        pytest.skip(f"{about.target}: {missing}")
    confirm = confirmation.confirm_appends if about.part is Part.BROKER else confirmation.confirm_scenarios
    for one in confirm(about):
        assert one.is_confirmed, one
