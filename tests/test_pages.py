"""The pages name commands and options; each is one that there is."""

import re
from importlib import import_module
from pathlib import Path

import click
import pytest
from kafka_conformance.cli import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("vectors/**/README.md")])

OTHERS = frozenset(
    {
        "--archives",
        "--conf",
        "--describe",
        "--edition",
        "--force",
        "--hypothesis-profile",
        "--orphan",
        "--py-files",
        "--target",
        "--whole",
    }
)
"""Options of Spark, Kafka's tools, Git, rustc and pytest."""


def options_of(command: click.Command) -> set[str]:
    """The options of a command and of those below it."""
    own = {option for parameter in command.params for option in parameter.opts}
    return own.union(*(options_of(below) for below in getattr(command, "commands", {}).values()))


@pytest.fixture(scope="module")
def options() -> set[str]:
    commands = [import_module(f"kafka_conformance.commands.{name}").command for name in COMMANDS]
    programs = [ROOT / "generate.py", *(ROOT / "generator").rglob("*.py")]
    declared = {name for program in programs for name in re.findall(r'"(--[a-z-]+)"', program.read_text("utf-8"))}
    return OTHERS | {"--help", "--version"} | declared.union(*map(options_of, commands))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_options_exist(page: Path, options: set[str]) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
    assert named - options == set()
    assert set(re.findall(r"kafka-conformance ([a-z]+)\b", text)) <= set(COMMANDS)
