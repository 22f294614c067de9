"""How the project knows what it says: who judged what, what was covered, what nobody judged."""

from __future__ import annotations

import json
from collections import Counter
from importlib.metadata import version
from typing import Any, Final, NamedTuple

from kafka_conformance.targets import manifest
from kafka_conformance.targets.target_kind import TargetKind

from kafka_site.model import Site
from kafka_site.templates import ROOT

_VECTORS: Final = ROOT / "vectors"


class Judge(NamedTuple):
    """A release of Kafka: whether it decides, and what its classes said of how many vectors."""

    release: str
    version: str
    decides: bool
    words: dict[str, int]


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this page is filled with."""
    kills = _json("kills.json")
    protocol = _json("protocol/index.json")["files"]
    return {
        "vectors": len(site.vectors),
        "verdicts": Counter(str(vector.verdict) for vector in site.vectors.values()),
        "judges": [_judge(site, name) for name in site.releases],
        "unjudged": sum(not vector.oracle for vector in site.vectors.values()),
        "writers": {vector.id.split("/")[1] for vector in site.vectors.values() if vector.family == "wild"},
        "deciding": [name for name, release in reversed(list(site.releases.items())) if release.decides],
        "version": version("kafka-format-conformance"),
        "wild": sum(vector.family == "wild" for vector in site.vectors.values()),
        "coverage": {
            kind: (cells["covered"], cells["cells"]) for kind, cells in _json("coverage.json")["kinds"].items()
        },
        "mutants": len(kills["mutants"]) + len(kills["generated"]),
        "protocol": sum(sum(file["vectors"].values()) for file in protocol),
        "protocol_mutants": len(_json("protocol/kills.json")["mutants"]),
        "log_mutants": len(_json("log/kills.json")["mutants"]),
        "targets": len(manifest.of_kind(TargetKind.DECODER, TargetKind.LOG_READER)),
    }


def _json(name: str) -> Any:  # noqa: ANN401 - a file of ours, whose form its reader knows
    return json.loads((_VECTORS / name).read_text(encoding="utf-8"))


def _judge(site: Site, name: str) -> Judge:
    release = site.releases[name]
    words = Counter(
        word
        for vector in site.vectors.values()
        for judge, word in vector.oracle.items()
        if judge.rpartition(" ")[2] == release.version
    )
    return Judge(name, release.version, release.decides, dict(words))
