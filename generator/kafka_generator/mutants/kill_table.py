"""A kill table: which vectors show what each mutant does wrong, kept in step with both.

There is one for records, one for the protocol, and one for each kind of case (`case_kills`). They
differ in their mutants, and in how these are put to the vectors.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from kafka_tools.errors import UsageError

from kafka_generator.mutants.mutant import Mutant

Table = Mapping[str, Any]
"""The table as JSON: rows in sections; those of `mutants` say what each does, and what kills it."""

_KEYS: Final = ("id", "does", "direction", "family", "rules", "source", "digest")
"""What a row says of its mutant."""


class KillTable(ABC):
    """A table as it is stored, and as it is made anew.

    Attributes:
        name: name of the file, in vectors/.
        empty: the table before anything was asked.
        advice: what to do if a mutant survives.
        known: the table.
    """

    name: ClassVar[str]
    empty: ClassVar[Table]
    advice: ClassVar[str]

    def __init__(self, directory: Path) -> None:
        """Read the table; `directory` is vectors/. It is empty if there is no file."""
        self.file = directory / self.name
        self.known: Table = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else self.empty

    @abstractmethod
    def mutants(self) -> Sequence[Mutant]:
        """Return the mutants, in the order of the table."""

    @abstractmethod
    def is_current(self, known: Table) -> bool:
        """Tell whether what a table says beside its mutants is of the vectors that there are."""

    @abstractmethod
    def ask(self, known: Table) -> Table:
        """Return the table; what `known` has, and has not changed, is not asked again.

        Raises:
            UsageError: a mutant cannot be made, because the reference has changed under it; or no
                vector kills it.
        """

    def is_in_step(self, known: Table) -> bool:
        """Tell whether a table is of the mutants and the vectors that there are."""
        described = [{key: row.get(key, []) for key in _KEYS} for row in known["mutants"]]
        return described == [describe(mutant) for mutant in self.mutants()] and self.is_current(known)

    def text(self) -> str:
        """Return the file's text, a row in a line, so that diffs show what changed."""
        parts = []
        for key, rows in self.known.items():
            lines = [json.dumps(row, ensure_ascii=False) for row in rows]
            parts.append(f'"{key}": [\n' + ",\n".join(lines) + "\n]")
        return "{" + ",\n".join(parts) + "}\n"

    def smallest_kills(
        self, known: Table, kills: Callable[[Mutant, str], bool], first_kill: Callable[[Mutant], str]
    ) -> list[dict[str, Any]]:
        """Return a row for each mutant, with the smallest vector that kills it.

        Args:
            known: the table before. The vector that killed a mutant that is the same comes first.
            kills: tells whether a vector kills a mutant; False for one that there is no more.
            first_kill: returns the smallest one that does; empty if none does.

        Raises:
            UsageError: a mutant cannot be made, or no vector kills it.
        """
        before, rows = {row["id"]: row for row in known["mutants"]}, []
        for mutant in self.mutants():
            row, old = describe(mutant), before.get(mutant.id, {})
            is_same = old.get("digest") == row["digest"] and kills(mutant, old["smallest"])
            rows.append(row | {"smallest": old["smallest"] if is_same else first_kill(mutant)})
        self.refuse([row["id"] for row in rows if not row["smallest"]])
        return rows

    def refuse(self, survivors: Sequence[str]) -> None:
        """Refuse mutants that no vector kills.

        Raises:
            UsageError: there are some.
        """
        if survivors:
            raise UsageError(f"no vector kills {', '.join(survivors)}.", self.advice)


def describe(mutant: Mutant) -> dict[str, Any]:
    """Return what a row says of its mutant."""
    return {key: list(value) if isinstance(value := getattr(mutant, key), tuple) else value for key in _KEYS}
