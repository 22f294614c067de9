"""The coverage as docs/coverage.md, for people, and as vectors/coverage.json, for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kafka_generator.coverage.model import Cell, Count, count_by_kind
from kafka_generator.markdown import environment

FILE: Final = "coverage.json"
"""Name of the machine-readable counts, in vectors/."""

PAGE: Final = "coverage.md"

MEANS: Final = {
    "rule kept": "a rule, and a vector that keeps it: a valid one about it, or the twin of one that breaks it",
    "rule broken": "a rule that bytes can break, and a vector whose one fault it is",
    "rule misread": "a rule that no bytes break, and a vector of it that kills a decoder which is wrong in it",
    "field": "a field at an edge: least, most, 0, 1, -1; null, empty, one byte, long; each width of a length",
    "bit": "a bit of an attributes byte or a descriptor, set and clear, whether it has a meaning or not",
    "check": "a check that a decoder makes of a field, and a vector whose one fault it is",
    "cut": "one entry of each format, cut at each byte, alone and after a whole one",
    "protocol field": "a field of one version of a request, response or schema record at an edge, as `field`; "
    "tagged fields absent, present, and present with their default; unknown ones",
    "protocol surplus": "bytes that widely used clients write behind the last field of a version of a request",
    "protocol check": "a check of a field of one version, with a vector whose one fault it is: cut, null, negative, "
    "beyond the end, varints, UTF-8, booleans, markers, tags, bytes after the end",
    "pair": "two features of a message or batch in one vector: format and codec, key, value, headers, time, ...",
}
"""What a cell of each kind is."""

_VERDICTS: Final = ("valid", "invalid", "lenient")


def text(cells: Iterable[Cell], vectors: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of the file: how many vectors there are, and the cells by kind."""
    kinds = {
        count.kind: {"cells": count.all, "covered": count.covered, "excluded": dict(count.excluded)}
        for count in count_by_kind(cells)
    }
    return json.dumps({"vectors": len(vectors), "kinds": kinds}, indent=2) + "\n"


def page(cells: Iterable[Cell], vectors: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of the page."""
    counts = count_by_kind(cells)
    template = environment(Path(__file__).parent / "templates").get_template(f"{PAGE}.j2")
    return template.render(
        counts=counts,
        means=MEANS,
        cells=sum(count.all for count in counts),
        covered=sum(count.covered for count in counts),
        excluded=[(count.kind, why, number) for count in counts for why, number in count.excluded.items()],
        vectors=len(vectors),
        verdicts=_VERDICTS,
        tables={"family": _by("family", vectors), "format": _by("format", vectors)},
        share=_share,
    )


def _share(count: Count) -> str:
    return f"{100 * count.covered / count.all:.1f} %"


def _by(key: str, vectors: Iterable[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """Return by key the verdicts of vectors.

    Those of a direction with several formats count as `mixed`.
    """
    counts: dict[str, Counter[str]] = {}
    for vector in vectors:
        name = vector.get(key) or (vector["formats"][0] if len(vector["formats"]) == 1 else "mixed")
        counts.setdefault(name, Counter())[vector["verdict"]] += 1
    return counts
