"""The page of the releases: what each brought to the bytes, and what its readers are like."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from kafka_format.spec.layout.release_table import numbers

from kafka_site.addresses import Address
from kafka_site.model import Page, Site
from kafka_site.templates import render


class _News(NamedTuple):
    """What begins or ends with a release."""

    structures: list[str]
    last_structures: list[str]
    rules: list[str]
    apis: list[tuple[str, str, list[int]]]
    gone: list[tuple[str, str, list[int]]]


def pages(site: Site) -> Iterator[Page]:
    """Yield the page."""
    names = _names(site)
    yield Page(
        "releases",
        [Address("release", name, "releases", f"release-{name}") for name in names],
        partial(_text, site, names),
    )


def _names(site: Site) -> list[str]:
    """Return all releases that something says `since` or `until` of, newest first."""
    names = set(site.releases)
    for layout in site.layouts.values():
        names |= {layout.since, layout.until}
    for rule in site.rules.values():
        names |= {rule.since, rule.until}
    for versioned in site.versioned.values():
        names |= {*versioned.since.values(), *versioned.until.values()}
    known = [name for name in names if name and name[0].isdigit()]
    return sorted(known, key=numbers, reverse=True)


def _text(site: Site, names: list[str]) -> str:
    return render(
        "releases.md.j2",
        names=names,
        news={name: _news(name, site) for name in names},
        judges=site.releases,
        link=partial(site.addresses.link, page="releases"),
    )


def _news(release: str, site: Site) -> _News:
    layouts = site.layouts.values()
    return _News(
        structures=[layout.name for layout in layouts if layout.since == release],
        last_structures=[layout.name for layout in layouts if layout.until == release],
        rules=[rule.id for rule in site.rules.values() if rule.since == release],
        apis=_versions(release, site, "since"),
        gone=_versions(release, site, "until"),
    )


def _versions(release: str, site: Site, key: str) -> list[tuple[str, str, list[int]]]:
    """Return name, title and versions of what a release was the first or the last to have."""
    rows = []
    for layout in site.versioned.values():
        versions = [version for version, name in getattr(layout, key).items() if name == release]
        if versions and layout.kind != "response" and not layout.variant_of:
            rows.append((layout.name, layout.kafka.removesuffix("Request"), versions))
    return sorted(rows, key=lambda row: row[1])
