"""The pages that are made: everything has its place, and Sphinx builds them without a link to
nowhere."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from kafka_site.__main__ import build, write
from kafka_site.model import Site


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def site(source: Path) -> Site:
    return write(source)


@pytest.fixture(scope="module")
def pages(site: Site, source: Path) -> dict[str, str]:
    assert site.addresses.known
    return {file.relative_to(source).with_suffix("").as_posix(): file.read_text() for file in source.rglob("*.md")}


def test_all_that_people_look_for_has_an_address(site: Site) -> None:
    for kind, names in {
        "structure": [*site.layouts, *site.versioned],
        "rule": [rule.id for rule in site.rules.values() if rule.about != "adapter"],
        "flag": site.flags,
        "release": site.releases,
        "vector": site.vectors,
    }.items():
        assert [name for name in names if not site.addresses.has(kind, name)] == []


def test_every_address_is_an_element_of_its_page(site: Site, pages: dict[str, str]) -> None:
    ids = {page: set(re.findall(r' id="([^"]+)"', text)) for page, text in pages.items()}
    missing = [one for one in site.addresses.known.values() if one.anchor not in ids[one.page]]
    assert missing == []


def test_the_page_of_the_record_batch_tells_what_its_checksum_covers(pages: dict[str, str]) -> None:
    text = pages["structures/record_batch"]
    assert "covered by crc (crc32c)" in text
    assert "counted by batch_length" in text
    assert "one compressed stream, unless attributes.codec is none" in text


class _Links(HTMLParser):
    """Collects ids and links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if tag == "a" and name == "href" and value:
                self.links.append(value)


@pytest.mark.whole
def test_every_link_leads_somewhere(site: Site, source: Path, tmp_path: Path) -> None:
    assert site.addresses.known
    assert build(source, tmp_path) == 0
    pages = {file: _read(file) for file in tmp_path.rglob("*.html")}
    assert list(_broken(pages)) == []


def _read(file: Path) -> _Links:
    found = _Links()
    found.feed(file.read_text(encoding="utf-8"))
    return found


def _broken(pages: dict[Path, _Links]) -> Iterator[str]:
    for file, page in pages.items():
        for link in page.links:
            path, _, anchor = link.partition("#")
            if ":" in path:
                continue
            target = (file.parent / path).resolve() if path else file
            if target.suffix == ".html" and (target not in pages or (anchor and anchor not in pages[target].ids)):
                yield f"{file.name}: {link}"
