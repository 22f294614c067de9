"""The vectors' bytes, from which hostile ones are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tests import shipped

LONGEST: Final = 3000


def seeds(formats: Sequence[str]) -> list[bytes]:
    """Return the bytes of the vectors that have these formats only, without the few long ones."""
    return [
        vector.data
        for vector in shipped.vectors().values()
        if not vector.is_large and len(vector.data) <= LONGEST and set(vector.formats) <= set(formats)
    ]
