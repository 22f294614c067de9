"""The kill table of log directories, vectors/log/kills.json."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any, ClassVar

from kafka_generator.log_vectors import agreement, files, mutants
from kafka_generator.mutants.case_kills import CaseKills


class LogKills(CaseKills):
    """Readers of log directories that are wrong, and the vectors of directories and files."""

    name = f"{files.FOLDER}/kills.json"
    advice = "Add a case to generator/kafka_generator/log_vectors that tells the mutant from the right way."
    readers: ClassVar[ModuleType] = mutants

    def order(self, cases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the vectors, the smallest first."""
        return sorted(cases, key=lambda vector: len(str(vector)))

    def differs(self, case: dict[str, Any]) -> bool:
        """Tell whether a directory or file is read otherwise than its vector says."""
        return next(agreement.differences(case), None) is not None
