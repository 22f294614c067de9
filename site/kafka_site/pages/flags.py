"""The page of the flags: where Kafka's own readers accept more than its writers write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from kafka_site.addresses import Address
from kafka_site.model import Page, Site
from kafka_site.templates import render


def pages(site: Site) -> Iterator[Page]:
    """Yield the page."""
    yield Page("flags", [Address("flag", name, "flags", name) for name in site.flags], partial(_text, site))


def _text(site: Site) -> str:
    return render(
        "flags.md.j2",
        flags=site.flags.values(),
        releases=site.releases,
        counts=Counter(vector.flag for vector in site.vectors.values() if vector.flag),
        vectors={name: [vector for vector in site.vectors.values() if vector.flag == name][:6] for name in site.flags},
        link=partial(site.addresses.link, page="flags"),
    )
