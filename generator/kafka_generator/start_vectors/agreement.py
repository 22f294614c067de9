"""Whether what the reference foretells of a start is what Kafka did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_format.log.contents.releases import release as release_of
from kafka_format.log.names import parse_partition
from kafka_format.log.start import Node, Role, Start, StartFate, Verdict, predict_node, predict_with_zookeeper
from kafka_format.log.start.outcome import ENDS_NOTE, LEADERS_NOTE

from kafka_generator.start_vectors import files

_VERDICTS: Final = {"exits": Verdict.DOES_NOT_START, "never ready": Verdict.NEVER_READY, "starts": Verdict.STARTS}
_BEGINNING: Final = 60
"""So much of a message is compared: what comes behind it may be a number of the running process."""

_OWN_FOLDERS: Final = ("__cluster_metadata-0", "remote-log-index-cache")
"""Folders that every start makes if they are not there."""

_CLUSTER: Final = "a2Fma2EtZm9ybWF0LWNvbg"
"""The cluster.id of the controller beside which brokers are started."""

_OF_ZOOKEEPER: Final = "q0ZDDxkBQq2KJDE2RFS2EQ"
"""The cluster.id that the ZooKeeper of the base of that name has."""

_ID_STRAY: Final = ".ID-stray"
_MARKED: Final = re.compile("-(stray|delete)")


def differences(vector: Mapping[str, Any], bases: Mapping[str, dict[str, bytes]]) -> Iterator[str]:
    """Yield where the reference foretells something else than Kafka did, by release."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        files.lay_out(bases[vector["base"]], vector["edits"], folder)
        for release, kafka in vector["kafka"].items():
            start = foretold(vector, folder, release)
            came = result(kafka, vector["role"])
            yield from (f"{release}: {each}" for each in of_start(start, kafka, came, folder))


def foretold(vector: Mapping[str, Any], folder: Path, release: str) -> Start:
    """Return the start that the reference foretells of a variant in a folder."""
    asked = node(vector, folder, release)
    return predict_with_zookeeper(asked) if vector["role"] == files.ZOOKEEPER else predict_node(asked)


def node(vector: Mapping[str, Any], folder: Path, release: str) -> Node:
    """Return the node that was started on a variant in a folder."""
    settings = vector.get("settings", {})
    metadata = settings.get("metadata.log.dir")
    return Node(
        directories=tuple(folder / name for name in vector["log_dirs"]),
        role=Role.BROKER if vector["role"] == files.ZOOKEEPER else Role(vector["role"]),
        release=release_of(release),
        node_id=2 if vector["role"] == "broker" else 1,
        cluster_id={"broker": _CLUSTER, files.ZOOKEEPER: _OF_ZOOKEEPER}.get(vector["role"]),
        metadata_directory=Path(metadata.format(folder=folder)) if metadata else None,
        has_static_voters=not vector["base"].startswith(files.DYNAMIC),
        has_cleaner=settings.get("log.cleaner.enable") == "true",
        has_remote_storage=settings.get("remote.log.storage.system.enable") == "true",
    )


def result(kafka: Mapping[str, Any], role: str) -> Verdict:
    """Return what became of a node.

    A controller alone says that it started before there is a leader; one that is none is not ready.
    """
    if role == "controller" and kafka["result"] == "starts" and "metadata_end" not in kafka:
        return Verdict.NEVER_READY
    return _VERDICTS[kafka["result"]]


def of_start(start: Start, kafka: Mapping[str, Any], came: Verdict, folder: Path) -> Iterator[str]:
    """Yield where a start was foretold as something else than what came."""
    if any(kind == ENDS_NOTE for kind, _, _ in start.notes) and came is Verdict.DOES_NOT_START:
        return
    if start.verdict is not came:
        yield f"foretold {start.verdict}, came {came}"
    elif start.serves:
        yield from _of_partitions(start, kafka, folder)
    elif start.fault is not None and start.fault.error is not None and not _is_said(start, kafka, folder):
        yield f"foretold {start.fault.error}, said {kafka.get('errors')}"


def _is_said(start: Start, kafka: Mapping[str, Any], folder: Path) -> bool:
    assert start.fault is not None  # noqa: S101 - asked before
    said = str(kafka.get("errors", ()))
    foretold = [each.error for each in (start.fault, *start.fault.others) if each.error is not None]
    begun = [(error.name, error.message.replace(f"{folder}/", "")[:_BEGINNING]) for error in foretold]
    return any(name in said and repr(message)[1:-1] in said for name, message in begun)


def _of_partitions(start: Start, kafka: Mapping[str, Any], folder: Path) -> Iterator[str]:
    metadata_end = kafka.get("metadata_end")
    if start.metadata is not None and metadata_end not in {None, start.metadata.end_offset}:
        yield f"foretold a metadata log up to {start.metadata.end_offset}, came {metadata_end}"
    strays = {
        _name(each.path, folder) for each in start.partitions if each.fate is StartFate.STRAY and each.why != "stray"
    }
    absent = {_name(each.path, folder) for each in start.partitions if each.fate is StartFate.ABSENT}
    replacing = (each.path for each in start.partitions if each.fate is StartFate.REPLACES)
    absent |= {_name(path.with_name(str(parse_partition(path.name))), folder) for path in replacing}
    made = {path for path in kafka.get("made", ()) if not _MARKED.search(path) and not path.endswith(_OWN_FOLDERS)}
    ends = {
        files.without_id(_name(each.path, folder)): [each.start_offset, each.end_offset]
        for each in start.partitions
        if each.fate not in {StartFate.ABSENT, StartFate.DELETED} and each.start_offset is not None
    }
    offline = {_name(fault.directory, folder) for fault in start.offline}
    known = {
        _without_mark(path, strays): value
        for path, value in kafka.get("ends", {}).items()
        if not path.endswith("-delete") and path.partition("/")[0] not in offline
    }
    stray = {path.removesuffix(_ID_STRAY) for path in kafka.get("strays", {}).values()}  # offline ones by chance
    without = {each.path.name for each in start.partitions if each.fate is StartFate.NOT_SERVED}
    not_served = {each.partition for each in start.not_served if each.effect != "record"}
    not_loaded = set(kafka.get("not_served", ())) - without
    if files.ZOOKEEPER in start.not_looked_at:  # it says which partitions there are
        absent = made
    if any(kind == LEADERS_NOTE for kind, _, _ in start.notes):  # as far as Kafka got, which is chance
        absent, not_loaded = absent & made, not_served
    for what, ours, theirs in (
        ("strays", strays, {path for path in stray if path.partition("/")[0] not in offline}),
        ("new folders", absent, made),
        ("starts and ends of logs", ends, known),
        ("not served", not_served, not_loaded),
    ):
        if ours != theirs:
            yield f"{what}: foretold {ours}, came {theirs}"


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _without_mark(path: str, strays: set[str]) -> str:
    plain = path.removesuffix(_ID_STRAY)
    return plain if plain in strays else path
