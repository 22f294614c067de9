"""What goes into a reduction and what comes out of it, as data."""

from dataclasses import dataclass

from kafka_conformance.outcomes import Outcome


@dataclass(frozen=True, slots=True)
class Batch:
    """Which generated batch, and what it was put to.

    Attributes:
        target: name of the target.
        seed: of the batch.
        index: of the batch.
        profile: of the batch.
        outcome: what the target did; empty where it was not found by a run.
        symptom: as in the column of findings; empty where it was not found by a run.
        batches: how many of the run have outcome and symptom in common with it.
    """

    target: str
    seed: int
    index: int
    profile: str
    outcome: str = ""
    symptom: str = ""
    batches: int = 1


@dataclass(frozen=True, slots=True)
class Reduced:
    """What became of a finding.

    Attributes:
        target: name of the target.
        name: the library.
        version: its version.
        seed: of the batch that it was found in.
        index: likewise.
        profile: likewise.
        batches: how many of the run have its outcome and symptom.
        found: its outcome then; empty where it was not found by a run.
        symptom: as in the column of findings; likewise.
        outcome: how the target fails on the reduced bytes; `passed` if it did not fail again on the batch itself.
        about: the field that differs, or the error text, as in the column `symptom`.
        path: first field that differs.
        expected: its value; where no field differs, what is due.
        got: what the target gave; the records, where it accepted what must be refused.
        detail: the whole story.
        format: of the bytes.
        codec: of the bytes.
        size: bytes of the batch.
        reduced_size: bytes that are left.
        hex: those.
        fault: the fault that is done to them; empty for none.
        twin: the bytes without that fault, in hex.
        redone: False if the fault did not show again elsewhere, so that the batch is left as it was.
        calls: how often the target was asked.
        seconds: how long that took.
        telling: what is not as simple as can be, with values; of the bytes before the fault, where one is done.
        parts: how many those are; at most 50 of them are told.
        cause: the fault, or those of `telling`, without which the target is right; empty if time ran out before.
        mends: True if the target was asked without the cause, and was right.
        finished: False if time or calls ran out before nothing was left to try.
    """

    target: str
    name: str
    version: str
    seed: int
    index: int
    profile: str
    batches: int
    found: str
    symptom: str
    outcome: str
    about: str
    path: str
    expected: str
    got: str
    detail: str
    format: str
    codec: str
    size: int
    reduced_size: int
    hex: str
    fault: str
    twin: str
    redone: bool
    calls: int
    seconds: float
    telling: tuple[str, ...]
    parts: int
    cause: tuple[str, ...]
    mends: bool
    finished: bool

    @property
    def data(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self.hex)

    @property
    def is_finding(self) -> bool:
        """False if the target did not fail again when it was asked about the batch alone."""
        return Outcome(self.outcome).is_finding


@dataclass(frozen=True, slots=True)
class Reductions:
    """What came of a run.

    Attributes:
        reduced: one of each kind that there was time for, those of one cause side by side.
        left: kinds that are left.
        problems: why some could not be reduced, in words.
    """

    reduced: tuple[Reduced, ...] = ()
    left: int = 0
    problems: tuple[str, ...] = ()
