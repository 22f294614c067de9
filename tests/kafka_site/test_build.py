"""The pages that are made: everything has its place, and Sphinx builds them without a link to
nowhere."""

import json
import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from kafka_conformance.targets.catalogue import Part
from kafka_site import links
from kafka_site.__main__ import build, write
from kafka_site.addresses import KINDS
from kafka_site.bugs import SUBJECTS, name
from kafka_site.decoder import libraries
from kafka_site.model import Site
from kafka_site.pages import files
from kafka_site.search import FOLDER, entries
from kafka_site.wire import versions

from tests.kafka_site.questions import QUESTIONS


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
        "version": [
            f"{layout.name}/{number}" for layout in site.versioned.values() for number in layout.versions.numbers
        ],
        "rule": [rule.id for rule in site.rules.values() if rule.about != "adapter"],
        "flag": site.flags,
        "release": site.releases,
        "vector": [*site.vectors, *(one["id"] for one in (*site.directions, *site.conversations, *site.log_vectors))],
        "finding": [name(one) for one in site.bugs.findings],
        "file": [one["name"] for one in files.descriptions()],
        "proposal": ["KIP-98", "KIP-482", "KAFKA-10106"],
        "report": [report for bug in site.bugs.reported for report in bug.reports],
    }.items():
        assert [name for name in names if not site.addresses.has(kind, name)] == []


def test_every_address_is_an_element_of_its_page(site: Site, pages: dict[str, str]) -> None:
    ids = {page: set(_ID.findall(text)) for page, text in pages.items()}
    missing = [one for one in site.addresses.known.values() if one.anchor not in ids[one.page]]
    assert missing == []


def test_the_page_of_the_record_batch_tells_what_its_checksum_covers(pages: dict[str, str]) -> None:
    text = pages["structures/record_batch"]
    assert "covered by crc (crc32c)" in text
    assert "counted by batch_length" in text
    assert "one compressed stream, unless attributes.codec is none" in text


_MARKDOWN_LINK = re.compile(r"\]\(([^)\s#:]+\.md)(?:#[^)]*)?\)")
_ROLE = re.compile(rf"\{{({'|'.join(KINDS)})\}}`(?:[^`<]*<)?([^`<>]+)>?`")
_ID = re.compile(r' id="([^"]+)"')
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_HREF = re.compile(r'<a [^>]*href="([^"]+)"')


def _headings(text: str) -> set[str]:
    """Return the ids that Sphinx gives to headings, which a source does not have yet."""
    return {re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") for title in _HEADING.findall(text)}


def test_every_link_of_the_sources_leads_somewhere(site: Site, pages: dict[str, str]) -> None:
    """What Sphinx would say at the end of a build, of which a usual run makes only some pages."""
    ids = {page: {*map(unescape, _ID.findall(text)), *_headings(text)} for page, text in pages.items()}
    assert list(_broken_in(pages, ids)) == []
    named = {(page, kind, name) for page, text in pages.items() for kind, name in _ROLE.findall(text)}
    assert [one for one in named if not site.addresses.has(*one[1:])] == []


def _broken_in(pages: dict[str, str], ids: dict[str, set[str]]) -> Iterator[str]:
    for page, text in pages.items():
        folder = posixpath.dirname(page)
        for link in _MARKDOWN_LINK.findall(text):
            if posixpath.normpath(posixpath.join(folder, link)).removesuffix(".md") not in pages:
                yield f"{page}: {link}"
        for link in map(unescape, _HREF.findall(text)):
            path, _, anchor = link.partition("#")
            target = posixpath.normpath(posixpath.join(folder, path)).removesuffix(".html") if path else page
            anchor = "" if "=" in anchor else anchor  # what the decoder in the page is to open
            is_ours = ":" not in path and (not path or path.endswith(".html"))
            if is_ours and (target not in pages or (anchor and anchor not in ids[target])):
                yield f"{page}: {link}"


def test_sphinx_makes_pages_of_them(site: Site, source: Path, tmp_path: Path) -> None:
    """One page of most kinds: all of them take half a minute."""
    assert site.addresses.known
    shutil.copytree(source, tmp_path / "source")
    for page in (tmp_path / "source").rglob("*.md"):
        if page.relative_to(tmp_path / "source").with_suffix("").as_posix() not in _SAMPLE:
            page.unlink()
    build(tmp_path / "source", tmp_path / "html", "-Q")
    made = {page: links.read((tmp_path / "html" / f"{page}.html").read_text(encoding="utf-8")) for page in _SAMPLE}
    assert "record_batch.crc" in made["structures/record_batch"].ids
    assert "../rules/v2.html#v2.crc.covers-attributes-to-end" in made["structures/record_batch"].links
    assert "../../rules/v2.html#v2.crc.covers-attributes-to-end" in made["tutorial/python/04-checksum"].links


_SAMPLE = {"index", "structures/record_batch", "rules/v2", "stories/varints", "tutorial/python/04-checksum"}


def test_a_proposal_leads_to_what_comes_from_it(pages: dict[str, str]) -> None:
    text = pages["proposals"].partition('id="KIP-101"')[2].partition("</section>")[0]
    assert "rules/v2.html#v2.leader-epoch.outside-crc" in text
    assert "rules/log_files.html#log.epochs.rising" in text


def test_each_rule_of_a_file_is_on_the_page_of_files(site: Site, pages: dict[str, str]) -> None:
    rules = [rule.id for rule in site.rules.values() if rule.file.endswith("/log_files.yaml")]
    assert [rule for rule in rules if f"#{rule}" not in pages["files"]] == []


def test_a_page_of_docs_names_files_and_links_pages(pages: dict[str, str]) -> None:
    text = pages["documents/your-decoder"]
    assert "[tutorial](../tutorial/index.md)" in text
    assert "[adapter protocol](adapter-protocol.md)" in text
    assert "| Python | `adapters/python/python_adapter.py` |" in text


def test_a_rule_leads_to_the_bugs_that_people_met_there(pages: dict[str, str]) -> None:
    text = pages["rules/legacy"]
    rule = text[text.index('id="v1.wrapper.offsets.gaps"') :].partition("</section>")[0]
    assert "../bugs.html#finding-pykafka/compacted-wrapper" in rule
    assert "../bugs.html#finding-pykafka/compacted-wrapper" in pages["vectors/v1-wrapper"]
    assert "../bugs.html#report-IBM/sarama-1005" in pages["vectors/deliver"]


def test_findings_of_every_kind_are_on_the_page_of_bugs(pages: dict[str, str]) -> None:
    assert set(Part) == set(SUBJECTS)
    for shown in (
        "kafka-python/",
        "kio/unknown-tags",
        "consumer-aiokafka/truncated-log",
        "broker-kfake/payload-unread",
    ):
        assert f'id="finding-{shown}' in pages["bugs"]


def test_a_rule_of_requests_or_logs_leads_to_its_vectors(pages: dict[str, str]) -> None:
    """Those of requests have pages in a whole build only, and lead there."""
    rule = pages["rules/log_directories"].partition('id="log.segment.tail"')[2].partition("</section>")[0]
    assert "Broken by" in rule
    assert "../vectors/log-directories.html#directory/segment/" in rule


@pytest.mark.whole
def test_every_link_leads_somewhere(tmp_path: Path) -> None:
    write(tmp_path / "source", whole=True)
    html = tmp_path / "html"
    assert build(tmp_path / "source", html) == 0
    assert list(links.broken_links(html)) == []


def test_a_link_to_nowhere_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "index.html").write_text('<a href="rules/v2.html#a">b</a> <a class="c" href="gone.html">d</a>')
    (tmp_path / "rules" / "v2.html").write_text(
        '<p id="b&amp;c"><a href="#b&amp;c">e</a><a href="../index.html#as=x">f</a><a href="https://kafka.apache.org/">g</a>'
    )
    assert list(links.broken_links(tmp_path)) == ["index.html: rules/v2.html#a", "index.html: gone.html"]


_ASK = """
const { makeIndex, find } = require(process.argv[2]);
const index = makeIndex(require(process.argv[1]), JSON.parse(require('fs').readFileSync(0, 'utf8')));
const questions = JSON.parse(process.argv[3]);
console.log(JSON.stringify(questions.map((one) => find(index, one).slice(0, 3).map(({ url }) => url))));
"""


def test_the_search_finds_the_right_page_first(site: Site) -> None:
    try:
        library = libraries.modules() / "minisearch" / "dist" / "cjs" / "index.cjs"
    except libraries.NoLibrariesError as none:
        pytest.skip(f"MiniSearch cannot be brought: {none}")
    site.addresses.add_unlisted(versions.addresses(site))
    command = ["node", "-e", _ASK, str(library), str(FOLDER / "search.js"), json.dumps(list(QUESTIONS))]
    done = subprocess.run(command, input=json.dumps(entries(site)), capture_output=True, text=True, check=True)
    found = dict(zip(QUESTIONS, json.loads(done.stdout), strict=True))
    wrong = {
        question: urls for question, urls in found.items() if not urls or not urls[0].startswith(QUESTIONS[question])
    }
    assert wrong == {}
