"""The circumstances in which data of today is met, as vectors tell them, and how often that is.

A vector says where its bytes come from in a sentence (its evidence); circumstances.yaml groups
these sentences. What applications may write and hardly do is told by the records themselves, and
of requests and responses by the APIs that clients are asked about in conversations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import Any, Final

from kafka_conformance.kinds.conversation import questions
from kafka_conformance.vectors.loader import EVERY
from kafka_format.spec.layout.yamlfile import load_yaml

from kafka_generator.card.rules import RARE

PLAIN: Final = "in plain use"
"""The words of what happens without anything that is special."""

FILE: Final = Path(__file__).with_name("circumstances.yaml")

_SIDES: Final = re.compile(r"_(request|response)$")


@dataclass(frozen=True, slots=True)
class Circumstance:
    """Something that happens to clients.

    Attributes:
        name: its name.
        words: it as the end of a sentence: `in compacted topics`.
        often: the moment of what happens in it: `everyday`, `rare` or `old`.
    """

    name: str
    words: str
    often: str


def of_evidence(evidence: str) -> Circumstance | None:
    """Return the circumstance that the evidence of a vector tells; None if no line fits it."""
    text = evidence.lower()
    return next((one for one, fits in _by_evidence() if fits.match(text)), None)


def of_records(
    evidence: str, records: Sequence[Mapping[str, Any]], *, is_transactional: bool = False
) -> Circumstance | None:
    """Return the circumstance of records: that of rare data if they are so, else by evidence.

    Args:
        evidence: that of their vector.
        records: its answer, as a vector has it.
        is_transactional: whether they are of a transaction, which is not plain use.
    """
    if is_rare_data(records):
        return _rare_data()
    met = of_evidence(evidence)
    return _named("transactions") if is_transactional and met == _named("plain") else met


def of_layout(layout: str) -> Circumstance:
    """Return the circumstance of a request or response, or of another structure of the protocol."""
    api = _SIDES.sub("", layout)
    words = document()["administration"]
    return _named("plain") if api in _asked_of_clients() else Circumstance(words["name"], words["words"], RARE)


def is_rare_data(records: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether records have what hardly any application writes: times, keys of headers."""
    rare = document()["rare_data"]
    times = [int(record["timestamp"]) for record in records if not record["control"]]
    keys = (key for record in records if not record["control"] for key, _ in record["headers"])
    is_odd = bool(times) and (
        min(times) < rare["timestamps_below"] or max(times) - min(times) >= rare["timestamps_apart"]
    )
    return is_odd or any(_odd_key().search(bytes.fromhex(key or "").decode(errors="replace")) for key in keys)


def circumstances() -> Sequence[Circumstance]:
    """Return those that evidence can tell, in the order in which they are tried."""
    return [one for one, _ in _by_evidence()]


@cache
def document() -> Any:
    """Return the content of circumstances.yaml."""
    return load_yaml(FILE.read_text(encoding="utf-8"))


@cache
def _by_evidence() -> Sequence[tuple[Circumstance, re.Pattern[str]]]:
    return [
        (Circumstance(one["name"], one["words"], one["often"]), _any_of(map(translate, one["evidence"])))
        for one in document()["circumstances"]
    ]


def _named(name: str) -> Circumstance:
    return next(one for one in circumstances() if one.name == name)


@cache
def _rare_data() -> Circumstance:
    rare = document()["rare_data"]
    return Circumstance(rare["name"], rare["words"], RARE)


@cache
def _odd_key() -> re.Pattern[str]:
    return _any_of(document()["rare_data"]["header_keys"])


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@cache
def _asked_of_clients() -> frozenset[str]:
    """Return the APIs that conversations are about: what consumers and producers need."""
    asked = questions.questions(questions.load(EVERY))
    steps = {step.request for one in asked for step in one.steps}
    return frozenset(steps | {api for one in asked for api in one.versions})
