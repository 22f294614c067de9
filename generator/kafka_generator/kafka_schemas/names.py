"""Kafka's names and ours: `maxWaitMs` and `MaxWaitMs` are `max_wait_ms`."""

from __future__ import annotations

import re
from typing import Final

_BORDER: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OURS: Final = {"k_raft": "kraft"}

RENAMED: Final = {
    "ElectPreferredLeaders": "ElectLeaders",
    "ListOffset": "ListOffsets",
    "AlterIsr": "AlterPartition",
    "ListClientMetricsResources": "ListConfigResources",
    "QuotaRecord": "ClientQuotaRecord",
}
"""Schemas that got another name, without Request and Response; the name that they have now."""

_LAYOUTS: Final = {"EndTxnMarker": "transaction_marker"}
"""Schemas whose layouts are not called like them: the value of a control record is
`end_txn_marker`, its version and the schema."""


def layout_name(name: str) -> str:
    """Return the name of the layout of a schema."""
    return _LAYOUTS.get(name) or snake(name)


def snake(name: str) -> str:
    """Return our name for one of Kafka's."""
    words = _BORDER.sub("_", name).lower()
    for word, ours in _OURS.items():
        words = words.replace(word, ours)
    return words


def camel(name: str) -> str:
    """Return the name that Kafka's JSON has for one of ours, unless Kafka writes it otherwise."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def base(name: str) -> str:
    """Return the name of the API, or of a schema that is no request and no response."""
    return name.removesuffix("Request").removesuffix("Response")


def current(name: str) -> str:
    """Return the name that a schema has in the newest release."""
    stem = base(name)
    return RENAMED.get(stem, stem) + name[len(stem) :]
