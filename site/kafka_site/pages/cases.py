"""The pages of vectors that are no records alone: brokers, consumers, and log directories."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from kafka_site.addresses import Address
from kafka_site.decoder import links
from kafka_site.model import Page, Site
from kafka_site.rule_vectors import broken_by
from kafka_site.templates import render

TITLES: Final = {
    "assign": "What a broker assigns",
    "convert": "What a broker converts",
    "deliver": "What a consumer delivers",
    "conversations": "Conversations of a consumer and a broker",
    "log-files": "Files of log directories",
    "log-directories": "Log directories",
}
"""The pages in their order."""

_LONGEST: Final = 400
"""Digits of one value in hex that are shown."""

_APART: Final = {
    "id",
    "title",
    "verdict",
    "rules",
    "rule",
    "flag",
    "breaks",
    "hex",
    "reach",
    "oracle",
    "kafka",
    "files",
}
"""What the page has a place of its own for."""

_KINDS: Final = {"txnindex": "txnindex", "snapshot": "snapshot", "checkpoint": "records"}
"""What the decoder calls files, by their suffixes."""

_SELDOM: Final = {"family", "formats", "provenance", "changed"}
"""What is in the files and does not tell about the case."""


class VectorView(NamedTuple):
    """One vector as its page shows it.

    Attributes:
        title: what is special about it.
        verdict: valid, invalid or lenient; sound or broken for a directory.
        breaks: the rules that it breaks.
        hex: the bytes, if they are one run.
        opened: the link that opens them in the decoder; empty where that cannot read them.
        files: names and sizes of a directory's files.
        facts: all else that was said and is expected, by name.
        judges: the releases of Kafka that were asked.
    """

    id: str
    title: str
    verdict: str
    rules: Sequence[str]
    breaks: Sequence[str]
    flag: str
    hex: str | None
    opened: str
    files: Sequence[tuple[str, int]]
    facts: Sequence[tuple[str, str]]
    evidence: str
    judges: Sequence[str]


def pages(site: Site) -> Iterator[Page]:
    """Yield the page of each kind."""
    kinds = cases(site)
    for name, title in TITLES.items():
        path = f"vectors/{name}"
        addresses = [Address("vector", case["id"], path, case["id"]) for case in kinds[name]]
        yield Page(path, addresses, partial(_page, site, path, title, kinds[name]))


def cases(site: Site) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return the vectors of each kind, as JSON."""
    kinds: dict[str, list[Mapping[str, Any]]] = {name: [] for name in TITLES}
    for vector in site.directions:
        kinds[vector["family"]].append(vector)
    kinds["conversations"] += site.conversations
    for vector in site.log_vectors:
        kinds[f"log-{'files' if vector['id'].startswith('file/') else 'directories'}"].append(vector)
    return kinds


def _page(site: Site, path: str, title: str, vectors: Sequence[Mapping[str, Any]]) -> str:
    return render(
        "cases.md.j2",
        title=title,
        cases=(_case(vector, path) for vector in vectors),
        reports=site.bugs.reports_by_vector,
        has=site.addresses.has,
        link=partial(site.addresses.link, page=path),
    )


def _case(vector: Mapping[str, Any], page: str) -> VectorView:
    breaks = broken_by(vector)
    return VectorView(
        id=vector["id"],
        title=vector.get("title") or f"The file {vector['file']}"
        if "file" in vector
        else vector.get("title") or vector["name"],
        verdict=vector.get("verdict") or ("must" if "must" in vector else "broken" if breaks else "sound"),
        rules=vector.get("rules", ()),
        breaks=breaks,
        flag=vector.get("flag", ""),
        hex=_short(vector["hex"]) if "hex" in vector else None,
        opened=_decoder_link(vector, page),
        files=[(name, len(content) // 2) for name, content in vector.get("files", {}).items()],
        facts=list(_facts(vector)),
        evidence=vector["reach"]["evidence"] if "reach" in vector else "",
        judges=list(vector.get("oracle") or vector.get("kafka", ())),
    )


def _decoder_link(vector: Mapping[str, Any], page: str) -> str:
    """Return the link that opens a case in the decoder; nothing where it cannot read it."""
    kind = _KINDS.get(vector["file"].rpartition(".")[2]) if "file" in vector else "records"
    return links.href(page, bytes.fromhex(vector["hex"]), kind=kind) if kind and vector.get("hex") else ""


def _facts(vector: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in vector.items():
        if name in {"expected", "expect"}:
            yield from ((f"expected {key}", _text(part)) for key, part in value.items() if key != "rule")
        elif name not in _APART | _SELDOM and value not in ({}, []):
            yield name, _text(value)


def _text(value: object) -> str:
    return _short(value) if isinstance(value, str) else _short(json.dumps(value, ensure_ascii=False))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … ({len(text)} characters)"
