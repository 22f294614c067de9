"""The pages name commands and options; each is one that there is."""

import re
from pathlib import Path

import click
import pytest
from kafka_conformance import cli as suite
from kafka_tools import cli as tools

PROGRAMS = {"kafka-conformance": suite.group, "kafka-format": tools.group}
ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("vectors/**/README.md")])

OTHERS = frozenset(
    {
        "--archives",
        "--conf",
        "--describe",
        "--edition",
        "--endian",
        "--force",
        "--hypothesis-profile",
        "--orphan",
        "--py-files",
        "--target",
        "--whole",
        "--sample",
    }
)
"""Options of Spark, Kafka's tools, Git, od, rustc and pytest."""


def options_of(command: click.Command) -> set[str]:
    """The options of a command and of those below it."""
    own = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    return own.union(*map(options_of, below(command).values()))


def below(command: click.Command | None) -> dict[str, click.Command]:
    """The commands of a group, by name; none of what is no group."""
    if not isinstance(command, click.Group):
        return {}
    context = click.Context(command)
    found = {name: command.get_command(context, name) for name in command.list_commands(context)}
    return {name: each for name, each in found.items() if each is not None}


@pytest.fixture(scope="module")
def options() -> set[str]:
    programs = [ROOT / "generate.py", *(ROOT / "generator").rglob("*.py")]
    declared = {name for program in programs for name in re.findall(r'"(--[a-z-]+)"', program.read_text("utf-8"))}
    return OTHERS | {"--help", "--version"} | declared.union(*map(options_of, PROGRAMS.values()))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_and_options_exist(page: Path, options: set[str]) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))
    assert named - options == set()
    for program, group in PROGRAMS.items():
        assert set(re.findall(rf"{program} ([a-z][a-z-]*)", text)) <= set(below(group))
    logs = below(below(tools.group)["log"])
    assert set(re.findall(r"(?:kafka-format |`)log ([a-z][a-z-]*)", text)) <= set(logs)
