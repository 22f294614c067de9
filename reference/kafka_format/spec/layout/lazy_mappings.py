"""Mappings that make a value when it is asked for, since a process uses few of the layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import RLock
from typing import Final, TypeVar

Value = TypeVar("Value")

_making: Final = RLock()
"""Held while a value is made. One for all, since values are made of one another; several threads of
a run may ask for the first time at once."""


class Deferred(Mapping[str, Value]):
    """A mapping whose values are made one by one, each when it is first asked for."""

    def __init__(self, names: Callable[[], Iterable[str]], make: Callable[[str], Value | None]) -> None:
        """Take a function that gives all names, and one that makes a name's value, or None."""
        self._names = names
        self._make = make
        self._made: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        """Return the value of a name, making it if need be."""
        if name not in self._made:
            with _making:
                if name not in self._made:
                    self._add(name)
        return self._made[name]

    def _add(self, name: str) -> None:
        value = self._make(name)
        if value is None:
            raise KeyError(name)
        self._made[name] = value

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._names())

    def __len__(self) -> int:
        """Count the names."""
        return len(list(self._names()))


class Once(Mapping[str, Value]):
    """A mapping that is made as a whole when something of it is first asked for."""

    def __init__(self, make: Callable[[], Mapping[str, Value]]) -> None:
        """Take how to make it."""
        self._make = make
        self._made: Mapping[str, Value] | None = None

    def _whole(self) -> Mapping[str, Value]:
        with _making:
            if self._made is None:
                self._made = self._make()
            return self._made

    def __getitem__(self, name: str) -> Value:
        """Return the value of a name."""
        return self._whole()[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._whole())

    def __len__(self) -> int:
        """Count the names."""
        return len(self._whole())
