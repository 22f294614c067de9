"""The site, read back by a parser: what it links, what it runs (nothing), and what it says."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.message.causes import diagnose_messages
from kafka_conformance.kinds.message.questions import in_versions
from kafka_conformance.kinds.message.vectors import message_vectors
from kafka_conformance.outcomes import Outcome
from kafka_conformance.reports import html
from kafka_conformance.reports.file_names import file_names
from kafka_conformance.reports.html.pages import ANSWER_RECORDS, STYLE, VECTORS_A_CAUSE
from kafka_conformance.reports.html.side_by_side import Agreement, comparison, value_text
from kafka_conformance.run.run import Run
from kafka_conformance.vectors import protocol
from kafka_format.records import Header as RecordHeader

from tests.kafka_conformance.reports import runs

VOID = {"meta", "br", "input", "link", "img", "hr"}


class Page(HTMLParser):
    """One page: its tags, links, anchors and text; `crooked` lists end tags that close nothing."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.crooked: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.crooked += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.text += " " * (tag in {"td", "th"})
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.crooked.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data

    def of(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]


Site = dict[str, Page]


def site(run: Run, folder: Path) -> Site:
    files = html.write(run, folder)
    assert files[0] == folder / "index.html"
    return {file.relative_to(folder).as_posix(): Page(file.read_text(encoding="utf-8")) for file in files}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return site(runs.RUN, tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Site:
    return site(runs.hostile(), tmp_path_factory.mktemp("hostile"))


def links(name: str, page: Page) -> Iterator[tuple[str, str]]:
    """Page and anchor of every link that stays in the site."""
    for href in page.of("href"):
        parts = urlsplit(href)
        if not parts.scheme:
            steps: list[str] = []
            for step in (PurePosixPath(name).parent / unquote(parts.path)).parts if parts.path else (name,):
                steps = steps[:-1] if step == ".." else [*steps, step]
            yield "/".join(steps), parts.fragment


def test_a_page_a_target_a_family_and_a_vector(pages: Site) -> None:
    assert {name for name in pages if name.startswith("targets/")} == {
        "targets/sound.html",
        "targets/careless.html",
        "targets/missing.html",
    }
    wrong = {result.vector for result in runs.RUN.results if result.is_finding and not result.known}
    assert len([name for name in pages if name.startswith("vectors/")]) == len(wrong)
    families = {f"families/{vector.family}.html" for vector in runs.VECTORS}
    assert {name for name in pages if name.startswith("families/")} == families


@pytest.mark.parametrize("which", ["pages", "hostile"])
def test_every_link_leads_somewhere(which: str, request: pytest.FixtureRequest) -> None:
    found: Site = request.getfixturevalue(which)
    for name, page in found.items():
        for target, anchor in links(name, page):
            assert target in found, (name, target)
            assert not anchor or anchor in found[target].of("id"), (name, target, anchor)


@pytest.mark.parametrize("which", ["pages", "hostile"])
def test_every_page_is_reached_from_the_index(which: str, request: pytest.FixtureRequest) -> None:
    found: Site = request.getfixturevalue(which)
    reached, waiting = {"index.html"}, ["index.html"]
    while waiting:
        name = waiting.pop()
        new = {target for target, _ in links(name, found[name])} - reached
        reached |= new
        waiting += new
    assert reached == set(found)


@pytest.mark.parametrize("which", ["pages", "hostile"])
def test_nothing_runs_and_nothing_comes_from_elsewhere(which: str, request: pytest.FixtureRequest) -> None:
    for name, page in request.getfixturevalue(which).items():
        if name == STYLE:
            continue
        assert not {"script", "img", "iframe", "object", "form", "base", "svg"} & set(page.tags)
        assert page.tags["link"] == 1
        assert not [name for _, name, _ in page.attributes if name.startswith("on") or name == "src"]
        assert {urlsplit(href).scheme for href in page.of("href")} <= {"", "https", "http"}
        (policy,) = [value for value in page.of("content") if "default-src" in value]
        assert policy == "default-src 'none'; style-src 'self' file:"


@pytest.mark.parametrize("which", ["pages", "hostile"])
def test_tags_are_closed_and_ids_are_unique(which: str, request: pytest.FixtureRequest) -> None:
    for name, page in request.getfixturevalue(which).items():
        assert page.crooked == [], name
        assert [one for one, count in Counter(page.of("id")).items() if count > 1] == [], name


def test_hostile_texts_are_shown_as_text(hostile: Site) -> None:
    page = next(page for name, page in hostile.items() if name.startswith("targets/td-script"))
    assert "</td><script>alert('1')</script>" in page.text
    assert r"\x1b[31m\x00\ud800\u202e\ufffe" in page.text
    for one in hostile.values():
        assert all(character.isprintable() or character == "\n" for character in one.text)


def test_index_shows_the_matrix(pages: Site) -> None:
    text = " ".join(pages["index.html"].text.split())
    assert "The checksum of a batch is the unsigned CRC-32C" in text
    assert "sound-kafka 1.2.3 Rust, sound" in text
    assert "missing did not come up: it exited with status 3" in text
    assert "What v2/gzip/two-records is about." in text
    assert "stale: v2/old/one passed" in text
    assert "Broke: right before, wrong now: 1" in text
    assert "careless v2/gzip/two-records: passed → hung" in text


def test_only_rows_without_findings_are_hidden_by_the_filter(tmp_path: Path) -> None:
    html.write(runs.RUN, tmp_path)
    assert "body:has(#only-failing:checked) tr.clean" in (tmp_path / STYLE).read_text(encoding="utf-8")
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert '<input type="checkbox" id="only-failing">' in index
    rows = {row.split("<code>")[1].split("<")[0]: row for row in index.split("<tr")[1:] if "<code>v2.c" in row}
    assert rows["v2.codec.known"].startswith(' class="clean"')
    assert rows["v2.crc.covers-attributes-to-end"].startswith(' class=""')


def test_page_of_a_vector_tells_the_whole_story(pages: Site) -> None:
    text = " ".join(pages["vectors/v2-plain-two-records.html"].text.split())
    for part in (
        "What v2/plain/two-records is about.",
        "valid: a decoder must give exactly this answer",
        "timestamp 1700000000007 ✗ 7",
        "✓ the same: offset",
        "key null not compared",
        "the timestamp of a record is the base timestamp plus its delta",
        "Again: kafka-conformance run careless --vectors v2/plain/two-records",
        "✗ records[1].timestamp comes from here",
        runs.PLAIN.hex(),
        "refused what is valid",
        "Who gets it right sound",
    ):
        assert part in text, part


def test_page_of_an_invalid_vector_marks_the_fault(pages: Site) -> None:
    text = " ".join(pages["vectors/v2-checksum-flipped.html"].text.split())
    assert "invalid: a decoder must refuse these bytes" in text
    assert "✗ byte 17: " in text
    assert "refused, because of v2.crc.covers-attributes-to-end ✗ 2 records" in text


def test_known_failures_are_told_apart(pages: Site) -> None:
    text = " ".join(pages["targets/careless.html"].text.split())
    assert "≈ gave a wrong answer, as known" in text
    assert "known: issue 17" in text


def test_long_texts_and_answers_are_cut(tmp_path: Path) -> None:
    answer = tuple(runs.WRONG_ANSWER.answer or ()) * 500
    vector = replace(runs.WRONG_ANSWER, answer=answer, data=runs.PLAIN * 500)
    result = runs.result(vector, Outcome.REFUSED_VALID, detail="x" * 3_000_000)
    found = site(replace(runs.RUN, vectors=(vector,), results=(result,)), tmp_path)
    text = found["vectors/v2-plain-two-records.html"].text
    assert "more characters)" in text
    assert f"and {1000 - ANSWER_RECORDS} records more" in text
    assert "fields left out" in text
    assert (tmp_path / "vectors/v2-plain-two-records.html").stat().st_size < 400_000


def test_pages_of_an_earlier_run_are_replaced(tmp_path: Path) -> None:
    html.write(runs.RUN, tmp_path)
    kept = site(replace(runs.RUN, targets=(runs.SOUND,), results=runs.SOUND_RESULTS, comparison=None), tmp_path)
    assert "targets/careless.html" not in kept
    assert {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.html")} == set(kept) - {STYLE}


def test_page_of_a_target_opens_each_bug_to_its_vectors(tmp_path: Path) -> None:
    found = site(runs.diagnosed(), tmp_path)
    text = " ".join(found["targets/careless.html"].text.split())
    for part in (
        "2 bugs that users meet, 1 only with crafted bytes, 5 findings that no cause explains.",
        "Behaves like a decoder that adds nothing to the base timestamp.",
        "It explains 1 of 8 findings.",
        "Behaves like an encoder that cannot write headers.",
        "1 bug only with crafted bytes",
        "No cause explains 5 findings",
    ):
        assert part in text, part
    assert "https://github.com/o/r/issues/1" in found["targets/careless.html"].of("href")
    cards = " ".join(found["index.html"].text.split())
    assert cards.index("sound-kafka 1.2.3") < cards.index("2 bugs that users meet 0 with damaged data 1 only with")


def test_file_names_are_safe_and_never_the_same() -> None:
    ids = ["v2/a", "v2-a", "V2/A", "../../etc/passwd", "", "con/" + "x" * 500, "con/" + "x" * 501, "数"]
    names = file_names(ids)
    assert list(names) == ids
    assert len({name.lower() for name in names.values()}) == len(ids)
    assert all(name.isascii() and "/" not in name and not name.startswith(".") for name in names.values())
    assert max(map(len, names.values())) < 120


def test_comparison_stops_at_the_first_difference() -> None:
    found = comparison(runs.WRONG_ANSWER, runs.CARELESS_RESULTS[0], runs.HELLO)
    assert found.title == "records[1]"
    assert {pair.name: pair.agreement for pair in found.pairs} == {
        "offset": Agreement.SAME,
        "timestamp": Agreement.DIFFERS,
        "timestamp_type": Agreement.NOT_COMPARED,
        "key": Agreement.NOT_COMPARED,
        "value": Agreement.NOT_COMPARED,
        "headers": Agreement.NOT_COMPARED,
        "control": Agreement.NOT_COMPARED,
    }


def test_fields_behind_the_first_difference_are_compared_where_the_answer_is_known() -> None:
    came = (runs.RECORDS[0], runs.RECORDS[1]._replace(timestamp=7, value=b"other"))
    wrong = replace(runs.CARELESS_RESULTS[0], answer=came)
    pairs = {pair.name: pair for pair in comparison(runs.WRONG_ANSWER, wrong, runs.HELLO).pairs}
    assert pairs["key"].agreement is Agreement.SAME
    assert (pairs["value"].agreement, pairs["value"].got) == (Agreement.DIFFERS, '6f74686572 "other"')
    assert pairs["timestamp"] == ("timestamp", "1700000000007", "7", Agreement.DIFFERS)


def test_all_that_came_is_shown(tmp_path: Path) -> None:
    null_key = RecordHeader(None, b"x")
    came = (runs.RECORDS[0]._replace(offset=4711, headers=(null_key,)),)
    found = replace(runs.CARELESS_RESULTS[1], answer=came)
    text = " ".join(
        site(replace(runs.RUN, results=(found,)), tmp_path)["vectors/v2-checksum-flipped.html"].text.split()
    )
    assert "All that it gave: 1 record" in text
    assert "4711" in text
    assert 'null = 78 "x"' in text


def test_family_shows_what_every_target_did(pages: Site) -> None:
    text = " ".join(pages["families/plain.html"].text.split())
    assert "What v2/plain/two-records is about. ✓ ✗ wrong answer" in text
    assert "✗ refused valid (encode)" in text


def test_comparison_names_the_field_inside_a_header() -> None:
    path = "records[0].headers[0].value"
    wrong = runs.result(runs.WRONG_ANSWER, Outcome.WRONG_ANSWER, path=path, expected="null", got="empty")
    (pair,) = [
        pair for pair in comparison(runs.WRONG_ANSWER, wrong, runs.HELLO).pairs if pair.agreement is Agreement.DIFFERS
    ]
    assert (pair.name, pair.expected, pair.got) == ("headers[0].value", "null", "empty")


@pytest.mark.parametrize(
    ("result", "expected", "got"),
    [
        (runs.CARELESS_RESULTS[1], "refused, because of v2.crc.covers-attributes-to-end", "2 records"),
        (runs.CARELESS_RESULTS[2], "refused", "crashed"),
        (runs.CARELESS_RESULTS[5], "2 records", "refused"),
        (runs.CARELESS_RESULTS[7], "2 records", "3 records"),
        (runs.CARELESS_RESULTS[9], "2 records written, and read back the same", "refused"),
    ],
)
def test_comparison_of_whole_answers(result: Result, expected: str, got: str) -> None:
    vector = next(vector for vector in runs.VECTORS if vector.id == result.vector)
    (pair,) = comparison(vector, result, runs.HELLO).pairs
    assert (pair.expected, pair.got) == (expected, got)


@pytest.mark.parametrize(
    ("value", "field", "text"),
    [
        (None, "key", "null"),
        ("", "key", "empty"),
        ("6869", "value", '6869 "hi"'),
        ("00ff", "value", "00ff"),
        ([["68", None], ["", "01"]], "headers", '68 "h" = null, empty = 01'),
        ([], "headers", "none"),
        (True, "control", "true"),
        ("12", "offset", "12"),
    ],
)
def test_values_for_people(value: object, field: str, text: str) -> None:
    assert value_text(value, field) == text


def test_a_run_of_messages_says_what_it_is_about(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With more findings than have a page each, the most telling of each cause have one."""
    monkeypatch.setattr("kafka_conformance.reports.html.pages.VECTORS_OF_ONE", 1)
    asked = list(in_versions(protocol.load(families=["heartbeat"])))[:40]
    vectors = message_vectors(asked)
    results = tuple(Result(vector.id, "sound", Outcome.REFUSED_VALID, detail="no") for vector in vectors)
    diagnosis = diagnose_messages(results, {vector.id: vector for vector in vectors})
    sound = next(target for target in runs.RUN.targets if target.name == "sound")
    run = replace(
        runs.RUN,
        targets=(sound,),
        vectors=vectors,
        results=results,
        comparison=None,
        diagnoses={"sound": diagnosis},
    )
    pages = site(run, tmp_path)
    assert "Does sound-kafka 1.2.3 get Kafka's requests and responses right?" in pages["index.html"].text
    shown = [name for name in pages if name.startswith("vectors/")]
    assert 0 < len(shown) <= VECTORS_A_CAUSE * len(diagnosis.causes) < len(results)
    assert [href for name, page in pages.items() for href, _ in links(name, page) if href not in pages] == []
