"""The rows that a run leaves behind.

`done` has one row for each chunk and target: proof that the chunk was compared, with all its
counts. `findings` has the disagreements themselves, with bytes. Only the first findings of each
symptom are kept; the counts in `done` include all of them. `docs/scale.md` explains the columns to
readers.
"""

import re
from dataclasses import dataclass

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome

HEX_BYTES = 4096
"""Most bytes of a batch that a finding shows. Seed and index bring back all of them."""

DETAIL_LENGTH = 2000
_SYMPTOM_LENGTH = 100
_CHANGING = re.compile(r"0x[0-9a-fA-F]+|\d+|'[^']*'|\"[^\"]*\"")
"""Numbers and quotations."""

NONE = -1
"""In place of an index."""

OTHER = "(other)"
"""Stands for symptoms beyond as many as are kept apart."""


@dataclass(frozen=True, slots=True)
class TallyRow:
    """Batches of a chunk that have the same result.

    Attributes:
        format: `v07`, `v0` to `v2`.
        codec: `none` to `zstd`.
        outcome: `passed`, a finding's, `unsupported` for what the target does not declare or says
            it cannot do, or `skipped`, see `ask.fatal_faults`.
        symptom: see `symptom`; empty for what passed.
        batches: how many.
        first: index of the first of them; -1 for what passed.
        fault: what was done to the batches; empty for nothing.
        rule: the rule that the fault breaks, or that says that it breaks none.
    """

    format: str
    codec: str
    outcome: str
    symptom: str
    batches: int
    first: int
    fault: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """The results of one target in one chunk.

    Attributes:
        target: its name.
        chunk: number of the chunk.
        start: index of its first batch.
        count: batches in it.
        compared: batches that were put and judged; the others are undeclared or skipped (see
            `tally`) or were given up (see `problem`).
        findings: batches that are findings.
        kept: rows of them in `findings`.
        tally: every batch that was not given up, by format, codec, outcome and symptom.
        seconds: time with the target, from the first batch to the last judgement.
        generation_seconds: time to generate the batches; once a chunk, however many targets share
            them.
        cpu_seconds: processor time of the worker and all its targets; once a chunk, as above.
        memory: the most resident bytes that the worker and the processes of its targets have had so
            far; likewise.
        host: machine that did it.
        pid: process of the worker.
        problem: why batches were given up; empty if none was.
        notes: what else happened, for instance a crash that did not happen again.
    """

    target: str
    chunk: int
    start: int
    count: int
    compared: int
    findings: int
    kept: int
    tally: tuple[TallyRow, ...]
    seconds: float
    generation_seconds: float
    cpu_seconds: float
    memory: int
    host: str
    pid: int
    problem: str
    notes: tuple[str, ...]

    @property
    def given_up(self) -> int:
        """The number of batches that were not tested, though the target declares to read them."""
        return self.count - sum(tally.batches for tally in self.tally)


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One disagreement; seed, profile and index say which batch, on any machine.

    Attributes:
        target: name of the target.
        seed: of the run.
        index: of the batch.
        profile: of the run.
        format: of the batch.
        codec: of the batch.
        outcome: `wrong-answer`, `accepted-invalid`, `refused-valid`, `partial-answer`, `crashed`,
            `hung`, `out-of-memory` or `broken-protocol`.
        symptom: the finding without what is different each time, see `symptom`.
        path: first field that differs, for a wrong answer.
        expected: its value.
        got: what the target gave.
        detail: the whole story: the target's error text, the signal that ended it.
        fault: what was done to the batch; empty for nothing.
        rule: the rule that this breaks, or that says that it breaks none.
        size: bytes of the batch.
        hex: the batch in hex, at most the first 4096 bytes.
    """

    target: str
    seed: int
    index: int
    profile: str
    format: str
    codec: str
    outcome: str
    symptom: str
    path: str
    expected: str
    got: str
    detail: str
    fault: str
    rule: str
    size: int
    hex: str


def symptom(result: Result) -> str:
    """Return the symptom: the path or error text, with `*` for the parts that vary.

    Empty for a batch that is no finding.
    """
    if not result.is_finding:
        return ""
    if result.outcome is Outcome.ACCEPTED_INVALID:
        return result.expected
    text = result.path if result.outcome is Outcome.WRONG_ANSWER else result.detail
    return _CHANGING.sub("*", text.partition("\n")[0])[:_SYMPTOM_LENGTH].strip()
