"""Finds the vectors of every kind, by id and by pattern: the one place that knows where they stand.

An id is a path, such as `v2/gzip/plain`. A pattern as in a shell fits an id, or an id with the name
of its source in front: `deliver/*`, `group-metadata-*`, `conversations/*`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from kafka_tools.errors import UsageError

from kafka_conformance.vectors import (
    contents,
    conversations,
    directions,
    golden,
    log_vectors,
    orders,
    protocol,
    scenarios,
    schema_contents,
)
from kafka_conformance.vectors.patterns import WILD, chooses
from kafka_conformance.vectors.vector import AnyVector, Vector

_NEAR: Final = 3
_LIKENESS: Final = 0.6
_LISTED: Final = "`kafka-conformance vectors` lists them all; patterns match whole ids."


class Source(StrEnum):
    """Where vectors stand; but for records, the name of their folder."""

    RECORDS = "records"
    DIRECTIONS = directions.FOLDER
    CONVERSATIONS = conversations.FOLDER
    ORDERS = orders.FOLDER
    SCENARIOS = scenarios.FOLDER
    LOG = log_vectors.FOLDER
    START = log_vectors.STARTS_FOLDER
    PROTOCOL = protocol.FOLDER
    CONTENT = contents.FOLDER


class Filters(NamedTuple):
    """Which vectors are wanted; what is empty lets everything pass.

    Attributes:
        patterns: of ids; a vector fits if it fits one of them.
        rule: a pattern of rules.
        verdict: the verdict.
        apis: numbers of APIs; a request or response fits if it is of one.
    """

    patterns: tuple[str, ...] = ()
    rule: str = ""
    verdict: str = ""
    apis: frozenset[int] = frozenset()

    @property
    def is_whole(self) -> bool:
        """True if nothing is left out."""
        return self == EVERY

    def of(self, source: Source) -> Filters:
        """Return the same with patterns also without the name of a source in front."""
        short = tuple(pattern.removeprefix(f"{source}/") for pattern in self.patterns)
        return self._replace(patterns=tuple(dict.fromkeys((*self.patterns, *short))))

    def fit(self, vector: AnyVector) -> bool:
        """Tell whether a vector passes all filters."""
        is_of_api = not self.apis or vector.document.get("api") in self.apis
        return is_of_api and self.fit_named(vector.id, vector.rules, vector.verdict)

    def fit_named(self, identity: str, rules: Iterable[str], verdict: str) -> bool:
        """Tell whether a vector of this id, these rules and this verdict passes.

        Upper and lower case differ, so that a pattern means the same on every system.
        """
        return (
            (not self.patterns or chooses(self.patterns, identity))
            and (not self.rule or any(fnmatchcase(known, self.rule) for known in rules))
            and self.verdict in {"", verdict}
        )

    def keep(self, vectors: Iterable[Vector]) -> list[Vector]:
        """Return the vectors that pass all filters, in order."""
        return [vector for vector in vectors if self.fit(vector)]


ALL: Final = tuple(Source)

ABOUT: Final[Mapping[str, tuple[Source, ...]]] = {
    "records": (Source.RECORDS, Source.DIRECTIONS, Source.CONVERSATIONS, Source.ORDERS),
    "messages": (Source.PROTOCOL,),
    "scenarios": (Source.SCENARIOS,),
    "logs": (Source.LOG, Source.START),
    "contents": (Source.CONTENT,),
}
"""The sources of the vectors, by what they are about."""


EVERY: Final = Filters()


def load(filters: Filters = EVERY, sources: Iterable[Source] = ALL, folder: Path | None = None) -> Iterator[AnyVector]:
    """Yield the vectors that fit, in the order of sources, files and lines.

    Args:
        filters: which are wanted.
        sources: where to look.
        folder: of all vectors; by default that of this distribution.

    Raises:
        UsageError: a file is wrong.
    """
    place = folder or golden.package_folder()
    for source in sources:
        wanted = filters.of(source)
        yield from filter(wanted.fit, _LOADERS[source](place, wanted.patterns))


def choose(filters: Filters, sources: Sequence[Source] = ALL) -> list[AnyVector]:
    """Return the vectors of this distribution that fit; each pattern has to find some.

    Raises:
        UsageError: a pattern fits no id, none is left, or a file is wrong.
    """
    for pattern in filters.patterns:
        if not any(True for _ in load(Filters((pattern,)), sources)):
            raise UsageError(f"no vector matches {pattern!r}.", _advice(pattern, sources))
    return _some(load(filters, sources))


def narrow(vectors: Iterable[AnyVector], filters: Filters) -> list[AnyVector]:
    """Return those of some vectors that fit.

    Raises:
        UsageError: none is left.
    """
    return _some(filter(filters.fit, vectors))


def _some(vectors: Iterable[AnyVector]) -> list[AnyVector]:
    chosen = list(vectors)
    if not chosen:
        raise UsageError("no vector matches.", _LISTED)
    return chosen


def find(identity: str, sources: Sequence[Source] = ALL) -> AnyVector:
    """Return the vector of an id.

    Raises:
        UsageError: there is none; near ids are suggested.
    """
    if WILD.search(identity):
        raise UsageError(f"{identity!r} is a pattern of ids.", "Name one vector.")
    return choose(Filters((identity,)), sources)[0]


def of_family(family: str, patterns: Sequence[str] = ()) -> tuple[Vector, ...]:
    """Return the vectors that are about more than decoding: `deliver`, `assign`, ...

    Args:
        family: the family of such vectors.
        patterns: only those whose id matches one of these; empty for all.
    """
    found = load(Filters(tuple(patterns)), [_SOURCE_OF[family]])
    return tuple(vector for vector in found if isinstance(vector, Vector) and vector.family == family)


_SOURCE_OF: Final[Mapping[str, Source]] = {
    directions.DELIVER: Source.DIRECTIONS,
    directions.ASSIGN: Source.DIRECTIONS,
    conversations.FAMILY: Source.CONVERSATIONS,
    orders.FAMILY: Source.ORDERS,
    scenarios.FAMILY: Source.SCENARIOS,
}

_Loader = Callable[[Path, Sequence[str]], Iterable[AnyVector]]


def _records(folder: Path, patterns: Sequence[str]) -> Iterable[AnyVector]:
    return golden.load(folder, patterns=patterns)


def _messages(folder: Path, patterns: Sequence[str]) -> Iterable[AnyVector]:
    """Return the vectors of the protocol; only those files are read that may have a fitting id."""
    if not (folder / protocol.FOLDER).is_dir():
        return ()
    families = protocol.families_of(patterns, folder)
    return protocol.load(folder, families) if families else ()


def _contents(folder: Path, patterns: Sequence[str]) -> Iterable[AnyVector]:
    """Return the vectors of keys and values, also those that are made of the protocol's."""
    return chain(contents.load(folder, patterns), schema_contents.load(folder))


_LOADERS: Final[Mapping[Source, _Loader]] = {
    Source.RECORDS: _records,
    Source.DIRECTIONS: lambda folder, _: directions.load(folder),
    Source.CONVERSATIONS: conversations.load,
    Source.ORDERS: lambda folder, _: orders.load(folder),
    Source.SCENARIOS: scenarios.load,
    Source.LOG: lambda folder, _: log_vectors.load(folder),
    Source.START: lambda folder, _: log_vectors.starts(folder),
    Source.PROTOCOL: _messages,
    Source.CONTENT: _contents,
}


def _advice(pattern: str, sources: Sequence[Source]) -> str:
    """Say where else a pattern fits, or what is like it."""
    for source in [source for source in ALL if source not in sources]:
        if any(True for _ in load(Filters((pattern,)), [source])):
            return f"It names vectors of {source}, which are not asked for here."
    return near(pattern, sources) or _LISTED


def near(pattern: str, sources: Sequence[Source] = ALL) -> str:
    """Suggest ids, or beginnings of ids, that are like a pattern; empty if none is."""
    from difflib import get_close_matches  # noqa: PLC0415 - only errors need it

    small = [source for source in sources if source is not Source.PROTOCOL]
    ids = [vector.id for vector in load(sources=small)]
    first, slash, _ = pattern.partition("/")
    if WILD.search(pattern):
        words = dict.fromkeys(chain(sources, (name.partition("/")[0] for name in ids), _layouts(sources)))
        alike = [f"{word}/*" for word in get_close_matches(WILD.split(first)[0], words, _NEAR, _LIKENESS)]
    else:
        of_protocol = load(Filters((f"{first}/*",)), [Source.PROTOCOL]) if slash and Source.PROTOCOL in sources else ()
        alike = get_close_matches(pattern, chain(ids, (vector.id for vector in of_protocol)), _NEAR, _LIKENESS)
    return f"Did you mean {' or '.join(alike)}?" if alike else ""


def _layouts(sources: Iterable[Source]) -> Iterator[str]:
    """Yield the beginnings of the ids of requests, responses and schema records."""
    if Source.PROTOCOL in sources:
        yield from protocol.beginnings()
