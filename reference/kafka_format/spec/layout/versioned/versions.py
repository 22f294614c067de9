"""Ranges of versions as layouts write them: `3`, `0-3`, `3+`, `none`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_RANGE: Final = re.compile(r"(\d+)(?:(\+)|-(\d+))?")


class Versions(NamedTuple):
    """Versions from `lowest` to `highest` inclusive; none if `lowest` is above `highest`."""

    lowest: int
    highest: int

    @classmethod
    def parse(cls, text: str, highest: int) -> Versions:
        """Read a range; `3+` ends at `highest`.

        Raises:
            ValueError: it is no range, or it ends before it begins.
        """
        if text == "none":
            return NO_VERSIONS
        match = _RANGE.fullmatch(text)
        if match is None:
            raise ValueError(f"`{text}` is not a range of versions")
        low = int(match[1])
        high = highest if match[2] else int(match[3] or low)
        if low > high:
            raise ValueError(f"`{text}` ends before it begins")
        return cls(low, high)

    def __contains__(self, version: object) -> bool:
        """Tell whether a version is among them."""
        return isinstance(version, int) and self.lowest <= version <= self.highest

    def __str__(self) -> str:
        """The range as layouts write it, without `+`."""
        if not self.numbers:
            return "none"
        return str(self.lowest) if self.lowest == self.highest else f"{self.lowest}-{self.highest}"

    @property
    def numbers(self) -> range:
        """The versions one by one."""
        return range(self.lowest, self.highest + 1)

    def is_within(self, other: Versions) -> bool:
        """Tell whether the other range has all of these."""
        return not self.numbers or (other.lowest <= self.lowest and self.highest <= other.highest)

    def intersection(self, other: Versions) -> Versions:
        """Return the versions that both have."""
        both = Versions(max(self.lowest, other.lowest), min(self.highest, other.highest))
        return both if both.numbers else NO_VERSIONS


NO_VERSIONS: Final = Versions(0, -1)
