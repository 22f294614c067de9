"""What was read from a text, and the error of a text that stands for no bytes."""

from __future__ import annotations

from typing import Final, NamedTuple


class Pasted(NamedTuple):
    """Bytes that a text stands for.

    Attributes:
        data: the bytes.
        way: how the text says them, for example `hex digits` or `a dump with addresses`.
        notes: what was decided where the text can be read otherwise, or is not whole.
        other: the bytes as they are if its words have them in the other order; None if it has no
            words, or tells their order.
    """

    data: bytes
    way: str
    notes: tuple[str, ...] = ()
    other: bytes | None = None

    def noting(self, *notes: str) -> Pasted:
        """Return it with further notes; empty ones are left out."""
        return self._replace(notes=(*self.notes, *filter(None, notes)))


class PasteError(ValueError):
    """A text that stands for no bytes, or not for all of them.

    Attributes:
        detail: what is wrong with it.
        hint: what to do next.
    """

    def __init__(self, detail: str, hint: str = "") -> None:
        """Keep the facts, and make one text."""
        super().__init__(f"{detail} {hint}".rstrip())
        self.detail: Final = detail
        self.hint: Final = hint
