"""The folder of a run: what was asked, what is done, what was found.

    run.json        the settings and the versions, written first; a run is resumed with the same
    done/           Parquet: one row a chunk and target
    findings/       Parquet: the findings
    summary.json    the counts, written at the end of every command
    summary.html    the same for people

Rows are written in parts, `part-00000.parquet` and so on, findings before the `done` rows that
count them. A part appears whole or not at all, and findings without their `done` part are an
interrupted write: they are removed when the run is resumed, and their chunks are done again. So
nothing is lost and nothing is counted twice. Pages carry checksums, and a part of `done` says how
many findings lie beside it: damaged files are reported.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kafka_conformance.errors import UsageError
from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale import plan
from kafka_conformance.scale.plan import Settings
from kafka_conformance.scale.results import files, parquet, schemas
from kafka_conformance.scale.results.parquet import DONE, FINDINGS
from kafka_conformance.scale.results.rows import Done, Finding

KIND = "kafka-format-conformance scale run"
_OTHER_SETTINGS = "Resume with the settings of the first command (they stand in run.json), or name another --out."

_ANOTHER = {
    "suite_version": (
        "of version {} of kafka-format-conformance; this is version {}.",
        "Go on with the version that began it, since others may count otherwise, or name another --out.",
    ),
    "versions": (
        "of {}; what would go on is {}.",
        "Install again what it began with, or name another --out.",
    ),
}
"""What to say of a run that is not the same for the version of something, and what to do about
it."""

RUN, SUMMARY, PAGE = "run.json", "summary.json", "summary.html"
_PART = re.compile(r"part-(\d+)\.parquet")


class RunFolder:
    """The folder of one run, ready to be written to; it should be locked by `files.alone`.

    Attributes:
        folder: where it is.
    """

    def __init__(self, folder: Path, settings: Settings, hellos: Sequence[Hello], suite: str, *, resume: bool) -> None:
        """Make the folder, or take up the run that is in it.

        Raises:
            UsageError: the folder is in use and `resume` is not asked for, or it holds another run
                or something else.
        """
        self.folder = folder
        asked = _document(settings, hellos, suite)
        if not _is_empty(folder):
            _check_resumable(folder, asked, resume=resume)
        files.make(folder)
        files.write_json(folder / RUN, asked)
        for name in (DONE, FINDINGS):
            files.make(folder / name)
        numbers = (int(found[1]) for part in folder.glob("*/*.parquet") if (found := _PART.fullmatch(part.name)))
        self._part = 1 + max(numbers, default=-1)

    def resumed(self) -> Iterator[Done]:
        """Yield the rows of earlier work; remove drafts, and findings that no row counts.

        Raises:
            UsageError: a part cannot be read, or its findings are not those that it counts.
        """
        found = sorted((self.folder / DONE).glob("*.parquet"))
        names = {part.name for part in found}
        for file in (self.folder / FINDINGS).glob("*.parquet"):
            if file.name not in names:
                file.unlink()
        for draft in self.folder.glob(f"*/.*{files.DRAFT}"):
            draft.unlink()
        for part in found:
            documents = parquet.read(part, schemas.done_schema())
            with parquet.reading(part):
                done = [schemas.done_from(document) for document in documents]
            parquet.check_findings(part, sum(row.kept for row in done))
            yield from done

    def write(self, done: Sequence[Done], findings: Sequence[Finding]) -> None:
        """Add rows: the findings of some chunks, then the word that these are done."""
        name = f"part-{self._part:05}.parquet"
        if findings:
            parquet.write(self.folder / FINDINGS / name, schemas.table(findings, schemas.findings_schema()))
        parquet.write(self.folder / DONE / name, schemas.table(done, schemas.done_schema()))
        self._part += 1


def findings(folder: Path, columns: Sequence[str] | None = None) -> Iterable[dict[str, Any]]:
    """Yield the findings of a run as rows by column name: all columns, or those that are named.

    Raises:
        UsageError: a part cannot be read.
    """
    found = sorted((folder / FINDINGS).glob("*.parquet"))
    return (row for part in found for row in parquet.read(part, schemas.findings_schema(), columns))


def settings(folder: Path) -> Settings:
    """Read what the run in a folder was asked.

    Raises:
        UsageError: the folder holds no run, or one that no command can have begun.
    """
    asked = _settings_in(folder / RUN)
    if asked is None:
        raise UsageError(f"{folder} holds no run.", "Name the directory of a run with --out.")
    if wrong := plan.wrong(asked):
        hint = "It was changed since, or another version of this suite wrote it."
        raise UsageError(f"{folder / RUN} cannot be: {wrong} is {getattr(asked, wrong)!r:.200}.", hint)
    return asked


def _settings_in(file: Path) -> Settings | None:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        if found["kind"] == KIND:
            values = {name: found[name] for name in Settings.__dataclass_fields__}
            return Settings(**{**values, "targets": tuple(values["targets"])})
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return None


def _document(settings: Settings, hellos: Sequence[Hello], suite: str) -> dict[str, Any]:
    versions = [f"{hello.name} {hello.version}" for hello in hellos]
    document = {"kind": KIND, "suite_version": suite, **asdict(settings), "versions": versions}
    plain: dict[str, Any] = json.loads(json.dumps(document))
    return plain


def _is_empty(folder: Path) -> bool:
    try:
        return not folder.exists() or all(file.name.endswith(files.DRAFT) for file in folder.iterdir())
    except OSError as error:
        raise UsageError(f"cannot use {folder}: {error.strerror}.", "Name another directory with --out.") from None


def _check_resumable(folder: Path, asked: dict[str, Any], *, resume: bool) -> None:
    try:
        found = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = {}
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise UsageError(f"{folder} is not empty, and holds no run.", "Name another directory with --out.")
    if not any((folder / DONE).glob("*.parquet")):
        return  # nothing came of it
    if not resume:
        raise UsageError(f"{folder} holds a run already.", "Go on with it by --resume, or name another with --out.")
    for name, value in asked.items():
        if found.get(name) != value:
            story, hint = _ANOTHER.get(name, (f"with {name} {{}}, not {{}}.", _OTHER_SETTINGS))
            raise UsageError(f"{folder} holds a run {story.format(_words(found.get(name)), _words(value))}", hint)


def _words(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
