"""The vectors of log directories as stored: the cases, with the answers of Kafka's classes.

Answers are taken over from the stored vectors as long as what was asked is the same; `generate.py
--log-oracle` asks anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_tools.errors import UsageError

from kafka_generator.log_vectors import directories, oracle, single_files
from kafka_generator.log_vectors.archives import CHANGED
from kafka_generator.log_vectors.case_logs import INTERVAL
from kafka_generator.log_vectors.case_types import DirectoryCase, FileCase

FOLDER: Final = "log"
DIRECTORIES: Final = "directories.jsonl"
FILES: Final = "files.jsonl"

Vector = dict[str, Any]


def contents(vectors: Path, *, ask: bool = False) -> dict[Path, str]:
    """Return the text of every file of vectors, by its path.

    Args:
        vectors: the folder of the vectors.
        ask: ask Kafka's classes anew.

    Raises:
        UsageError: Kafka was not asked about a case, or disagrees with one.
    """
    folder = vectors / FOLDER
    of_directories, of_files = list(directories.cases()), list(single_files.cases())
    if ask:
        answers = {"directories": oracle.ask_logs(of_directories), "files": oracle.ask_files(of_files)}
        made = [_directory(case, answers["directories"][case.id]) for case in of_directories]
        files = [_file(case, answers["files"][case.id]) for case in of_files]
    else:
        stored = read(folder / DIRECTORIES)
        made = [_take_over(_directory(case, None), stored) for case in of_directories]
        stored = read(folder / FILES)
        files = [_take_over(_file(case, None), stored) for case in of_files]
    for vector in files:
        _check(vector)
    return {folder / DIRECTORIES: _text(made), folder / FILES: _text(files)}


def read(path: Path) -> dict[str, Vector]:
    """Return the vectors of a file by id; none if it is not there."""
    vectors = parse(path.read_text(encoding="utf-8")) if path.is_file() else []
    return {vector["id"]: vector for vector in vectors}


def parse(text: str) -> list[Vector]:
    """Return the vectors of the text of a file."""
    return [json.loads(line) for line in text.splitlines()]


def _directory(case: DirectoryCase, answers: Any) -> Vector:
    return {
        "id": f"directory/{case.id}",
        "title": case.title,
        "rules": sorted(case.breaks | case.keeps),
        "breaks": sorted(case.breaks),
        "partition": case.partition,
        "start_offset": case.start,
        "index_interval": INTERVAL,
        "changed": CHANGED * 1000,
        "files": {path: content.hex() for path, content in sorted(case.files.items())},
        "offsets": oracle.offsets(case),
        "times": oracle.times(case),
        "kafka": answers,
    }


def _file(case: FileCase, answers: Mapping[str, Any] | None) -> Vector:
    what = {"name": case.file} if case.content is None else {"file": case.file, "hex": case.content.hex()}
    fault = {"rule": case.rule} if case.rule else {}
    flag = {"flag": case.flag} if case.flag else {}
    return {"id": f"file/{case.id}", **what, "verdict": case.verdict, **fault, **flag, "kafka": answers}


def _take_over(vector: Vector, stored: Mapping[str, Vector]) -> Vector:
    """Return a vector with the answers of the stored one, if the same was asked.

    Raises:
        UsageError: it was not.
    """
    known = stored.get(vector["id"])
    asked = ("files", "offsets", "times", "start_offset", "index_interval", "hex", "file", "name")
    if known is None or any(known.get(key) != vector.get(key) for key in asked):
        raise UsageError(f"Kafka was not asked about {vector['id']}.", "Run `python generate.py --log-oracle`.")
    return {**vector, "kafka": known["kafka"]}


def _check(vector: Vector) -> None:
    """See that all releases say what the verdict says.

    Raises:
        UsageError: one does not.
    """
    expected = "refused" if vector["verdict"] == "invalid" else "accepted"
    for release, answer in vector["kafka"].items():
        if expected not in answer:
            raise UsageError(f"{vector['id']} is {vector['verdict']}, and {release} says {answer}.")


def _text(vectors: Iterable[Vector]) -> str:
    return "".join(f"{json.dumps(vector, separators=(',', ':'))}\n" for vector in vectors)
