"""What targets did, as data: outcomes, targets and results; `runs` has the run that holds them.

Nothing here knows how a target is started or how a report looks. The runner makes these values, the reports read
them, and every one is frozen, so that a result can be shared, sorted and compared without care.

A result is about one vector, one target and one direction. Its outcome says what kind of thing happened; the other
fields say what exactly. A crash is never a refusal: a decoder that takes its process with it has not refused
anything. A known failure keeps its outcome and says in `known` why it is expected, so that one that changes its kind
is noticed.
"""

from dataclasses import dataclass
from enum import StrEnum

from kafka_format.records import Record


class Outcome(StrEnum):
    """What a target did with a vector. The value is the stable name that reports and known-failure files use."""

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
    UNSUPPORTED = "unsupported"
    SPARED = "spared"

    @property
    def words(self) -> str:
        """The outcome as a person would say it."""
        return _WORDS[self]

    @property
    def is_finding(self) -> bool:
        """True for a disagreement with the specification; a pass is none, nor is what was not asked."""
        return self.was_asked and self is not Outcome.PASSED

    @property
    def was_asked(self) -> bool:
        """False for a declared gap, and for what a Spark run spares a target that others like it have killed."""
        return self not in {Outcome.UNSUPPORTED, Outcome.SPARED}


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
    Outcome.UNSUPPORTED: "does not support it",
    Outcome.SPARED: "was spared what kills it",
}


class Standing(StrEnum):
    """How far a target came. The value is the stable name that reports use."""

    RAN = "ran"
    UNSTEADY = "unsteady"
    NOT_READY = "not-ready"
    DID_NOT_COME_UP = "did-not-come-up"
    GIVEN_UP = "given-up"
    STOPPED = "stopped"

    @property
    def words(self) -> str:
        """The standing as a person would say it."""
        return self.value.replace("-", " ")

    @property
    def has_ended(self) -> bool:
        """True for a target that was asked everything. An unsteady one was lost on inputs that it stands one by one."""
        return self in {Standing.RAN, Standing.UNSTEADY}

    @property
    def is_broken(self) -> bool:
        """True for a target that should have run and did not, or not to the end; not ready is no fault."""
        return self in {Standing.DID_NOT_COME_UP, Standing.GIVEN_UP}


class Direction(StrEnum):
    """What the target was asked to do."""

    DECODE = "decode"
    ENCODE = "encode"


@dataclass(frozen=True, slots=True)
class Hello:
    """What a target declares about itself in its first message. Only what is declared is asked and compared.

    Attributes:
        name: the library.
        version: the version that runs, as the library itself tells it.
        language: the language it is written in.
        formats: formats that it reads, of `v07`, `v0`, `v1`, `v2`.
        codecs: codecs that it reads, of `none`, `gzip`, `snappy`, `lz4`, `zstd`.
        fields: record fields that its answers carry; the others are not compared. `control` here means that it returns
            control records.
        checks_crc: False if it never looks at checksums.
        directions: what it can be asked to do.
        url: where the library lives.
        requests: further requests that it answers, of `assign`, `convert`, `deliver`.
        partial: True if it tells the records that came before an error from a clean refusal.
    """

    name: str
    version: str
    language: str
    formats: tuple[str, ...]
    codecs: tuple[str, ...]
    fields: tuple[str, ...]
    checks_crc: bool
    directions: tuple[Direction, ...] = (Direction.DECODE,)
    url: str = ""
    requests: tuple[str, ...] = ()
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """A target as it took part in a run.

    Attributes:
        name: what the user asked for, for example `aiokafka`, `kafka-clients@3.9.1` or `cmd:./decode`; the key of its
            results.
        hello: what it declared; None if it never got that far.
        standing: how far it came.
        problem: why it came no further, in words; empty if it ran to the end.
        issues: where its maintainers take findings.
        notes: what happened besides the results, for instance a crash that did not happen again.
    """

    name: str
    hello: Hello | None
    standing: Standing = Standing.RAN
    problem: str = ""
    issues: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What one target did with one vector.

    Attributes:
        vector: id of the vector.
        target: name of the target, as in `Target.name`.
        outcome: what kind of thing happened.
        direction: whether the target decoded or encoded.
        detail: the whole story in a sentence or two: the target's error text, the signal that killed it, the gap it
            declares.
        expected: the expected value, short: that of the first differing field, or the rule that the bytes break.
        got: what came instead, in the same form.
        path: the first differing field, for example `records[2].timestamp`; empty unless the answer is wrong.
        seconds: time the target took; a vector that shared a block with others has its share of the block.
        known: why this finding is expected, from the known-failures file; empty if it is not known.
        answer: the records that came: what the target decoded, all of it; those before the error of a partial answer;
            or what the reference reads from what the target wrote. None if no record came or none could be read.
    """

    vector: str
    target: str
    outcome: Outcome
    direction: Direction = Direction.DECODE
    detail: str = ""
    expected: str = ""
    got: str = ""
    path: str = ""
    seconds: float = 0.0
    known: str = ""
    answer: tuple[Record, ...] | None = None

    @property
    def is_finding(self) -> bool:
        """True for a disagreement with the specification, known or not."""
        return self.outcome.is_finding
