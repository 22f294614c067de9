"""Layouts differ in their digest if they read otherwise, and not if they say it in other words."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from kafka_format.spec import data
from kafka_format.spec.layout import loader
from kafka_generator.mutants.layout_digest import layout_digest

FILE = "layouts/protocol/produce_and_fetch/fetch_request.yaml"
NAME = "fetch_request"


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], str]:
    """A function that edits the layout in a copy of spec/, and returns its digest then."""
    spec = Path(shutil.copytree(data.path("spec"), tmp_path_factory.mktemp("copy") / "spec"))
    text = (spec / FILE).read_text(encoding="utf-8")

    def digest(old: str, new: str) -> str:
        assert old in text
        (spec / FILE).write_text(text.replace(old, new, 1), encoding="utf-8")
        return layout_digest(loader.load(spec, whole=False).versioned[NAME])

    return digest


def test_a_word_a_comment_and_a_release_change_nothing(edited: Callable[[str, str], str]) -> None:
    there = layout_digest(loader.specification().versioned[NAME])
    assert edited("doc: Reads records", "doc: Asks for records") == there
    assert edited("title: Fetch request", "title: Request to fetch") == there
    assert edited("doc: Id of the topic.", "doc: The topic's id.") == there
    assert edited("fields:", "# What a follower asks.\nfields:") == there
    assert edited('18: "4.1"', '18: "4.0"') == there


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("flexible: 12+", "flexible: 11+"),
        ("name: min_bytes, type: int32", "name: min_bytes, type: int64"),
        ("name: topic_id, type: uuid, versions: 13+", "name: topic_id, type: uuid, versions: 14+"),
    ],
)
def test_what_is_read_otherwise_has_another_digest(edited: Callable[[str, str], str], old: str, new: str) -> None:
    assert edited(old, new) != layout_digest(loader.specification().versioned[NAME])
