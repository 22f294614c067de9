"""One question, asked of each partition that a path means."""

import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import click
from kafka_format.log import PartitionLog

from kafka_tools.errors import UsageError
from kafka_tools.logs import log_paths
from kafka_tools.text import fold, plural

_SHOWN = 3
_IN_FULL, _LINES = 3, 10
"""Partitions with a problem that are shown in full, and the lines of one: so that a broken disk is
a screen or two."""


class Answer(NamedTuple):
    """What there is to say of a partition.

    Attributes:
        lines: all of it.
        status: 1 if something is wrong, else 0.
        short: the line that is enough beside other partitions; the last one if it is empty.
        is_brief: whether that is enough even if something is wrong.
    """

    lines: list[str]
    status: int
    short: str = ""
    is_brief: bool = False


Question = Callable[[PartitionLog, Path], Answer]
"""It takes the log, and the folder or the segment that it is of."""


class Unread:
    """What could not be read, for one message at the end."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._errors: list[UsageError] = []

    def __bool__(self) -> bool:
        """Whether there is something."""
        return bool(self._errors)

    @contextmanager
    def noted(self, path: Path) -> Iterator[None]:
        """Note an error, and go on behind the block."""
        try:
            yield
        except UsageError as error:
            self._errors.append(error)
        except BrokenPipeError:  # of our output, not of the file: `head` has seen enough
            raise
        except OSError as error:
            self._errors.append(UsageError(f"{error.filename or path} cannot be read: {error.strerror}."))

    def tell(self) -> None:
        """Raise what was noted.

        Raises:
            UsageError: there was something.
        """
        if self._errors:
            raise UsageError("\n".join(error.message for error in self._errors), self._errors[0].hint)


def ask(
    path: Path,
    question: Question,
    *,
    any_width: bool = False,
    silent: bool = False,
    show_all: bool = False,
    status_of: Callable[[Iterable[int]], int] = max,
) -> int:
    """Ask each partition that a path means, and print the answers; return the exit status.

    Of several partitions the first ones with a problem are shown in full, the others in a line.

    Args:
        path: what the user named.
        question: gives the answer of one partition.
        any_width: see `PartitionLog`.
        silent: print nothing, since the question did.
        show_all: tell each partition with a problem in full.
        status_of: makes one status of those of several partitions.

    Raises:
        UsageError: a partition cannot be read; the others were answered before.
    """
    folders, unread, statuses = log_paths.partitions(path), Unread(), list[int]()
    short, shown = dict[str, list[str]](), 0
    for folder in folders:
        with unread.noted(folder), log_paths.partition(folder, any_width=any_width) as log:
            answer = question(log, folder)
            statuses.append(answer.status)
            if silent:
                continue
            if folders == [path]:
                print_lines(answer.lines)
                continue
            name, line = log_paths.title(path, folder), answer.short or answer.lines[-1]
            if answer.status and not answer.is_brief and (show_all or shown < _IN_FULL):
                shown += 1
                lines = answer.lines if show_all else _beginning(answer)
                print_lines([f"{name}:", *(f"  {each}" for each in lines)])
            else:
                short.setdefault(line, []).append(name)
    print_lines(f"{_few(names)}: {line}" for line, names in short.items())
    if not folders and not silent:
        click.echo(f"{path} has no partition")
    unread.tell()
    return status_of(statuses or [0])


def _beginning(answer: Answer) -> list[str]:
    """Return the lines of an answer; of a long one the first, and the one that is enough."""
    if len(answer.lines) <= _LINES:
        return answer.lines
    left = len(answer.lines) - _LINES
    more = f"... {plural(left, 'more line')}; name the partition to see them"
    return [*answer.lines[:_LINES], more, answer.short or answer.lines[-1]]


def print_lines(lines: Iterable[str]) -> None:
    """Print lines as `folded` gives them."""
    for line in folded(lines):
        click.echo(line)


def folded(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines: folded at blanks on a terminal, else as they are."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    return (fold(line, width) if width else line for line in lines)


def _few(names: list[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {plural(more, 'other')}" if more > 0 else "")
