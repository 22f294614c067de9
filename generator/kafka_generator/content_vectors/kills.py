"""The kill table of keys and values, vectors/content/kills.json."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from kafka_generator.content_vectors import cases, files, mutants
from kafka_generator.mutants.case_kills import CaseKills
from kafka_generator.mutants.mutant import Mutant


class ContentKills(CaseKills):
    """Readers of keys and values that are wrong, and the vectors of these."""

    name = "content/kills.json"
    advice = "Add a case to vectors/cases/content that tells the mutant from the right way."

    def __init__(self, directory: Path) -> None:
        """Read the tables below vectors/."""
        super().__init__(directory, cases.load(directory))

    def mutants(self) -> list[Mutant]:
        """Return the mutants of readers of keys and values."""
        return mutants.load()

    def order(self, cases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the vectors, the smallest first."""
        return sorted(cases, key=lambda line: (len(line["hex"] or ""), line["id"]))

    def differs(self, case: dict[str, Any]) -> bool:
        """Tell whether a value is read otherwise than its vector says."""
        return not files.is_passed(case)
