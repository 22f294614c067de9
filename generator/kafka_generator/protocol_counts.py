"""How many vectors of the protocol there are by API, what judged them, and what was really sent."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from kafka_format.spec.layout import specification

from kafka_generator.protocol_vectors import oracle, wild

_RELEASES: Final = tuple(oracle.RELEASES.values())
_WHO: Final = re.compile(r"wild: ([a-z-]+)-(\d[\d.]*)")
_AGREES: Final = {"valid": "accepted", "lenient": "accepted", "invalid": "refused"}


def values(texts: Iterable[str]) -> dict[str, Any]:
    """Return what the page of the protocol tells, from the texts of the vector files."""
    vectors = [json.loads(line) for text in texts for line in text.splitlines()]
    real = [one for one in vectors if one["family"] == wild.FAMILY]
    return {
        "vectors": Counter(one.get("api") for one in vectors),
        "real": Counter(one["api"] for one in real),
        "real_kinds": len({(one["kind"], one["api"], version) for one in real for version in one["versions"]}),
        "verdicts": Counter(one["verdict"] for one in vectors),
        "talking": sorted({_talking(one["provenance"]["source"]) for one in real}, key=str.lower),
        "judges": _judges(vectors),
        "unjudged": Counter(one["layout"] for one in vectors if not one["oracle"]),
        "versions": _versions(),
    }


def _talking(source: str) -> str:
    """Return `librdkafka 2.16.0` of `wild: librdkafka-2.16.0-admin and a broker of Kafka 4.4.0`."""
    found = _WHO.match(source)
    return f"{found[1]} {found[2]}" if found else source


def _judges(vectors: Iterable[Mapping[str, Any]]) -> list[tuple[str, int, int]]:
    """Return each release, how many vectors it judged, and how many of them otherwise."""
    said = Counter(
        (release, word == _AGREES[one["verdict"]]) for one in vectors for release, word in one["oracle"].items()
    )
    return [(name, said[name, True] + said[name, False], said[name, False]) for name in _RELEASES]


def _versions() -> Counter[str]:
    """Return how many versions there are of requests, responses, and all else; variants apart."""
    found: Counter[str] = Counter()
    for layout in specification().versioned.values():
        kind = layout.kind if layout.kind in {"request", "response"} else "other"
        found["variant" if layout.variant_of else kind] += len(layout.versions.numbers)
    return found
