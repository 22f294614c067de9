"""What a decoder does not check, in words: rules that one missing check leaves unkept.

Who forgets to look at the length of a key forgets that of a value: to a maintainer these are one
bug. `checks.yaml` has the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from kafka_format.spec import data
from kafka_format.spec.layout.yamlfile import load_yaml
from kafka_format.spec.rules import rules


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to check.

    Attributes:
        id: stable name; that of the rule for a rule of its own.
        does: what a decoder does that does not check it, as a sentence without its subject.
        wrong: the bytes that it does not look for.
    """

    id: str
    does: str
    wrong: str


@cache
def check_of(rule: str) -> Check:
    """Return the check of a rule; one of its own if the table has none."""
    for known, patterns in _table():
        if any(fnmatchcase(rule, pattern) for pattern in patterns):
            return known
    sentence = rules()[rule].sentence.rstrip(".") if rule in rules() else "no rule of this release"
    return Check(rule, f"accepts what breaks {rule}: {sentence}", f"what breaks {rule}: {sentence}")


def check(name: str) -> Check:
    """Return a check by its id."""
    return next((known for known, _ in _table() if known.id == name), None) or check_of(name)


@cache
def _table() -> tuple[tuple[Check, tuple[str, ...]], ...]:
    file = data.folder(Path(__file__).parent) / "checks.yaml"
    document = load_yaml(file.read_text(encoding="utf-8"))
    return tuple((Check(line["id"], line["does"], line["wrong"]), tuple(line["rules"])) for line in document["checks"])
