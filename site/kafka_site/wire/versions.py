"""A page for each version of each request, response and schema record: its bytes in one table.

They are hundreds and all alike, so they are written as HTML past Sphinx, as the pages of their
vectors are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from kafka_format.spec.layout.versioned import VersionedLayout

from kafka_site import examples
from kafka_site.addresses import Address
from kafka_site.decoder import links
from kafka_site.message_vectors import OfVersion
from kafka_site.model import MessagePage, Site
from kafka_site.pictures.message_diagram import message_diagram
from kafka_site.sharing import of_plain_page
from kafka_site.templates import environment
from kafka_site.wire.changes import changes
from kafka_site.wire.explanation import explain_vector
from kafka_site.wire.rows import parts

_PARTNERS: Final = {"request": "response", "response": "request", "record_key": "value", "record_value": "key"}
"""The word in the name of the layout that belongs to one of a kind."""


_RULES: Final = {
    "uvarint: count": "compact.length",
    "uvarint: length": "compact.length",
    "uvarint: how many": "tagged-fields.unknown",
    "int32: count": "protocol.array.count",
    "int16: count": "protocol.array.count",
    "int16: length": "length.not-negative",
    "int32: length": "length.not-negative",
    "int8: 1": "protocol.marker",
    "uvarint: 1": "protocol.marker",
    "bool": "protocol.boolean",
    "uvarint": "uvarint.unsigned",
    "int": "field.integer",
    "uint": "field.integer",
}
"""The rule that says how a form on the wire is read, by how its name begins."""


def rule_of(form: str) -> str:
    """Return the rule about a form on the wire; empty if there is none."""
    return next((rule for start, rule in _RULES.items() if form.startswith(start)), "")


def page_of(layout: str, version: int) -> str:
    """Return the path of a version's page, without a suffix."""
    return f"protocol/{layout}/{version}"


def addresses(site: Site) -> Iterator[Address]:
    """Yield the address of the bytes of each version, `fetch_request/12`."""
    for layout, version in _all(site):
        name = f"{layout.name}/{version}"
        yield Address("bytes", name, page_of(layout.name, version), name)


def write(site: Site, folder: Path) -> None:
    """Write the pages into a folder."""
    template = environment().get_template("version.html.j2")
    for layout, version in _all(site):
        page = page_of(layout.name, version)
        file = folder / f"{page}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(template.render(_values(site, layout, version, page)), encoding="utf-8")


def _all(site: Site) -> Iterator[tuple[VersionedLayout, int]]:
    return ((layout, version) for layout in site.versioned.values() for version in layout.versions.numbers)


def _values(site: Site, layout: VersionedLayout, version: int, page: str) -> dict[str, Any]:
    on_wire = list(parts(layout, version))
    title = f"{layout.title}, version {version}"
    known = site.message_vectors.by_version.get((layout.name, version), OfVersion())  # contents have theirs apart
    return {
        "layout": layout,
        "version": version,
        "title": title,
        "rule_of": rule_of,
        "sharing": of_plain_page(f"{title}: its bytes", layout.doc, page),
        "parts": on_wire,
        "picture": message_diagram(title, on_wire),
        "changes": changes(layout, version),
        "example": _example(site, known.example, page) if known.example else "",
        "vectors": known.vectors,
        "group": _group(site, layout.name, version),
        "partner": _partner(site, layout, version),
        "link": partial(site.addresses.link, page=page),
        "url": partial(site.addresses.url, page=page),
        "has": site.addresses.has,
    }


def _example(site: Site, vector: Mapping[str, Any], page: str) -> str:
    source = site.addresses.link("vector", vector["id"], page)
    opened = links.of_message(page, vector)
    return examples.html("bytes", explain_vector(vector), f"{vector['title']}: {{}}", source, opened=opened)


def _group(site: Site, layout: str, version: int) -> MessagePage | None:
    """Return the page of a version's vectors: that of the last version that changed the bytes."""
    numbered = [group for group in site.messages.get(layout, ()) if group.name.isdigit()]
    return max(
        (group for group in numbered if int(group.name) <= version), key=lambda group: int(group.name), default=None
    )


def _partner(site: Site, layout: VersionedLayout, version: int) -> tuple[str, str] | None:
    """Return what answers a request, or belongs to a key: its name, and its title."""
    if layout.kind not in _PARTNERS:
        return None
    head, _, _ = layout.name.rpartition("_")
    other = site.versioned.get(f"{head}_{_PARTNERS[layout.kind]}")
    return (f"{other.name}/{version}", other.title) if other and version in other.versions else None
