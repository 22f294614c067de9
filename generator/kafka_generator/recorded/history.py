"""Runs older releases and records them: `python -m kafka_generator.recorded.history [TARGET...]`.

The releases are those that the manifests of targets pin or list under `history`. What is recorded
already is passed over, so that the command can be stopped and started again, and run for several
targets at once; each release is installed, run, recorded and, unless it was there before, removed.
One that cannot be installed or does not start is recorded with the reason.
"""

from __future__ import annotations

import argparse
import fcntl
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import click
from kafka_conformance.child.launch import Limits
from kafka_conformance.errors import NotReadyError
from kafka_conformance.reports import json_report
from kafka_conformance.run import questions, runner
from kafka_conformance.targets import manifest, resolve
from kafka_conformance.targets.catalogue import Part
from kafka_conformance.targets.installation import Installation
from kafka_conformance.targets.manifest import Manifest
from kafka_conformance.targets.target_kind import TargetKind
from kafka_conformance.vectors.loader import EVERY
from kafka_tools.errors import UsageError
from kafka_tools.text import one_line

from kafka_generator.protocol_vectors.files import write
from kafka_generator.recorded import results
from kafka_generator.recorded.record import REPORT, record
from kafka_generator.recorded.results import FOLDER, Row

_OF_ADAPTERS: Final = {Part.DECODER: ("records",), Part.MESSAGES: ("messages",)}
"""What adapters are asked about, by the part of the library that it is."""

PARTS: Final = (*_OF_ADAPTERS, Part.CONSUMER, Part.PRODUCER)
"""The parts of which older releases can be recorded."""

_REPORTS: Final = Path(__file__).parents[3] / "build" / "history"
_SECONDS: Final = 5.0
_REASON: Final = 300


class Missing(NamedTuple):
    """A part of a release that is to be run."""

    installed: Installation
    part: Part


def about(target: Manifest) -> Mapping[Part, tuple[str, ...]]:
    """Return the parts of its library that a target is, with what each is asked about."""
    if target.kind in {TargetKind.CONSUMER, TargetKind.PRODUCER}:
        return {Part(target.kind): tuple(sorted(target.about))}
    return {part: each for part, each in _OF_ADAPTERS.items() if target.about.issuperset(each)}


def missing(names: Collection[str], parts: Collection[Part], *, again: bool = False) -> Iterator[Missing]:
    """Yield what is not recorded of releases.

    Args:
        names: the targets, or single releases as name@version; all that have older ones if empty.
        parts: what of them is to be recorded.
        again: True for those, too, that could not be run.

    Raises:
        UsageError: one of the names is unknown.
    """
    for name in names:
        resolve.installation(name)
    for target in manifest.load_all().values():
        versions = (*target.all_versions, *(() if target.history is None else target.history.releases))
        if len(versions) > 1:
            for part in about(target):
                yield from (
                    Missing(one, part)
                    for one in _unrecorded(target, versions, part, again=again)
                    if part in parts and (not names or {target.name, one.name} & set(names))
                )


def _unrecorded(target: Manifest, versions: Collection[str], part: Part, *, again: bool) -> Iterator[Installation]:
    recorded = {row.target: row for row in results.load(part)}
    for version in versions:
        installed = resolve.installation(f"{target.name}@{version}")
        if not _is_known(recorded.get(installed.name), again=again):
            yield installed


def _is_known(row: Row | None, *, again: bool) -> bool:
    """Tell whether a release was recorded with what its findings come from."""
    if row is None or row.problem:
        return row is not None and not again
    return bool(row.outcomes) and bool(row.causes or not row.findings)


def take(release: Missing) -> str:
    """Install, run and record a release; return what came of it, in words."""
    installed = release.installed
    was_there = installed.folder.exists()
    try:
        installed.install(lambda _: None)
        return _run(release)
    except NotReadyError as error:
        return _note(release, str(error))
    except UsageError as error:
        return _note(release, f"it cannot be installed: {error.hint or error.message}")
    finally:
        if not was_there:
            shutil.rmtree(installed.folder, ignore_errors=True)


def _run(release: Missing) -> str:
    name, asked = release.installed.name, about(release.installed.manifest)[release.part]
    candidate = resolve.of(release.installed, name)
    vectors, _ = questions.load([candidate], asked, EVERY)
    options = runner.RunOptions(limits=Limits(seconds=_SECONDS), about=asked, command=f"history {name}")
    done = runner.run([candidate], vectors, options)
    (target,) = done.targets
    if done.footer.interrupted:
        raise KeyboardInterrupt
    if not target.standing.has_ended:
        return _note(release, target.problem or target.standing.words)
    if (said := target.hello.version if target.hello else "") and results.release(said) != results.release(
        release.installed.version
    ):
        return _note(release, f"another release was installed in its place: {said}")
    if not any(result.outcome.was_asked for result in done.results):
        return _note(release, "its hello declares nothing that could be asked")
    file = _REPORTS / name / REPORT
    file.parent.mkdir(parents=True, exist_ok=True)
    json_report.write(done, file)
    with _alone():
        for place, text in record([file]).items():
            write(place, text)
    file.unlink()
    return f"{len(done.findings)} findings"


def _note(release: Missing, problem: str) -> str:
    """Record why a release could not be run."""
    installed, part = release
    for place in (installed.folder.resolve(), Path(__file__).parents[3]):  # where these are says nothing
        problem = problem.replace(f"{place}/", "")
    reason = one_line(problem, _REASON)
    bugs = {"met": 0, "damage": 0, "crafted": 0}
    language = installed.manifest.language
    row = Row(installed.name, part, installed.version, language, "", 0, 0, 0, bugs, problem=reason)
    with _alone():
        rows = {row.target: row for row in results.load(part)} | {installed.name: row}
        write(FOLDER / f"{part}.json", results.text(part, rows))
    return reason


@contextmanager
def _alone() -> Iterator[None]:
    """Let no other such command read and write what is recorded meanwhile."""
    _REPORTS.mkdir(parents=True, exist_ok=True)
    with (_REPORTS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Record what is missing; return 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "targets",
        nargs="*",
        metavar="TARGET",
        help="targets with a history, or single releases as name@version; all if none is named",
    )
    parser.add_argument("--again", action="store_true", help="try again, too, those that could not be run")
    parser.add_argument(
        "--part", action="append", choices=PARTS, type=Part, help="what is recorded; decoders and messages if left out"
    )
    options = parser.parse_args()
    for release in list(missing(options.targets, options.part or list(_OF_ADAPTERS), again=options.again)):
        click.echo(f"{release.installed.name}, {release.part}: {take(release)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UsageError as error:
        sys.exit(f"error: {error}")
