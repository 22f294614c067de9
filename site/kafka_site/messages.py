"""Pages of the vectors of requests and responses, one a layout and version.

They are more than a thousand and are all alike, so they are written as HTML past Sphinx: with the
style sheet of the site, and without its sidebar and its search.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from kafka_conformance.vectors import protocol
from kafka_format.spec import data

from kafka_site.addresses import Address
from kafka_site.bugs import name as name_of
from kafka_site.decoder import links
from kafka_site.model import MessagePage, Site
from kafka_site.sharing import of_plain_page
from kafka_site.templates import environment

FOLDER: Final = "vectors/messages"

_LONGEST: Final = 160
"""Digits in hex that are shown."""


class Group(NamedTuple):
    """The vectors whose ids begin with the same two parts: a layout, and its first version."""

    name: str
    vectors: Sequence[Mapping[str, Any]]

    @property
    def page(self) -> str:
        """The path of its page, without a suffix."""
        return f"{FOLDER}/{self.name.replace('/', '-')}"

    @property
    def layout(self) -> str:
        """The layout that the vectors are of."""
        name: str = self.vectors[0]["layout"]
        return name


def groups() -> Iterator[Group]:
    """Yield all groups."""
    for _, text in protocol.texts(data.path("vectors") / protocol.FOLDER):
        by_layout: dict[str, list[Mapping[str, Any]]] = {}
        for line in text.splitlines():
            vector = json.loads(line)
            by_layout.setdefault("/".join(vector["id"].split("/")[:2]), []).append(vector)
        yield from (Group(name, vectors) for name, vectors in by_layout.items())


def write(site: Site, folder: Path) -> None:
    """Write the pages into a folder, and tell the site of them.

    The site gets their addresses, the pages by their layout, and what other pages say of the
    vectors.
    """
    (folder / FOLDER).mkdir(parents=True)
    template = environment().get_template("messages.html.j2")
    by_layout: dict[str, list[MessagePage]] = {}
    for group in groups():
        site.addresses.add_unlisted(
            Address("vector", vector["id"], group.page, vector["id"]) for vector in group.vectors
        )
        text = template.render(
            group=group,
            sharing=of_plain_page(
                f"Vectors: {group.name}", f"{len(group.vectors)} golden vectors of {group.layout}.", group.page
            ),
            url=partial(site.addresses.url, page=group.page),
            has=site.addresses.has,
            shown_by=site.bugs.findings_by_vector,
            name=name_of,
            link=partial(site.addresses.link, page=group.page),
            opened=partial(links.of_message, group.page),
            longest=_LONGEST,
            by_word=_by_word,
        )
        (folder / f"{group.page}.html").write_text(text, encoding="utf-8")
        link = MessagePage(group.name.partition("/")[2], f"{group.page}.html", len(group.vectors))
        by_layout.setdefault(group.layout, []).append(link)
        for vector in group.vectors:
            site.message_vectors.add(vector)
    site.messages = by_layout


def _by_word(vector: Mapping[str, Any]) -> Mapping[str, list[str]]:
    """Return the releases of Kafka that were asked, by what they said."""
    ids: dict[str, list[str]] = {}
    for release, word in vector.get("oracle", {}).items():
        ids.setdefault(word, []).append(release)
    return ids
