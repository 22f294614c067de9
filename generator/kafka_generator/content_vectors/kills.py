"""The kill table of keys and values, vectors/content/kills.json."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from kafka_generator.content_vectors import cases, files, mutants
from kafka_generator.mutants.case_kills import CaseKills


class ContentKills(CaseKills):
    """Readers of keys and values that are wrong, and the vectors of these."""

    name = "content/kills.json"
    advice = "Add a case to vectors/cases/content that tells the mutant from the right way."
    readers: ClassVar[ModuleType] = mutants

    def __init__(self, directory: Path) -> None:
        """Read the tables below vectors/."""
        super().__init__(directory, cases.load(directory))

    def order(self, cases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the vectors, the smallest first."""
        return sorted(cases, key=lambda line: (len(line["hex"] or ""), line["id"]))

    def differs(self, case: dict[str, Any]) -> bool:
        """Tell whether a value is read otherwise than its vector says."""
        return not files.is_passed(case)
