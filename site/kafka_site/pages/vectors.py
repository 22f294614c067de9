"""The pages of the vectors of the record formats: one for each group of ids, and their index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final

from kafka_conformance.vectors.vector import Vector

from kafka_site.addresses import Address
from kafka_site.bugs import name as name_of
from kafka_site.decoder import links
from kafka_site.model import Page, Site
from kafka_site.pages.cases import TITLES, cases
from kafka_site.templates import render

_LONGEST: Final = 400
"""Bytes of a vector that are shown; the command beside them shows all."""


def pages(site: Site) -> Iterator[Page]:
    """Yield the index and each group's page.

    A group is the start of ids, up to the second slash.
    """
    groups: dict[str, list[Vector]] = {}
    for vector in site.vectors.values():
        groups.setdefault(_group(vector.id), []).append(vector)
    yield Page("vectors/index", [], partial(_index, site, groups))
    yield Page("vectors/messages", [], partial(_messages, site))
    for group, vectors in groups.items():
        path = f"vectors/{group}"
        yield Page(
            path,
            [Address("vector", vector.id, path, vector.id) for vector in vectors],
            partial(_page, site, group, vectors),
        )


def _group(identity: str) -> str:
    return "-".join(identity.split("/")[:2])


def _index(site: Site, groups: Mapping[str, list[Vector]]) -> str:
    others = {name: (TITLES[name], len(listed)) for name, listed in cases(site).items()}
    return render(
        "vectors_index.md.j2",
        groups=groups,
        total=len(site.vectors),
        others=others,
        messages=_total(site),
        example=site.addresses.known["vector", next(iter(site.vectors))],
    )


def _messages(site: Site) -> str:
    link = partial(site.addresses.link, page="vectors/messages")
    return render("vectors_messages.md.j2", by_layout=site.messages, total=_total(site), link=link)


def _total(site: Site) -> int:
    return sum(group.vectors for groups in site.messages.values() for group in groups)


def _page(site: Site, group: str, vectors: list[Vector]) -> str:
    return render(
        "vectors.md.j2",
        group=group,
        vectors=vectors,
        longest=_LONGEST,
        bugs=site.bugs,
        name=name_of,
        judges={vector.id: judges(vector) for vector in vectors},
        link=partial(site.addresses.link, page=f"vectors/{group}"),
        opened=partial(links.of_vector, f"vectors/{group}"),
    )


def judges(vector: Vector) -> str:
    """Say what the releases of Kafka did with the bytes."""
    words: dict[str, list[str]] = {}
    for judge, word in vector.oracle.items():
        words.setdefault(word, []).append(judge.rpartition(" ")[2])
    return "; ".join(f"{word} by {', '.join(judges)}" for word, judges in words.items())
