"""Whether what a reader says is what a vector says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kafka_conformance.kinds.log_reader.judge import same
from kafka_conformance.serving import log_results
from kafka_format.errors import FormatError
from kafka_format.log import PartitionLog
from kafka_format.log.kraft import is_snapshot

from kafka_generator.log_vectors import oracle


def differences(vector: dict[str, Any]) -> Iterator[str]:
    """Yield the differences between the reference and a vector, as text."""
    if "files" not in vector:
        yield from _file(vector)
        return
    with TemporaryDirectory() as scratch:
        files = {path: bytes.fromhex(content) for path, content in vector["files"].items()}
        yield from directory(vector, oracle.write(files, Path(scratch)))


def directory(vector: dict[str, Any], folder: Path) -> Iterator[str]:
    """Yield the differences between the reference and a directory's vector, written to a folder."""
    if log_results.breaks(folder) != vector["breaks"]:
        yield f"breaks {log_results.breaks(folder)}, not {vector['breaks']}"
    partition, seen = folder / vector["partition"], list[Any]()
    for release, answers in reversed(vector["kafka"].items()):  # the newest first
        logs = {stop: answer for stop, answer in answers.items() if stop != "quorum"}
        if logs not in seen:  # releases mostly agree, and a recovery takes its time
            seen.append(logs)
            yield from (f"{release}: {each}" for each in _directory(vector, partition, release, logs))
        if "quorum" in answers:
            yield from _quorum(vector, partition, answers["quorum"])


def _quorum(vector: dict[str, Any], partition: Path, kafkas: dict[str, Any]) -> Iterator[str]:
    """Yield where the log of a quorum is another than Kafka opens."""
    if ("error" in kafkas) != ("log.kraft-snapshot.log" in vector["breaks"]):
        yield f"the quorum is {'refused' if 'error' in kafkas else 'opened'} by Kafka"
    elif "error" not in kafkas:
        with PartitionLog(partition) as log:
            newest = max((each.name.offset for each in log.files if each.name and is_snapshot(each.name)), default=-1)
            ours = {"start_offset": log.start_offset, "end_offset": log.end_offset, "snapshot": newest}
        if ours != kafkas:
            yield f"the quorum has {ours}, not {kafkas}"


def _directory(vector: dict[str, Any], partition: Path, release: str, answers: dict[str, Any]) -> Iterator[str]:
    short = ".".join(release.split(".")[:2])
    clean = log_results.after_clean_stop(partition, vector["offsets"], vector["times"], short)
    yield from _answers("after a clean stop", clean, answers["clean"])
    crashed = log_results.after_crash(partition, vector["index_interval"])
    expected = answers["crashed"]
    if "segments" in expected:
        bases = {int(Path(path).name.partition(".")[0]) for path in vector["files"] if path.endswith(".log")}
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
            yield f"accepted as {log_results.single_file(file, data)}"
        except FormatError as error:
            if error.rule != vector["rule"]:
                yield f"broke {error.rule}, not {vector['rule']}"
    if vector["verdict"] != "invalid":
        try:
            answer = log_results.single_file(file, data, frozenset({vector["flag"]} if "flag" in vector else ()))
        except FormatError as error:
            yield f"refused: {error}"
            return
        for release, expected in vector["kafka"].items():
            if expected != {"accepted": answer}:
                yield f"{release} says {expected}, not {answer}"
