"""The kill table of log directories, vectors/log/kills.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from kafka_generator.log_vectors import agreement, files, mutants
from kafka_generator.mutants.kill_table import KillTable, Table
from kafka_generator.mutants.kills import patched
from kafka_generator.mutants.mutant import Mutant


class LogKills(KillTable):
    """Readers of log directories that are wrong, and the vectors of directories and files."""

    name = f"{files.FOLDER}/kills.json"
    empty: ClassVar[Table] = {"mutants": [], "vectors": []}
    advice = "Add a case to generator/kafka_generator/log_vectors that tells the mutant from the right way."

    def __init__(self, directory: Path, vectors: Iterable[Mapping[str, Any]]) -> None:
        """Take vectors/, and those of log directories as JSON has them."""
        super().__init__(directory)
        self._vectors = {vector["id"]: dict(vector) for vector in vectors}

    def mutants(self) -> list[Mutant]:
        """Return the mutants of readers of log directories."""
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
        by_size = sorted(self._vectors.values(), key=lambda vector: len(str(vector)))

        def kills(mutant: Mutant, vector: str) -> bool:
            return vector in self._vectors and is_killed(mutant, self._vectors[vector])

        def first_kill(mutant: Mutant) -> str:
            return next((str(vector["id"]) for vector in by_size if is_killed(mutant, vector)), "")

        return {"mutants": self.smallest_kills(known, kills, first_kill), "vectors": self._digest()}

    def _digest(self) -> list[str]:
        """Return the digest of all vectors, as a section of the table."""
        return [hashlib.sha256(json.dumps(list(self._vectors.values())).encode()).hexdigest()[:16]]


def is_killed(mutant: Mutant, vector: dict[str, Any]) -> bool:
    """Tell whether a vector shows that a mutant is wrong: it differs, or fails.

    Raises:
        UsageError: the mutant cannot be made, because the reference has changed under it.
    """
    with patched(mutant.change, mutant.id):
        try:
            return next(agreement.differences(vector), None) is not None
        except (NameError, SyntaxError):
            raise
        except Exception:  # noqa: BLE001 - a wrong reader may fail in any way
            return True
