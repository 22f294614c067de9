r"""Text for people: plurals, and texts from outside made fit to show.

A target chooses its name, its error texts and its answers, so a report takes none of them on trust.
What cannot be printed (terminal escapes, characters that XML forbids, marks that turn the reading
direction, halves of surrogate pairs) is shown as an escape such as `\x1b`, and what is too long is
cut, with a note of how much is missing. Escaping for HTML, XML or Markdown comes on top, where the
format is known.
"""

import textwrap
from collections.abc import Iterable, Iterator, Sequence

LONGEST = 10_000
"""Characters of one text in a report: far more than a person reads, far less than a target can
send."""

_KIB = 1024
_SMALL = 10 * _KIB
"""Bytes that are counted one by one."""


def printable(text: str, longest: int = LONGEST) -> str:
    """Return the text, cut if it is long, with escapes for what cannot be printed.

    Lines stay lines.
    """
    left_out = len(text) - longest
    if left_out <= 0 and text.isprintable():
        return text  # as nearly all are, and a large report shows a million
    visible = "".join(map(_visible, text[:longest]))
    return f"{visible}... ({left_out:,} more characters)" if left_out > 0 else visible


def one_line(text: str, longest: int = 200) -> str:
    """Return the text as `printable` does, in one line."""
    return " ".join(printable(text, longest).split())


def plural(number: int, noun: str) -> str:
    """Return a number with its noun: `1 record`, `2,048 records`, `2 batches`."""
    ending = "" if number == 1 else "es" if noun.endswith(("ch", "x")) else "s"
    return f"{number:,} {noun}{ending}"


def too_text(by: int) -> str:
    """Return how far a number is off: `1 too high`, `5 too low`."""
    return f"{abs(by)} too {'high' if by > 0 else 'low'}"


def size_text(number: int) -> str:
    """Return a number of bytes with its unit: `1 byte`, `129.5 KiB`."""
    if number < _SMALL:
        return plural(number, "byte")
    size, units = number / _KIB, ["KiB", "MiB", "GiB", "TiB"]
    while size >= _KIB and len(units) > 1:
        size, units = size / _KIB, units[1:]
    return f"{size:,.1f} {units[0]}"


def first_few(told: Iterable[Sequence[str]], shown: int | None, noun: str) -> Iterator[str]:
    """Yield the lines about the first things of a kind, and then how many more there are.

    Args:
        told: the lines about each thing.
        shown: how many are told; None for all.
        noun: what one of them is.
    """
    things = list(told)
    for lines in things[:shown]:
        yield from lines
    if shown is not None and len(things) > shown:
        yield f"  and {plural(len(things) - shown, f'more {noun}')}; --all lists each"


def fold(line: str, width: int) -> str:
    """Fold a line for a terminal of that width; what is folded is indented."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.fill(line, max(width, 40), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def _visible(character: str) -> str:
    if character.isprintable() or character == "\n":
        return character
    return character.encode("unicode_escape").decode()
