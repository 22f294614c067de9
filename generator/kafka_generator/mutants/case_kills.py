"""Kill tables of what has one line a case: log directories, starts, keys and values."""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from kafka_generator.mutants.kill_table import KillTable, Table
from kafka_generator.mutants.kills import patched
from kafka_generator.mutants.mutant import Mutant, declared_in


class CaseKills(KillTable):
    """A table of wrong readers, each killed by a case; subclasses say which.

    Attributes:
        readers: the package whose modules declare the wrong readers.
    """

    empty: ClassVar[Table] = {"mutants": [], "vectors": []}
    readers: ClassVar[ModuleType]

    def __init__(self, directory: Path, cases: Iterable[Mapping[str, Any]]) -> None:
        """Take vectors/, and the cases as JSON has them, each with its id."""
        super().__init__(directory)
        self._cases = {str(case["id"]): dict(case) for case in cases}

    def mutants(self) -> list[Mutant]:
        """Return the wrong readers, by family, as they are declared."""
        return declared_in(self.readers)

    @abstractmethod
    def order(self, cases: Iterable[dict[str, Any]]) -> Iterable[dict[str, Any]]:
        """Return the cases in the order in which a mutant is asked about them."""

    @abstractmethod
    def differs(self, case: dict[str, Any]) -> bool:
        """Tell whether the reference, as it is now, differs from a case."""

    def is_current(self, known: Table) -> bool:
        """Tell whether a table is of these cases."""
        return bool(known["vectors"] == self._digest())

    def ask(self, known: Table) -> dict[str, Any]:
        """Return the table: the first case that kills each mutant, and the digest of all.

        Raises:
            UsageError: a mutant cannot be made, because the reference has changed under it; or no
                case kills it.
        """
        ordered = list(self.order(self._cases.values()))

        def kills(mutant: Mutant, name: str) -> bool:
            return name in self._cases and self.is_killed(mutant, name)

        def first_kill(mutant: Mutant) -> str:
            return next((str(case["id"]) for case in ordered if self.is_killed(mutant, case["id"])), "")

        return {"mutants": self.smallest_kills(known, kills, first_kill), "vectors": self._digest()}

    def is_killed(self, mutant: Mutant, name: str) -> bool:
        """Tell whether the case of a name shows that a mutant is wrong: it differs, or fails.

        Raises:
            UsageError: the mutant cannot be made, because the reference has changed under it.
        """
        with patched(mutant.change, mutant.id):
            try:
                return self.differs(self._cases[name])
            except (NameError, SyntaxError):
                raise
            except Exception:  # noqa: BLE001 - a wrong reader may fail in any way
                return True

    def _digest(self) -> list[str]:
        return [hashlib.sha256(json.dumps(list(self._cases.values())).encode()).hexdigest()[:16]]
