"""Wrong codecs by name: the plain one, with one thing wrong that it reads or writes.

`wrong_layouts` are another matter: here every layout is right, and a kind of value is not. Null and
empty taken for one another are in `null_habits`.
"""

from typing import Final

from kafka_conformance.kinds.message.wrong_codecs.items import of_items
from kafka_conformance.kinds.message.wrong_codecs.readers import READERS
from kafka_conformance.kinds.message.wrong_codecs.sections import SECTIONS
from kafka_conformance.kinds.message.wrong_codecs.tables import WrongCodec
from kafka_conformance.kinds.message.wrong_codecs.widths import WIDTHS
from kafka_conformance.kinds.message.wrong_codecs.writers import WRITERS

__all__ = ["OF_ITEMS", "WRONG_CODECS", "WrongCodec"]

WRONG_CODECS: Final[tuple[WrongCodec, ...]] = (*WRITERS, *READERS, *SECTIONS, *WIDTHS)
"""All of them, the plainest first."""

OF_ITEMS: Final[tuple[WrongCodec, ...]] = tuple(of_items(WRONG_CODECS))
"""Those that are wrong in arrays of one type of item alone."""
