"""The page of errors: what codes and texts of clients mean, the likely cause and the remedy first.

`site/errors.yaml` has causes and remedies; which rules bytes broke where a code or a text came up
was recorded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Any, Final, NamedTuple

import yaml
from kafka_conformance.targets.catalogue import Part
from kafka_format.spec.layout import specification
from kafka_generator.recorded import append_errors, results
from kafka_generator.recorded.results import RecordedText

from kafka_site.addresses import Address
from kafka_site.model import Page, Site
from kafka_site.templates import SITE, render

_PATH: Final = "errors"
_KAFKA: Final = "kafka-clients"
"""Kafka's own client, which comes first."""

_EXAMPLES: Final = 3


class Advice(NamedTuple):
    """The likely cause of an error, and what to do."""

    cause: str
    remedy: str


class Code(NamedTuple):
    """An error code of responses: number, name in enums.yaml, and advice if there is any."""

    number: int
    name: str
    advice: Advice | None

    @property
    def constant(self) -> str:
        """Its name as Kafka writes it: `UNKNOWN_MEMBER_ID`."""
        return self.name.upper()


@cache
def advice() -> tuple[Mapping[str, Advice], Mapping[str, Advice]]:
    """Return the advice of site/errors.yaml: by code, and by the beginning of a rule's id."""
    document = yaml.safe_load((SITE / "errors.yaml").read_text(encoding="utf-8"))
    codes, rules = ({name: Advice(**one) for name, one in document[key].items()} for key in ("codes", "rules"))
    return codes, rules


def codes() -> list[Code]:
    """Return all error codes but that of no error, in the order of their numbers."""
    names = specification().enums["error"].values
    return [Code(number, name, advice()[0].get(name)) for number, name in sorted(names.items()) if number]


def of_text(text: RecordedText) -> Advice | None:
    """Return the advice on what a client says, if there is any: by the rule broken most often."""
    known = advice()[1]
    rule = max(text.rules, key=lambda one: text.rules[one])
    fitting = [start for start in known if rule == start or rule.startswith((f"{start}.", f"{start}-"))]
    return known[max(fitting, key=len)] if fitting else None


class Answer(NamedTuple):
    """An error code that brokers answer a producer with: which releases, to what."""

    code: str
    releases: list[str]
    rules: list[str]
    examples: list[str]
    vectors: int


def pages(site: Site) -> Iterator[Page]:
    """Yield the page."""
    yield Page(_PATH, [Address("error", code.name, _PATH, anchor(code)) for code in codes()], partial(_text, site))


def anchor(code: Code) -> str:
    """Return the anchor of a code on the page."""
    return f"code-{code.constant}"


def _text(site: Site) -> str:
    clients = [row for row in results.of(Part.DECODER) if row.texts]
    return render(
        "errors.md.j2",
        clients=sorted(clients, key=lambda client: client.target != _KAFKA),
        answers={answer.code: answer for answer in _answers(site)},
        codes=codes(),
        anchor=anchor,
        of_text=of_text,
        has=site.addresses.has,
        link=partial(site.addresses.link, page=_PATH),
    )


def _answers(site: Site) -> Iterator[Answer]:
    """Yield the codes with which brokers refuse, the most frequent first."""
    broken = _broken_rules(site)
    by_code: dict[str, dict[str, list[str]]] = {}
    for vector, codes in append_errors.load().items():
        for code, named in codes.items():
            by_code.setdefault(code, {})[vector] = named
    for code, vectors in sorted(by_code.items(), key=lambda item: -len(item[1])):
        named_releases = {release for releases in vectors.values() for release in releases}
        rules = Counter(rule for vector in vectors for rule in broken.get(vector, ()))
        yield Answer(
            code,
            sorted(named_releases, key=lambda release: [int(part) for part in release.split(".")], reverse=True),
            [rule for rule, _ in rules.most_common()],
            sorted((vector for vector in vectors if site.addresses.has("vector", vector)), key=len)[:_EXAMPLES],
            len(vectors),
        )


def _broken_rules(site: Site) -> Mapping[str, list[str]]:
    """Return by vector the rule that it breaks, or those that it is about."""
    rules = {vector.id: [str(vector.fault.rule)] for vector in site.vectors.values() if vector.fault is not None}
    cases: list[Mapping[str, Any]] = list(site.directions)
    return rules | {case["id"]: list(case.get("rules", ())) for case in cases}
