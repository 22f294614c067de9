"""Vectors of the protocol that are about content of groups, as vectors of keys and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_format.codec.structures import structure
from kafka_format.content.schemas import LAYOUTS
from kafka_format.protocol.json_form import UNKNOWN
from kafka_format.spec.layout import specification

from kafka_conformance.vectors import contents, protocol
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Vector, Verdict

_FAMILIES: Final = ("content", "group_records", "groups")
_ARRAYS: Final = ("assignment", "revoked")
"""Arrays that may be null."""

_KINDS: Final = {layout: kind for kind, layout in LAYOUTS.items()}


@cache
def load(folder: Path) -> tuple[Vector, ...]:
    """Return each vector of these layouts in each version, with the id `content/ID@VERSION`.

    Args:
        folder: of all vectors.
    """
    if not (folder / protocol.FOLDER).is_dir():
        return ()
    known = (vector for vector in protocol.load(folder, _FAMILIES) if vector.layout in _KINDS and not vector.is_framed)
    return tuple(contents.vector_of(line) for vector in known for line in _lines(vector))


def _lines(vector: ProtocolVector) -> Iterator[dict[str, Any]]:
    """Yield the lines of a vector.

    Of what tells no version only valid bytes are asked: what is left of one may be another.
    """
    behind = specification().versioned[vector.layout].behind
    if not behind and vector.verdict is not Verdict.VALID:
        return
    for number in vector.versions:
        front = structure(behind).encode({"version": number}) if behind else b""
        line = {
            "id": f"{contents.FOLDER}/{vector.id}@{number}",
            "title": vector.title,
            "content": _KINDS[vector.layout],
            "verdict": vector.verdict,
            "hex": (front + vector.data).hex(),
            "headers": [],
            "reach": {"from": vector.reach, "evidence": vector.evidence},
            "authority": vector.message,
            "oracle": {f"kafka {release}": {said: {}} for release, said in vector.oracle.items()},
        }
        rule = {"rule": vector.rules[0]} if vector.verdict is not Verdict.VALID else {}
        yield line | rule | ({"answers": _answers(vector.value, number, told=bool(behind))} if vector.value else {})


def _answers(value: Mapping[str, Any], number: int, *, told: bool) -> list[dict[str, Any]]:
    """Return the right answers.

    A reader may leave out tagged fields that it does not know, and give arrays that are null as
    empty ones; who tells no version may give what that lacks its default.
    """
    values = [dict(value)]
    if any(value.get(name, 0) is None for name in _ARRAYS):
        values.append({name: [] if name in _ARRAYS and of is None else of for name, of in value.items()})
    if (known := _known(value)) != value:
        values.append(known)
    if not told and "generation" not in value:
        values.append({**value, "generation": -1})
    return [{"value": {"version": number, **each} if told else each} for each in values]


def _known(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a value without the tagged fields that nobody knows."""
    if isinstance(value, Mapping):
        return {name: _known(of) for name, of in value.items() if name != UNKNOWN}
    return [_known(each) for each in value] if isinstance(value, list) else value
