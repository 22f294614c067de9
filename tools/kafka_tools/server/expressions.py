"""Regular expressions of members (KIP-848): those of RE2, in time that grows with the text.

Kafka's broker has RE2J. Python's own would hang on `(a+)+$` and a name of thirty letters.
"""

from __future__ import annotations


class Expression:
    """An expression that topics are matched with as a whole."""

    def __init__(self, text: str) -> None:
        """Read it.

        Raises:
            ValueError: RE2 does not know it, or it would take too much memory.
        """
        import re2  # noqa: PLC0415 - only members with expressions need it

        options = re2.Options()
        options.log_errors = False  # else it writes them to standard error
        try:
            self._pattern = re2.compile(text, options)
        except re2.error as error:
            raise ValueError(f"not an expression of RE2: {error}") from None

    def matches(self, name: str) -> bool:
        """Tell whether the name of a topic matches."""
        return self._pattern.fullmatch(name) is not None
