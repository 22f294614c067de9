"""Brings a known-failures file up to date with a run, and keeps what people wrote into it.

An entry that is right stays as it is, patterns and all. Where a covered vector passes by now or
goes wrong in another way, the patterns give way to the ids that are still as the entry says, and
what has changed moves to an entry of its own, with the same reason. Findings that no entry covers
are added by their causes, an entry each with what the target does as its reason; what no cause
explains has an entry for each thing that the target says of it, and a family of vectors that go
wrong alike is one pattern. Entries that nobody has given a reason are written anew like them.
Until somebody fills in where a new entry is tracked, the file fails the run.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from kafka_tools.errors import UsageError
from kafka_tools.text import one_line

from kafka_conformance.diagnosis.cause import Cause
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.run.known_failures import CountUnasked, KnownFailure, KnownFile, patterns
from kafka_conformance.run.run import Run
from kafka_conformance.vectors.patterns import chooses

_LONGEST = 200
"""Characters of what a target says that are written as a reason."""

_MOST_PATTERNS: Final = 12
"""So many patterns say at most what shows a cause."""

_NUMBER: Final = re.compile(r"\d+")
"""What differs in texts that say the same."""

_HEAD = "# Findings of this target that are expected; docs/reports.md says how they count."


class Update(NamedTuple):
    """A file as it is to be.

    Attributes:
        file: the file.
        removed: how many vectors were taken out.
        changed: how many fail in another way.
        added: how many findings no entry covered.
        mended: the entries whose cause is gone.
    """

    file: KnownFile
    removed: int
    changed: int
    added: int
    mended: tuple[KnownFailure, ...] = ()


def update_file(file: KnownFile, run: Run, *, whole: bool, count: CountUnasked | None = None) -> Iterator[str]:
    """Write a file anew by what came of its target, and say in lines what was done.

    Args:
        file: the file as it was read.
        run: the run.
        whole: True if every vector was put in every direction; without it, patterns that cover
            nothing stay.
        count: counts the vectors that showed a cause and were not put.

    Raises:
        UsageError: its target did not run to the end, or the file cannot be written.
    """
    about = [target for target in run.targets if fnmatchcase(target.name, file.target)]
    if not all(target.standing.has_ended for target in about):
        problem = f"{file.path} is unchanged: its target did not run to the end."
        raise UsageError(problem, "Run it again; the table above says what ended it.")
    names = {target.name for target in about}
    causes = [cause for name in sorted(names & run.diagnoses.keys()) for cause in run.diagnoses[name].causes]
    done = update(file, [result for result in run.results if result.target in names], causes, whole=whole, count=count)
    try:
        write(done.file)
    except OSError as error:
        raise UsageError(f"cannot write {file.path}: {error.strerror}.") from None
    for entry in done.mended:
        yield f"{file.path}: mended: {entry.cause}: {entry.reason or 'no reason was written down'}"
    unexplained = sum(not entry.is_explained for entry in done.file.failures)
    yield f"{file.path}: {done.removed} taken out, {done.changed} changed, {done.added} added."
    if unexplained:
        entries = f"{unexplained} entr{'y' if unexplained == 1 else 'ies'}"
        yield f"Fill in the url of {entries}, and look at the reason; until then the file fails the run."


def update(
    file: KnownFile,
    results: Iterable[Result],
    causes: Sequence[Cause] = (),
    *,
    whole: bool,
    count: CountUnasked | None = None,
) -> Update:
    """Bring a file up to date with what came of its target.

    Args:
        file: the file as it was read.
        results: what came of its target.
        causes: what its findings come from.
        whole: True if every vector was put; without it, patterns that cover nothing stay.
        count: counts the vectors that showed a cause and were not put; a cause that is not there
            any more is taken out if none was left out.
    """
    mine = [result for result in results if fnmatchcase(result.target, file.target)]
    kept: list[KnownFailure] = []
    mended: list[KnownFailure] = []
    removed = changed = 0
    for entry in file.failures:
        if entry.cause:
            is_mended = not entry.is_shown(mine) and not entry.unasked(count, whole=whole)[0]
            (mended if is_mended else kept).append(entry if is_mended else _shown_now(entry, causes))
            continue
        if not entry.reason:
            continue  # its findings are told by their causes
        wrong = [result for result in mine if entry.covers(result) and not entry.foresees(result)]
        moved = [result for result in wrong if result.is_finding]
        removed += len(wrong) - len(moved)
        changed += len(moved)
        kept += _keep(entry, mine, wrong, whole=whole)
        kept += _by_outcome(moved, entry)
    covered = [
        result
        for result in mine
        if any(known_failure.covers(result) and known_failure.foresees(result) for known_failure in kept)
    ]
    by_cause = {entry.words for entry in kept if entry.cause}
    covered += [result for result in mine if result.known in by_cause]
    known = {(result.vector, result.direction) for result in covered}
    new = [result for result in mine if result.is_finding and (result.vector, result.direction) not in known]
    kept += _by_cause(file.target, new, causes, mine)
    return Update(replace(file, failures=tuple(kept)), removed, changed, len(new), tuple(mended))


def write(file: KnownFile) -> None:
    """Write a file.

    Raises:
        OSError: it cannot be written.
    """
    document = {"target": file.target, "failures": [_document(entry) for entry in file.failures]}
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120)
    Path(file.path).write_text(f"{file.head or _HEAD}\n{text}", encoding="utf-8")


def _keep(
    entry: KnownFailure, results: Sequence[Result], wrong: Sequence[Result], *, whole: bool
) -> Iterator[KnownFailure]:
    """Yield what stays of an entry, if anything does."""
    vectors: list[str] = []
    for pattern, covered in patterns(entry, results).items():
        if not covered and whole:
            continue
        right = [result.vector for result in covered if result not in wrong]
        vectors += [pattern] if len(right) == len(covered) else right
    if vectors:
        yield replace(entry, vectors=tuple(dict.fromkeys(vectors)))


def _by_cause(
    target: str, new: Sequence[Result], causes: Iterable[Cause], every: Sequence[Result]
) -> Iterator[KnownFailure]:
    """Yield an entry for each cause of new findings, then those of findings without a cause."""
    left = {(result.vector, result.direction): result for result in new}
    for cause in causes:
        explained = left.keys() & {(result.vector, result.direction) for result in cause.findings}
        if explained:
            yield _of_cause(target, cause)
        for case in explained:
            del left[case]
    alike: defaultdict[tuple[Direction, Outcome, str], list[Result]] = defaultdict(list)
    for result in left.values():
        said = _NUMBER.sub("N", one_line(result.detail or result.outcome.words, _LONGEST))
        alike[result.direction, result.outcome, said].append(result)
    for (direction, outcome, said), results in alike.items():
        reason = one_line(results[0].detail or outcome.words, _LONGEST) if len(results) == 1 else said
        yield KnownFailure(target, tuple(_folded(results, every)), outcome, direction, reason)


def _of_cause(target: str, cause: Cause) -> KnownFailure:
    shown_by = _covering({result.vector for result in cause.findings})
    return KnownFailure(target, (), Outcome.FLAKY, cause.direction, cause.does, cause=cause.id, shown_by=shown_by)


def _shown_now(entry: KnownFailure, causes: Iterable[Cause]) -> KnownFailure:
    """Return an entry of a cause with what shows it, if that was not noted, or is more by now."""
    found = {result.vector for cause in causes if entry.is_about_cause(cause) for result in cause.findings}
    is_noted = bool(entry.shown_by) and all(chooses(entry.shown_by, vector) for vector in found)
    return entry if is_noted or not found else replace(entry, shown_by=_covering(found))


def _covering(vectors: Iterable[str]) -> tuple[str, ...]:
    """Return a few patterns that fit some ids: the ids, or folders of them, as deep as they may be.

    What lies in too many folders may be anywhere.
    """
    folders = _folders({tuple(vector.split("/")) for vector in vectors}, 0)
    if len(folders) > _MOST_PATTERNS:
        return ("*",)
    while True:
        inner = {name: _folders(ids, len(name)) for name, ids in folders.items() if (name,) != tuple(ids)}
        fitting = (name for name in inner if len(folders) - 1 + len(inner[name]) <= _MOST_PATTERNS)
        folder = min(fitting, key=lambda name: (len(inner[name]), name), default=None)
        if folder is None:
            return tuple(
                sorted(
                    "/".join(name) if (name,) == tuple(ids) else f"{'/'.join(name)}/*" for name, ids in folders.items()
                )
            )
        del folders[folder]
        folders |= inner[folder]


_Path = tuple[str, ...]


def _folders(ids: Iterable[_Path], depth: int) -> dict[_Path, set[_Path]]:
    """Return ids, as their parts, by what they begin with, one part more than a depth."""
    found: defaultdict[_Path, set[_Path]] = defaultdict(set)
    for each in ids:
        found[each[: depth + 1]].add(each)
    return dict(found)


def _folded(results: Sequence[Result], every: Iterable[Result]) -> Iterator[str]:
    """Yield the ids of some results; for a folder of which all are among them, a pattern."""
    wrong = {result.vector for result in results}
    right = {one.vector for one in every if one.direction is results[0].direction} - wrong
    by_folder: defaultdict[str, list[str]] = defaultdict(list)
    for vector in sorted(wrong):
        by_folder[_folder(vector)].append(vector)
    for folder, vectors in by_folder.items():
        is_whole = folder and not any(one.startswith(f"{folder}/") for one in right)
        yield from [f"{folder}/*"] if is_whole and len(vectors) > 1 else vectors


def _folder(vector: str) -> str:
    return vector.rpartition("/")[0]


def _by_outcome(results: Iterable[Result], like: KnownFailure) -> Iterator[KnownFailure]:
    """Yield an entry for each kind of finding, with the reason and the address of another."""
    by_outcome: defaultdict[tuple[Direction, Outcome], list[str]] = defaultdict(list)
    for result in results:
        by_outcome[result.direction, result.outcome].append(result.vector)
    for (direction, outcome), vectors in by_outcome.items():
        yield replace(like, vectors=tuple(vectors), direction=direction, outcome=outcome)


def _document(entry: KnownFailure) -> dict[str, Any]:
    if entry.cause:
        shown_by = {"shown_by": list(entry.shown_by)} if entry.shown_by else {}
        return {"cause": entry.cause, **shown_by, "reason": entry.reason, "url": entry.url}
    vectors = entry.vectors[0] if len(entry.vectors) == 1 else list(entry.vectors)
    direction = {} if entry.direction is Direction.DECODE else {"direction": str(entry.direction)}
    return {
        "vectors": vectors,
        **direction,
        "outcome": str(entry.outcome),
        "reason": entry.reason,
        "url": entry.url,
    }
