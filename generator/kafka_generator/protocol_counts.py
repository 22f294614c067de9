"""How many vectors of the protocol there are by API, what judged them, and what was really sent."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kafka_format.spec.layout import specification

from kafka_generator.protocol_vectors import oracle, wild

_RELEASES: Final = tuple(oracle.RELEASES.values())
_WHO: Final = re.compile(r"wild: ([a-z-]+)-(\d[\d.]*)")
_AGREES: Final = {"valid": "accepted", "lenient": "accepted", "invalid": "refused"}


def values(vectors: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the counts for the page of the protocol, from the vectors as JSON has them."""
    real = [vector for vector in vectors if vector["family"] == wild.FAMILY]
    return {
        "vectors": Counter(vector.get("api") for vector in vectors),
        "real": Counter(vector["api"] for vector in real),
        "real_kinds": len(
            {(vector["kind"], vector["api"], version) for vector in real for version in vector["versions"]}
        ),
        "verdicts": Counter(vector["verdict"] for vector in vectors),
        "talking": sorted({_talking(vector["provenance"]["source"]) for vector in real}, key=str.lower),
        "judges": _judges(vectors),
        "unjudged": Counter(vector["layout"] for vector in vectors if not vector["oracle"] and "judged" not in vector),
        "versions": _versions(),
    }


def _talking(source: str) -> str:
    """Return `librdkafka 2.16.0` of `wild: librdkafka-2.16.0-admin and a broker of Kafka 4.4.0`."""
    match = _WHO.match(source)
    return f"{match[1]} {match[2]}" if match else source


def _judges(vectors: Iterable[Mapping[str, Any]]) -> list[tuple[str, int, int]]:
    """Return each release, how many vectors it judged, and how many of them otherwise."""
    said = Counter(
        (release, word == _AGREES[vector["verdict"]])
        for vector in vectors
        for release, word in vector["oracle"].items()
    )
    return [(name, said[name, True] + said[name, False], said[name, False]) for name in _RELEASES]


def _versions() -> Counter[str]:
    """Return how many versions there are of requests, responses, and all else; variants apart."""
    versions: Counter[str] = Counter()
    for layout in specification().versioned.values():
        kind = layout.kind if layout.kind in {"request", "response"} else "other"
        versions["variant" if layout.variant_of else kind] += len(layout.versions.numbers)
    return versions
