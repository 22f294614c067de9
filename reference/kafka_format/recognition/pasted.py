"""What people paste, with the bytes of its words in the order in which they are something.

`od` swaps the bytes of words on most machines, and does not with `--endian=big`; the dump says
neither. What is recognised in them tells.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_format import paste
from kafka_format.paste import Pasted
from kafka_format.recognition.model import Candidate

_LARGEST: Final = 1 << 16
"""Bytes that are tried in both orders; nobody pastes more of `od`."""


def read(text: str, best_of: Callable[[bytes], Candidate | None]) -> Pasted:
    """Return the bytes that a text stands for.

    Args:
        text: what was pasted.
        best_of: says what bytes are.

    Raises:
        PasteError: it stands for none, or for more than there are.
    """
    made = paste.read(text)
    if made.other is None or len(made.data) > _LARGEST or _is_sure(best_of(made.data)):
        return made
    best = best_of(made.other)
    if best is None or not _is_sure(best):
        return made
    notes = tuple(note for note in made.notes if note not in paste.NOTES_OF_ORDER)
    return Pasted(made.other, made.way, notes).noting(
        f"The bytes of each word are in the order in which they are {best.title}."
    )


def _is_sure(best: Candidate | None) -> bool:
    return best is not None and not best.is_guess
