"""How a broker gives offsets in each format: a producer's bytes, and those that the broker writes.

Requests and results are vectors of `vectors/directions/assign.jsonl`, which Kafka's own
LogValidator judged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from kafka_conformance.vectors import directions
from kafka_format.explain.lines import Line, explain, explain_v07
from kafka_format.records import decode, decode_v07

from kafka_site.model import Site
from kafka_site.pictures.byte_map import byte_map, legend

_SHOWN: Final = {
    "v0": "assign/v0/uncompressed",
    "v0_wrapper": "assign/v0/wrapper",
    "v1_wrapper": "assign/v1/wrapper",
    "v1_append_time": "assign/v1/wrapper-append-time",
    "v2": "assign/v2/compressed",
    "v2_append_time": "assign/v2/append-time",
}
"""The vectors that the story shows, by what its text calls them."""

_PHYSICAL: Final = "v07/offset/three-messages"


class Assigned(NamedTuple):
    """One request and what became of it.

    Attributes:
        title: what is special, in a sentence.
        vector: the id.
        first: offset that the first record gets.
        before: map of the bytes that the producer sent.
        after: map of the bytes that the broker keeps, with those that it wrote; empty if it wrote
            all anew.
        written: how many bytes it wrote.
        size: how many bytes the producer sent.
    """

    title: str
    vector: str
    first: str
    before: str
    after: str
    written: int
    size: int


class Anew(NamedTuple):
    """The messages inside of a wrapper, as maps, and how many bytes the broker wrote there."""

    before: str
    after: str
    written: int


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this story is filled with."""
    known = {direction["id"]: direction for direction in directions.documents()}
    physical = site.vectors[_PHYSICAL]
    starts = [0, *(record.offset for record in decode_v07(physical.data))]
    return {
        "assigned": {name: _assign(known[identity]) for name, identity in _SHOWN.items()},
        "physical": list(zip(starts, starts[1:], decode_v07(physical.data), strict=False)),
        "physical_vector": _PHYSICAL,
        "physical_map": byte_map(explain_v07(physical.data).lines, "Three messages of 0.7", _last_bytes(physical.data)),
        "anew": _renumber(known[_SHOWN["v0_wrapper"]]),
        "legend": legend(explain(bytes.fromhex(known[_SHOWN["v2"]]["hex"])).lines),
        "compacted": _compact(known["deliver/wrapper/v1-compacted"]),
    }


def _last_bytes(data: bytes) -> frozenset[int]:
    """Return the place of the last byte of each message: what a consumer of 0.7 goes on after."""
    return frozenset(record.offset - 1 for record in decode_v07(data))


def _renumber(vector: Mapping[str, Any]) -> Anew:
    """Return what is inside of a wrapper that the broker writes anew, before and after."""
    before = b"".join(line.raw for line in explain(bytes.fromhex(vector["hex"])).lines if line.payload)
    # The messages keep their sizes, and stand at the end of the wrapper that holds them.
    after = bytes.fromhex(vector["expected"]["unpacked"])[-len(before) :]
    written = frozenset(_places(explain(after).lines, {"offset"}))
    return Anew(
        byte_map(explain(before).lines, "The messages that the producer compressed"),
        byte_map(explain(after).lines, "The messages that the broker compressed again", written),
        len(written),
    )


def _assign(vector: Mapping[str, Any]) -> Assigned:
    before = bytes.fromhex(vector["hex"])
    after = bytes.fromhex(vector["expected"].get("hex", ""))
    written = _places(_outer(after), vector["expected"].get("changed", ()))
    return Assigned(
        title=vector["title"],
        vector=vector["id"],
        first=vector["first_offset"],
        before=byte_map(_outer(before), "What the producer sent"),
        after=byte_map(_outer(after), "What the broker keeps", written) if after else "",
        written=len(written),
        size=len(before),
    )


def _places(lines: Iterable[Line], fields: Collection[str]) -> frozenset[int]:
    """Return the places of all bytes of some fields of entries, not of their records."""
    mine = (line for line in lines if line.path.removeprefix("message.") in fields)
    return frozenset(place for line in mine for place in range(line.start, line.start + len(line.raw)))


def _outer(data: bytes) -> list[Line]:
    """Return the lines of the bytes themselves, not of what is compressed in them."""
    return [line for line in explain(data).lines if not line.payload]


def _compact(vector: Mapping[str, Any]) -> dict[str, Any]:
    """Return a wrapper with holes in its inner offsets: its offset, and its records' offsets."""
    data = bytes.fromhex(vector["hex"])
    lines = explain(data).lines
    inner = [line.value for line in lines if line.payload and line.path.endswith("].offset")]
    return {"outer": lines[0].value, "inner": inner, "records": [record.offset for record in decode(data)]}
