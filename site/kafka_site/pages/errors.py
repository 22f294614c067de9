"""The page of errors: what clients and brokers say of wrong bytes, and which rules these break."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from kafka_conformance.targets.catalogue import Part
from kafka_generator.recorded import append_errors, results

from kafka_site.model import Page, Site
from kafka_site.templates import render

_PATH: Final = "errors"
_KAFKA: Final = "kafka-clients"
"""Kafka's own client, which comes first."""

_EXAMPLES: Final = 3


class Answer(NamedTuple):
    """An error code that brokers answer a producer with: which releases, to what."""

    code: str
    releases: list[str]
    rules: list[str]
    examples: list[str]
    vectors: int


def pages(site: Site) -> Iterator[Page]:
    """Yield the page."""
    yield Page(_PATH, [], partial(_text, site))


def _text(site: Site) -> str:
    clients = [row for row in results.of(Part.DECODER) if row.texts]
    return render(
        "errors.md.j2",
        clients=sorted(clients, key=lambda client: client.target != _KAFKA),
        answers=list(_answers(site)),
        has=site.addresses.has,
        link=partial(site.addresses.link, page=_PATH),
    )


def _answers(site: Site) -> Iterator[Answer]:
    """Yield the codes with which brokers refuse, the most frequent first."""
    broken = _broken_rules(site)
    by_code: dict[str, dict[str, list[str]]] = {}
    for vector, codes in append_errors.load().items():
        for code, named in codes.items():
            by_code.setdefault(code, {})[vector] = named
    for code, vectors in sorted(by_code.items(), key=lambda item: -len(item[1])):
        named_releases = {release for releases in vectors.values() for release in releases}
        rules = Counter(rule for vector in vectors for rule in broken.get(vector, ()))
        yield Answer(
            code,
            sorted(named_releases, key=lambda release: [int(part) for part in release.split(".")], reverse=True),
            [rule for rule, _ in rules.most_common()],
            sorted((vector for vector in vectors if site.addresses.has("vector", vector)), key=len)[:_EXAMPLES],
            len(vectors),
        )


def _broken_rules(site: Site) -> Mapping[str, list[str]]:
    """Return by vector the rule that it breaks, or those that it is about."""
    rules = {vector.id: [str(vector.fault.rule)] for vector in site.vectors.values() if vector.fault is not None}
    cases: list[Mapping[str, Any]] = list(site.directions)
    return rules | {case["id"]: list(case.get("rules", ())) for case in cases}
