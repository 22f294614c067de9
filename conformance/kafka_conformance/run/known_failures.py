"""Known failures: expected findings of a target, each with the reason and where it is tracked.

One YAML file a target, described by spec/schema/known-failures.schema.json:

    target: my-decoder*
    failures:
      - vectors: run/v0-then-v2          # an id, a pattern as in a shell, or a list of them
        outcome: partial-answer
        reason: The reader takes the magic of the first batch for all.
        url: https://github.com/example/my-decoder/issues/17
      - cause: aiokafka/lz4-v0           # all findings of one cause, as the report names it
        shown_by: [v0/lz4/*]             # a run that asks all of these tells if it is mended
        reason: LZ4 frames of v0 are refused.
        url: https://github.com/example/my-decoder/issues/18

A file may hide nothing. An entry is a problem, and fails the run, if a vector that it covers passes
by now (stale), goes wrong in another way (changed), if it covers no vector at all (unmatched), or
if nobody has written down why (unexplained). An entry whose outcome is `flaky` covers any finding,
and a pass as well.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import yaml
from kafka_tools import schemas
from kafka_tools.errors import UsageError

from kafka_conformance.diagnosis.cause import Cause, Diagnosis
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.vectors.patterns import fits_any

CountUnasked = Callable[[Sequence[str]], tuple[int, int]]
"""Returns how many vectors fit some patterns that a run did not ask, and how many fit in all."""

UNEXPLAINED = "nobody has written down why yet"


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """One entry of a file.

    Attributes:
        target: pattern of the target's name, from the head of the file.
        vectors: patterns of vector ids.
        outcome: what they are expected to come to.
        direction: decoding or encoding.
        reason: why, in a sentence; empty if nobody has written it down.
        url: where it is tracked; empty if nowhere.
        place: the entry, for messages: `known.yaml: failures[2]`.
        cause: id of the cause whose findings it covers, in place of vectors; empty for others.
        shown_by: patterns of all vectors that showed the cause; empty if nobody noted them.
    """

    target: str
    vectors: tuple[str, ...]
    outcome: Outcome
    direction: Direction = Direction.DECODE
    reason: str = ""
    url: str = ""
    place: str = ""
    cause: str = ""
    shown_by: tuple[str, ...] = ()

    @property
    def is_explained(self) -> bool:
        """True if it says why, and where that is tracked."""
        return bool(self.reason and self.url)

    @property
    def words(self) -> str:
        """The reason and the address, for reports."""
        return " ".join(filter(None, (self.reason or UNEXPLAINED, self.url)))

    def covers(self, result: Result) -> bool:
        """True if the entry is about this case, whatever came of it."""
        return (
            fnmatchcase(result.target, self.target)
            and result.direction is self.direction
            and fits_any(result.vector, self.vectors)
        )

    def is_about_cause(self, cause: Cause) -> bool:
        """True if the entry names this cause, or a part of it, and is about this target."""
        return self.cause in cause.ids and fnmatchcase(cause.findings[0].target, self.target)

    def is_shown(self, results: Iterable[Result]) -> bool:
        """True if any of some marked results comes from its cause."""
        return any(
            result.is_finding and fnmatchcase(result.target, self.target) and result.known == self.words
            for result in results
        )

    def unasked(self, count: CountUnasked | None, *, whole: bool) -> tuple[int, int]:
        """Return how many vectors that showed its cause a run did not ask, and of how many.

        Of an entry that does not say what showed it, only a whole run asks all.
        """
        if whole:
            return 0, 0
        return count(self.shown_by) if count is not None and self.shown_by else (1, 1)

    def foresees(self, result: Result) -> bool:
        """True if what came of a covered case is what the entry says."""
        if self.outcome is Outcome.FLAKY:
            return result.is_finding or result.outcome is Outcome.PASSED
        return result.outcome is self.outcome


@dataclass(frozen=True, slots=True)
class KnownFailures:
    """The entries of all files, in order; the first that covers a finding explains it."""

    failures: tuple[KnownFailure, ...] = ()

    def mark(self, result: Result) -> Result:
        """Return the result, with the reason if it is a known failure."""
        if not result.is_finding:
            return result
        fitting = (failure for failure in self.failures if failure.covers(result) and failure.foresees(result))
        reason = next((entry.words for entry in fitting), "")
        return replace(result, known=reason) if reason else result

    def mark_causes(self, results: Sequence[Result], diagnosis: Diagnosis) -> list[Result]:
        """Return a target's results, with the reason at those whose cause is a known failure."""
        reasons: dict[tuple[Direction, str], str] = {}
        for entry in self.failures:
            for cause in diagnosis.causes if entry.cause else ():
                if entry.is_about_cause(cause):
                    named = cause.findings_named(entry.cause)
                    reasons |= {(result.direction, result.vector): entry.words for result in named}
        return [
            replace(result, known=result.known or reasons.get((result.direction, result.vector), ""))
            for result in results
        ]

    def problems(self, results: Iterable[Result], *, whole: bool, count: CountUnasked | None = None) -> tuple[str, ...]:
        """Say what is wrong with the entries, by the results of the targets that ran to the end.

        Args:
            results: what came of these targets.
            whole: True if every vector was put; without it, a pattern that covers nothing proves
                nothing, and a cause that is not there only if all was put that showed it.
            count: counts what was not put of that.
        """
        kept = list(results)
        return tuple(
            f"{failure.place}: {words}"
            for failure in self._about(kept)
            for words in _problems(failure, kept, count, whole=whole)
        )

    def half_asked(self, results: Iterable[Result], count: CountUnasked) -> tuple[str, ...]:
        """Say of which causes a part of what showed them was put, and went well.

        They may be mended, and this run does not tell.
        """
        kept = list(results)
        about = (failure for failure in self._about(kept) if failure.cause and failure.shown_by)
        missing = ((failure, *count(failure.shown_by)) for failure in about if not failure.is_shown(kept))
        return tuple(
            f"{failure.place}: {failure.cause} did not show, but {unasked} of the {every} vectors that may show it"
            f" were not put"
            for failure, unasked, every in missing
            if 0 < unasked < every
        )

    def _about(self, results: Iterable[Result]) -> list[KnownFailure]:
        targets = {result.target for result in results}
        return [failure for failure in self.failures if any(fnmatchcase(name, failure.target) for name in targets)]


@dataclass(frozen=True, slots=True)
class KnownFile:
    """One file: its target, its entries, and the comment at its head, which updates keep."""

    path: Path
    target: str
    failures: tuple[KnownFailure, ...] = field(default=())
    head: str = ""


def load(path: Path) -> KnownFile:
    """Read a known-failures file.

    Raises:
        UsageError: naming the file and the entry.
    """
    try:
        text = path.read_text(encoding="utf-8")
        document = yaml.safe_load(text)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}.", "--update-known-failures writes it.") from None
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise UsageError(f"{path} is not YAML: {error}") from None
    schemas.check(document, "known-failures", str(path))
    entries = (_entry(document["target"], item, path, number) for number, item in enumerate(document["failures"]))
    return KnownFile(path, document["target"], tuple(entries), "\n".join(_head(text.splitlines())))


def load_all(paths: Sequence[Path], targets: Sequence[str], *, update: bool = False) -> list[KnownFile]:
    """Read the files of a run. The one that is to be updated need not be there yet.

    Args:
        paths: the files.
        targets: names of the targets that take part.
        update: True if the file is to be updated; it must then be one.

    Raises:
        UsageError: a file is wrong or is about no target of this run, or it is not clear which one
            to update.
    """
    if update and len(paths) != 1:
        raise UsageError("--update-known-failures needs one --known-failures FILE.", "One file is about one target.")
    if update and not paths[0].exists():
        if len(targets) != 1:
            raise UsageError(f"{paths[0]} does not exist yet, so name one target for it.")
        return [KnownFile(paths[0], targets[0])]
    files = [load(path) for path in paths]
    for file in files:
        if not any(fnmatchcase(name, file.target) for name in targets):
            words = f"{file.path} is about {file.target}, which does not take part."
            raise UsageError(words, f"Targets: {', '.join(targets)}.")
    return files


def merge(files: Iterable[KnownFile]) -> KnownFailures:
    """Return the entries of all files."""
    return KnownFailures(tuple(entry for file in files for entry in file.failures))


def patterns(entry: KnownFailure, results: Sequence[Result]) -> Mapping[str, list[Result]]:
    """Return the results that each pattern of an entry covers."""
    entries = {pattern: replace(entry, vectors=(pattern,)) for pattern in entry.vectors}
    return {pattern: [result for result in results if entry.covers(result)] for pattern, entry in entries.items()}


def _problems(
    entry: KnownFailure, results: Sequence[Result], count: CountUnasked | None, *, whole: bool
) -> Iterator[str]:
    if not entry.is_explained:
        yield f"unexplained: {UNEXPLAINED}; fill in reason and url"
    if entry.cause and not entry.is_shown(results) and not entry.unasked(count, whole=whole)[0]:
        yield f"stale: no finding comes from the cause {entry.cause} any more"
    untrue: dict[Outcome, list[str]] = {}
    for pattern, covered in patterns(entry, results).items():
        if not covered and whole:
            yield f"unmatched: {pattern} covers no vector that the target is asked to {entry.direction}"
        for result in covered:
            if not entry.foresees(result) and result.outcome is not Outcome.NOT_ASKED:
                untrue.setdefault(result.outcome, []).append(result.vector)
    for outcome, vectors in untrue.items():
        kind = "changed" if outcome.is_finding else "stale"
        others = f" (and so did {len(vectors) - 1} others)" if len(vectors) > 1 else ""
        yield f"{kind}: {vectors[0]} {outcome.words}{others}; the entry says that it {entry.outcome.words}"


def _entry(target: str, item: Mapping[str, Any], path: Path, number: int) -> KnownFailure:
    vectors = item.get("vectors", ())
    return KnownFailure(
        target=target,
        vectors=(vectors,) if isinstance(vectors, str) else tuple(vectors),
        outcome=Outcome(item.get("outcome", Outcome.FLAKY)),
        direction=Direction(item.get("direction", Direction.DECODE)),
        reason=item["reason"].strip(),
        url=item["url"],
        place=f"{path}: failures[{number}]",
        cause=item.get("cause", ""),
        shown_by=tuple(item.get("shown_by", ())),
    )


def _head(lines: Iterable[str]) -> Iterator[str]:
    """The comment that a file starts with."""
    for line in lines:
        if not line.startswith("#"):
            return
        yield line
