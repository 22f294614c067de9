import re
from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.reports import markdown
from kafka_conformance.run.run import Run

from tests.kafka_conformance.reports import runs


def lines(run: Run, folder: Path) -> list[str]:
    markdown.write(run, folder / "summary.md")
    return (folder / "summary.md").read_text(encoding="utf-8").splitlines()


def test_a_row_a_target(tmp_path: Path) -> None:
    rows = [line for line in lines(runs.diagnosed(), tmp_path) if line.startswith("| ")]
    assert rows[1:] == [
        "| ✅ | sound | 1.2.3 | 0 | 0 | 0 | 0 | 0 | 9 of 9 | 0 | 1 |",
        "| ❌ | careless | 0.0.1 | 2 | 0 | 1 | 0 | 5 | 0 of 9 | 1 | 1 |",
        "| ⚠️ | missing | did not come up | 0 | 0 | 0 | 0 | 0 | 0 of 0 | 0 | 0 |",
    ]


def test_only_targets_with_something_to_say_have_a_section(tmp_path: Path) -> None:
    assert [line for line in lines(runs.RUN, tmp_path) if line.startswith("###")] == [
        "### careless",
        "### missing",
        "### Since the earlier run",
        "### Known failures that are not true",
    ]


def test_causes_are_listed_the_worst_first_and_long_lists_are_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown, "CAUSES_A_GROUP", 1)
    text_lines = lines(runs.diagnosed(), tmp_path)
    section = text_lines[text_lines.index("### careless") + 2 :]
    assert section[0] == ("2 bugs that users meet, 1 only with crafted bytes, 5 findings that no cause explains.")
    assert section[2:6] == [
        "**2 bugs that users meet**",
        "",
        "- 1 finding: adds nothing to the base timestamp; like o/r#1",
        "  - v2/plain/two-records: gave a wrong answer: records&#91;1&#93;.timestamp: expected 1700000000007, got 7",
    ]
    assert section[6] == "- and 1 more"
    assert any(line.startswith("**No cause explains 5 findings**, such as v2/length/below: ") for line in section)


@pytest.mark.parametrize(
    "text",
    [
        "<b>",
        "a | b",
        "[x](y)",
        "`code`",
        "*bold*",
        "_soft_",
        "~~gone~~",
        "a & b",
        "@someone",
        "http://x",
        "www.x.y",
        "\\|",
    ],
)
def test_nothing_of_a_text_is_markup(text: str) -> None:
    plain = markdown.escape(text)
    assert not re.search(r"[<|\[\]`*_~@\\]|&(?!#\d+;)|://|www\.", plain)
    assert re.sub(r"&#(\d+);", lambda found: chr(int(found[1])), plain) == text


def test_hostile_texts_leave_the_table_whole(tmp_path: Path) -> None:
    text_lines = lines(runs.hostile(), tmp_path)
    table = [line for line in text_lines if line.startswith("|")]
    assert {line.count("|") for line in table} == {12}
    assert not any("<" in line or "\x1b" in line for line in text_lines)


def test_interrupted_run_says_so(tmp_path: Path) -> None:
    stopped = replace(runs.RUN, footer=replace(runs.RUN.footer, interrupted=True))
    assert any(line.startswith("**Interrupted:**") for line in lines(stopped, tmp_path))
