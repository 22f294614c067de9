"""The exceptions of this suite, in the order in which a run meets them.

1. Reading what the user asked for: `UsageError` if the command line, a name or a file is wrong,
   `VectorError` if it is a vector file. The command line prints the text and exits with status 2.
2. Finding a target: `NotReadyError` if its toolchain or its installation is missing. The target is
   shown as not ready.
3. Talking to a target: `ProtocolError` if the other side does not speak the adapter protocol. The
   client then ends the child and raises `TargetLostError`.
4. Losing a target: `TargetLostError` if it crashed, hung, took too much memory or broke the
   protocol. On a vector this becomes a finding; at the start, the target did not come up.
5. Ending early: `GaveUpError` if a target is lost too often in a row, `StoppedError` if the user
   interrupts the run. The results so far are kept.
6. Timing a target: `NotTimedError` if it cannot be timed at a workload.

Only `TargetLostError` can become a finding about a target. Bytes that break a rule of the format
are a `kafka_format.errors.FormatError`.
"""

from kafka_tools.errors import UsageError

from kafka_conformance.outcomes import Outcome


class NotReadyError(Exception):
    """A known target is not installed, or lacks its toolchain. It is shown, and never fails a run.

    Attributes:
        missing: what is not there.
        mend: the command, or the step, that brings it.
    """

    def __init__(self, missing: str, mend: str) -> None:
        """Keep both texts apart, so that a table can have a column for each."""
        super().__init__(f"{missing}; {mend}")
        self.missing = missing
        self.mend = mend


class VectorError(UsageError):
    """A vector file that cannot be used; the text starts with file and line."""


class ProtocolError(Exception):
    """The other side does not speak the adapter protocol; the text says what it did instead."""


class TargetLostError(Exception):
    """The child is gone, or had to be ended.

    Attributes:
        outcome: crashed, hung, out of memory or broken protocol.
        detail: the story, with the end of standard error.
    """

    def __init__(self, outcome: Outcome, detail: str) -> None:
        """Keep both for the result."""
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail


class GaveUpError(Exception):
    """The target is lost for good; the questions that are left were not put."""


class StoppedError(Exception):
    """The user interrupted the run while a child was being waited for."""


class NotTimedError(Exception):
    """A target cannot be timed at a workload; the text says why."""
