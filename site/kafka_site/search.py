"""What the search of the site finds: an entry for everything that has an address, and for pages.

The index is MiniSearch's, which npm brings; site/search/search.js makes it and ranks. Where there
is no npm, Sphinx's own search stays.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_conformance.targets.catalogue import Part
from kafka_format.spec.layout import specification
from kafka_generator.card import sentences
from kafka_generator.card.clients import clients, readers

from kafka_site import sources
from kafka_site.addresses import KINDS, Address
from kafka_site.decoder import libraries
from kafka_site.decoder.bundle import bundle
from kafka_site.model import Site
from kafka_site.pages import documents, errors, files
from kafka_site.templates import ROOT, SITE
from kafka_site.wire.changes import rows

FOLDER: Final = SITE / "search"
TEMPLATE: Final = "search.html"

Entry = dict[str, Any]

_BOOSTS: Final[Mapping[str, float]] = {
    "rule": 1.7,
    "page": 1.6,
    "client": 1.6,
    "error": 1.5,
    "release": 1.5,
    "structure": 1.3,
    "field": 1.3,
    "proposal": 1.2,
    "version": 1.2,
    "file": 1.1,
    "flag": 0.9,
    "vector": 0.35,
    "finding": 0.3,
}
"""How much results of a kind count: who asks for `crc` wants the field or the rule."""

_OLD: Final = 0.55
"""What a rule of old formats counts beside the same one of today."""

_OF_MESSAGES: Final = 0.5
"""What a field of requests and responses counts: there are thousands."""

_PAGES: Final = {
    "index": ("Kafka format conformance", "start home which client can I trust"),
    "clients/index": (
        "Which client can I trust?",
        "clients libraries compare best recommended safe verdict report card C Java Go Python JavaScript Rust",
    ),
    "bugs": ("Bugs that people met", "bugs issues decoders consumers producers brokers"),
    "decoder": ("The decoder", "paste bytes hex base64 dump explain what are these bytes"),
    "structures/index": ("The structures", "layouts format of records batches messages"),
    "files": ("The files of a data directory", "log segment index snapshot checkpoint"),
    "protocol/index": ("Requests and responses", "APIs protocol API keys versions"),
    "rules/index": ("The rules", "all rules specification"),
    "flags": ("Flags: what Kafka lets pass", "leniencies"),
    "releases": ("The releases", "what each release of Kafka brought versions history"),
    "proposals": ("Proposals and tickets", "KIP KIPs KAFKA tickets"),
    "vectors/index": ("The vectors", "golden test cases"),
    "errors": ("What an error means", "error codes exceptions texts cause remedy"),
    "tutorial/index": ("Write a decoder yourself", "tutorial"),
}
"""Pages beside stories and documents: title, and words by which people look for them."""

_BROKEN: Final = " wrong invalid mismatch"
"""Words by which people look for the rule of a checksum."""

_HEADING: Final = re.compile(r"^#+ (.+)$", re.MULTILINE)


def write(static: Path, templates: Path, site: Site) -> None:
    """Write scripts and template of the search; say on standard error if its library is missing."""
    templates.mkdir()
    try:
        library = libraries.search_script()
    except libraries.NoLibrariesError as none:
        sys.stderr.write(f"The site has only Sphinx's search: {none}\n")
        return
    static.mkdir()
    found = json.dumps({"kinds": {**KINDS, "page": "page"}, "entries": entries(site)}, ensure_ascii=False)
    (static / "minisearch.js").write_text(library, encoding="utf-8")
    (static / "entries.js").write_text(f"globalThis.kafkaSearch = {found};\n", encoding="utf-8")
    (static / "search.js").write_text(bundle("./page.js", FOLDER), encoding="utf-8")
    shutil.copy(SITE / "sphinx" / TEMPLATE, templates)


def entries(site: Site) -> list[Entry]:
    """Return an entry for each page and address that the site knows."""
    made: list[Entry] = list(_pages())
    for address in site.addresses.known.values():
        about = _ABOUT.get(address.kind)
        if about is not None:
            made += [_entry(address, **one) for one in about(site, address)]
    return made


def _entry(address: Address, **values: Any) -> Entry:  # noqa: ANN401 - texts and a number
    known = {"name": address.name, "boost": _BOOSTS[address.kind], **values}
    return {"url": f"{address.page}.html#{address.anchor}", "kind": address.kind, **known}


def _pages() -> Iterator[Entry]:
    for path, (title, more) in _PAGES.items():
        yield {
            "url": f"{path}.html",
            "kind": "page",
            "name": title,
            "title": title,
            "words": more,
            "boost": _BOOSTS["page"],
        }
    stories = {f"stories/{file.stem}": file for file in sorted((SITE / "text" / "stories").glob("*.md"))}
    stories["trust"] = SITE / "text" / "trust.md"
    texts = {**stories, **{f"documents/{Path(name).stem}": ROOT / "docs" / name for name in documents.SHOWN}}
    for path, file in texts.items():
        headings = [line for line in _HEADING.findall(file.read_text(encoding="utf-8")) if "{" not in line]
        title, *others = headings
        yield {
            "url": f"{path}.html",
            "kind": "page",
            "name": title,
            "title": title,
            "text": " ".join(others),
            "boost": 1.2,
        }


def _structure(site: Site, address: Address) -> Iterator[Entry]:
    plain = site.layouts.get(address.name)
    if plain is not None:
        yield {
            "title": f"{plain.title}. {plain.doc}".strip(". "),
            "text": " ".join(field.name for field in plain.fields),
        }
        return
    layout = site.versioned[address.name]
    key = layout.topic if layout.api is None else f"API {layout.api} API key {layout.api}"
    fields = " ".join(row.field.name for row in rows(layout))
    yield {"title": f"{layout.title}. {layout.doc}".strip(". "), "text": fields, "words": key}


def _field(site: Site, address: Address) -> Iterator[Entry]:
    owner, _, path = address.name.partition(".")
    if owner in site.versioned:
        yield {"title": _docs(owner).get(path, ""), "boost": _OF_MESSAGES}
        return
    name, _, bits = path.partition(".")
    field = next(one for one in site.layouts[owner].fields if one.name == name)
    yield {"title": next((one.doc for one in field.bits if one.name == bits), "") if bits else field.doc}


@cache
def _docs(layout: str) -> Mapping[str, str]:
    """Return what fields of a layout of the protocol mean, by their paths."""
    return {row.path: row.field.doc for row in rows(specification().versioned[layout])}


def _version(site: Site, address: Address) -> Iterator[Entry]:
    owner, _, number = address.name.partition("/")
    layout = site.versioned[owner]
    page = site.addresses.unlisted.get(("bytes", address.name))
    url = {"url": f"{page.page}.html"} if page else {}
    boost = _BOOSTS["version"] * (1.1 if layout.kind == "request" else 1.0)
    since = layout.since.get(int(number), "")
    title = f"{layout.title}, version {number}" + (f", since {since}" if since else "")
    yield {
        "title": title,
        "words": f"v{number} {layout.kafka} {layout.kafka.removesuffix('Request')}",
        "boost": boost,
        **url,
    }


def _rule(site: Site, address: Address) -> Iterator[Entry]:
    rule = site.rules[address.name]
    is_old = rule.id.startswith(("legacy.", "v07.", "v0.", "v1."))
    boost = _BOOSTS["rule"] * (_OLD if is_old else 1)
    broken = _BROKEN if ".crc" in rule.id or "checksum" in rule.id else ""
    yield {"title": rule.sentence, "text": f"{rule.why} {rule.source}{broken}", "boost": boost}


def _flag(site: Site, address: Address) -> Iterator[Entry]:
    yield {"title": site.flags[address.name].doc}


def _error(_: Site, address: Address) -> Iterator[Entry]:
    code = next(one for one in errors.codes() if one.name == address.name)
    exception = "".join(word.capitalize() for word in code.name.split("_"))
    title = code.advice.cause if code.advice else f"Error code {code.number}."
    words = f"error {code.number} code {code.number} {exception} {exception}Exception"
    text = code.advice.remedy if code.advice else ""
    yield {"name": f"{code.constant} ({code.number})", "title": title, "words": words, "text": text}


def _release(site: Site, address: Address) -> Iterator[Entry]:
    new = [layout.title for layout in site.layouts.values() if layout.since == address.name]
    title = f"What Kafka {address.name} brought to the bytes"
    yield {
        "name": f"Kafka {address.name}",
        "title": title,
        "words": f"release version {address.name}",
        "text": " ".join(new),
    }


def _client(_: Site, address: Address) -> Iterator[Entry]:
    client = next(one for one in (*clients(), *readers()) if one.library == address.name)
    language = client.language.partition(" ")[0]
    said = sentences.of_reader(client) if Part.SERDE in client.rows else sentences.verdict(client)
    yield {
        "name": client.name,
        "title": said.partition(":")[0],
        "words": f"{client.library} {language} client bugs",
    }


def _proposal(_: Site, address: Address) -> Iterator[Entry]:
    yield {"title": sources.titles().get(address.name, "")}


def _file(_: Site, address: Address) -> Iterator[Entry]:
    described = next(one for one in files.descriptions() if one["name"] == address.name)
    yield {"title": described["holds"]}


def _finding(site: Site, address: Address) -> Iterator[Entry]:
    found = {f"{one.target}/{one.id}": one for one in site.bugs.findings}[address.name]
    yield {"title": found.title, "words": "bug"}


def _vector(_site: Site, _address: Address) -> Iterator[Entry]:
    """Yield it by its id alone: there are thousands."""
    yield {"title": ""}


_ABOUT: Final = {
    "structure": _structure,
    "field": _field,
    "version": _version,
    "rule": _rule,
    "flag": _flag,
    "error": _error,
    "release": _release,
    "client": _client,
    "proposal": _proposal,
    "file": _file,
    "finding": _finding,
    "vector": _vector,
}
"""What is said of an address of each kind."""
