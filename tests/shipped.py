"""The vectors that the checkout ships, read once in a process of the tests.

Who takes them leaves them as they are.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from kafka_conformance.vectors import directions, golden
from kafka_conformance.vectors.vector import Vector
from kafka_generator.log_vectors import files


@cache
def vectors() -> Mapping[str, Vector]:
    """The vectors of records by id, in the order of file and line."""
    return {vector.id: vector for vector in golden.load()}


@cache
def documents() -> Sequence[dict[str, Any]]:
    """The vectors of records as JSON has them, and after them those of other directions."""
    return [*(dict(vector.document) for vector in vectors().values()), *directions.documents()]


@cache
def log_vectors(file: str) -> Mapping[str, dict[str, Any]]:
    """The vectors of a file of vectors/log by id."""
    return files.read(Path(__file__).parents[1] / "vectors" / files.FOLDER / file)
