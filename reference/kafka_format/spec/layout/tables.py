"""The files beside the layouts that they refer to: enumerations, and the flags that relax rules."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType

from kafka_format.spec.layout.model import Enumeration
from kafka_format.spec.layout.yamlfile import Section, read


def enums(spec: Path) -> dict[str, Enumeration]:
    """Return the enumerations of enums.yaml by name."""
    top = read(spec / "enums.yaml", "enums.yaml")
    top.only("enums")
    enumerations = {}
    for name, section in top.parts("enums").items():
        section.only("doc", "values")
        enumerations[name] = Enumeration(name, section.text("doc"), MappingProxyType(_numbers(name, section)))
    return enumerations


def _numbers(name: str, section: Section) -> dict[int, str]:
    values = section.section("values")
    numbers = {int(number): word for number, word in values.values.items() if number.removeprefix("-").isdecimal()}
    words = set(numbers.values())
    if not numbers or len(words) != len(values.values) or not all(isinstance(word, str) for word in words):
        raise section.error(
            f"the values of `{name}` must be numbers with names, and none twice",
            key="values",
            advice="write `{0: none, 1: gzip}`",
        )
    return numbers


def flags(spec: Path) -> dict[str, str]:
    """Return the flag that relaxes each rule, of flags.yaml."""
    top = read(spec / "flags.yaml", "flags.yaml")
    top.only("flags")
    relaxed: dict[str, str] = {}
    for name, section in top.parts("flags").items():
        section.only("relaxes", "doc", "evidence")
        for rule in section.texts("relaxes"):
            if rule in relaxed:
                raise section.error(
                    f"`{name}` and `{relaxed[rule]}` both relax {rule}", key="relaxes", advice="one flag a rule"
                )
            relaxed[rule] = name
    return relaxed
