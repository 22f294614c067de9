"""A target that is about to take part: what a TARGET of the command line is resolved to."""

from dataclasses import dataclass

from kafka_conformance.child.launch import Command
from kafka_conformance.targets.broker_launch import RunningBroker
from kafka_conformance.targets.target_kind import TargetKind


@dataclass(frozen=True, slots=True)
class Candidate:
    """A target that takes part: its name, how to start it, and where its maintainers take findings.

    Attributes:
        name: what the user asked for.
        command: starts it behind the adapter protocol; None for a target that is not ready.
        issues: where its maintainers take findings.
        problem: what is missing of a target that is not ready, and what mends it.
        place: the broker that takes part; None for whatever is no broker.
        kind: what the command starts: an adapter, the driver of a consumer, the bridge to a
            producer, a reader of log directories; or a broker, which has a place instead.
        about: what it declares that it can be asked about, of records, messages, conversations and
            logs; None if that is not known before it is started.
        isolated: starts it so that it decodes in isolation (docs/adapter-protocol.md); None if it
            cannot.
        lost: what it did instead of saying hello, if it was asked; empty otherwise.
    """

    name: str
    command: Command | None
    issues: str = ""
    problem: str = ""
    isolated: Command | None = None
    kind: TargetKind = TargetKind.DECODER
    place: RunningBroker | None = None
    about: frozenset[str] | None = None
    lost: str = ""

    @property
    def is_ready(self) -> bool:
        """True if it can take part."""
        return self.command is not None or self.place is not None
