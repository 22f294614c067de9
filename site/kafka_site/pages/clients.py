"""The report card: a page that compares all clients, and one for each that lasts.

The page of a client is `clients/NAME/`, and its name that of its folder in targets/, so that its
address never changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, partial

from kafka_conformance.protocol.hello import CODECS
from kafka_conformance.targets import manifest
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.vectors import protocol
from kafka_generator import history_page
from kafka_generator.card import page as card
from kafka_generator.card import sentences
from kafka_generator.card.bugs import Bug
from kafka_generator.card.clients import PARTS, Client, clients, readers
from kafka_generator.card.rules import rules
from kafka_generator.recorded import speed as speeds
from kafka_generator.recorded.changes import Line, lines

from kafka_site.addresses import Address
from kafka_site.decoder import links
from kafka_site.model import Page, Site
from kafka_site.templates import render


def pages(site: Site) -> Iterator[Page]:
    """Yield the report card and the page of each client."""
    yield Page("clients/index", [], partial(_index, site))
    for client in (*clients(), *readers()):
        path = path_of(client.library)
        yield Page(
            path, [Address("client", client.library, path, anchor(client.library))], partial(_page, site, client)
        )


def path_of(library: str) -> str:
    """Return the path of a client's page."""
    return f"clients/{library}/index"


def anchor(library: str) -> str:
    """Return the anchor of a client on its page."""
    return f"client-{library}"


def _index(site: Site) -> str:
    link = partial(site.addresses.link, page="clients/index")
    return render("clients_index.md.j2", link=link, **card.values())


@cache
def _lines() -> list[Line]:
    return list(lines(history_page.PARTS))


def _page(site: Site, client: Client) -> str:
    page, is_reader = path_of(client.library), Part.SERDE in client.rows
    history = [line for line in _lines() if line.library == client.library]
    return render(
        "client.md.j2",
        client=client,
        anchor=anchor(client.library),
        verdict=sentences.of_reader(client) if is_reader else sentences.verdict(client),
        rules=rules(),
        columns=() if is_reader else rules().columns,
        parts=PARTS,
        counts=card.counts,
        counts_of_values=card.counts_of_values,
        badge=json.dumps(card.badge(client)),
        timed=speeds.document(),
        speeds=speeds.by_codec(client.library, client.version),
        codecs=CODECS,
        calls=manifest.load_all()[client.library].calls if client.library in manifest.load_all() else "",
        history=history,
        picture=history_page.picture(history, client.library) if history else "",
        parts_of=history_page.PARTS,
        opened=partial(_opened, site, page),
        has=site.addresses.has,
        link=partial(site.addresses.link, page=page),
    )


def _opened(site: Site, page: str, bug: Bug) -> str:
    """Return the link that opens the bytes of a bug in the decoder; empty if there are none."""
    identity = bug.example
    if identity in site.vectors:
        return links.of_vector(page, site.vectors[identity])
    cases = (case for case in [*site.directions, *site.conversations] if case["id"] == identity)
    if case := next(cases, None):
        return links.href(page, bytes.fromhex(case.get("hex", "")), kind="records")
    return _opened_message(page, identity.partition("@")[0])


@cache
def _opened_message(page: str, identity: str) -> str:
    vector = protocol.find(identity)
    if vector is None:
        return ""
    return links.of_message(
        page,
        {
            "kind": vector.kind,
            "versions": vector.versions,
            "hex": vector.data.hex(),
            "api": vector.api,
            "layout": vector.layout,
        },
    )
