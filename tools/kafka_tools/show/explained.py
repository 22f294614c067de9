"""Explanations on standard output, part by part: for people or as JSON."""

import sys
from collections.abc import Iterable, Iterator

from kafka_format.explain.lines import Explanation
from rich.console import Console

from kafka_tools.show import explained_json, screen


class Said:
    """What was said of an explanation that comes in parts.

    Attributes:
        is_wrong: True if a part has a fault.
        is_cut: True if bytes are missing.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.is_wrong = self.is_cut = False

    def of(self, parts: Iterable[Explanation]) -> Iterator[Explanation]:
        """Yield the parts, and keep what is wrong with them."""
        for part in parts:
            self.is_wrong |= part.fault is not None
            self.is_cut |= part.missing > 0
            yield part


def print_parts(parts: Iterable[Explanation], *, full: bool = False, as_json: bool = False) -> Said:
    """Print an explanation that comes in parts; return what is wrong with it."""
    said = Said()
    if as_json:
        sys.stdout.writelines(explained_json.pieces(said.of(parts)))
        return said
    console = Console()
    for part in said.of(parts):
        screen.print_explanation(part, console, full=full)
    return said
