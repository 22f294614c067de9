"""The reference: Apache Kafka's message formats, read from layouts.

`structure(name)` gives one layout compiled: bytes in, named tuples out, and back.
`structure(name, version)` gives one version of a layout of the protocol. `kafka_format.records`
reads and writes whole runs of entries as a fetch response has them, `kafka_format.protocol`
requests and responses. Nothing heavy is imported before it is used.

It is for users of the package; no module inside imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafka_format.errors import FormatError

if TYPE_CHECKING:
    from kafka_format.codec.structures import structure

__all__ = ["FormatError", "structure"]


def __getattr__(name: str) -> object:
    """Import what needs the specification on first use, which keeps importing the package quick."""
    if name != "structure":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from kafka_format.codec.structures import structure  # noqa: PLC0415 - loads on first use

    globals()[name] = structure
    return structure
