"""What the decoder in the page knows: layouts, enumerations, rules, flags, and their pages."""

from __future__ import annotations

import json
from typing import Any, Final

from kafka_format.content import protobuf, telemetry
from kafka_format.paste import tidying
from kafka_format.spec.layout import find
from kafka_format.spec.layout.loader import specification
from kafka_format.spec.layout.model import CHECK_RULES

from kafka_site.decoder.nodes import Nodes
from kafka_site.model import Site

_ENUMERATIONS: Final = (
    "api",
    "control_type",
    "group_record",
    "transaction_record",
    "share_record",
    "metadata_record",
    "remote_log_record",
)
"""Those that are looked up by name; the others stand at their fields."""


def specification_script(site: Site) -> str:
    """Return the script with all but the protocol, which the page loads first."""
    nodes = Nodes()
    layouts = {name: nodes.layout(layout, name) for name, layout in site.layouts.items()}
    return _script(
        "kafkaSpecification",
        {
            "nodes": nodes.all,
            "layouts": layouts,
            "checks": dict(CHECK_RULES),
            "enums": {name: _names(name) for name in _ENUMERATIONS},
            "flags": {rule: [name, site.flags[name].doc] for rule, name in specification().flags.items()},
            "rules": {rule.id: rule.sentence for rule in site.rules.values()},
            "tidying": [[pattern, _instead(said)] for pattern, said in tidying.TABLE],
            "telemetry": _telemetry(),
            "pages": {kind: _pages(site, kind) for kind in ("structure", "rule", "flag")},
        },
    )


def protocol_script(site: Site) -> str:
    """Return the script with the layouts of the protocol, which is loaded when it is needed."""
    nodes = Nodes()
    layouts = {}
    for name, layout in site.versioned.items():
        versions = {number: nodes.layout(find(name, number), name) for number in layout.versions.numbers}
        flexible = [number for number in layout.versions.numbers if number in layout.flexible]
        layouts[name] = {"at": versions, "flexible": flexible, "behind": layout.behind}
    return _script("kafkaProtocol", {"nodes": nodes.all, "layouts": layouts})


def _telemetry() -> dict[str, Any]:
    """Return the fields of metrics, and the bounds and the rule of who reads them."""
    messages = {
        name: {
            number: {"name": field.name, "kind": field.kind, "repeated": field.is_repeated, "oneof": field.oneof}
            for number, field in fields.items()
        }
        for name, fields in telemetry.MESSAGES.items()
    }
    bounds = {"deepest": protobuf.DEEPEST, "mostFields": protobuf.MOST_FIELDS}
    return {"message": telemetry.MESSAGE, "messages": messages, "rule": telemetry.RULE, **bounds}


def _instead(said: str) -> str:
    """Return what stands for a pattern as JavaScript says it."""
    return said.replace("\\1", "$1").replace("\\2", "$2").replace("\\\\", "\\")


def _names(enumeration: str) -> dict[int, str]:
    return dict(specification().enums[enumeration].values)


def _pages(site: Site, kind: str) -> dict[str, str]:
    return {name: address.page for (known_kind, name), address in site.addresses.known.items() if known_kind == kind}


def _script(name: str, value: dict[str, Any]) -> str:
    """Return a script that sets a global variable; a page from the disk can load no JSON."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return f"globalThis.{name} = {text};\n"
