"""How fast decoders were beside one another: docs/recorded/bench.json, from `run --bench`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from kafka_tools import schemas

from kafka_generator.recorded.results import FOLDER

FILE: Final = FOLDER / "bench.json"
WORKLOAD: Final = "decode 100 records, none"
"""What the report card shows: batches without compression, of which a consumer reads most."""


class Speed(NamedTuple):
    """How many times as fast as the yardstick a target was: median, slowest and fastest round."""

    ratio: float
    low: float
    high: float


@cache
def document() -> dict[str, Any]:
    """Return what was measured; nothing if nobody did.

    Raises:
        UsageError: the file does not fit the schema.
    """
    if not FILE.exists():
        return {}
    known: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    schemas.check(known, "bench", FILE.name, "Measure again.")
    return known


def of(target: str, version: str) -> Speed | None:
    """Return the speed of a release of a target at `WORKLOAD`; None if it was not timed."""
    return _measured(target, version).get(WORKLOAD)


def by_codec(target: str, version: str) -> Mapping[str, Speed]:
    """Return the speeds of a release at batches like those of `WORKLOAD`, by codec, if timed."""
    alike = WORKLOAD.rpartition(", ")[0]
    measured = ((*name.rpartition(", ")[::2], speed) for name, speed in _measured(target, version).items())
    return {codec: speed for work, codec, speed in measured if work == alike}


def _measured(target: str, version: str) -> dict[str, Speed]:
    known = document()
    if known.get("targets", {}).get(target) != version:
        return {}
    return {
        row["workload"]: Speed(row["ratio"], row["low"], row["high"])
        for row in known["measured"]
        if row["target"] == target and row["ratio"] is not None
    }
