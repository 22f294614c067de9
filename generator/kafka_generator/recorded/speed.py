"""How fast decoders were beside one another: docs/recorded/bench.json, from `run --bench`."""

from __future__ import annotations

import json
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
    """Return the speed of a release of a target; None if it was not timed."""
    known = document()
    if known.get("targets", {}).get(target) != version:
        return None
    for row in known["measured"]:
        if row["target"] == target and row["workload"] == WORKLOAD and row["ratio"] is not None:
            return Speed(row["ratio"], row["low"], row["high"])
    return None
