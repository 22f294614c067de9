"""Every wrong reader of keys and values is killed by the vector that the table names."""

from __future__ import annotations

from pathlib import Path

import pytest
from kafka_generator.content_vectors.kills import ContentKills
from kafka_generator.mutants.mutant import Mutant

TABLE = ContentKills(Path(__file__).parents[3] / "vectors")
_KILLS = {row["id"]: row["smallest"] for row in TABLE.known["mutants"]}


def test_the_table_is_in_step() -> None:
    assert TABLE.is_in_step(TABLE.known)


@pytest.mark.parametrize("mutant", TABLE.mutants(), ids=lambda mutant: mutant.id)
def test_a_mutant_is_killed(mutant: Mutant) -> None:
    assert TABLE.is_killed(mutant, _KILLS[mutant.id])
