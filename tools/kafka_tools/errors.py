"""The error of the command line.

Bytes that break a rule of the format are a `kafka_format.errors.FormatError`.
"""


class UsageError(Exception):
    """The user asked for the impossible: an unknown name, a missing file, bytes that are not hex.

    The command line prints the message and the hint and exits with status 2; there is never a
    traceback.

    Attributes:
        message: what is wrong, in one sentence.
        hint: what to do next.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep both texts apart, so that they can be shown apart."""
        super().__init__(f"{message} {hint}".rstrip())
        self.message = message
        self.hint = hint
