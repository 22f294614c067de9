"""Prose of pages at 100 columns: what is made narrower, and what has to stay as it is."""

import pytest
from kafka_generator.markdown import wrap

LONG = "word " * 30


def test_a_long_paragraph_is_filled() -> None:
    assert wrap(f"# Title\n\n{LONG}\nend\n\nnext\n") == (
        "# Title\n\n" + " ".join(["word"] * 20) + "\n" + " ".join(["word"] * 10) + " end\n\nnext\n"
    )


def test_items_of_a_list_stand_below_their_text() -> None:
    lines = wrap(f"1. {LONG}\n- short\n  still short\n").splitlines()
    assert lines == ["1. " + " ".join(["word"] * 19), "   " + " ".join(["word"] * 11), "- short", "  still short"]


@pytest.mark.parametrize(
    "text",
    [
        "short\nlines stay\nas they are\n",
        f"| a | {LONG} |\n|---|---|\n",
        f"# {LONG}\n",
        f"    {LONG}\n",
        f"```\n{LONG}\n\n{LONG}\n```\n",
        f"<!-- {LONG} -->\n",
        "x" * 200 + "\n",
        "a" * 99 + " - which would be an item of a list\n",
        "a" * 99 + " # which would be a heading\n",
    ],
    ids=["short", "table", "heading", "indented code", "fenced code", "html", "no space", "dash", "hash"],
)
def test_what_stays_as_it_is(text: str) -> None:
    assert wrap(text) == text


def test_behind_a_fence_prose_is_filled_again() -> None:
    assert max(map(len, wrap(f"```\ncode\n```\n{LONG}\n").splitlines())) <= 100
