"""The cut-off entry at the end of a run, as mutants of several families change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from kafka_format.records.entries import START, Entry

from kafka_generator.mutants.patch import Patch


def refuse_cut(patch: Patch, split: Callable[..., Iterator[Entry]], when: Callable[[int], bool]) -> None:
    """Let runs be refused for what is left of them after the last whole entry.

    Args:
        patch: the patch that does so.
        split: what splits a run.
        when: is true of the numbers of bytes that are an error.
    """

    def wrong(right: Callable[..., Iterator[Entry]], data: bytes, *flags: Any, **options: Any) -> Iterator[Entry]:
        end = options.get("at", START).position
        for entry in right(data, *flags, **options):
            yield entry
            end = entry.end
        if when(len(data) - end):
            raise ValueError

    patch.wrap(split, wrong)
