"""The page of the files of a data directory: what each holds, an example, and its rules."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from kafka_format.spec.rules import Rule
from kafka_tools.logs.annotation import annotate
from kafka_tools.logs.effects import effect

from kafka_site import examples
from kafka_site.addresses import Address
from kafka_site.model import Page, Site
from kafka_site.templates import SITE, render

_PATH: Final = "files"


class Held(NamedTuple):
    """A rule of a file, and what Kafka does where it is broken."""

    rule: Rule
    kafka: str


class Known(NamedTuple):
    """A file as the page shows it: what site/files.yaml says, its example and its rules."""

    name: str
    since: str
    holds: str
    structures: list[str]
    example: str
    rules: list[Held]


@cache
def descriptions() -> list[dict[str, Any]]:
    """Return what site/files.yaml says of each file.

    Raises:
        yaml.YAMLError: it is no YAML.
    """
    files: list[dict[str, Any]] = yaml.safe_load((SITE / "files.yaml").read_text(encoding="utf-8"))["files"]
    return files


def pages(site: Site) -> Iterator[Page]:
    """Yield the page."""
    names = [description["name"] for description in descriptions()]
    yield Page(_PATH, [Address("file", name, _PATH, f"file-{name}") for name in names], partial(_text, site))


def _text(site: Site) -> str:
    places: dict[str, list[Known]] = {}
    for number, said in enumerate(descriptions()):
        places.setdefault(said["where"], []).append(_known(site, f"file{number}", said))
    return render("files.md.j2", places=places, link=partial(site.addresses.link, page=_PATH))


def _known(site: Site, identity: str, said: Mapping[str, Any]) -> Known:
    prefixes = tuple(said["rules"])
    rules = [rule for rule in site.rules.values() if prefixes and rule.id.startswith(prefixes)]
    return Known(
        name=said["name"],
        since=said["since"],
        holds=said["holds"],
        structures=said["structures"],
        example=_example(site, identity, said["example"]) if "example" in said else "",
        rules=[Held(rule, consequence.kafka if (consequence := effect(rule.id)) else "") for rule in rules],
    )


def _example(site: Site, identity: str, vector: str) -> str:
    """Return the file of a vector, explained by `kafka-format log explain`."""
    case = next(candidate for candidate in site.log_vectors if candidate["id"] == vector)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / case["file"]
        file.write_bytes(bytes.fromhex(case["hex"]))
        explanation = annotate(file)
    source = site.addresses.link("vector", vector, _PATH)
    return examples.html(identity, explanation, f"{json.dumps(case['file'])[1:-1]}, {{}}", source)
