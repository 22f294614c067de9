"""Every wrong reader of starts is killed by the variant that the table names."""

from __future__ import annotations

from pathlib import Path

import pytest
from kafka_generator.mutants.mutant import Mutant
from kafka_generator.start_vectors import files
from kafka_generator.start_vectors.kills import StartKills

TABLE = StartKills(files.FOLDER.parent)
_KILLS = {row["id"]: row for row in TABLE.known["mutants"]}


def test_the_table_is_in_step() -> None:
    assert TABLE.is_in_step(TABLE.known)


@pytest.mark.sampled(6, of="mutants")
@pytest.mark.parametrize("mutant", TABLE.mutants(), ids=lambda mutant: mutant.id)
def test_a_mutant_is_killed(mutant: Mutant) -> None:
    assert TABLE.is_killed(mutant, _KILLS[mutant.id]["smallest"])


def test_the_table_stands_beside_the_variants() -> None:
    assert TABLE.file == Path(files.FOLDER) / "kills.json"
