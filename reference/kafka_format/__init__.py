"""The reference: Apache Kafka's message formats, read from layouts.

`structure(name)` gives one layout compiled: bytes in, named tuples out, and back. `kafka_format.records` reads and
writes whole runs of entries as a fetch response has them. Nothing heavy is imported before it is used.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kafka_format.codec.compiler.structure import Structure

__all__ = ["structure"]


@cache
def structure(name: str) -> Structure:
    """Return the compiled structure of that name, for example `record_batch`; compiled once.

    Raises:
        LayoutError: there is no such layout; the message suggests a near name.
    """
    from kafka_format.codec.compiler import structure as compiled  # noqa: PLC0415 - keeps the import of the package light

    return compiled(name)
