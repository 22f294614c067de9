"""The options `--known-failures` and `--update-known-failures` of `run`."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kafka_conformance.errors import UsageError

if TYPE_CHECKING:
    from kafka_conformance.runs.known_failures import KnownFailures, KnownFile
    from kafka_conformance.runs.run import Run
    from kafka_conformance.targets.contestant import Contestant


def read(paths: Sequence[Path], contestants: Sequence["Contestant"], *, update: bool) -> list["KnownFile"]:
    """Read the files. One that is to be updated need not be there yet.

    Raises:
        UsageError: a file is wrong or is about no target of this run, or it is not clear which one to update.
    """
    from kafka_conformance.runs import known_failures  # noqa: PLC0415

    if update and len(paths) != 1:
        raise UsageError("--update-known-failures needs one --known-failures FILE.", "One file is about one target.")
    if update and not paths[0].exists():
        if len(contestants) != 1:
            raise UsageError(f"{paths[0]} is not there yet, so name one target that it is to be about.")
        return [known_failures.KnownFile(paths[0], contestants[0].name)]
    files = [known_failures.load(path) for path in paths]
    for file in files:
        if not any(fnmatchcase(one.name, file.target) for one in contestants):
            names = ", ".join(one.name for one in contestants)
            raise UsageError(f"{file.path} is about {file.target}, which does not take part.", f"Targets: {names}.")
    return files


def merged(files: Sequence["KnownFile"]) -> "KnownFailures":
    """Return the entries of all files."""
    from kafka_conformance.runs.known_failures import KnownFailures  # noqa: PLC0415

    return KnownFailures(tuple(entry for file in files for entry in file.failures))


def update(file: "KnownFile", run: "Run", *, whole: bool) -> int:
    """Write the file anew, say what was done, and return the exit status: 0 if it was.

    Raises:
        UsageError: its target did not run to the end, or the file cannot be written.
    """
    from kafka_conformance.runs import known_failures_update  # noqa: PLC0415

    about = [target for target in run.targets if fnmatchcase(target.name, file.target)]
    if not all(target.standing.has_ended for target in about):
        raise UsageError(f"{file.path} stays as it was: its target did not run to the end.")
    names = {target.name for target in about}
    done = known_failures_update.updated(file, [one for one in run.results if one.target in names], whole=whole)
    try:
        known_failures_update.write(done.file)
    except OSError as error:
        raise UsageError(f"cannot write {file.path}: {error.strerror}.") from None
    unexplained = sum(not entry.is_explained for entry in done.file.failures)
    click.echo(f"{file.path}: {done.removed} taken out, {done.changed} changed, {done.added} added.")
    if unexplained:
        click.echo(f"Fill in reason and url of {unexplained} of its entries; until then the file fails the run.")
    return 0
