"""A rule that the files of a log directory break."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from kafka_format.errors import FormatError


class Breach(NamedTuple):
    """A broken rule: which, in which file, where, and what is wrong.

    Attributes:
        rule: id of the rule, as in spec/rules.
        path: the file or folder.
        detail: what is wrong, in words.
        position: byte in the file; None where it is about the file as a whole.
        offset: the offset that it is about; None for none.
        partition: name of the partition that a file of the data directory breaks it about, such as
            a row of a checkpoint; empty elsewhere.
        is_lost: True if the file shows that records are gone which had been there.
    """

    rule: str
    path: Path
    detail: str
    position: int | None = None
    offset: int | None = None
    partition: str = ""
    is_lost: bool = False


def of_error(error: FormatError, path: Path) -> Breach:
    """Return the breach that an error in the bytes of a file is."""
    field = f"{error.path_text}: " if error.path else ""
    return Breach(error.rule, path, f"{field}{error.detail}", None if error.payload else error.offset)
