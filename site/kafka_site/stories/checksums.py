"""What a checksum catches: every bit of a message flipped, and a strict decoder's verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from kafka_format.errors import FormatError, Stage
from kafka_format.explain.lines import explain
from kafka_format.records import decode

from kafka_site.model import Site
from kafka_site.pictures.bit_map import bit_map

_SHOWN: Final = {
    "v0": "wild/java-0-8-2-2/v0/none/one",
    "v1": "wild/java-0-10-0-1/v1/none/one",
    "v2": "wild/java-4-4-0/none/one",
    "v2, zstd": "wild/java-4-4-0/zstd/one",
}
"""One record each, as Kafka's own producers write it."""

OUTCOMES: Final = {
    "checksum": "the checksum is wrong",
    "framing": "a length, a magic byte or the end of the data is wrong, before any checksum",
    "rule": "another rule is broken",
    "lost": "nothing is refused, and a record is missing: the entry seems cut off",
    "changed": "nothing is refused, and the records are others",
    "same": "nothing is refused, and the records are the same",
}
"""What can happen, the best first."""


class Flips(NamedTuple):
    """All flips of one vector."""

    format: str
    vector: str
    counts: Counter[str]
    fields: dict[str, list[str]]
    picture: str

    @property
    def bits(self) -> int:
        """How many there are."""
        return self.counts.total()


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    flips = [_flips(name, identity, site.vectors[identity].data) for name, identity in _SHOWN.items()]
    return {"flips": flips, "outcomes": OUTCOMES}


def _flips(name: str, vector: str, data: bytes) -> Flips:
    outcomes = [[_outcome(data, place, bit) for bit in range(7, -1, -1)] for place in range(len(data))]
    return Flips(
        format=name,
        vector=vector,
        counts=Counter(outcome for byte in outcomes for outcome in byte),
        fields={outcome: _fields(data, outcomes, outcome) for outcome in OUTCOMES},
        picture=bit_map(outcomes, f"What flipping each bit of a message of {name} leads to"),
    )


def _outcome(data: bytes, place: int, bit: int) -> str:
    flipped = bytearray(data)
    flipped[place] ^= 1 << bit
    try:
        records = decode(bytes(flipped))
    except FormatError as error:
        return {Stage.CHECKSUM: "checksum", Stage.FRAMING: "framing"}.get(error.stage, "rule")
    expected = decode(data)
    if records == expected:
        return "same"
    return "lost" if len(records) < len(expected) else "changed"


def _fields(data: bytes, outcomes: Sequence[Sequence[str]], outcome: str) -> list[str]:
    """Return the fields in which a flip leads to an outcome, in wire order."""
    lines = [line for line in explain(data).lines if not line.payload]
    return [
        line.path
        for line in lines
        if any(outcome in outcomes[place] for place in range(line.start, line.start + len(line.raw)))
    ]
