"""The outcomes of a question to a target.

A crash is never a refusal: a decoder that takes its process with it has not refused anything.
"""

from enum import StrEnum


class Outcome(StrEnum):
    """What a target did with a vector.

    The value is the stable name in reports and known failures.
    """

    PASSED = "passed"
    WRONG_ANSWER = "wrong-answer"
    ACCEPTED_INVALID = "accepted-invalid"
    REFUSED_VALID = "refused-valid"
    PARTIAL_ANSWER = "partial-answer"
    CRASHED = "crashed"
    HUNG = "hung"
    OUT_OF_MEMORY = "out-of-memory"
    BROKEN_PROTOCOL = "broken-protocol"
    FLAKY = "flaky"
    OTHERWISE = "otherwise"
    UNSUPPORTED = "unsupported"
    NOT_ASKED = "not-asked"

    @property
    def words(self) -> str:
        """The outcome as a person would say it."""
        return _WORDS[self]

    @property
    def is_finding(self) -> bool:
        """True for a disagreement with the specification; not for a pass, nor for a gap.

        To make something else of damaged files than Kafka does is none.
        """
        return self.counts and self is not Outcome.PASSED

    @property
    def counts(self) -> bool:
        """True for what is right or a finding; not for a gap, nor for what may be otherwise."""
        return self.was_asked and self is not Outcome.OTHERWISE

    @property
    def was_asked(self) -> bool:
        """False for a declared gap, and for vectors that were left out (`child.deaths`)."""
        return self not in (Outcome.UNSUPPORTED, Outcome.NOT_ASKED)


_WORDS = {
    Outcome.PASSED: "passed",
    Outcome.WRONG_ANSWER: "gave a wrong answer",
    Outcome.ACCEPTED_INVALID: "accepted what must be refused",
    Outcome.REFUSED_VALID: "refused what is valid",
    Outcome.PARTIAL_ANSWER: "gave some records of what is valid, then an error",
    Outcome.CRASHED: "crashed",
    Outcome.HUNG: "hung",
    Outcome.OUT_OF_MEMORY: "took too much memory",
    Outcome.BROKEN_PROTOCOL: "broke the adapter protocol",
    Outcome.FLAKY: "did one thing, then another",
    Outcome.OTHERWISE: "answered otherwise than Kafka, of damaged files",
    Outcome.UNSUPPORTED: "does not support it",
    Outcome.NOT_ASKED: "was not asked",
}
