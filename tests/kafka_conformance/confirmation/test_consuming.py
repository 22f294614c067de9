"""Findings about conversations: each names one that there is, and clients that are here show it."""

import pytest
from kafka_conformance.confirmation.consuming import confirm_consumers
from kafka_conformance.errors import NotReadyError
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors import conversations, directions, golden, loader


def test_each_is_of_a_conversation_or_of_what_a_consumer_fetches():
    findings = [finding for target in catalogue.about(Part.CONSUMER).values() for finding in target.findings]
    names = tuple(
        {finding.smallest for finding in findings} - {vector.id for vector in loader.of_family(conversations.FAMILY)}
    )
    assert set(names) == {
        vector.id for vector in [*golden.load(patterns=names), *loader.of_family(directions.DELIVER, names)]
    }


@pytest.mark.sampled(8, of="findings")
@pytest.mark.parametrize("findings", catalogue.about(Part.CONSUMER).values(), ids=lambda target: target.target)
def test_the_library_alone_does_what_it_says(findings):
    try:
        confirmations = list(confirm_consumers(findings))
    except NotReadyError as missing:
        pytest.skip(f"{findings.target}: {missing}")
    assert [confirmation.finding.id for confirmation in confirmations if not confirmation.is_confirmed] == []
