"""Whether what a reader says is what a vector says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kafka_conformance.log_readers import reference_results
from kafka_conformance.log_readers.judging import same
from kafka_format.errors import FormatError

from kafka_generator.log_vectors import oracle


def differences(vector: dict[str, Any]) -> Iterator[str]:
    """Yield where the reference differs from a vector, in words."""
    if "files" not in vector:
        yield from _file(vector)
        return
    with TemporaryDirectory() as scratch:
        files = {path: bytes.fromhex(content) for path, content in vector["files"].items()}
        yield from directory(vector, oracle.write(files, Path(scratch)))


def directory(vector: dict[str, Any], folder: Path) -> Iterator[str]:
    """Yield where the reference differs from a directory's vector, written to a folder."""
    if reference_results.breaks(folder) != vector["breaks"]:
        yield f"breaks {reference_results.breaks(folder)}, not {vector['breaks']}"
    [answers] = vector["kafka"].values()
    partition = folder / vector["partition"]
    clean = reference_results.after_clean_stop(partition, vector["offsets"], vector["times"])
    yield from _answers("after a clean stop", clean, answers["clean"])
    crashed = reference_results.after_crash(partition, vector["index_interval"])
    expected = answers["crashed"]
    if "segments" in expected:
        bases = {int(path.rpartition("/")[2][:20]) for path in vector["files"] if path.endswith(".log")}
        expected = expected | {"split": not bases.issuperset(base for base, _ in expected["segments"])}
    if "files" in crashed and "files" in expected:
        built = {name: content for name, content in expected["files"].items() if name in crashed["files"]}
        expected = expected | {"files": built}
    yield from _answers("after a crash", crashed, expected)


def _answers(when: str, ours: dict[str, Any], kafkas: dict[str, Any]) -> Iterator[str]:
    if ("error" in ours) != ("error" in kafkas):
        yield f"{when}: {'refused' if 'error' in ours else 'accepted'}"
    elif "error" not in ours:
        yield from (f"{when}: {key}" for key in ours if not same(ours[key], kafkas[key]))


def _file(vector: dict[str, Any]) -> Iterator[str]:
    file: str = vector["file"] if "file" in vector else vector["name"]
    data = bytes.fromhex(vector["hex"]) if "hex" in vector else None
    if vector["verdict"] != "valid":
        try:
            yield f"accepted as {reference_results.single_file(file, data)}"
        except FormatError as error:
            if error.rule != vector["rule"]:
                yield f"broke {error.rule}, not {vector['rule']}"
    if vector["verdict"] != "invalid":
        try:
            answer = reference_results.single_file(file, data, frozenset({vector["flag"]} if "flag" in vector else ()))
        except FormatError as error:
            yield f"refused: {error}"
            return
        for release, expected in vector["kafka"].items():
            if expected != {"accepted": answer}:
                yield f"{release} says {expected}, not {answer}"
