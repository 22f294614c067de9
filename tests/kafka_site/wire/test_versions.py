"""The pages of versions: every one has its address, and its links lead somewhere."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from kafka_conformance.vectors import protocol
from kafka_format.spec import data
from kafka_site import messages
from kafka_site.__main__ import _MADE
from kafka_site.addresses import Addresses
from kafka_site.model import Site
from kafka_site.wire import versions

LAYOUTS = {"heartbeat_request", "heartbeat_response"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[Site]:
    """One API; `test_every_link_leads_somewhere` does all of them with `--whole`."""
    texts = list(protocol.texts(data.path("vectors") / protocol.FOLDER, ["heartbeat"]))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(protocol, "texts", lambda *_: texts)
        found = Site(Addresses())
        for kind in _MADE:
            for page in kind.pages(found):
                found.addresses.add(page.addresses)
        monkeypatch.setitem(found.__dict__, "versioned", {name: found.versioned[name] for name in LAYOUTS})
        found.addresses.add_unlisted(versions.addresses(found))
        messages.write(found, folder)
        versions.write(found, folder)
        yield found


def test_every_version_is_where_its_name_says(site: Site, folder: Path) -> None:
    for layout in LAYOUTS:
        for version in range(5):
            text = (folder / "protocol" / layout / f"{version}.html").read_text()
            assert site.addresses.has("bytes", f"{layout}/{version}")
            assert f'id="{layout}/{version}"' in text
            assert "Open in the decoder" in text


def test_the_table_and_the_diagram_name_the_same_fields(site: Site, folder: Path) -> None:
    assert site.messages
    text = (folder / "protocol" / "heartbeat_request" / "3.html").read_text()
    drawn, told = text.split("<h2>Its bytes</h2>")
    fields = ["group_id", "generation_id", "member_id", "group_instance_id"]
    assert [name for name in fields if f'href="#{name}"' in drawn and f'<tr id="{name}">' in told] == fields
    assert "New: <code>group_instance_id</code>" in drawn


def test_links_lead_to_pages_and_anchors(site: Site, folder: Path) -> None:
    ids = {file.resolve(): _ids(file) for file in folder.rglob("*.html")}
    places = {f"{one.page}.html": one.anchor for one in site.addresses.known.values()}
    missing = []
    for file, own in ids.items():
        for link in map(unescape, re.findall(r'<a [^>]*href="([^"]+)"', file.read_text())):
            path, _, anchor = link.partition("#")
            target = (file.parent / path).resolve() if path else file
            if "=" in anchor or str(target.relative_to(folder.resolve())) in {*places, "index.html"}:
                continue
            if target in ids and (not anchor or anchor in ids[target]):
                continue
            if own and target.parent.name in {"protocol", "vectors"}:
                continue  # pages that Sphinx makes
            missing.append((file.name, link))
    assert missing == []


def _ids(file: Path) -> set[str]:
    return set(map(unescape, re.findall(r' id="([^"]+)"', file.read_text())))


def test_forms_on_the_wire_lead_to_the_rule_that_says_how_they_are_read() -> None:
    assert versions.rule_of("uuid") == ""
    assert versions.rule_of("uvarint: 1") == "protocol.marker"
    assert versions.rule_of("uvarint: count + 1") == "compact.length"
    assert versions.rule_of("int16: count") == "protocol.array.count"
    assert versions.rule_of("int64") == "field.integer"
