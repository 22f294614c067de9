"""The folder of a run: what was asked, what is done, what was found.

    run.json        the settings and the versions, written first; a run is resumed only with the very same
    done/           Parquet: one row a chunk and target
    findings/       Parquet: the findings
    summary.json    the counts, written at the end of every command
    summary.html    the same for people

Rows are written in parts, `part-00000.parquet` and so on, findings before the `done` rows that count them. A part
appears whole or not at all, and findings without their `done` part are an interrupted write: they are removed when
the run is resumed, and their chunks are done again. So nothing is lost and nothing is counted twice.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kafka_conformance.errors import UsageError
from kafka_conformance.outcomes import Hello
from kafka_conformance.scale import rows
from kafka_conformance.scale.plan import Chunk, Settings
from kafka_conformance.scale.rows import Done, Finding

if TYPE_CHECKING:
    import pyarrow as pa

KIND = "kafka-format-conformance scale run"
RUN, SUMMARY, PAGE, DONE, FINDINGS = "run.json", "summary.json", "summary.html", "done", "findings"
_SHOWN = 5


class Store:
    """The folder of one run, ready to be written to.

    Attributes:
        folder: where it is.
        resumed: the rows of what was done before.
    """

    def __init__(self, folder: Path, settings: Settings, hellos: Sequence[Hello], suite: str, *, resume: bool) -> None:
        """Make the folder, or take up the run that is in it.

        Raises:
            UsageError: the folder is in use and `resume` is not asked for, or it holds another run or something else.
        """
        self.folder = folder
        asked = _document(settings, hellos, suite)
        if _is_empty(folder):
            self.resumed: tuple[Done, ...] = ()
            _make(folder)
            write_json(folder / RUN, asked)
        else:
            _check_resumable(folder, asked, resume=resume)
            _make(folder)
            self.resumed = tuple(_take_up(folder))
        self._part = len(list((folder / DONE).glob("*.parquet")))

    def write(self, done: Sequence[Done], findings: Sequence[Finding]) -> None:
        """Add rows: the findings of some chunks, then the word that these are done."""
        name = f"part-{self._part:05}.parquet"
        if findings:
            _write(self.folder / FINDINGS / name, rows.table(findings, rows.findings_schema()))
        _write(self.folder / DONE / name, rows.table(done, rows.done_schema()))
        self._part += 1


def left(chunks: Iterable[Chunk], done: Iterable[Done]) -> tuple[Chunk, ...]:
    """The chunks that are not done yet."""
    numbers = {row.chunk for row in done}
    return tuple(chunk for chunk in chunks if chunk.number not in numbers)


def gaps(settings: Settings, chunks: Sequence[Chunk], done: Iterable[Done]) -> list[str]:
    """What is wrong with the `done` rows of a run, in words; empty if every chunk is there once for every target.

    A chunk that got lost must not pass for a clean one.
    """
    seen = Counter((row.target, Chunk(row.chunk, row.start, row.count)) for row in done)
    due = [(target, chunk) for target in settings.targets for chunk in chunks]
    return [
        *_told("missing", [pair for pair in due if not seen[pair]]),
        *_told("there more than once", [pair for pair in due if seen[pair] > 1]),
        *_told("not of this run", [pair for pair in seen if pair not in set(due)]),
    ]


def findings(folder: Path) -> Iterable[dict[str, Any]]:
    """Read the findings of a run, as rows with the names of their columns.

    Raises:
        UsageError: a part cannot be read.
    """
    return (row for part in sorted((folder / FINDINGS).glob("*.parquet")) for row in _read(part))


def settings(folder: Path) -> Settings:
    """Read what the run in a folder was asked.

    Raises:
        UsageError: the folder holds no run.
    """
    try:
        found = json.loads((folder / RUN).read_text(encoding="utf-8"))
        if found["kind"] == KIND:
            values = {name: found[name] for name in Settings.__dataclass_fields__}
            return Settings(**{**values, "targets": tuple(values["targets"])})
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise UsageError(f"{folder} holds no run.", "Name the directory of a run with --out.")


def write_json(file: Path, document: dict[str, Any]) -> None:
    """Write a JSON file, whole or not at all."""
    write_text(file, json.dumps(document, indent=1) + "\n")


def write_text(file: Path, text: str) -> None:
    """Write a file, whole or not at all."""
    draft = file.with_name(f".{file.name}")
    draft.write_text(text, encoding="utf-8")
    draft.replace(file)


def _document(settings: Settings, hellos: Sequence[Hello], suite: str) -> dict[str, Any]:
    versions = [f"{hello.name} {hello.version}" for hello in hellos]
    document = {"kind": KIND, "suite_version": suite, **asdict(settings), "versions": versions}
    plain: dict[str, Any] = json.loads(json.dumps(document))
    return plain


def _is_empty(folder: Path) -> bool:
    try:
        return not folder.exists() or not any(folder.iterdir())
    except OSError as error:
        raise UsageError(f"cannot use {folder}: {error.strerror}.", "Name another directory with --out.") from None


def _check_resumable(folder: Path, asked: dict[str, Any], *, resume: bool) -> None:
    try:
        found = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = {}
    if not isinstance(found, dict) or found.get("kind") != KIND:
        raise UsageError(f"{folder} is not empty, and holds no run.", "Name another directory with --out.")
    if not resume:
        raise UsageError(f"{folder} holds a run already.", "Go on with it by --resume, or name another with --out.")
    for name, value in asked.items():
        if found.get(name) != value:
            hint = "Resume with the settings of the first command (they stand in run.json), or name another --out."
            raise UsageError(f"{folder} holds a run with {name} {found.get(name)}, not {value}.", hint)


def _make(folder: Path) -> None:
    try:
        for name in (DONE, FINDINGS):
            (folder / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make {folder}: {error.strerror}.", "Name another directory with --out.") from None


def _take_up(folder: Path) -> Iterable[Done]:
    """Read what is done, and remove findings that nobody counts."""
    parts = sorted((folder / DONE).glob("*.parquet"))
    for orphan in {file.name for file in (folder / FINDINGS).glob("*.parquet")} - {file.name for file in parts}:
        (folder / FINDINGS / orphan).unlink()
    return [rows.done_from(document) for part in parts for document in _read(part)]


def _read(file: Path) -> list[dict[str, Any]]:
    import pyarrow as pa  # noqa: PLC0415 - 0.2 s that only a run has to pay
    from pyarrow import parquet  # noqa: PLC0415

    try:
        # Not `read_table`: that looks for partitions in the names of the folders above.
        documents: list[dict[str, Any]] = parquet.ParquetFile(file).read().to_pylist()
    except (pa.ArrowException, OSError) as error:
        raise UsageError(f"cannot read {file}: {error}.", "Remove the directory and start the run again.") from None
    return documents


def _write(file: Path, table: "pa.Table") -> None:
    from pyarrow import parquet  # noqa: PLC0415 - 0.2 s that only a run has to pay

    draft = file.with_name(f".{file.name}.draft")
    try:
        parquet.write_table(table, draft, compression="zstd")
        draft.replace(file)
    except OSError as error:
        hint = "What was written before is sound: mend it, and go on with --resume."
        raise UsageError(f"cannot write {file}: {error}.", hint) from None


def _told(what: str, pairs: Sequence[tuple[str, Chunk]]) -> list[str]:
    if not pairs:
        return []
    named = ", ".join(f"{chunk.number} of {target}" for target, chunk in pairs[:_SHOWN])
    more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
    return [f"chunk {named}{more}: {what}"]
