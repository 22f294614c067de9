"""What a page is, and what all pages are made from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from kafka_conformance.vectors.golden import load
from kafka_conformance.vectors.vector import Vector
from kafka_format.spec.flags import Flag, flags
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.model import Layout
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_format.spec.releases import Release, releases
from kafka_format.spec.rules import Rule, rules
from kafka_generator.bugs import Bug
from kafka_generator.bugs import load as load_bugs

from kafka_site.addresses import Address, Addresses
from kafka_site.templates import ROOT
from kafka_site.tutorial.standing import Standing

OURS = "adapter/"
"""Where the layouts of our own protocol stand; those are not Kafka's and have no page."""


class Page(NamedTuple):
    """A generated page: its path without suffix, its addresses, how its Markdown is written."""

    path: str
    addresses: Sequence[Address]
    text: Callable[[], str]


@dataclass
class Site:
    """All that the pages are made from."""

    addresses: Addresses
    standings: Mapping[str, Standing] = field(default_factory=dict)
    """What the suite says of the steps of the tutorial; empty if it was not asked."""

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
    def bugs(self) -> Sequence[Bug]:
        """The bugs that people reported."""
        return load_bugs(Path(ROOT) / "vectors" / "bugs.yaml")
