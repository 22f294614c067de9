"""The kill table of starts, vectors/start/kills.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar

import kafka_format.codec.versions.interpreter  # noqa: F401 - is not to be imported while a mutant is active

from kafka_generator.mutants.kill_table import KillTable, Table
from kafka_generator.mutants.kills import patched
from kafka_generator.mutants.mutant import Mutant
from kafka_generator.start_vectors import agreement, files, mutants


class StartKills(KillTable):
    """Readers of starts that are wrong, and the variants."""

    name = "start/kills.json"
    empty: ClassVar[Table] = {"mutants": [], "vectors": []}
    advice = "Add a variant to generator/kafka_generator/start_vectors/cases that tells the mutant from Kafka."

    def __init__(self, directory: Path) -> None:
        """Read the bases and variants in vectors/."""
        super().__init__(directory)
        folder = directory / "start"
        self._bases = files.bases(folder)
        self._variants = {variant["id"]: variant for variant in files.read(folder / files.VARIANTS)}

    def mutants(self) -> list[Mutant]:
        """Return the mutants of readers of starts."""
        return mutants.load()

    def is_current(self, known: Table) -> bool:
        """Tell whether a table is of these variants."""
        return bool(known["vectors"] == self._digest())

    def ask(self, known: Table) -> dict[str, Any]:
        """Return the table: a variant that kills each mutant, and the variants' digest.

        Raises:
            UsageError: a mutant cannot be made, because the reference has changed under it; or no
                variant kills it.
        """
        asked = list(_mixed(self._variants.values()))

        def kills(mutant: Mutant, variant: str) -> bool:
            return variant in self._variants and self.is_killed(mutant, self._variants[variant])

        def first_kill(mutant: Mutant) -> str:
            return next((str(variant["id"]) for variant in asked if self.is_killed(mutant, variant)), "")

        return {"mutants": self.smallest_kills(known, kills, first_kill), "vectors": self._digest()}

    def is_killed(self, mutant: Mutant, variant: Mapping[str, Any]) -> bool:
        """Tell whether a variant shows that a mutant is wrong: it differs, or fails.

        Raises:
            UsageError: the mutant cannot be made, because the reference has changed under it.
        """
        with patched(mutant.change, mutant.id):
            try:
                return next(agreement.differences(variant, self._bases), None) is not None
            except (NameError, SyntaxError):
                raise
            except Exception:  # noqa: BLE001 - a wrong reader may fail in any way
                return True

    def _digest(self) -> list[str]:
        """Return the digest of all variants, as a section of the table."""
        return [hashlib.sha256(json.dumps(list(self._variants.values())).encode()).hexdigest()[:16]]


def _mixed(variants: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield variants, one of each kind of damage after the other: what kills is found sooner."""
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for variant in variants:
        by_kind.setdefault(variant["id"].split("/")[1], []).append(variant)
    for some in zip_longest(*by_kind.values()):
        yield from filter(None, some)
