"""Reduced findings as data and as a file: the batch, the failure, the reduced bytes, the cause."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from kafka_format import sampler
from kafka_tools.errors import UsageError
from kafka_tools.spark import files

from kafka_conformance.outcomes import Outcome

KIND: Final = "kafka-format-conformance reduced findings"
FILE: Final = "reduced.json"


_FAULTS: Final = {fault.name: fault for fault in sampler.FAULTS}


Kind = tuple[str, str, str]
"""Target, outcome and symptom. Of the findings of a run that have these in common, one is
reduced."""


@dataclass(frozen=True, slots=True)
class GeneratedBatch:
    """A generated batch, and what a run found with it.

    Attributes:
        outcome: what the target did in the run; empty if no run found it, like the symptom.
        symptom: as in the column of findings.
        batches: batches of the run with the same outcome and symptom.
        size: bytes; 0 before the batch was generated again.
    """

    target: str
    seed: int
    index: int
    profile: str
    outcome: str = ""
    symptom: str = ""
    batches: int = 1
    size: int = 0

    @property
    def kind(self) -> Kind:
        """Its kind of finding."""
        return self.target, self.outcome, self.symptom


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of the target on the reduced bytes.

    Attributes:
        library: as the target declares it, like the version.
        outcome: what the target did; `passed` if it did not fail on the batch again.
        symptom: the field that differs or the error text, as in the column of findings.
        path: first field that differs; empty if none does.
        expected: value of that field, or all that is expected; what the target gave is in `got`.
        detail: the whole story.
    """

    library: str
    version: str
    outcome: str
    symptom: str
    path: str
    expected: str
    got: str
    detail: str


@dataclass(frozen=True, slots=True)
class Minimal:
    """The reduced bytes.

    Attributes:
        format: `v07`, `v0` to `v2`.
        codec: codecs of the entries, with a blank between them.
        size: bytes.
        hex: the bytes.
        fault: name of the fault done to them; empty for none.
        twin: the bytes without that fault, in hex.
        redone: False if the fault did not make the target fail elsewhere, so the batch was left as
            it is.
        parts: what is not at its simplest, with values, at most 50 of them; of the twin if there is
            a fault.
        part_count: how many parts there are.
    """

    format: str
    codec: str
    size: int
    hex: str
    fault: str
    twin: str
    redone: bool
    parts: tuple[str, ...]
    part_count: int

    @property
    def data(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self.hex)

    @property
    def sampler_fault(self) -> sampler.Fault:
        """The fault; the first of all stands for none."""
        return _FAULTS[self.fault]


@dataclass(frozen=True, slots=True)
class ReducedCause:
    """Why the target fails.

    Attributes:
        parts: the fault, or the parts that must be removed for the target to answer correctly;
            empty if time ran out.
        proven: True if the target answered correctly without them. False if it fails in some way
            whatever is removed.
    """

    parts: tuple[str, ...] = ()
    proven: bool = False


@dataclass(frozen=True, slots=True)
class Effort:
    """The cost of the reduction.

    Attributes:
        questions: batches that the target was asked to decode.
        seconds: time.
        finished: False if time or questions ran out before every candidate was tried.
    """

    questions: int
    seconds: float
    finished: bool


@dataclass(frozen=True, slots=True)
class Reduced:
    """A finding after reduction."""

    batch: GeneratedBatch
    failure: Failure
    minimal: Minimal
    cause: ReducedCause
    effort: Effort

    @property
    def outcome(self) -> Outcome:
        """The outcome of the reduced bytes."""
        return Outcome(self.failure.outcome)

    @property
    def is_finding(self) -> bool:
        """False if the target did not fail again when it was asked about the batch alone."""
        return self.outcome.is_finding


@dataclass(frozen=True, slots=True)
class Reductions:
    """The reduced findings of a run.

    Attributes:
        reduced: one of each kind of finding, those with the same cause side by side.
        left: kinds of findings that there was no time for.
        problems: why others could not be reduced, in words.
    """

    reduced: tuple[Reduced, ...] = ()
    left: int = 0
    problems: tuple[str, ...] = ()

    def write(self, folder: Path) -> None:
        """Write `reduced.json` into the folder of a run."""
        files.write_json(folder / FILE, {"kind": KIND, **asdict(self)})


def read(folder: Path) -> tuple[Reduced, ...]:
    """Return the reduced findings in the folder of a run, in the order of their numbers.

    Raises:
        UsageError: there are none, or the file is broken.
    """
    file = folder / FILE
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["kind"] == KIND:
            return tuple(map(_from_json, document["reduced"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        pass
    raise UsageError(f"{file} has no reduced findings.", "Name the directory of a run with --out, or use --reduce.")


def _from_json(document: dict[str, Any]) -> Reduced:
    minimal, cause = document["minimal"], document["cause"]
    reduced = Reduced(
        batch=GeneratedBatch(**document["batch"]),
        failure=Failure(**document["failure"]),
        minimal=Minimal(**{**minimal, "parts": tuple(minimal["parts"])}),
        cause=ReducedCause(**{**cause, "parts": tuple(cause["parts"])}),
        effort=Effort(**document["effort"]),
    )
    _ = reduced.outcome, reduced.minimal.data, reduced.minimal.sampler_fault  # raise what a broken file deserves
    return reduced
