"""The diagnosis on real decoders, whose bugs people have looked at: the files of findings.

First with these files, as users have it; then blind, without what is known of the decoder at hand,
as it goes for a decoder that nobody has looked at. docs/diagnosis.md shows the same comparison.
"""

from collections import Counter

import pytest
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Findings, Part
from kafka_generator.diagnosis_page import (
    NONE,
    ONE,
    OTHERS,
    PART,
    blind,
    bugs,
    cases,
    compare,
    diagnosis_of,
    way_of,
)

KNOWN = catalogue.about(Part.DECODER)
TARGETS = list(KNOWN)


@pytest.mark.sampled(5, of="findings")
@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_a_bug_that_is_known_is_a_cause_of_its_name(about: Findings) -> None:
    names = {cause.id for cause in diagnosis_of(about.target).causes}
    known = {bug.id for bug in bugs(about.target)}
    assert len(names & known) >= 0.9 * len(known)


@pytest.mark.sampled(5, of="findings")
@pytest.mark.parametrize("about", KNOWN.values(), ids=KNOWN)
def test_no_cause_is_without_a_finding(about: Findings) -> None:
    """Somebody has confirmed every cause outside the suite, or said why that cannot be."""
    assert [cause.id for cause in compare(about.target).open] == []


@pytest.mark.whole  # docs/diagnosis.md has the figures, and `generate.py --check` makes it anew in every `make test`
def test_causes_are_about_as_many_as_bugs() -> None:
    """Before what is alike was put together, 14 of the 19 had 370 causes, and 375 findings that
    nothing explained."""
    assert sum(len(diagnosis_of(target).causes) for target in TARGETS) <= 310
    assert sum(len(diagnosis_of(target).unexplained) for target in TARGETS) <= 2


def test_aiokafka_has_about_a_dozen_bugs() -> None:
    """Its 125 findings were 26 causes, and 16 that nothing explained."""
    diagnosis = diagnosis_of("aiokafka")
    met = [cause.id for cause in diagnosis.causes if cause.is_met and not cause.is_harmless]
    assert {"aiokafka/mixed-formats", "aiokafka/no-timestamp-v1", "aiokafka/snappy-little-endian-versions"} <= set(met)
    assert len(met) <= 5
    assert len([cause for cause in diagnosis.causes if not cause.is_harmless]) <= 15
    assert not diagnosis.unexplained


@pytest.mark.whole  # the same
def test_most_bugs_come_out_as_one_cause_where_nobody_knows_the_decoder() -> None:
    """138 of 160 did when crashes came to be grouped by what the bytes break, nine not at all."""
    counted = Counter(bug.way for target in TARGETS for bug in compare(target).bugs)
    assert counted[ONE] >= 0.8 * counted.total()
    assert counted[NONE] <= 0.08 * counted.total()


def test_blind_does_not_know_the_names_of_the_target() -> None:
    assert not any(name.startswith("aiokafka/") for cause in blind("aiokafka").causes for name in cause.ids)


@pytest.mark.parametrize(
    ("bug", "cause", "way"),
    [
        ("abcde", "abcd", ONE),
        ("abcde", "abc", PART),
        ("abcde", "abcdevwxy", ONE),
        ("ab", "abvwx", OTHERS),
        ("abcd", "avw", NONE),
        ("abcd", "vw", NONE),
    ],
)
def test_how_a_cause_shows_a_bug(bug: str, cause: str, way: str) -> None:
    """`v` to `y` are seen at other bugs, so a cause with more of these is not this bug alone."""
    known = frozenset((Direction.DECODE, name) for name in "abcdevwxy")
    assert way_of(frozenset(_seen(bug)), set(_seen(cause)), known) == way


def _seen(names: str) -> list[tuple[Direction, str]]:
    return [(Direction.DECODE, name) for name in names]


def test_what_a_cause_explains_is_told_by_direction() -> None:
    (cause, *_) = diagnosis_of("kio").causes
    assert cases(cause) == {(cause.direction, result.vector) for result in cause.findings}
