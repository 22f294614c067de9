"""The first page: a sentence for each language, one message in every format, how much there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kafka_conformance.targets import catalogue
from kafka_conformance.targets.catalogue import Part
from kafka_generator.card import page as card
from kafka_generator.card import sentences
from kafka_generator.card.clients import Client
from kafka_tools.text import plural

from kafka_site.model import Site
from kafka_site.pictures.byte_map import legend
from kafka_site.stories.sizes import samples


def values(site: Site) -> dict[str, Any]:
    """Return what the text of this page is filled with."""
    shown = samples()
    return {
        "samples": shown,
        "legend": legend([line for sample in shown for line in sample.explanation.lines]),
        "languages": {name: _linked(site, clients) for name, (_, clients) in card.card().languages.items()},
        "layouts": len(site.layouts),
        "apis": len({layout.api for layout in site.versioned.values() if layout.api is not None}),
        "rules": len([rule for rule in site.rules.values() if rule.about != "adapter"]),
        "vectors": len(site.vectors),
        "decoders": len(catalogue.about(Part.DECODER).keys() | catalogue.about(Part.MESSAGES).keys()),
        "reports": len({report for bug in site.bugs.reported for report in bug.reports}),
    }


def _linked(site: Site, clients: Sequence[Client]) -> str:
    """Return the verdicts of the clients of a language, the best first, linked to their pages."""
    told = [
        f"{site.addresses.link('client', client.library, 'index', text=client.name)} {_level(client)}"
        for client in clients
    ]
    return f"{'; '.join(told)}."


def _level(client: Client) -> str:
    """Return the verdict on a client, with how many bugs of that moment it has."""
    bugs = sentences.judged(client)
    return f"{client.level.words} ({plural(len(bugs), 'bug')})" if bugs else client.level.words
