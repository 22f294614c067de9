"""The site in a real browser: the decoder as people use it, and whether everybody can read the
pages.

Needs a Chromium: see tests/browser/finding.py for where it comes from. Where there is none, these
tests are skipped and say why.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from kafka_format.compression import NAMES
from kafka_format.records import Record, encode
from kafka_site.__main__ import build, write
from kafka_site.addresses import Addresses
from kafka_site.decoder import links, scripts
from kafka_site.model import Site
from kafka_site.pages import rules
from kafka_site.templates import render
from markdown_it import MarkdownIt

from tests.browser.finding import PATIENCE

DESKTOP: Final = {"width": 1280, "height": 900}
PHONE: Final = {"width": 360, "height": 780}
PRODUCE: Final = "wild/produce-request/10/librdkafka-2-16-0"
BATCH: Final = encode([Record(5, timestamp=1000, key=b"key", value=b"hello"), Record(6, timestamp=1001)])
DAMAGED: Final = BATCH[:-1] + bytes([BATCH[-1] ^ 1])

KINDS: Final = {
    "decoder": "decoder",
    "index": "index",
    "structure": "structures/record_batch",
    "structures": "structures/index",
    "API": "protocol/fetch",
    "APIs": "protocol/index",
    "rules": "rules/v2",
    "flags": "flags",
    "releases": "releases",
    "vectors": "vectors/v2-gzip",
    "story": "stories/sizes",
    "wrappers": "stories/wrappers",
    "tutorial": "tutorial/index",
    "step of the tutorial": "tutorial/python/13-wrappers",
    "plots": "stories/prices",
    "tables": "stories/transactions",
    "cases": "vectors/deliver",
    "bugs": "bugs",
    "story with pictures": "stories/checksums",
    "lookups": "stories/lookups",
    "offsets": "stories/offsets",
    "trust": "trust",
    "version on the wire": "protocol/fetch_request/12",
    "version with tags": "protocol/fetch_response/16",
    "vectors of messages": "vectors/messages/fetch-request-12",
    "conversations": "vectors/conversations",
    "vectors of logs": "vectors/log-directories",
    "rules of requests": "rules/protocol",
    "file of a log": "structures/producer_snapshot_file",
    "files": "files",
    "path": "stories/path",
    "errors": "errors",
    "proposals": "proposals",
    "compression": "structures/lz4_frame_header",
    "deliveries": "stories/deliveries",
    "compactions": "stories/compactions",
    "fetch": "stories/fetches",
    "varints": "stories/varints",
    "tutorial in JavaScript": "tutorial/javascript/11-malformed",
    "document": "documents/your-decoder",
    "clients": "clients/index",
    "client": "clients/aiokafka/index",
    "client of few parts": "clients/kcat/index",
    "decoder alone": "clients/kio/index",
    "search": "search",
}
"""A page of each kind."""


@pytest.fixture(scope="module")
def site(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of each kind, as Sphinx makes them."""
    assert browser is not None
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    write(source, only=list(KINDS.values()), whole=True)
    assert build(source, folder, "-Q") == 0
    return folder


@pytest.fixture(scope="module")
def bare(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the decoder without the frame of the site, which takes ten times as long to
    make."""
    assert browser is not None
    folder, known = tmp_path_factory.mktemp("bare"), Site(Addresses())
    for page in rules.pages(known):
        known.addresses.add(page.addresses)
    scripts.write(folder / "_static" / "decoder", known)
    text = MarkdownIt().render(render("decoder.md", examples=[links.message("a produce request", PRODUCE)]))
    (folder / "decoder.html").write_text(f"<!doctype html><meta charset=utf-8>{text}", encoding="utf-8")
    return folder


class Decoder:
    """The page of the decoder in a window of its own."""

    def __init__(self, browser: Any, site: Path) -> None:
        self.window = browser.new_page(viewport=DESKTOP)
        self.window.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.window.on("console", lambda message: self.complaints.append(message.text))
        self.window.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.address = (site / "decoder.html").as_uri()

    def open(self, fragment: str = "") -> None:
        self.window.goto("about:blank")
        self.window.goto(self.address + fragment)

    def paste(self, text: str) -> None:
        self.window.get_by_label("Hex, a dump, an array").fill(text)

    def verdict(self) -> str:
        return str(self.window.locator(".verdict-of").inner_text())

    def drop(self, name: str, data: bytes) -> None:
        self.window.evaluate(
            """([name, bytes]) => {
                const carried = new DataTransfer();
                carried.items.add(new File([new Uint8Array(bytes)], name));
                document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: carried, bubbles: true}));
            }""",
            [name, list(data)],
        )

    def focused(self) -> tuple[str, str]:
        """The element that has the focus: its tag, and the number of its field."""
        tag, number = self.window.evaluate("[document.activeElement.tagName, document.activeElement.dataset.f]")
        return tag, number

    def marked(self) -> str:
        """The bytes that are marked."""
        return "".join(self.window.locator("pre.hex .marked").all_inner_texts())


@pytest.fixture
def decoder(browser: Any, bare: Path) -> Iterator[Decoder]:
    page = Decoder(browser, bare)
    page.open()
    yield page
    page.window.close()
    assert page.complaints == []


def test_what_is_pasted_is_explained_from_batch_to_value(decoder: Decoder) -> None:
    decoder.paste(BATCH.hex(" "))
    assert f"No rule is broken. {len(BATCH)} bytes, 2 records." in decoder.verdict()
    row = decoder.window.locator("tr", has_text="records[0].value").last
    assert "'hello'" in row.inner_text()
    row.hover()
    assert decoder.marked() == b"hello".hex(" ")
    about = decoder.window.locator("[data-decoder=about]")
    assert "record.value" in about.inner_text()
    assert "Null is a tombstone" in about.inner_text()


def test_what_is_compressed_is_opened(decoder: Decoder) -> None:
    for codec in NAMES[1:]:
        decoder.paste(encode([Record(0, timestamp=1, value=codec.encode())], codec=codec).hex())
        decoder.window.get_by_text(f"codec={codec}").wait_for()
        if "stays closed" in decoder.verdict():
            pytest.skip(f"the build had no npm to bring what opens {codec}")
        decoder.window.get_by_text("decompressed", exact=True).wait_for()
        assert "1 record" in decoder.verdict()


def test_a_file_that_is_dropped_is_read_as_its_name_says(decoder: Decoder) -> None:
    decoder.drop("00000000000000000000.log", BATCH)
    assert "2 records" in decoder.verdict()
    decoder.drop("00000000000000000000.index", bytes.fromhex("0000000500000102"))
    decoder.window.get_by_text("entries[0].position").wait_for()
    assert "No rule is broken" in decoder.verdict()


def test_keys_lead_from_field_to_bytes_and_back(decoder: Decoder) -> None:
    decoder.paste(BATCH.hex())
    decoder.verdict()
    decoder.window.locator("tbody tr[tabindex='0']").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "End", "Home", "ArrowDown"):
        decoder.window.keyboard.press(key)
    assert decoder.focused() == ("TR", "1")
    assert decoder.marked() == BATCH[8:12].hex(" ")
    decoder.window.keyboard.press("Enter")
    assert decoder.focused() == ("SPAN", "1")
    decoder.window.keyboard.press("ArrowRight")
    assert decoder.focused() == ("SPAN", "2")
    decoder.window.keyboard.press("Enter")
    assert decoder.focused() == ("TR", "2")


def test_a_broken_rule_is_named_with_its_place(decoder: Decoder) -> None:
    decoder.paste(DAMAGED.hex())
    assert "Broken rule v2.crc.covers-attributes-to-end" in decoder.verdict()
    assert "Byte 17, entry 0, crc stored 0x" in decoder.verdict()
    link = decoder.window.locator(".verdict-of a").first
    assert link.get_attribute("href") == "rules/v2.html#v2.crc.covers-attributes-to-end"
    decoder.window.get_by_role("link", name="Show the place").click()
    assert decoder.focused()[0] == "TR"
    assert decoder.marked() == BATCH[17:21].hex(" ")


def test_what_is_too_much_is_refused_with_advice(decoder: Decoder) -> None:
    decoder.window.evaluate(
        """() => {
            const carried = new DataTransfer();
            carried.items.add(new File([new Uint8Array(50 << 20)], '00000000000000000000.log'));
            document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: carried, bubbles: true}));
        }"""
    )
    assert "has 52428800 bytes, too many to show here" in decoder.verdict()
    assert "kafka-format log dump" in decoder.verdict()


def test_what_has_a_packet_in_front_is_read_from_where_it_begins(decoder: Decoder) -> None:
    decoder.paste((b"\x17" * 66 + BATCH).hex())
    assert "Read as records, which is a guess" in decoder.verdict()
    decoder.window.get_by_role("link", name="Read from byte 66").click()
    decoder.window.get_by_text(f"{len(BATCH)} bytes, 2 records.").first.wait_for()


def test_what_is_cut_off_is_said_and_its_header_shown(decoder: Decoder) -> None:
    decoder.paste((BATCH + BATCH[:70]).hex())
    assert f"The end is cut off: 70 bytes of an entry of {len(BATCH)} bytes." in decoder.verdict()
    assert decoder.window.locator("tr", has_text="base_timestamp").count() == 2


def test_a_file_of_text_or_a_capture_is_named_and_what_reads_it(decoder: Decoder) -> None:
    decoder.drop("leader-epoch-checkpoint", b"0\n1\n0 0\n")
    assert "is text: `kafka-format log explain leader-epoch-checkpoint`" in decoder.verdict()
    decoder.drop("kafka.pcapng", bytes.fromhex("0a0d0d0a") + bytes(40))
    decoder.window.get_by_text("is a capture of network traffic").first.wait_for()


def test_a_body_without_its_header_is_opened_by_its_link(decoder: Decoder) -> None:
    """A heartbeat response of version 4: throttle time 0, error 25, no tagged field."""
    decoder.open("#hex=00000000001900&as=structure&layout=heartbeat_response&version=4")
    assert "heartbeat_response, version 4" in decoder.verdict()
    assert "No rule is broken" in decoder.verdict()
    assert "unknown_member_id" in decoder.window.locator("tr", has_text="error_code").last.inner_text()
    version = decoder.window.get_by_role("spinbutton", name="Version")
    version.fill("0")
    version.press("Enter")
    decoder.window.get_by_text("Broken rule", exact=True).wait_for()
    assert "protocol.body.exact" in decoder.verdict()


def test_what_is_no_bytes_is_refused_with_advice(decoder: Decoder) -> None:
    decoder.paste("not bytes")
    assert "is not a hex digit, and the rest no base64" in decoder.verdict()
    decoder.paste("000")
    decoder.window.get_by_text("an odd number of hex digits").first.wait_for()
    decoder.paste("")
    decoder.window.locator(".verdict-of").wait_for(state="detached")


def test_a_link_carries_the_bytes(decoder: Decoder) -> None:
    decoder.paste(BATCH.hex())
    decoder.verdict()
    decoder.window.get_by_role("button", name="Copy a link").click()
    decoder.window.wait_for_function("location.hash")
    fragment = decoder.window.evaluate("location.hash")
    assert BATCH.hex() in fragment
    decoder.open(fragment)
    assert "2 records" in decoder.verdict()


def test_a_request_is_explained_down_to_its_records(decoder: Decoder, bare: Path) -> None:
    """The layouts of the protocol come when they are needed, also from the disk."""
    assert (bare / "_static" / "decoder" / "protocol.js").stat().st_size > 100_000
    example = decoder.window.get_by_role("link", name="a produce request")
    decoder.open(f"#{str(example.get_attribute('href')).partition('#')[2]}")
    assert "No rule is broken" in decoder.verdict()
    assert "produce request, version 10" in decoder.verdict()
    assert decoder.window.get_by_text("body.topic_data[0].partition_data[0].records[0].base_offset").count() == 1


def test_bytes_are_shown_as_text_and_never_as_a_page(decoder: Decoder) -> None:
    value = b"<img src=x onerror=alert(1)>"
    decoder.paste(encode([Record(0, timestamp=1, key=value, value=value, headers=())]).hex())
    assert "1 record" in decoder.verdict()
    assert value.decode() in decoder.window.locator("table").first.inner_text()
    assert decoder.window.locator("[data-decoder=output] img").count() == 0


NAMELESS: Final = """() => [...document.querySelectorAll('article svg, article img, main svg')].filter((picture) => {
    if (picture.closest('[aria-hidden=true]')) return false;
    const name = picture.getAttribute('alt') || picture.getAttribute('aria-label')
        || picture.querySelector(':scope > title')?.textContent;
    return !name || (picture.tagName !== 'IMG' && !['img', 'group'].includes(picture.getAttribute('role')));
}).map((picture) => picture.outerHTML.slice(0, 200))"""
"""Pictures that say nothing to people who do not see them."""


VIEWS: Final = {
    "desktop": {"viewport": DESKTOP, "color_scheme": "light"},
    "desktop in the dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light"},
}


@pytest.mark.whole
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("kind", KINDS)
def test_everybody_can_read_it(browser: Any, site: Path, kind: str, view: str) -> None:
    """What axe finds: contrast, names of what can be used, headings, tables, and so on."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed: run make")
    window = browser.new_page(**VIEWS[view])
    show(window, site, kind, DAMAGED)
    violations = axe.Axe().run(window).response["violations"]
    nameless = window.evaluate(NAMELESS)
    window.close()
    assert [problem(one) for one in violations] == []
    assert nameless == []


def show(window: Any, site: Path, kind: str, data: bytes) -> None:
    """Open a page of a kind; the decoder with bytes."""
    address = (site / f"{KINDS[kind]}.html").as_uri()
    window.goto(f"{address}#hex={data.hex()}" if kind == "decoder" else address)
    if kind == "decoder":
        window.locator(".verdict-of").wait_for()


def problem(violation: dict[str, Any]) -> str:
    """Say what axe found and where, in a line."""
    places = [f"{' '.join(map(str, node['target']))}: {node['failureSummary']}" for node in violation["nodes"]]
    return json.dumps([violation["id"], len(places), *places[:3]])


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
def test_a_phone_shows_all_without_scrolling_sideways(browser: Any, site: Path, kind: str) -> None:
    window = browser.new_page(viewport=PHONE)
    show(window, site, kind, BATCH)
    overhang = window.evaluate("document.documentElement.scrollWidth - innerWidth")
    window.close()
    assert overhang <= 0


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["structure", "version on the wire", "fetch"])
def test_keys_lead_from_bytes_to_their_field_and_back_without_scripts(browser: Any, site: Path, kind: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=DESKTOP)
    window = context.new_page()
    window.goto((site / f"{KINDS[kind]}.html").as_uri())
    example = window.locator(".example").first
    piece = example.locator("pre a[id]").nth(3)
    number = piece.get_attribute("data-f")
    row, plain = example.locator(f"tr[data-f='{number}']"), example.locator("tr[data-f='0']")
    colour = "one => getComputedStyle(one).backgroundColor"
    piece.focus()
    window.keyboard.press("Enter")
    assert row.locator("a").evaluate("one => one === document.activeElement")
    assert row.evaluate(colour) == piece.evaluate(colour) != plain.evaluate(colour)
    window.keyboard.press("Tab")
    window.keyboard.press("Shift+Tab")
    window.keyboard.press("Enter")
    assert piece.evaluate("one => one === document.activeElement")
    context.close()


@pytest.mark.whole
def test_the_search_shows_what_it_finds(browser: Any, site: Path) -> None:
    window = browser.new_page(viewport=PHONE)
    window.goto(f"{(site / 'search.html').as_uri()}?q=null+headers")
    if window.evaluate("!globalThis.MiniSearch"):
        pytest.skip("the build had no npm to bring MiniSearch")
    first = window.locator("#found a").first
    assert first.get_attribute("href").removeprefix("./").startswith("rules/v2.html#v2.header.")
    window.get_by_label("Rules, fields, error codes").fill("error 25")
    assert "UNKNOWN_MEMBER_ID" in window.locator("#found a").first.inner_text()
    window.close()


@pytest.mark.whole
@pytest.mark.parametrize("kind", KINDS)
def test_it_can_be_read_without_scripts(browser: Any, site: Path, kind: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport=DESKTOP)
    window = context.new_page()
    window.goto((site / f"{KINDS[kind]}.html").as_uri())
    text = window.locator("article, main").first.inner_text()
    context.close()
    if kind == "search":
        assert "The search needs scripts. The index has all names without." in text
        return
    assert len(text) > 300
    if kind == "decoder":
        assert "The decoder needs scripts" in text


def test_what_is_nothing_is_not_recognised_and_a_guess_is_called_one(decoder: Decoder) -> None:
    for text, said in (
        ("ff" * 30, "Not recognised: "),
        (b"0\n1\n2 400\n".hex(), "It is read as leader-epoch-checkpoint"),
        ("00120003000000010003666f6f00", "(a guess)"),
    ):
        decoder.paste(text)
        decoder.window.locator("[data-decoder=output]").get_by_text(said).first.wait_for()
