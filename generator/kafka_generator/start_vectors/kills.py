"""The kill table of starts, vectors/start/kills.json."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import kafka_format.codec.interpreter  # noqa: F401 - is not to be imported while a mutant is active

from kafka_generator.mutants.case_kills import CaseKills
from kafka_generator.start_vectors import agreement, files, mutants


class StartKills(CaseKills):
    """Readers of starts that are wrong, and the variants."""

    name = "start/kills.json"
    advice = "Add a variant to generator/kafka_generator/start_vectors/cases that tells the mutant from Kafka."
    readers: ClassVar[ModuleType] = mutants

    def __init__(self, directory: Path) -> None:
        """Read the bases and variants in vectors/."""
        folder = directory / "start"
        super().__init__(directory, files.read(folder / files.VARIANTS))
        self._bases = files.bases(folder)

    def order(self, cases: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the variants, one of each kind of damage in turn: kills are found sooner."""
        by_kind: dict[str, list[dict[str, Any]]] = {}
        for variant in cases:
            by_kind.setdefault(variant["id"].split("/")[1], []).append(variant)
        for some in zip_longest(*by_kind.values()):
            yield from filter(None, some)

    def differs(self, case: dict[str, Any]) -> bool:
        """Tell whether a start is foretold otherwise than it came."""
        return next(agreement.differences(case, self._bases), None) is not None
