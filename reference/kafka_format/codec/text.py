"""Python text, line by line, and the module that is made of it."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

DOUBT: Final = "raise IndexError"
"""What the text of a reader does at the first doubt."""

REFUSE: Final = "raise TypeError"
"""What the text of a writer does with a value that it cannot write."""


class Text:
    """Lines of Python at their indents."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.lines: list[str] = []
        self._indent = 0

    def add(self, *lines: str) -> None:
        """Add lines at the indent of now."""
        self.lines += [f"{'    ' * self._indent}{line}" if line else "" for line in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Add a line, and what is added inside `with` below it."""
        self.add(head)
        self._indent += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.add("pass")
        self._indent -= 1

    def run(self, file: str, module: dict[str, Any]) -> str:
        """Run the text in a module, and return it. Tracebacks and debuggers show it as `file`."""
        source = "\n".join(self.lines) + "\n"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        # The text comes from a checked layout.
        exec(compile(source, file, "exec"), module)  # noqa: S102 - source made from the layout
        return source
