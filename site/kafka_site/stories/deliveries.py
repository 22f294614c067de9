"""What consumers make of transactions and compaction: responses as strips, as Kafka judged them.

The responses are vectors of `vectors/directions/deliver.jsonl`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from kafka_conformance.vectors import directions
from kafka_format.broker.consumer import ISOLATIONS, deliver
from kafka_format.explain.lines import explain

from kafka_site.examples import html
from kafka_site.model import Site
from kafka_site.pictures.offset_strip import offset_strip

_SHOWN: Final = {
    "turns": "deliver/aborted/commit-abort-commit",
    "two": "deliver/aborted/two-producers",
    "holes": "deliver/offset/holes-everywhere",
    "tail": "deliver/next/compacted-tail",
    "empty": "deliver/next/empty-batch",
}
"""The vectors that the story shows, by what its text calls them."""

_MARKER: Final = "control/marker/abort"
_IDEMPOTENT: Final = "wild/java-4-4-0/zstd/idempotent"


class Shown(NamedTuple):
    """One response, and what becomes of it."""

    title: str
    vector: str
    aborted: list[tuple[int, int]]
    next_offset: int
    picture: str


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    known = {direction["id"]: direction for direction in directions.documents()}
    batch = site.vectors[_IDEMPOTENT]
    producer = [line for line in explain(batch.data).lines if line.path in _PRODUCER]
    return {
        "shown": {name: _show(known[identity]) for name, identity in _SHOWN.items()},
        "marker": html(
            "marker", explain(site.vectors[_MARKER].data), "A marker that aborts: ", f"<code>{_MARKER}</code>"
        ),
        "producer": [(line.path, line.raw.hex(" "), line.value) for line in producer],
        "idempotent": _IDEMPOTENT,
    }


_PRODUCER: Final = ("producer_id", "producer_epoch", "base_sequence")


def _show(vector: Mapping[str, Any]) -> Shown:
    data = bytes.fromhex(vector["hex"])
    aborted = [(int(producer), int(first)) for producer, first in vector["aborted"]]
    isolations = ISOLATIONS if aborted else ISOLATIONS[:1]
    made = {name: deliver(data, int(vector["fetch_offset"]), name, aborted) for name in isolations}
    return Shown(
        title=vector["title"],
        vector=vector["id"],
        aborted=aborted,
        next_offset=int(vector["expected"]["next_offset"]),
        picture=offset_strip(data, made, vector["title"]),
    )
