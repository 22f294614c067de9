"""The text of a decoder's exception.

Reading its name or its text may run the decoder's own code.
"""

from collections.abc import Callable

MOST_TEXT = 1000
MOST_NAME = 200
"""Characters of a text and of a name that are reported."""

_name_of: Callable[[type], str] = type.__dict__["__name__"].__get__
"""Reads the real name of a class, which a metaclass may hide."""


def text_of(error: BaseException, *, named: bool = True) -> bytes:
    """Return an exception's name and text, as far as they can be read.

    python_adapter.py does the same for adapters.
    """
    name = _name_of(type(error))[:MOST_NAME]
    try:
        text = str.__getitem__(str(error), slice(MOST_TEXT))
    except BaseException as another:  # noqa: BLE001 - whatever comes of it
        named, text = False, f"{name} (its text cannot be read: {_name_of(type(another))[:MOST_NAME]})"
    return (f"{name}: {text}" if named else text).encode("utf-8", "backslashreplace")
