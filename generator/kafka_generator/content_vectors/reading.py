"""What a wrong reader of keys and values is: another way to read some kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from kafka_format.content import serdes
from kafka_format.content.answers import Answer

from kafka_generator.mutants.patch import Patch

Read = Callable[[bytes, Sequence[serdes.Header]], Answer]
"""The right way to read a value of the kind that is read; takes its headers, too."""

Wrong = Callable[[Read, bytes, Sequence[serdes.Header]], Answer]
"""A wrong way: takes the right one first."""


def misread(patch: Patch, kinds: str, wrong: Wrong) -> None:
    """Read values that are not null in a wrong way, of the kinds that fit a pattern."""

    def read(
        right: Callable[..., Answer],
        kind: str,
        data: bytes | None,
        headers: Sequence[serdes.Header] = (),
        flags: frozenset[str] = frozenset(),
    ) -> Answer:
        if data is None or not fnmatchcase(kind, kinds):
            return right(kind, data, headers, flags)
        return wrong(lambda other, named: right(kind, other, named, flags), data, headers)

    patch.wrap(serdes.read, read)
