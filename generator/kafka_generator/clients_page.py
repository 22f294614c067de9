"""Makes docs/clients.md: the decoder, consumer, producer and codec of each client side by side."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from kafka_conformance.targets import manifest
from kafka_conformance.targets.catalogue import Part

from kafka_generator.recorded import results
from kafka_generator.recorded.results import Row

PAGE: Final = "clients.md"

PARTS: Final = {
    Part.DECODER: "its decoder of records",
    Part.CONSUMER: "its consumer",
    Part.PRODUCER: "its producer",
    Part.MESSAGES: "its requests and responses",
}
"""The parts of a client that the suite knows to ask, and the headings of their columns."""

_LIVE: Final = (Part.CONSUMER, Part.PRODUCER)


class Client(NamedTuple):
    """A row of the page: one library.

    Attributes:
        name: that of its target with the shortest name, without the part: `sarama`.
        url: its home.
        language: the language that it is written in.
        version: the release that was run.
        parts: the counts of bugs by part, as a report has them; of parts that were run.
    """

    name: str
    url: str
    language: str
    version: str
    parts: Mapping[str, Mapping[str, int]]


def values() -> dict[str, Any]:
    """Return what the template needs."""
    return {"clients": _clients(), "parts": PARTS, "releases": _older_releases(), "runs": _runs()}


def _clients() -> list[Client]:
    """Return every library in its newest release, those first of which most parts were run."""
    clients: dict[str, Client] = {}
    for row in chain.from_iterable(map(results.of, PARTS)):
        target = manifest.load_all().get(row.target)
        if target is None:  # an older release, or gone since
            continue
        known = clients.get(target.url)
        name = target.name.removeprefix("consumer-").removeprefix("producer-")
        if known is None or len(name) < len(known.name):
            parts = {} if known is None else known.parts
            known = Client(name, target.url, target.language, row.version, parts)
        clients[target.url] = known._replace(parts={row.part: {"unexplained": 0, **row.bugs}, **known.parts})
    return sorted(clients.values(), key=lambda client: (-len(client.parts), client.name))


def _live() -> list[Row]:
    """Return the rows of consumers and producers, by name."""
    return sorted(chain.from_iterable(map(results.of, _LIVE)), key=lambda row: row.target)


def _older_releases() -> list[tuple[str, str, Mapping[str, int]]]:
    """Return client, part and counts of bugs of every older release of a consumer or producer."""
    return [
        (f"{row.name.removeprefix(f'{row.part}-')} {row.version}", row.part, {"unexplained": 0, **row.bugs})
        for row in _live()
        if not row.is_newest and row.name in manifest.load_all()
    ]


def _runs() -> list[tuple[str, int, list[str]]]:
    """Return the targets by day of their run and number of vectors, the newest day first.

    Both are empty for rows that were taken before they were noted.
    """
    runs: dict[tuple[str, int], list[str]] = {}
    for row in _live():
        runs.setdefault((row.run, row.vectors), []).append(row.target)
    return [(run, vectors, names) for (run, vectors), names in sorted(runs.items(), reverse=True)]
