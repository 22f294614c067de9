"""The folders of the tutorial: the same steps in both languages, no file that changes nothing."""

import pytest
from kafka_site.tutorial.differences import file
from kafka_site.tutorial.steps import FOLDER, LANGUAGES, Language, Step, steps

TEXTS = sorted(text.stem for text in (FOLDER / "text").glob("*.md"))
WIDEST = 90
ALL = [step for language in LANGUAGES for step in steps(language)]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_step_has_a_text(language: Language) -> None:
    assert [step.name for step in steps(language)] == TEXTS
    assert [step.number for step in steps(language)] == list(range(1, len(TEXTS) + 1))


@pytest.mark.parametrize("step", ALL, ids=lambda step: f"{step.language.name}-{step.name}")
def test_a_folder_has_what_the_step_changes_and_nothing_else(step: Step) -> None:
    assert sorted(path.name for path in (FOLDER / step.language.name / step.name).iterdir()) == step.changed


def test_a_changed_file_shows_what_is_new_and_what_is_gone() -> None:
    checksum = steps(LANGUAGES[0])[3]
    html = file(checksum, "batch.py")
    assert html.count('<ins class="line">') == 4  # an import, a constant, a condition, an error
    assert "<del" not in html
    assert '<del class="line">' in file(checksum, checksum.language.main)


def test_code_has_no_blank_line_where_markdown_would_end_it() -> None:
    one_of_each = [steps(language)[10] for language in LANGUAGES]
    assert not any("\n\n" in file(step, name).strip() for step in one_of_each for name in step.changed)


def test_no_line_is_wider_than_its_page() -> None:
    """A page shows some 90 letters of code beside the sidebar."""
    wide = [
        f"{step.language.name}/{step.name}/{name}:{number}"
        for step in ALL
        for name in step.changed
        for number, line in enumerate(step.files[name].splitlines(), 1)
        if len(line) > WIDEST
    ]
    assert wide == []
