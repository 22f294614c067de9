"""Known failures: findings that are expected, each with the reason why.

A text file, one line each, blank lines and lines that start with `#` aside:

    TARGET  VECTOR  OUTCOME  # why, for instance the issue that tracks it

TARGET and VECTOR are patterns as in a shell; OUTCOME is one of the outcomes, or a pattern of them. A line that no
finding answers to any more is reported, so that the file shrinks as targets get better.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from kafka_conformance.errors import UsageError
from kafka_conformance.outcomes import Outcome, Result


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """One line of the file: three patterns, the reason, and the line itself for messages."""

    target: str
    vector: str
    outcome: str
    reason: str
    line: str

    def covers(self, result: Result) -> bool:
        """True if the line is about this target and vector, whatever came of it."""
        return fnmatchcase(result.target, self.target) and fnmatchcase(result.vector, self.vector)

    def expects(self, result: Result) -> bool:
        """True if the line foresees this finding."""
        return result.is_finding and self.covers(result) and fnmatchcase(result.outcome, self.outcome)


@dataclass(frozen=True, slots=True)
class KnownFailures:
    """All lines of a file, in order; the first that fits a finding explains it."""

    failures: tuple[KnownFailure, ...] = ()

    def mark(self, result: Result) -> Result:
        """Return the result, with the reason if it is a known failure."""
        reason = next((failure.reason for failure in self.failures if failure.expects(result)), "")
        return replace(result, known=reason) if reason else result

    def unused(self, results: Iterable[Result]) -> tuple[str, ...]:
        """The lines about vectors and targets of this run that no finding answered to."""
        kept = list(results)
        return tuple(
            failure.line
            for failure in self.failures
            if any(map(failure.covers, kept)) and not any(map(failure.expects, kept))
        )


def load(file: Path) -> KnownFailures:
    """Read a known-failures file.

    Raises:
        UsageError: naming file and line.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}.") from None
    numbered = ((number, line.strip()) for number, line in enumerate(lines, 1))
    return KnownFailures(
        tuple(_parse(line, f"{file}:{number}") for number, line in numbered if line[:1] not in {"", "#"})
    )


def _parse(line: str, place: str) -> KnownFailure:
    patterns, _, reason = line.partition("#")
    words = patterns.split()
    if len(words) != 3:
        raise UsageError(f"{place}: expected `TARGET VECTOR OUTCOME  # why`, got {line!r}.")
    target, vector, outcome = words
    if not any(fnmatchcase(known, outcome) for known in Outcome):
        raise UsageError(f"{place}: {outcome!r} is no outcome.", f"Outcomes: {', '.join(Outcome)}.")
    return KnownFailure(target, vector, outcome, reason.strip() or "known", line)
