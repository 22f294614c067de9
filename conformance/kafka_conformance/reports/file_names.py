"""File names for pages: readable, safe on every file system, and never the same twice."""

import re
from collections.abc import Iterable

_LONGEST = 100
_UNSAFE = re.compile(r"[^a-z0-9.]+")


def file_names(ids: Iterable[str], suffix: str = ".html") -> dict[str, str]:
    """Return a file name for every id, distinct even on file systems that ignore case."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(ids):
        stem = _UNSAFE.sub("-", name.lower()).strip("-.")[:_LONGEST] or "page"
        candidate, number = stem, 2
        while candidate in taken:
            candidate, number = f"{stem}-{number}", number + 1
        taken.add(candidate)
        names[name] = candidate + suffix
    return names
