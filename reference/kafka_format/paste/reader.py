"""The reader of texts: which of the ways to write bytes a text has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kafka_format.paste import digits, dumps, programs
from kafka_format.paste.model import Pasted, PasteError
from kafka_format.paste.tidying import tidied

LONGEST: Final = 16 << 20
"""Letters of a text that is more than plain hex digits or base64."""

_WAYS: Final[tuple[Callable[[str], Pasted | None], ...]] = (
    dumps.read,
    dumps.read_cells,
    programs.read_array,
    dumps.refuse_what_is_lost,
    digits.read_bits,
    digits.read_numbers,
    programs.read_string,
    digits.read_hex,
    digits.read_base64,
)


def read(text: str) -> Pasted:
    """Return the bytes that a text stands for.

    Args:
        text: what was pasted: hex digits, a dump, an array or a string of a program, base64.

    Raises:
        PasteError: it stands for no bytes, or for more than there are; the hint says what to do.
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        return Pasted(b"", digits.HEX)
    if text.isascii() and text.isalnum() and (made := digits.read_hex(text)) is not None:
        return made
    return _read(text)


def _read(text: str) -> Pasted:
    if len(text) > LONGEST:
        made = digits.read_base64(text)
        if made is None:
            raise PasteError(f"{len(text)} letters are too many.", "Give the bytes themselves, as a file.")
        return made
    text = tidied(text)
    made = next(filter(None, (read_way(text) for read_way in _WAYS)), None)
    if made is None:
        raise digits.complaint(text)
    return made
