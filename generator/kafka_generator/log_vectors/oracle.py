"""Kafka's own classes asked about the cases: those of the releases that decide, and of 3.7."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_format.log import remote_snapshot
from kafka_format.log.names import FileKind
from kafka_format.spec.layout.release_table import release_rows

from kafka_generator import real_broker
from kafka_generator.log_vectors.archives import CHANGED
from kafka_generator.log_vectors.case_logs import INTERVAL, START, Files
from kafka_generator.log_vectors.case_types import DirectoryCase, FileCase
from kafka_generator.log_vectors.kafka_logs import CACHE, Opening, open_logs

HERE: Final = Path(__file__).parent
RELEASES: Final = tuple(row.version for row in reversed([*release_rows().values()]) if row.decides)
REMOTE: Final = release_rows()["3.7"].version
"""The last release that reads snapshots of remote log metadata."""

_MOST: Final = 40
"""Offsets that are asked for: all of a case's log."""

_STEPS: Final = 24


def write(files: Files, folder: Path) -> Path:
    """Write the files of a case below a folder, changed at `CHANGED`, and return the folder."""
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        os.utime(target, (CHANGED, CHANGED))
    return folder


def offsets(case: DirectoryCase) -> list[int]:
    """Return the offsets that a case asks for."""
    names = (Path(path).name for path in case.files if path.endswith(".log"))
    first = min(int(name[:20]) for name in names if name[:20].isdigit())
    return [*range(first, first + _MOST), *case.beyond]


def times(case: DirectoryCase) -> list[int]:
    """Return the times that a case asks for.

    There are none where a start builds indexes anew, since lookups depend on them.
    """
    bases = {path.removesuffix(".log") for path in case.files if path.endswith(".log")}
    if any(f"{base}.index" not in case.files for base in bases):
        return [START + 10**9]
    return [0, START - 1, *(START + 1500 * step for step in range(_STEPS)), START + 10**9]


def ask_logs(cases: Iterable[DirectoryCase]) -> dict[str, Any]:
    """Return the results of brokers for each directory, by id and release, after stop and crash."""
    with TemporaryDirectory() as scratch:
        asked = []
        for number, case in enumerate(cases):
            folder = write(case.files, Path(scratch) / str(number)) / case.partition
            asked.append(Opening(case.id, folder, case.start, INTERVAL, offsets(case), times(case), after="clean"))
        opened = {release: open_logs(asked, Path(scratch, release), release) for release in RELEASES}
    return {
        case.id: {
            release: {stop: _what_to_keep(answer) for stop, answer in answers[case.id].items()}
            for release, answers in opened.items()
        }
        for case in asked
    }


def _what_to_keep(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what vectors keep: only the error if there is one, and where offsets are found."""
    if "error" in answer:
        return {"error": answer["error"]}
    return {key: [row[:3] for row in value] if key == "offsets" else value for key, value in answer.items()}


def ask_files(cases: Sequence[FileCase]) -> dict[str, dict[str, Any]]:
    """Return the results of each release for each file, by id and release."""
    with TemporaryDirectory() as scratch:
        lines = []
        for number, case in enumerate(cases):
            what = f"folder:/{case.file}" if case.file.endswith("/") else f"file:{case.file}"
            if case.content is not None:
                what = str(write({case.file: case.content}, Path(scratch) / str(number)) / case.file)
            lines.append(f"{case.id}\t{what}")
        listed = Path(scratch) / "list"
        remote = [line for line in lines if line.endswith(remote_snapshot.NAME)]
        others = [line for line in lines if line not in remote and not line.endswith(FileKind.SEGMENT_07)]
        listed.write_text("\n".join(others), encoding="utf-8")
        answers = {release: _run(release, "JudgeFiles.java", str(listed)) for release in RELEASES}
        listed.write_text("\n".join(remote), encoding="utf-8")
        answers[REMOTE] = _run(REMOTE, "JudgeRemote.java", str(listed))
    return {
        case.id: {release: answers[case.id] for release, answers in answers.items() if case.id in answers}
        for case in cases
    }


def _run(release: str, program: str, *arguments: str) -> dict[str, Any]:
    jars = real_broker.jars(release, CACHE)
    command = ["java", "-Xmx512m", "-cp", f"{jars}/*", str(HERE / program), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers
