"""When the bytes of vectors occur: today, only in data of other brokers, in old data, and so on.

It follows from what each vector says of itself: where its bytes can come from, the formats of its
entries, and, of requests and responses, the releases that have their version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from kafka_conformance.vectors import loader, protocol
from kafka_conformance.vectors.loader import Source
from kafka_conformance.vectors.vector import Reach, Subject, Vector
from kafka_format.spec import data
from kafka_format.spec.layout import specification

from kafka_generator.card.rules import TODAY, rules
from kafka_generator.reach import table

_OF_REACH: Final = {Reach.DAMAGE: "damaged", Reach.CRAFTED: "crafted"}
_NEWEST_FORMAT: Final = "v2"
_CONTENT: Final = "content/"
"""What stands in front of the id of a vector of the protocol that is put to a reader of values."""

_RECORDS: Final = (Source.RECORDS, Source.DIRECTIONS, Source.CONVERSATIONS, Source.ORDERS, Source.CONTENT)


def moment_of(vectors: Iterable[str]) -> str:
    """Return the name of the first moment, in the order of the rules, at which one occurs.

    Args:
        vectors: ids of vectors; `ID@VERSION` for a request or response in one version. Those that
            no longer exist are passed over.
    """
    names = {name for vector in vectors if (name := _moment(vector))}
    return next((moment.name for moment in rules().moments if moment.name in names), "crafted")


def of_record(reach: Reach, formats: Iterable[str], *, elsewhere: bool = False) -> str:
    """Return the moment of bytes from somewhere, in some formats.

    Args:
        reach: where they can come from.
        formats: those of their entries.
        elsewhere: whether only brokers other than Apache Kafka write them.
    """
    if reach in _OF_REACH:
        return _OF_REACH[reach]
    if not set(formats) <= {_NEWEST_FORMAT}:
        return "old"
    return "elsewhere" if elsewhere else TODAY


def of_message(reach: Reach, layout: str, version: int) -> str:
    """Return the moment of a request, response or schema record in one version."""
    if reach in _OF_REACH:
        return _OF_REACH[reach]
    known = specification().versioned.get(layout)
    return "old" if known is not None and version in known.until else TODAY


def _moment(vector: str) -> str:
    if vector in _records():
        return _records()[vector]
    identity, _, version = vector.removeprefix(_CONTENT).partition("@")
    found = _message(identity)
    if found is None:
        return ""
    reach, layout, versions = found
    asked = [int(version)] if version.isdecimal() else versions
    names = {of_message(reach, layout, number) for number in asked}
    return TODAY if TODAY in names else next(iter(names), "")


@cache
def _records() -> Mapping[str, str]:
    """Return the moment of every vector of records, and of keys and values, by id."""
    lines = [line for line in table.load(data.path("vectors") / table.FILE) if line.only]
    return {
        vector.id: of_record(
            vector.reach,
            () if vector.subject is Subject.CONTENT else vector.formats,  # kinds of content have no age
            elsewhere=any(line.is_about(vector.id) for line in lines),
        )
        for vector in loader.load(sources=_RECORDS)
        if isinstance(vector, Vector)
    }


def _message(identity: str) -> tuple[Reach, str, tuple[int, ...]] | None:
    """Return reach, layout and versions of a vector of the protocol; None if there is none."""
    families = protocol.families_of((identity,), data.path("vectors"))
    return _of_families(tuple(families)).get(identity) if families else None


@cache
def _of_families(families: tuple[str, ...]) -> Mapping[str, tuple[Reach, str, tuple[int, ...]]]:
    return {
        vector.id: (vector.reach, vector.layout, tuple(vector.versions)) for vector in protocol.load(families=families)
    }
