"""The two ways in which the suite itself can fail to do what it was asked; neither is ever a finding about a target."""


class UsageError(Exception):
    """The user asked for something that cannot be done: an unknown name, a missing file, bytes that are not hex.

    The command line prints the message and the hint and exits with status 2; there is never a traceback.

    Attributes:
        message: what is wrong, in one sentence.
        hint: what to do next.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep both texts apart, so that they can be shown apart."""
        super().__init__(f"{message} {hint}".rstrip())
        self.message = message
        self.hint = hint


class NotReadyError(Exception):
    """A known target whose toolchain or installation is missing. It is shown as not ready and never fails a run.

    Attributes:
        missing: what is not there.
        mend: the command, or the step, that brings it.
    """

    def __init__(self, missing: str, mend: str) -> None:
        """Keep both texts apart, so that a table can have a column for each."""
        super().__init__(f"{missing}; {mend}")
        self.missing = missing
        self.mend = mend
