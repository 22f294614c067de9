"""When the bytes of vectors occur: every day, rarely, only in data of other brokers, and so on.

It follows from what each vector says of itself: where its bytes can come from, the formats of its
entries, the circumstances that it tells, and, of requests and responses, the releases that have
their version.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, NamedTuple

from kafka_conformance.vectors import loader, protocol
from kafka_conformance.vectors.loader import Source
from kafka_conformance.vectors.vector import Reach, Subject, Vector
from kafka_format.spec import data
from kafka_format.spec.layout import specification

from kafka_generator.card import circumstances
from kafka_generator.card.circumstances import Circumstance
from kafka_generator.card.rules import EVERYDAY, rules
from kafka_generator.reach import table

_OF_REACH: Final = {Reach.DAMAGE: "damaged", Reach.CRAFTED: "crafted"}
_NEWEST_FORMAT: Final = "v2"
_CONTENT: Final = "content/"
"""What stands in front of the id of a vector of the protocol that is put to a reader of values."""

_ATTRIBUTES: Final = slice(21, 23)
_TRANSACTIONAL: Final = 16
"""Where the first batch says that it is of a transaction; only those of v2 get this far."""

_RECORDS: Final = (Source.RECORDS, Source.DIRECTIONS, Source.CONVERSATIONS, Source.ORDERS, Source.CONTENT)


class When(NamedTuple):
    """When bytes occur: the name of a moment; of those of today, what their circumstances are."""

    moment: str
    words: str = ""


def moment_of(vectors: Iterable[str]) -> str:
    """Return the name of the moment of vectors, as `when` does."""
    return when(vectors).moment


def when(vectors: Iterable[str]) -> When:
    """Return the first moment, in the order of the rules, at which one of some vectors occurs.

    Of several circumstances at that moment, plain use goes before all others.

    Args:
        vectors: ids of vectors; `ID@VERSION` for a request or response in one version. Those that
            no longer exist are passed over.
    """
    each = [one for vector in vectors for one in _when(vector)]
    names = {one.moment for one in each}
    first = next((moment.name for moment in rules().moments if moment.name in names), "crafted")
    words = [one.words for one in each if one.moment == first]
    return When(first, circumstances.PLAIN if circumstances.PLAIN in words else next(iter(words), ""))


def of_record(reach: Reach, formats: Iterable[str], met: Circumstance | None, *, elsewhere: bool = False) -> When:
    """Return when bytes from somewhere occur, in some formats.

    Args:
        reach: where they can come from.
        formats: those of their entries.
        met: the circumstance in which they are met, if they are of today; None if none is known.
        elsewhere: whether only brokers other than Apache Kafka write them.
    """
    if reach in _OF_REACH:
        return When(_OF_REACH[reach])
    if not set(formats) <= {_NEWEST_FORMAT}:
        return When("old")
    if elsewhere:
        return When("elsewhere")
    return When(EVERYDAY) if met is None else When(met.often, met.words)


def of_message(reach: Reach, layout: str, version: int) -> When:
    """Return when a request, response or schema record occurs in one version."""
    if reach in _OF_REACH:
        return When(_OF_REACH[reach])
    known = specification().versioned.get(layout)
    if known is not None and version in known.until:
        return When("old")
    met = circumstances.of_layout(layout)
    return When(met.often, met.words)


def _when(vector: str) -> Iterable[When]:
    if vector in _records():
        return [_records()[vector]]
    identity, _, version = vector.removeprefix(_CONTENT).partition("@")
    found = _message(identity)
    if found is None:
        return []
    reach, layout, versions = found
    asked = [int(version)] if version.isdecimal() else versions
    return {of_message(reach, layout, number) for number in asked}


@cache
def _records() -> Mapping[str, When]:
    """Return when every vector of records, and of keys and values, occurs, by id."""
    lines = [line for line in table.load(data.path("vectors") / table.FILE) if line.only]
    return {
        vector.id: of_record(
            vector.reach,
            () if vector.subject is Subject.CONTENT else vector.formats,  # kinds of content have no age
            _met(vector),
            elsewhere=any(line.is_about(vector.id) for line in lines),
        )
        for vector in loader.load(sources=_RECORDS)
        if isinstance(vector, Vector)
    }


def _met(vector: Vector) -> Circumstance | None:
    if vector.subject is Subject.CONTENT:
        return None
    is_transactional = int.from_bytes(vector.data[_ATTRIBUTES]) & _TRANSACTIONAL > 0
    return circumstances.of_records(vector.evidence, vector.answer or (), is_transactional=is_transactional)


def _message(identity: str) -> tuple[Reach, str, tuple[int, ...]] | None:
    """Return reach, layout and versions of a vector of the protocol; None if there is none."""
    families = protocol.families_of((identity,), data.path("vectors"))
    return _of_families(tuple(families)).get(identity) if families else None


@cache
def _of_families(families: tuple[str, ...]) -> Mapping[str, tuple[Reach, str, tuple[int, ...]]]:
    return {
        vector.id: (vector.reach, vector.layout, tuple(vector.versions)) for vector in protocol.load(families=families)
    }
