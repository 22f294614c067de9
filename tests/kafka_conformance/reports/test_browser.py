"""Every kind of page in a real browser, at the width of a desktop and of a phone.

Needs a Chromium: see tests/browser/finding.py for where it comes from. Where there is none, these
tests are skipped and say why.
"""

from pathlib import Path
from typing import Any

import pytest
from kafka_conformance.reports import html

from tests.browser.finding import PATIENCE
from tests.kafka_conformance.reports import runs

DESKTOP, PHONE = (1280, 900), (390, 844)
PAGES = (
    "index.html",
    "targets/sound.html",
    "targets/careless.html",
    "targets/missing.html",
    "families/plain.html",
    "vectors/v2-plain-two-records.html",
    "vectors/v2-checksum-flipped.html",
    "vectors/v2-empty-nothing.html",
)
HIDDEN = "[...document.querySelectorAll('tbody tr')].filter(row => !row.checkVisibility()).map(row => row.innerText)"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    html.write(runs.RUN, folder)
    return folder


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    html.write(runs.hostile(), folder)
    return folder


class Visit:
    """One window, led from page to page; `complaints` are those of the page that was opened
    last."""

    def __init__(self, browser: Any, **wishes: str) -> None:
        self.window = browser.new_page(**wishes)
        self.window.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.window.on("console", lambda message: self.complaints.append(message.text))
        self.window.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.window.on("requestfailed", lambda request: self.complaints.append(request.url))

    def open(self, file: Path, size: tuple[int, int] = DESKTOP) -> Any:
        self.complaints.clear()
        self.window.set_viewport_size({"width": size[0], "height": size[1]})
        self.window.goto(file.as_uri())
        return self.window

    def overhang(self) -> int:
        """Pixels that the page is wider than its window."""
        return int(self.window.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.fixture(scope="module")
def visit(browser: Any) -> Visit:
    return Visit(browser)


@pytest.mark.sampled(2, of="pages")
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("name", PAGES)
def test_page_fits_and_complains_of_nothing(visit: Visit, site: Path, name: str, size: tuple[int, int]) -> None:
    page = visit.open(site / name, size)
    assert visit.overhang() <= 0
    assert page.locator("h1").is_visible()
    assert page.locator("h1").bounding_box()["y"] < size[1] / 2
    assert visit.complaints == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_hostile_texts_break_no_page(visit: Visit, hostile: Path, size: tuple[int, int]) -> None:
    for file in sorted(hostile.rglob("*.html")):
        visit.open(file, size)
        assert visit.overhang() <= 0, file.name
        assert visit.complaints == [], file.name


def test_filter_leaves_what_fails(visit: Visit, site: Path) -> None:
    page = visit.open(site / "index.html")
    assert page.evaluate(HIDDEN) == []
    page.locator("#only-failing").check()
    clean = page.evaluate("[...document.querySelectorAll('tr.clean')].map(row => row.innerText)")
    assert page.evaluate(HIDDEN) == clean
    page.locator("#only-failing").uncheck()
    assert page.evaluate(HIDDEN) == []


def test_a_reader_gets_from_the_matrix_to_the_bytes_and_on(visit: Visit, site: Path) -> None:
    page = visit.open(site / "index.html")
    for name in ("plain", "v2/plain/two-records"):
        with page.expect_navigation():
            page.get_by_role("link", name=name, exact=True).click()
    assert page.locator("tr.differs mark").first.inner_text() == "1700000000007"
    assert page.locator(".bytes").is_visible()
    with page.expect_navigation():
        page.get_by_role("link", name="careless").first.click()
    assert page.locator("h1").inner_text() == "careless-kafka 0.0.1"
    assert visit.complaints == []


def test_pages_follow_the_readers_wish_for_dark(browser: Any, site: Path) -> None:
    page = Visit(browser, color_scheme="dark").open(site / "index.html")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(23, 23, 22)"
