"""The page of Kafka's proposals and tickets: which rules, structures and flags come from each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from kafka_format.spec.layout.model import Field

from kafka_site import sources
from kafka_site.addresses import Address
from kafka_site.model import Page, Site
from kafka_site.templates import render

_PATH: Final = "proposals"
_NAMED: Final = re.compile(r"\b(?:KIP|KAFKA)-\d+\b")


class Place(NamedTuple):
    """What names a proposal: its kind and name as an address has them, and what it says."""

    kind: str
    name: str
    text: str


def pages(site: Site) -> Iterator[Page]:
    """Yield the page."""
    by_proposal = places(site)
    yield Page(
        _PATH, [Address("proposal", name, _PATH, name) for name in by_proposal], partial(_text, site, by_proposal)
    )


def places(site: Site) -> Mapping[str, list[Place]]:
    """Return by proposal or ticket, in the order of the numbers, what names it."""
    by_proposal: dict[str, list[Place]] = {}
    for place, text in _named(site):
        for name in dict.fromkeys(_NAMED.findall(text)):
            by_proposal.setdefault(name, []).append(place)
    return dict(sorted(by_proposal.items(), key=lambda item: _order(item[0])))


def _order(name: str) -> tuple[bool, int]:
    kind, _, number = name.partition("-")
    return kind != "KIP", int(number)


def _named(site: Site) -> Iterator[tuple[Place, str]]:
    """Yield each place with all of its text that may name a proposal."""
    for layout in site.layouts.values():
        yield Place("structure", layout.name, layout.title), f"{layout.doc} {layout.source}"
        for field in layout.fields:
            yield from _of_field(layout.name, field)
    for versioned in site.versioned.values():
        yield Place("structure", versioned.name, versioned.doc), f"{versioned.doc} {versioned.source}"
    for rule in site.rules.values():
        if rule.about != "adapter":
            yield Place("rule", rule.id, rule.sentence), f"{rule.sentence} {rule.source}"
    for flag in site.flags.values():
        evidence = " ".join(observation.does for observation in flag.evidence)
        yield Place("flag", flag.name, flag.doc), f"{flag.doc} {evidence}"


def _of_field(layout: str, field: Field) -> Iterator[tuple[Place, str]]:
    yield Place("field", f"{layout}.{field.name}", field.doc), field.doc
    for bits in field.bits:
        yield Place("field", f"{layout}.{field.name}.{bits.name}", bits.doc), bits.doc


def _text(site: Site, by_proposal: Mapping[str, list[Place]]) -> str:
    return render(
        "proposals.md.j2",
        by_proposal=by_proposal,
        titles=sources.titles(),
        proposal=sources.proposal,
        has=site.addresses.has,
        link=partial(site.addresses.link, page=_PATH),
    )
