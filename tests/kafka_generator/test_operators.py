"""docs/operators.md shows what its commands print."""

from pathlib import Path

from kafka_generator import operators

QUESTIONS = 14


def test_the_page_shows_what_its_commands_print(tmp_path: Path) -> None:
    operators.unpack(tmp_path)
    page = operators.PAGE.read_text(encoding="utf-8")
    assert operators.rewrite(page, tmp_path) == page, "run `python -m kafka_generator.operators`"


def test_every_question_has_its_command() -> None:
    page = operators.PAGE.read_text(encoding="utf-8")
    sections = page.split("\n## ")[1:]
    assert len(sections) == QUESTIONS
    assert [section.splitlines()[0] for section in sections if "    $ kafka-format log " not in section] == []


def test_output_is_written_behind_its_command(tmp_path: Path) -> None:
    page = "Text.\n\n    $ kafka-format log --nothing\n    old\n\n    example\n"
    assert operators.rewrite(page, tmp_path) == "Text.\n\n    $ kafka-format log --nothing\n\n    example\n"
