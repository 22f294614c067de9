"""Where each field, rule, flag, vector and release stands on the site.

An address lasts as long as the name that it is made of, and names are never used anew: link to
`rules/records.html#v2.crc.covers-attributes-to-end`.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

KINDS: Final = {
    "structure": "structure",
    "field": "field",
    "api": "API",
    "version": "version of a request, response or schema record",
    "bytes": "bytes of a version",
    "rule": "rule",
    "flag": "flag",
    "vector": "vector",
    "client": "client",
    "finding": "bug in a decoder",
    "report": "report of a bug",
    "release": "release",
    "proposal": "proposal or ticket",
    "error": "error code",
    "file": "file of a data directory",
}
"""What has an address, and what people call it."""

FILE: Final = "addresses.json"


class UnknownNameError(Exception):
    """A page names a rule, vector or other thing that has no address."""


class Address(NamedTuple):
    """One place: `page` is its path without a suffix, `anchor` the id of the element there."""

    kind: str
    name: str
    page: str
    anchor: str


@dataclass
class Addresses:
    """All addresses of the site, by kind and name.

    Attributes:
        known: those that the search and the inventory have.
        unlisted: those that links alone know: there are so many of them.
    """

    known: dict[tuple[str, str], Address] = field(default_factory=dict)
    unlisted: dict[tuple[str, str], Address] = field(default_factory=dict)

    def add(self, addresses: Iterable[Address]) -> None:
        """Take these too.

        Raises:
            ValueError: two places have one name.
        """
        for address in addresses:
            if self.known.setdefault((address.kind, address.name), address) != address:
                raise ValueError(f"two places for {address.kind} {address.name}: also {address.page}")

    def add_unlisted(self, addresses: Iterable[Address]) -> None:
        """Take these for links, and leave them out of the search."""
        self.unlisted.update({(address.kind, address.name): address for address in addresses})

    def has(self, kind: str, name: str) -> bool:
        """Tell whether there is such a place."""
        return (kind, name) in self.known or (kind, name) in self.unlisted

    def url(self, kind: str, name: str, page: str) -> str:
        """Return the address of a thing, as a link on `page` says it.

        Raises:
            UnknownNameError: there is no such thing.
        """
        address = self.known.get((kind, name)) or self.unlisted.get((kind, name))
        if address is None:
            raise UnknownNameError(f"{page}: there is no {KINDS[kind]} {name}")
        return f"{relative(address.page, page)}#{address.anchor}"

    def link(self, kind: str, name: str, page: str, text: str = "") -> str:
        """Return the link to a thing as HTML, in code letters unless a text is given."""
        inner = escape(text) if text else f"<code>{escape(name)}</code>"
        return f'<a href="{escape(self.url(kind, name, page))}">{inner}</a>'

    def write(self, folder: Path) -> None:
        """Write them for the build, which puts them into the search and the inventory."""
        (folder / FILE).write_text(json.dumps(list(self.known.values())), encoding="utf-8")


def read(folder: Path) -> Addresses:
    """Return the addresses that were written into a folder."""
    addresses = Addresses()
    addresses.add(Address(*entry) for entry in json.loads((folder / FILE).read_text(encoding="utf-8")))
    return addresses


def relative(page: str, origin: str) -> str:
    """Return the path from one page of the site to another, as HTML files."""
    return posixpath.relpath(f"{page}.html", posixpath.dirname(origin) or ".")
