"""The diagnosis on wrong decoders whose fault is known: the mutants of the kill table.

Mutants that fail the same vectors in the same way count as one name: nobody can tell them apart.
Pairs are put together here from what each of the two fails;
`tests/kafka_generator/mutants/test_pairs.py` runs both at once.
"""

import json
import random
from collections.abc import Iterable
from functools import cache

import pytest
from kafka_conformance.diagnosis.by_rule import general_signatures
from kafka_conformance.diagnosis.cause import Cause
from kafka_conformance.diagnosis.diagnose import diagnose
from kafka_conformance.diagnosis.signature import Signature, mutant_signature, signatures
from kafka_conformance.diagnosis.symptom import ACCEPTED, LOST, REFUSED
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_format.spec import data

from tests import shipped

TABLE = json.loads((data.path("vectors") / "kills.json").read_text(encoding="utf-8"))
VECTORS = shipped.vectors()
MUTANTS = [
    mutant_signature(mutant, TABLE["vectors"]) for mutant in TABLE["mutants"] if mutant["direction"] in set(Direction)
]
ONE_IN = 8
"""How many mutants are diagnosed where not all are: one in so many, always the same.

Of others, chance would decide whether few enough are named wrong."""

PAIRS = 240
"""Pairs in a whole run. Another mutant draws all anew, and of 90 pairs between 78 and 88 % were
right."""

FEW_PAIRS = 10
"""Pairs in a usual run."""

OUTCOMES = {REFUSED: Outcome.REFUSED_VALID, ACCEPTED: Outcome.ACCEPTED_INVALID, LOST: Outcome.CRASHED}


@pytest.fixture
def one_in(pytestconfig: pytest.Config) -> int:
    return 1 if pytestconfig.getoption("whole") else ONE_IN


@cache
def pool(direction: Direction) -> list[Signature]:
    known = [*signatures(), *general_signatures(VECTORS.values())]
    return [signature for signature in known if signature.direction is direction]


def result(name: str, how: str, direction: Direction) -> Result:
    outcome = OUTCOMES.get(how, Outcome.WRONG_ANSWER)
    return Result(name, "nobody", outcome, direction, path="" if how in OUTCOMES else f"records[0].{how}")


@cache
def passed(direction: Direction) -> dict[str, Result]:
    """What a decoder without faults gives, by vector."""
    asked = VECTORS.keys() & set(TABLE["vectors"])
    return {name: Result(name, "nobody", Outcome.PASSED, direction) for name in asked}


def causes(failed: dict[str, str], direction: Direction) -> tuple[Cause, ...]:
    """Return the causes of these failures, the one that explains most first."""
    wrong = {name: result(name, how, direction) for name, how in failed.items()}
    diagnosis = diagnose("nobody", (passed(direction) | wrong).values(), VECTORS, pool(direction)).causes
    return tuple(sorted(diagnosis, key=lambda cause: -len(cause.findings)))


def behaviour(signature: Signature) -> frozenset[tuple[str, str]]:
    return frozenset(signature.fails.items())


def names(found: Iterable[Cause], direction: Direction) -> set[frozenset[tuple[str, str]]]:
    told = frozenset[str]().union(*(cause.ids for cause in found))
    return {behaviour(signature) for signature in pool(direction) if signature.id in told}


@pytest.mark.parametrize("direction", Direction)
def test_the_right_name_comes_first_for_nearly_every_mutant(direction: Direction, one_in: int) -> None:
    mutants = [mutant for mutant in MUTANTS if mutant.direction is direction][::one_in]
    wrong = [
        mutant.id
        for mutant in mutants
        if behaviour(mutant) not in names(causes(dict(mutant.fails), direction)[:1], direction)
    ]
    assert len(wrong) <= 0.05 * len(mutants), wrong


@pytest.mark.parametrize("direction", Direction)
def test_both_right_names_come_first_for_most_pairs(direction: Direction, one_in: int) -> None:
    mutants = [mutant for mutant in MUTANTS if mutant.direction is direction]
    drawn, right, pairs = random.Random(direction), 0, PAIRS if one_in == 1 else FEW_PAIRS  # noqa: S311 - the same pairs every time
    for _ in range(pairs):
        one, other = drawn.sample(mutants, 2)
        found = causes({**one.fails, **other.fails}, direction)
        right += {behaviour(one), behaviour(other)} <= names(found[:2], direction)
    least = 0.8 if one_in == 1 else 0.65  # of few pairs, chance has its share
    assert right >= least * pairs


def test_few_mutants_cannot_be_told_apart() -> None:
    assert len(MUTANTS) - len({(mutant.direction, behaviour(mutant)) for mutant in MUTANTS}) <= 0.1 * len(MUTANTS)
