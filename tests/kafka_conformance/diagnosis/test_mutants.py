"""The diagnosis put to the test on wrong decoders whose fault is known: the mutants of the kill table.

Mutants that fail the same vectors in the same way count as one name: nobody can tell them apart.
"""

import json
import random
from collections.abc import Sequence
from functools import cache

import pytest
from kafka_conformance.diagnosis.by_rule import general_signatures
from kafka_conformance.diagnosis.matching import Match, cover, matches
from kafka_conformance.diagnosis.signature import Signature, mutant_signature, signatures
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors import golden
from kafka_format.spec import data

TABLE = json.loads((data.path("vectors") / "kills.json").read_text(encoding="utf-8"))
VECTORS = frozenset(TABLE["vectors"])
MUTANTS = [mutant_signature(one, TABLE["vectors"]) for one in TABLE["mutants"] if one["direction"] in set(Direction)]
PAIRS = 60


@cache
def pool(direction: Direction) -> list[Signature]:
    known = [*signatures(), *general_signatures(golden.load())]
    return [signature for signature in known if signature.direction is direction]


def causes(failed: dict[str, str], direction: Direction) -> list[Match]:
    return cover(matches(pool(direction), failed, VECTORS - failed.keys(), "nobody"))


def behaviour(signature: Signature) -> frozenset[tuple[str, str]]:
    return frozenset(signature.fails.items())


def names(found: Sequence[Match]) -> set[frozenset[tuple[str, str]]]:
    return {behaviour(match.signature) for match in found}


@pytest.mark.parametrize("direction", Direction)
def test_the_right_name_comes_first_for_nearly_every_mutant(direction: Direction) -> None:
    mutants = [mutant for mutant in MUTANTS if mutant.direction is direction]
    right = [mutant.id for mutant in mutants if names(causes(dict(mutant.fails), direction)[:1]) == {behaviour(mutant)}]
    assert len(right) >= 0.95 * len(mutants) > 0, {mutant.id for mutant in mutants} - set(right)


@pytest.mark.parametrize("direction", Direction)
def test_both_right_names_come_first_for_most_pairs(direction: Direction) -> None:
    mutants = [mutant for mutant in MUTANTS if mutant.direction is direction]
    drawn, right = random.Random(direction), 0  # noqa: S311 - the same pairs every time
    for _ in range(PAIRS):
        one, other = drawn.sample(mutants, 2)
        found = causes({**one.fails, **other.fails}, direction)
        right += {behaviour(one), behaviour(other)} <= names(found[:2])
    assert right >= 0.8 * PAIRS


def test_few_mutants_cannot_be_told_apart() -> None:
    assert len(MUTANTS) - len({(mutant.direction, behaviour(mutant)) for mutant in MUTANTS}) <= 0.1 * len(MUTANTS)
