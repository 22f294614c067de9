"""What an exception says, where it comes from code that is not ours: its name and its text may do anything, or lie."""

from collections.abc import Callable

MOST_TEXT = 1000
MOST_NAME = 200
"""Characters that are told."""

_name_of: Callable[[type], str] = type.__dict__["__name__"].__get__
"""What a class says of itself may be code, too."""


def told(error: BaseException, *, named: bool = True) -> bytes:
    """Tell an exception by its name and text, as far as they can be; python_adapter.py does the same for adapters."""
    name = _name_of(type(error))[:MOST_NAME]
    try:
        text = str.__getitem__(str(error), slice(MOST_TEXT))
    except BaseException as another:  # noqa: BLE001 - whatever comes of it
        named, text = False, f"{name} (its text cannot be told: {_name_of(type(another))[:MOST_NAME]})"
    return (f"{name}: {text}" if named else text).encode("utf-8", "backslashreplace")
