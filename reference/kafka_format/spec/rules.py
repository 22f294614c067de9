"""The rules of the formats, as spec/rules has them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from kafka_format.errors import Stage
from kafka_format.spec import data
from kafka_format.spec.layout.release_names import check_order, release_text
from kafka_format.spec.layout.yamlfile import Section, read, suggest

LEVELS: Final = ("must", "should", "may")
ABOUT: Final = ("decode", "encode", "deliver", "assign", "convert", "protocol", "log", "content", "adapter")
BROKEN_BY: Final = ("bytes", "target", "limit")
_STAGES: Final = tuple(stage.value for stage in Stage)
_WORDS: Final = {"level": LEVELS, "about": ABOUT, "broken_by": BROKEN_BY, "stage": _STAGES}
_KEYS: Final = ("id", "sentence", "level", "about", "broken_by", "stage", "since", "source")


class Rule(NamedTuple):
    """One testable sentence of the specification.

    Attributes:
        id: stable name, never reused.
        sentence: what holds.
        level: must, should (Kafka itself is looser) or may.
        about: what is done with the bytes where the rule holds: decode, encode, deliver, assign or
            convert; or what it is about: `protocol` (requests, responses and schema records), `log`
            (the files of a data directory), `content` (keys and values), or `adapter` (the frames
            of the adapter protocol, of which no vector is made).
        broken_by: what can break it. `bytes`: an input, which must be refused then. `target`: no
            input; a decoder that breaks it misreads valid bytes. `limit`: an input that is larger
            than a reader's own limit.
        stage: stage of the error that a broken rule gives.
        since: first release that it holds for.
        source: KIP, ticket or class.
        why: what goes wrong without it, or why the format is so, in a sentence; empty if not said.
        until: last release that it holds for; empty if it still holds.
        file: where it stands, relative to spec/.
        line: line in that file.
    """

    id: str
    sentence: str
    level: str
    about: str
    broken_by: str
    stage: Stage
    since: str
    source: str
    why: str
    until: str
    file: str
    line: int


def load(spec: Path) -> dict[str, Rule]:
    """Load all rules below `spec`.

    Raises:
        LayoutError: a file is wrong; the message has file, line and advice.
    """
    loaded: dict[str, Rule] = {}
    for path in sorted((spec / "rules").glob("*.yaml")):
        top = read(path, path.relative_to(spec).as_posix())
        top.only("rules")
        for section in top.sections("rules"):
            rule = _rule(section)
            if rule.id in loaded:
                raise section.error(
                    f"`{rule.id}` appears twice", key="id", advice=f"the first is in {loaded[rule.id].file}"
                )
            loaded[rule.id] = rule
    return loaded


def _rule(section: Section) -> Rule:
    section.only(*_KEYS, "until", "why")
    texts = {key: section.text(key, required=True) for key in _KEYS}
    for key, words in _WORDS.items():
        if texts[key] not in words:
            raise section.error(f"unknown {key} `{texts[key]}`", key=key, advice=suggest(texts[key], words))
    stage, until = Stage(texts.pop("stage")), release_text(section, "until")
    check_order(section, release_text(section, "since"), until)
    why = section.text("why")
    return Rule(**texts, why=why, stage=stage, until=until, file=section.file, line=section.line)


@cache
def rules() -> Mapping[str, Rule]:
    """Return the rules that this installation carries, by id."""
    return MappingProxyType(load(data.path("spec")))
