"""A tag of another version is a fault for who knows that version, and for nobody else."""

from functools import cache

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.kind import load_messages
from kafka_conformance.kinds.message.later_fields import RULE, versions_with_field, without_unknown_fields
from kafka_conformance.outcomes import Outcome
from kafka_conformance.vectors.loader import Filters

FOREIGN = "fetch-request/17/topics-0/partitions-0/unknown-tagged-fields/of-other-versions-1"
"""Its tag is a field of Fetch since version 18."""

HAS, KNOWS = "fetch-request/17/typical", "fetch-request/18/typical"


@cache
def fetches():
    return {vector.id: vector for vector in load_messages(Filters(apis=frozenset({1})))}


def settled(**outcomes: Outcome):
    names = {"foreign": FOREIGN, "own": HAS, "later": KNOWS}
    results = [Result(names[name], "it", outcome) for name, outcome in outcomes.items()]
    return {result.vector: result.outcome for result in without_unknown_fields(results, fetches())}


def test_who_is_older_than_the_field_may_pass_over_its_tag():
    changed = settled(foreign=Outcome.ACCEPTED_INVALID, own=Outcome.PASSED, later=Outcome.UNSUPPORTED)
    assert changed == {FOREIGN: Outcome.UNSUPPORTED}


@pytest.mark.parametrize("of_later", [Outcome.PASSED, Outcome.REFUSED_VALID, Outcome.WRONG_ANSWER, Outcome.CRASHED])
def test_who_has_a_version_with_the_field_may_not(of_later):
    assert not settled(foreign=Outcome.ACCEPTED_INVALID, own=Outcome.PASSED, later=of_later)


@pytest.mark.parametrize("of_later", [{}, {"later": Outcome.NOT_ASKED}], ids=["left out", "not asked"])
def test_who_was_not_asked_about_the_field_is_not_excused(of_later):
    assert not settled(foreign=Outcome.ACCEPTED_INVALID, own=Outcome.PASSED, **of_later)


@pytest.mark.parametrize("outcome", [Outcome.PASSED, Outcome.CRASHED, Outcome.HUNG])
def test_nothing_else_is_excused(outcome):
    assert not settled(foreign=outcome, later=Outcome.UNSUPPORTED)


def test_each_tag_of_another_version_is_a_field_somewhere():
    """So that nobody is excused, or blamed, for want of a version that was looked for."""
    foreign = [vector.message.vector for vector in load_messages(Filters()) if RULE in vector.rules]
    assert len(foreign) > 50
    for message in foreign:
        versions = [number for _, number in versions_with_field(message)]
        assert versions, message.id
        assert not set(versions) & set(message.versions), message.id
