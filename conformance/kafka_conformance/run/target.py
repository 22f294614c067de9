"""A target as it took part in a run, and how far it came."""

from dataclasses import dataclass
from enum import StrEnum

from kafka_conformance.protocol.hello import Hello
from kafka_conformance.targets.words import PROGRAM, PYTHON


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
        """The standing in a table."""
        return self.value.replace("-", " ")

    @property
    def predicate(self) -> str:
        """The standing in a sentence about the target."""
        verb = {Standing.NOT_READY: "is ", Standing.GIVEN_UP: "was ", Standing.STOPPED: "was "}.get(self, "")
        return verb + self.words

    @property
    def has_ended(self) -> bool:
        """True for a target that was asked everything.

        An unsteady one was lost on inputs that it stands one by one.
        """
        return self in {Standing.RAN, Standing.UNSTEADY}

    @property
    def is_broken(self) -> bool:
        """True for a target that did not run to its end, other than for not being ready."""
        return self in {Standing.DID_NOT_COME_UP, Standing.GIVEN_UP}


@dataclass(frozen=True, slots=True)
class Target:
    """A target as it took part in a run.

    Attributes:
        name: what the user asked for, for example `aiokafka`, `kafka-clients@3.9.1` or
            `cmd:./decode`; the key of its results.
        hello: what it declared; None if it never got that far.
        standing: how far it came.
        problem: why it came no further, in words; empty if it ran to the end.
        issues: where its maintainers take findings.
        notes: what happened besides the results, for instance a crash that did not happen again.
        advice: what to do about the problem, in a sentence; empty if nobody knows.
    """

    name: str
    hello: Hello | None
    standing: Standing = Standing.RAN
    problem: str = ""
    issues: str = ""
    notes: tuple[str, ...] = ()
    advice: str = ""

    @property
    def title(self) -> str:
        """What it calls itself in its hello, with its version; its name if it never said hello."""
        said = f"{self.hello.name} {self.hello.version}".strip() if self.hello else ""
        return said or self.name

    @property
    def label(self) -> str:
        """Its name in tables; of a program or function of the user's, what that calls itself."""
        return self.title if self.name.startswith((PROGRAM, PYTHON)) else self.name
