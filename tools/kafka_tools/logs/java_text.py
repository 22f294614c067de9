"""Text as Java makes it of bytes: `new String(bytes, UTF_8)`.

What is not UTF-8 becomes U+FFFD. Java and Python differ in half a surrogate pair that is written as
three bytes, such as `ed a0 80`: Java replaces it by one character, Python by three.
"""

import codecs
import re
from typing import Final

REPLACEMENT: Final = "\ufffd"
_HALF_PAIR: Final = 0xED
_SECOND: Final = range(0xA0, 0xC0)
_CONTINUATION: Final = range(0x80, 0xC0)
_NAME: Final = "java-replace"
_SEARCH: Final = re.compile(rb"\xed[\xa0-\xbf]").search


def decode(content: bytes) -> str:
    """Return the text of bytes as Java reads them; nothing is an error."""
    return content.decode("utf-8", _NAME if _SEARCH(content) else "replace")


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    content, start = error.object, error.start
    if content[start] != _HALF_PAIR or content[start + 1 : start + 2] == b"" or content[start + 1] not in _SECOND:
        return REPLACEMENT, error.end
    third = content[start + 2 : start + 3]
    return REPLACEMENT, start + (3 if third and third[0] in _CONTINUATION else 2)


codecs.register_error(_NAME, _replace)
