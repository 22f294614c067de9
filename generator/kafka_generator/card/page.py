"""What docs/clients.md, README.md and the site show of the report card: from one place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from kafka_conformance.reports.badges import LABEL
from kafka_conformance.targets.catalogue import Part

from kafka_generator.card import circumstances, sentences
from kafka_generator.card.bugs import Found
from kafka_generator.card.clients import PARTS, Client, clients, readers
from kafka_generator.card.order import by_language
from kafka_generator.card.rules import RARE, TODAY, Column, Rules, rules
from kafka_generator.recorded import speed as speeds

_MOMENTS: Final = (*TODAY, "elsewhere", "old", "damaged", "crafted")


class Card(NamedTuple):
    """All that the report card shows.

    Attributes:
        languages: the sentence of each language and its clients, the best first.
        decoders: libraries that are no clients: decoders alone.
        readers: what reads keys and values.
        rules: the rules by which all of it was made.
    """

    languages: Mapping[str, tuple[str, list[Client]]]
    decoders: list[Client]
    readers: list[Client]
    rules: Rules


@cache
def card() -> Card:
    """Return the report card of what was recorded."""
    every = by_language(clients())
    return Card(
        {
            name: (sentences.of_language(name, group), [client for client in group if client.is_client])
            for name, group in every.items()
            if any(client.is_client for client in group)
        },
        [client for group in every.values() for client in group if not client.is_client],
        list(readers()),
        rules(),
    )


def ordered() -> list[Client]:
    """Return the clients in the order of the table, decoders alone left out."""
    return [client for _, group in card().languages.values() for client in group]


def counts(client: Client, column: Column) -> str:
    """Return the bugs of a column for a cell: `2 today, 3 old`; empty if it was not run."""
    found = client.found_in(column)
    return "" if found is None else _counted(found)


def counts_of_values(reader: Client) -> str:
    """Return the bugs of a reader of keys and values, as `counts` does."""
    return _counted(reader.found[Part.SERDE])


def _counted(found: Found) -> str:
    words = {"elsewhere": "of other brokers"}
    counts = [f"{many} {words.get(name, name)}" for name in _MOMENTS if (many := found.of(name))]
    counts += [f"{found.unnamed} not named"] if found.unnamed else []
    counts += [f"{found.unexplained} open"] if found.unexplained else []
    return ", ".join(counts) or "none"


def speed(client: Client) -> str:
    """Return how many times as fast as the yardstick its decoder reads; empty if not timed."""
    timed = speeds.of(client.library, client.version)
    return "" if timed is None else f"{timed.ratio:.2g}"


def met() -> dict[str, list[str]]:
    """Return the words of circumstances of data of today, by how often they are."""
    document = circumstances.document()
    others = [document["rare_data"]["words"], document["administration"]["words"]]
    words = {often: [one.words for one in circumstances.circumstances() if one.often == often] for often in TODAY}
    return words | {RARE: words[RARE] + others}


def badge(client: Client) -> dict[str, Any]:
    """Return the badge of a client, as shields.io draws it."""
    message, color = client.level.badge
    return {"schemaVersion": 1, "label": LABEL, "message": f"{client.version}: {message}", "color": color}


def values() -> dict[str, Any]:
    """Return what the template of docs/clients.md needs."""
    return {
        "card": card(),
        "speed": speed,
        "timed": speeds.document(),
        "met": met(),
        "columns": rules().columns,
        "counts": counts,
        "counts_of_values": counts_of_values,
        "has_no": sentences.has_no,
        "verdict": sentences.verdict,
        "parts": PARTS,
    }
