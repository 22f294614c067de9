"""Guards docs/architecture.md: the functions that its walks name exist."""

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parent.parent / "docs" / "architecture.md").read_text()
PACKAGES = ("kafka_format", "kafka_tools", "kafka_conformance")
NAMES = sorted(set(re.findall(r"`([a-z_]+(?:\.\w+)+)`", PAGE)))
WALKS = PAGE.count("| function | does |")


def found(name: str) -> object | None:
    """What a dotted name stands for; None if it stands for nothing."""
    module, _, rest = name.rpartition(".")
    while module:
        try:
            thing: object = import_module(module)
        except ModuleNotFoundError:
            last = module.rpartition(".")
            module, rest = last[0], f"{last[2]}.{rest}"
            continue
        for part in rest.split("."):
            thing = getattr(thing, part, None)
        return thing
    return None


def test_there_are_three_walks():
    assert WALKS == 3
    assert len(NAMES) > 20


@pytest.mark.parametrize("name", NAMES)
def test_what_a_walk_names_exists(name: str):
    candidates = [name] if name.startswith(PACKAGES) else [f"{package}.{name}" for package in PACKAGES]
    assert any(found(candidate) is not None for candidate in candidates), f"docs/architecture.md names {name}"


@pytest.mark.parametrize("name", ["kafka_format.records.decoding.decipher", "kafka_format.nowhere.decode", "nowhere.x"])
def test_the_guard_sees(name: str):
    assert found(name) is None
