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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kafka_tools.errors import UsageError
from kafka_tools.spark import files, parquet, run_settings
from kafka_tools.spark.parquet import DONE, FINDINGS

from kafka_conformance.protocol.hello import Hello
from kafka_conformance.scale import plan
from kafka_conformance.scale.plan import RunSettings
from kafka_conformance.scale.results import schemas
from kafka_conformance.scale.results.rows import Done, FindingRow

SUMMARY, PAGE = "summary.json", "summary.html"

KIND = "kafka-format-conformance scale run"


class RunFolder:
    """The folder of one run, ready to be written to; it should be locked by `files.alone`.

    Attributes:
        folder: where it is.
    """

    def __init__(
        self, folder: Path, settings: RunSettings, hellos: Sequence[Hello], suite: str, *, resume: bool
    ) -> None:
        """Make the folder, or take up the run that is in it.

        Raises:
            UsageError: the folder is in use and `resume` is not asked for, or it holds another run
                or something else.
        """
        self.folder = folder
        run_settings.take_up(folder, _document(settings, hellos, suite), resume=resume)
        for name in (DONE, FINDINGS):
            files.make(folder / name)
        self._part = parquet.next_part(folder)

    def resume(self) -> Iterator[Done]:
        """Yield the rows of earlier work; remove drafts, and findings that no row counts.

        Raises:
            UsageError: a part cannot be read, or its findings are not those that it counts.
        """
        parts = sorted((self.folder / DONE).glob("*.parquet"))
        names = {part.name for part in parts}
        for file in (self.folder / FINDINGS).glob("*.parquet"):
            if file.name not in names:
                file.unlink()
        for draft in self.folder.glob(f"*/.*{files.DRAFT}"):
            draft.unlink()
        for part in parts:
            documents = parquet.read(part, schemas.done_schema())
            with parquet.reading(part):
                done = [schemas.done_from(document) for document in documents]
            parquet.check_findings(part, sum(row.kept for row in done))
            yield from done

    def write(self, done: Sequence[Done], findings: Sequence[FindingRow]) -> None:
        """Add rows: the findings of some chunks, then the word that these are done."""
        name = parquet.part_name(self._part)
        if findings:
            parquet.write(self.folder / FINDINGS / name, schemas.table(findings, schemas.findings_schema()))
        parquet.write(self.folder / DONE / name, schemas.table(done, schemas.done_schema()))
        self._part += 1


def findings(folder: Path, columns: Sequence[str] | None = None) -> Iterable[dict[str, Any]]:
    """Yield the findings of a run as rows by column name: all columns, or those that are named.

    Raises:
        UsageError: a part cannot be read.
    """
    parts = sorted((folder / FINDINGS).glob("*.parquet"))
    return (row for part in parts for row in parquet.read(part, schemas.findings_schema(), columns))


def settings(folder: Path) -> RunSettings:
    """Return the settings of the run in a folder.

    Raises:
        UsageError: the folder holds no run, or one that no command can have begun.
    """
    file = folder / run_settings.RUN
    stored = _settings_in(file)
    if stored is None:
        raise UsageError(f"{folder} is not the folder of a run.", "Name the directory of a run with --out.")
    if wrong := plan.wrong(stored):
        hint = "It was changed since, or another version of this suite wrote it."
        raise UsageError(
            f"{file} has a setting that no run can have: {wrong} is {getattr(stored, wrong)!r:.200}.", hint
        )
    return stored


def _settings_in(file: Path) -> RunSettings | None:
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["kind"] == KIND:
            values = {name: document[name] for name in RunSettings.__dataclass_fields__}
            return RunSettings(**{**values, "targets": tuple(values["targets"])})
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


def _document(settings: RunSettings, hellos: Sequence[Hello], suite: str) -> dict[str, Any]:
    versions = [f"{hello.name} {hello.version}" for hello in hellos]
    document = {"kind": KIND, "suite_version": suite, **asdict(settings), "versions": versions}
    plain: dict[str, Any] = json.loads(json.dumps(document))
    return plain
