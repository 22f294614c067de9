"""A v2 batch as a library tells it that reads batch by batch, read by the reference."""

from typing import Any

from kafka_conformance.protocol.hello import CODECS, FIELDS
from kafka_format import records, structure

HELLO = {"name": "wholes", "version": "1", "language": "Python", "formats": ["v2"], "codecs": [*CODECS]}
HELLO |= {"fields": [*FIELDS], "checks_crc": True, "url": ""}
"""What an adapter declares that tells all of it."""


def run_of(data: bytes) -> tuple[tuple[Any, ...], list[tuple[Any, ...]]]:
    """Read what a batch tells (kafka_python_family.State), and its rows."""
    batch = structure("record_batch").decode(data)
    numbers = (batch.producer_id, batch.producer_epoch, batch.base_sequence, batch.base_offset)
    state = (*numbers, batch.is_transactional, batch.is_control, CODECS.index(batch.codec))
    rows = [(*one[:5], [(name.decode(), value) for name, value in one.headers]) for one in records.decode(data)]
    return state, rows
