"""Readers of the protocol: arrays, whose order counts and whose items may come twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.codec.interpreter import Reader
from kafka_format.spec.layout.model import Counted, Field, Type

from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode-protocol", "arrays")


def _read(patch: Patch, change: Callable[[list[Any]], list[Any]]) -> None:
    """Change arrays of numbers and of strings."""

    def wrong(right: Callable[..., tuple[Any, int]], self: Reader, field: Field, kind: Type, *at: Any) -> Any:
        value, after = right(self, field, kind, *at)
        return (change(value) if isinstance(kind, Counted) and _is_plain(value) else value), after

    patch.wrap(Reader._value, wrong)


def _is_plain(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, int | str) for item in value)


@mutant("protocol/array-sorted")
def array_sorted(patch: Patch) -> None:
    """Sorts the items of arrays."""
    _read(patch, sorted)


@mutant("protocol/array-items-once")
def array_items_once(patch: Patch) -> None:
    """Keeps each item of an array once."""
    _read(patch, lambda items: list(dict.fromkeys(items)))
