"""The origin of a vector's bytes: table or search, its bug reports, and the generator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kafka_generator.bugs import REPORT
from kafka_generator.cases import Case

GENERATOR: Final = 1
"""Version of the generator."""

SEED: Final = 0
"""Nothing is drawn at random, and the search draws what its settings fix, so the seed is always
this one."""

NO_REPORTS: Final[Mapping[str, Sequence[str]]] = {}
"""The known bugs by vector where there are none."""


def provenance(case: Case, reports: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the document of one case; `reports` are those of the table of known bugs, by vector.

    Raises:
        LayoutError: the case names a report itself.
    """
    if REPORT.fullmatch(case.source):
        raise case.section.error(
            f"`{case.source}` is a bug report", key="source", advice="name the vector in vectors/bugs.yaml instead"
        )
    document: dict[str, Any] = {"source": case.source or f"case table {case.family}"}
    if case.id in reports:
        document["reports"] = list(reports[case.id])
    return document | {"generator": GENERATOR, "seed": SEED}
