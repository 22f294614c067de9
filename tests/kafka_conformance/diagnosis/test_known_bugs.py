"""The diagnosis on real decoders, whose bugs people have looked at: the files of findings.

First with these files, as users have it; then blind, without what is known of the decoder at hand,
as it goes for a decoder that nobody has looked at.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache

import pytest
from kafka_conformance.diagnosis.by_rule import general_signatures
from kafka_conformance.diagnosis.cause import Cause, Diagnosis
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.diagnosis.signature import signatures
from kafka_conformance.findings import catalogue
from kafka_conformance.judging.result import Result
from kafka_conformance.protocol.hello import Direction

from tests import shipped
from tests.kafka_conformance.diagnosis import recorded

VECTORS = shipped.vectors()
TARGETS = recorded.targets()

Case = tuple[Direction, str]


@cache
def results() -> Mapping[str, list[Result]]:
    found: defaultdict[str, list[Result]] = defaultdict(list)
    for result in recorded.report().results:
        if result.vector in VECTORS:
            found[result.target].append(result)
    return found


def bugs(target: str) -> dict[str, set[Case]]:
    """Return what each known bug of a target is seen at in the run, by the name of its cause."""
    failed = [result for result in results()[target] if result.is_finding]
    found: defaultdict[str, set[Case]] = defaultdict(set)
    for finding in catalogue.load_all()[target].findings:
        told = [one for one in failed if one.direction is finding.direction and one.outcome in finding.outcomes]
        cases = {(one.direction, one.vector) for one in told if finding.is_about(one.vector)}
        found[f"{target}/{finding.bug or finding.id}"] |= cases
    return {name: cases for name, cases in found.items() if cases}


def cases(cause: Cause) -> set[Case]:
    return {(cause.direction, result.vector) for result in cause.findings}


@cache
def told(target: str) -> Diagnosis:
    return diagnose(target, results()[target], VECTORS)


@cache
def blind(target: str) -> Diagnosis:
    pool = [*signatures(), *general_signatures(VECTORS.values())]
    return diagnose(target, results()[target], VECTORS, [one for one in pool if one.target != target])


@pytest.mark.parametrize("target", TARGETS)
def test_a_bug_that_is_known_is_a_cause_of_its_name(target: str) -> None:
    names = {cause.id for cause in told(target).causes}
    assert len(names & bugs(target).keys()) >= 0.9 * len(bugs(target))


def test_causes_are_about_as_many_as_bugs() -> None:
    """Before what is alike was put together, 14 of the 19 had 370 causes, and 375 findings that
    nothing explained."""
    assert sum(len(told(target).causes) for target in TARGETS) <= 310
    assert sum(len(told(target).unexplained) for target in TARGETS) <= 12


def test_aiokafka_has_about_a_dozen_bugs() -> None:
    """Its 125 findings were 26 causes, and 16 that nothing explained."""
    found = told("aiokafka")
    met = [cause.id for cause in found.causes if cause.is_met and not cause.is_harmless]
    assert {"aiokafka/mixed-formats", "aiokafka/no-timestamp-v1", "aiokafka/snappy-little-endian-versions"} <= set(met)
    assert len(met) <= 5
    assert len([cause for cause in found.causes if not cause.is_harmless]) <= 15
    assert not found.unexplained


def test_most_bugs_come_out_as_one_cause_where_nobody_knows_the_decoder() -> None:
    """Two of three did before, one in five not at all."""
    counted = Counter(
        came_out(seen, blind(target), bugs(target)) for target in TARGETS for seen in bugs(target).values()
    )
    assert counted["one"] >= 0.66 * counted.total()
    assert counted["none"] <= 0.14 * counted.total()


def came_out(bug: set[Case], found: Diagnosis, known: Mapping[str, set[Case]]) -> str:
    """Tell whether a bug came out as one cause, with little of others in it; as a part; with
    others; or not at all."""
    looked_at = set[Case]().union(*known.values())
    ways = {way_of(bug, cases(cause), looked_at) for cause in found.causes}
    return best(ways)


def way_of(bug: set[Case], cause: set[Case], looked_at: set[Case]) -> str:
    shared = len(bug & cause)
    if not shared:
        return "none"
    whole, pure = shared >= 0.8 * len(bug), shared >= 0.5 * len(cause & looked_at)
    return {(True, True): "one", (True, False): "with others", (False, True): "part", (False, False): "none"}[
        whole, pure
    ]


def best(ways: Iterable[str]) -> str:
    return min(ways, key=("one", "with others", "part", "none").index, default="none")
