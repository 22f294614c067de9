r"""What people paste: text that stands for bytes, in the ways in which tools and programs write it.

    >>> from kafka_format import paste
    >>> paste.read("00000000: 0012 0003  ....").data
    b'\x00\x12\x00\x03'

Hex in any spelling, dumps with addresses, arrays and strings of programs, base64. Where a text can
be read in two ways, what was read says so in its notes. The page's decoder has the same modules in
JavaScript; tests/pastes.yaml holds both to one table of cases.
"""

from kafka_format.paste.digits import WORDS
from kafka_format.paste.model import Pasted, PasteError
from kafka_format.paste.notations import SWAPPED
from kafka_format.paste.reader import read

NOTES_OF_ORDER = (WORDS, SWAPPED)
"""Notes that say in which order the bytes of words were read."""

__all__ = ["NOTES_OF_ORDER", "PasteError", "Pasted", "read"]
