"""The kill table of keys and values, vectors/content/kills.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from kafka_generator.content_vectors import cases, files, mutants
from kafka_generator.mutants.kill_table import KillTable, Table
from kafka_generator.mutants.kills import patched
from kafka_generator.mutants.mutant import Mutant


class ContentKills(KillTable):
    """Readers of keys and values that are wrong, and the vectors of these."""

    name = "content/kills.json"
    empty: ClassVar[Table] = {"mutants": [], "vectors": []}
    advice = "Add a case to vectors/cases/content that tells the mutant from the right way."

    def __init__(self, directory: Path) -> None:
        """Read the tables below vectors/."""
        super().__init__(directory)
        self._lines = {line["id"]: line for line in cases.load(directory)}

    def mutants(self) -> list[Mutant]:
        """Return the mutants of readers of keys and values."""
        return mutants.load()

    def is_current(self, known: Table) -> bool:
        """Tell whether a table is of these vectors."""
        return bool(known["vectors"] == self._digest())

    def ask(self, known: Table) -> dict[str, Any]:
        """Return the table: the smallest vector that kills each mutant, and the vectors' digest.

        Raises:
            UsageError: a mutant cannot be made, because the reference has changed under it; or no
                vector kills it.
        """
        by_size = sorted(self._lines.values(), key=lambda line: (len(line["hex"] or ""), line["id"]))

        def kills(mutant: Mutant, name: str) -> bool:
            return name in self._lines and is_killed(mutant, self._lines[name])

        def first_kill(mutant: Mutant) -> str:
            return next((str(line["id"]) for line in by_size if is_killed(mutant, line)), "")

        return {"mutants": self.smallest_kills(known, kills, first_kill), "vectors": self._digest()}

    def _digest(self) -> list[str]:
        """Return the digest of all vectors, as a section of the table."""
        return [hashlib.sha256(json.dumps(list(self._lines.values())).encode()).hexdigest()[:16]]


def is_killed(mutant: Mutant, line: Mapping[str, Any]) -> bool:
    """Tell whether a vector shows that a mutant is wrong: it differs, or fails.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    with patched(mutant.change, mutant.id):
        try:
            return not files.is_passed(line)
        except (NameError, SyntaxError):
            raise
        except Exception:  # noqa: BLE001 - a wrong reader may fail in any way
            return True
