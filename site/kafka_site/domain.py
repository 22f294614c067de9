"""Addresses in Sphinx: roles such as {rule}`v2.crc...`, the search, and objects.inv."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from docutils.nodes import Element, reference
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains import Domain, ObjType
from sphinx.environment import BuildEnvironment
from sphinx.roles import XRefRole

from kafka_site.addresses import KINDS, Address, Addresses, read, relative

_FIRST: Final = 0
_LAST: Final = 2
"""Sphinx's numbers for what comes first and last in a search."""

_MANY: Final = {"version", "bytes", "vector", "finding", "report"}


def _is_first(address: Address) -> bool:
    """Tell whether an address comes first in a search.

    There are too many of some kinds, and too many fields of requests and responses.
    """
    return address.kind not in _MANY and not (address.kind == "field" and address.page.startswith("protocol/"))


class KafkaDomain(Domain):
    """Everything that has an address, as objects of Sphinx."""

    name = "kafka"
    label = "Kafka"
    object_types = {kind: ObjType(label, kind) for kind, label in KINDS.items()}  # noqa: RUF012 - Sphinx asks for it
    roles = {kind: XRefRole() for kind in KINDS}  # noqa: RUF012 - likewise

    @property
    def addresses(self) -> Addresses:
        """Those that `kafka_site` wrote beside the pages."""
        addresses: Addresses = self.env.kafka_addresses  # type: ignore[attr-defined]  # ours, as extensions do
        return addresses

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield all that has an address.

        Who searches for `crc` wants the field or the rule, and not one of many vectors or bugs.
        """
        for address in self.addresses.known.values():
            priority = _FIRST if _is_first(address) else _LAST
            yield address.name, address.name, address.kind, address.page, address.anchor, priority

    def resolve_xref(  # noqa: D102 - Sphinx's
        self,
        env: BuildEnvironment,  # noqa: ARG002 - Sphinx says what is passed
        fromdocname: str,
        builder: Builder,  # noqa: ARG002 - a role of Sphinx has these arguments
        typ: str,
        target: str,
        node: pending_xref,  # noqa: ARG002 - the same
        contnode: Element,
    ) -> reference | None:
        if not self.addresses.has(typ, target):
            return None
        address = self.addresses.known[typ, target]
        uri = f"{relative(address.page, fromdocname)}#{address.anchor}"
        return reference("", "", contnode, internal=True, refuri=uri)

    def resolve_any_xref(self, *_: object) -> list[Any]:  # noqa: D102 - a role says what it means
        return []

    def merge_domaindata(self, *_: object) -> None:  # noqa: D102 - nothing is kept a document
        pass


def _read_addresses(app: Sphinx) -> None:
    app.env.kafka_addresses = read(Path(app.srcdir))  # type: ignore[attr-defined]  # ours, as extensions do


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx of the domain; pages may be read side by side."""
    app.add_domain(KafkaDomain)
    app.connect("builder-inited", _read_addresses)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
