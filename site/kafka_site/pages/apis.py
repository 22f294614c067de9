"""The pages of the protocol: one for each API in all versions, and one for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_generator import protocol_pages

from kafka_site.addresses import Address
from kafka_site.model import Page, Site
from kafka_site.templates import render
from kafka_site.wire.changes import Changes, changes, rows

_FAMILIES: Final = protocol_pages.FAMILIES


def pages(site: Site) -> Iterator[Page]:
    """Yield the index, the page of each API, and the pages of what is no API, by family."""
    apis: dict[int, list[VersionedLayout]] = {}
    others: dict[str, list[VersionedLayout]] = {}
    for layout in site.versioned.values():
        if layout.api is not None:
            apis.setdefault(layout.api, []).append(layout)
        else:
            others.setdefault(layout.file.split("/")[2], []).append(layout)
    titles = {number: _title(layouts) for number, layouts in sorted(apis.items())}
    yield Page("protocol/index", [], partial(_index, titles, apis, others))
    for number, title in titles.items():
        yield _of(site, f"protocol/{_stem(apis[number])}", f"{title} (API {number})", sorted(apis[number], key=_order))
    for family, layouts in others.items():
        yield _of(site, f"protocol/{family}", _FAMILIES[family], layouts)


def _order(layout: VersionedLayout) -> tuple[bool, bool]:
    return bool(layout.variant_of), layout.kind == "response"


def _title(layouts: Sequence[VersionedLayout]) -> str:
    return min(layouts, key=_order).kafka.removesuffix("Request")


def _stem(layouts: Sequence[VersionedLayout]) -> str:
    return min(layouts, key=_order).name.removesuffix("_request")


def _of(site: Site, path: str, title: str, layouts: Sequence[VersionedLayout]) -> Page:
    addresses = [address for layout in layouts for address in _addresses(layout, path)]
    return Page(path, addresses, partial(_page, site, path, title, layouts))


def _addresses(layout: VersionedLayout, page: str) -> Iterator[Address]:
    yield Address("structure", layout.name, page, layout.name)
    for version in layout.versions.numbers:
        name = f"{layout.name}/{version}"
        yield Address("version", name, page, name)
    for row in rows(layout):
        name = f"{layout.name}.{row.path}"
        yield Address("field", name, page, name)


def _index(
    titles: Mapping[int, str],
    apis: Mapping[int, Sequence[VersionedLayout]],
    others: Mapping[str, Sequence[VersionedLayout]],
) -> str:
    return render(
        "protocol_index.md.j2",
        apis=[(number, title, min(apis[number], key=_order), _stem(apis[number])) for number, title in titles.items()],
        others=[(family, _FAMILIES[family], layouts) for family, layouts in others.items()],
    )


def _page(site: Site, path: str, title: str, layouts: Sequence[VersionedLayout]) -> str:
    return render(
        "api.md.j2",
        title=title,
        layouts=[(layout, list(rows(layout)), _news(layout)) for layout in layouts],
        releases=protocol_pages.releases,
        default=protocol_pages.default,
        type_of=protocol_pages.type_of,
        vectors=site.messages,
        has=site.addresses.has,
        url=partial(site.addresses.url, page=path),
        link=partial(site.addresses.link, page=path),
    )


def _news(layout: VersionedLayout) -> list[Changes]:
    return [changes(layout, version) for version in layout.versions.numbers]
