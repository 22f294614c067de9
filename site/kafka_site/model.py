"""What a page is, and what all pages are made from."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from kafka_conformance.vectors import directions
from kafka_conformance.vectors.golden import load
from kafka_conformance.vectors.vector import Vector
from kafka_format.spec.flags import Flag, flags
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Layout
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_format.spec.releases import Release, releases
from kafka_format.spec.rules import Rule, rules

from kafka_site.addresses import Address, Addresses
from kafka_site.bugs import Bugs
from kafka_site.message_vectors import MessageVectors
from kafka_site.rule_vectors import OfRule, by_rule
from kafka_site.templates import ROOT
from kafka_site.tutorial.standing import Standing

OURS = "adapter/"
"""Where the layouts of our own protocol stand; those are not Kafka's and have no page."""


class Page(NamedTuple):
    """A generated page: its path without suffix, its addresses, how its Markdown is written."""

    path: str
    addresses: Sequence[Address]
    text: Callable[[], str]


class MessagePage(NamedTuple):
    """The page of some vectors of one layout of the protocol.

    Attributes:
        name: the lowest of the versions that they are of, or what else their ids have in common.
        page: its path.
        vectors: how many there are.
    """

    name: str
    page: str
    vectors: int


@dataclass
class Site:
    """All that the pages are made from."""

    addresses: Addresses
    standings: Mapping[str, Standing] = field(default_factory=dict)
    """What the suite says of the steps of the tutorial; empty if it was not asked."""
    messages: Mapping[str, Sequence[MessagePage]] = field(default_factory=dict)
    """The pages of the vectors of requests and responses by layout; empty if there are none."""
    message_vectors: MessageVectors = field(default_factory=MessageVectors)
    """What rules and versions say of those vectors; empty likewise."""

    @cached_property
    def layouts(self) -> Mapping[str, Layout]:
        """Kafka's structures that have no versions, by name."""
        known = specification().layouts
        return {name: layout for name, layout in known.items() if not layout.file.startswith(OURS)}

    @cached_property
    def versioned(self) -> Mapping[str, VersionedLayout]:
        """Requests, responses and what else has versions, by name."""
        return specification().versioned

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """The rules by id."""
        return rules()

    @cached_property
    def flags(self) -> Mapping[str, Flag]:
        """The flags by name."""
        return flags()

    @cached_property
    def releases(self) -> Mapping[str, Release]:
        """The releases that judge, newest first."""
        return releases()

    @cached_property
    def vectors(self) -> Mapping[str, Vector]:
        """The vectors of the record formats by id."""
        return {vector.id: vector for vector in load()}

    @cached_property
    def vectors_by_rule(self) -> Mapping[str, OfRule]:
        """The vectors of each rule, of every kind that has pages."""
        cases = [*self.directions, *self.log_vectors]
        return by_rule(self.vectors.values(), cases, self.message_vectors.by_rule)

    @cached_property
    def directions(self) -> Sequence[Mapping[str, Any]]:
        """The vectors of what brokers and consumers do, as JSON."""
        return tuple(directions.documents())

    @cached_property
    def log_vectors(self) -> Sequence[Mapping[str, Any]]:
        """The vectors of log directories and of their files, as JSON."""
        files = [ROOT / "vectors" / "log" / f"{name}.jsonl" for name in ("files", "directories")]
        return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]

    @cached_property
    def conversations(self) -> Sequence[Mapping[str, Any]]:
        """The conversations, as JSON."""
        files = sorted((ROOT / "vectors" / "conversations").glob("*.jsonl"))
        return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]

    @cached_property
    def bugs(self) -> Bugs:
        """The bugs that users reported, and those found in known programs."""
        return Bugs(self.vectors, self.message_vectors)
