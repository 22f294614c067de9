"""Vectors by construction: every cut, check and edge of every field, made by walking the layouts.

What a table would say a thousand times over is said once here. A construction states the bytes, the
verdict and the rules that may be broken; the reference then says which one it is and where, and
Kafka judges as it does every vector. Ids are made of what a vector shows, so the same id always has
the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator

from kafka_generator.cases import Case
from kafka_generator.constructed import checks, controls, cuts, edges, large, pairs
from kafka_generator.constructed.model import Construction, finish
from kafka_generator.payloads import PayloadStore


def load(store: PayloadStore) -> Iterator[tuple[Case, Construction]]:
    """Yield every construction with its case.

    Raises:
        LayoutError: the reference breaks another rule than a construction says, or none.
    """
    for module in (checks, cuts, edges, controls, pairs, large):
        for construction in module.constructions(store):
            yield finish(construction), construction
