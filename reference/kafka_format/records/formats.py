"""The formats as tables: magic bytes, layouts, codecs, and where the head of an entry is.

Format 0.7 cannot be recognised by the magic byte, which means something else there. So only the
table of codecs has it.
"""

from __future__ import annotations

from typing import Final

from kafka_format.codec.prefix import Prefix, prefix
from kafka_format.records.entries import FORMATS, OVERHEAD, Entry
from kafka_format.spec.layout import find

MAGICS: Final = {name: magic for magic, name in FORMATS.items()}
"""The magic byte by the name of the format."""

LAYOUTS: Final = ("message_set_entry", "message_set_entry", "record_batch")
"""Name of the layout of an entry, by its magic."""

_HEADS: Final = ("message_v0", "message_v1", "record_batch")
"""Name of the layout that has the attributes and the checksum, by magic."""

CODECS: Final = {
    "v07": find("v07_message_1").field("attributes").part("codec").names,
    **{name: find(_HEADS[magic]).field("attributes").part("codec").names for name, magic in MAGICS.items()},
}
"""Names of the codecs that a format knows, in the order of their numbers."""


def head_of(entry: Entry) -> tuple[Prefix, int]:
    """Return the fixed fields of a batch, or of the message in an entry, and where they begin."""
    return prefix(_HEADS[entry.magic]), entry.start if entry.magic == MAGICS["v2"] else entry.start + OVERHEAD
