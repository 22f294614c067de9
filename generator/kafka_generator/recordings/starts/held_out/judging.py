"""Whether what was foretold of a start is what Kafka did: stricter than for the variants.

Beside verdict, error, ends, strays and what is not served, the segments that are cut or gone are
compared, the directories that go offline, and "nothing is lost" with anything that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_format.log.recovery import Fate
from kafka_format.log.start import Start, StartFate

from kafka_generator.start_vectors import agreement, files

_GOING: Final = "-delete/"
_METADATA: Final = "__cluster_metadata"
_OF_TOPIC: Final = 2
"""The kind of resource that a topic is, in records of settings."""


def foretell(line: Mapping[str, Any], bases: Mapping[str, dict[str, bytes]], release: str) -> dict[str, Any]:
    """Return what the reference foretells of a start, as it is written down."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        files.lay_out(bases[line["base"]], line["edits"], folder)
        try:
            start = agreement.foretold(line, folder, release)
        except Exception as error:  # noqa: BLE001 - whatever escapes is a fault of ours
            return {"fails": repr(error)}
        fault = start.fault
        said = {
            "verdict": str(start.verdict),
            "fault": None if fault is None else [fault.kind, _name(fault.path, folder), fault.offset, fault.position],
            "error": None if fault is None or fault.error is None else [*fault.error],
            "metadata_end": None if start.metadata is None else start.metadata.end_offset,
            "is_harmless": start.is_harmless,
            "loses_nothing": start.loses_nothing,
            "not_looked_at": start.not_looked_at,
            "offline": sorted(_name(each.directory, folder) for each in start.offline),
        }
        return {key: value for key, value in said.items() if value not in (None, [])}


def differences(line: Mapping[str, Any], bases: Mapping[str, dict[str, bytes]]) -> Iterator[str]:
    """Yield where the reference foretells something else than Kafka did, by release."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch).resolve()
        files.lay_out(bases[line["base"]], line["edits"], folder)
        for release, kafka in line["kafka"].items():
            try:
                node = agreement.node(line, folder, release)
                start = agreement.foretold(line, folder, release)
            except Exception as error:  # noqa: BLE001 - whatever escapes is a fault of ours
                yield f"{release}: fails with {error!r}"
                continue
            came = agreement.result(kafka, line["role"])
            found = list(agreement.of_start(start, kafka, came, folder))
            if start.serves and came is start.verdict:
                cleaned = _cleaned(start) if node.has_cleaner else frozenset[str]()
                found += [*_of_files(start, kafka, folder, cleaned), *_of_harm(start, kafka, folder, cleaned)]
            yield from (f"{release}: {each}" for each in found)


def _name(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


def _of_files(start: Start, kafka: Mapping[str, Any], folder: Path, cleaned: frozenset[str]) -> Iterator[str]:
    """Compare the segments that are cut or gone, where no cleaner may have changed them."""
    ours_cut, ours_gone = dict[str, int](), set[str]()
    for each in start.partitions:
        if each.recovery is None or each.fate is not StartFate.LOADED or each.path.name.startswith("__"):
            continue
        if each.recovery.emptied:
            ours_gone |= {_name(path, folder) for path in each.path.glob("*.log")}
            continue
        for segment in each.recovery.segments:
            name = _name(segment.segment.path, folder)
            if segment.fate is Fate.REMOVED:
                ours_gone.add(name)
            elif segment.lost_bytes or segment.room:
                ours_cut[name] = segment.valid_bytes
    offline = tuple(f"{_name(fault.directory, folder)}/" for fault in start.offline)
    paths = [each.path for each in start.partitions if each.fate is StartFate.LOADED]
    loaded = {_name(path, folder) for path in paths if _topic(path.name) not in cleaned}

    def is_compared(path: str) -> bool:
        at = path.rpartition("/")[0]
        return path.endswith(".log") and at in loaded and "/__" not in path and not path.startswith(offline or ("-",))

    cut = {path: sizes[1] for path, sizes in kafka.get("cut", {}).items() if is_compared(path)}
    gone = {path for path in kafka.get("gone", ()) if is_compared(path)}
    for what, foretold, came in (("cut segments", ours_cut, cut), ("segments gone", ours_gone - set(cut), gone)):
        if foretold != came:
            yield f"{what}: foretold {foretold}, came {came}"


def _topic(partition: str) -> str:
    return partition.rpartition("-")[0]


def _cleaned(start: Start) -> frozenset[str]:
    """Return the topics whose segments a cleaner may change behind the start."""
    configs = start.image.configs if start.image is not None else {}
    policies = {
        topic: values.get("cleanup.policy", "") for (kind, topic), values in configs.items() if kind == _OF_TOPIC
    }
    return frozenset(topic for topic, policy in policies.items() if "compact" in policy)


def _rooms(start: Start, folder: Path) -> set[str]:
    """Return the segments of which nothing but room at the end is cut."""
    loaded = [each.recovery for each in start.partitions if each.recovery is not None]
    return {_name(part.segment.path, folder) for each in loaded for part in each.segments if part.room}


def _of_harm(start: Start, kafka: Mapping[str, Any], folder: Path, cleaned: frozenset[str]) -> Iterator[str]:
    """Look for a loss where none was foretold."""
    if not start.is_harmless:
        return
    changed = {*kafka.get("cut", ()), *kafka.get("gone", ())} - _rooms(start, folder)
    lost = [path for path in changed if path.endswith(".log") and _GOING not in path and _METADATA not in path]
    lost = [path for path in lost if _topic(Path(path).parent.name) not in cleaned]
    for what in ("not_served", "offline"):
        lost += kafka.get(what, [])
    lost += [path for path in kafka.get("strays", {}) if not path.endswith("-stray")]
    if lost:
        yield f"foretold harmless, lost {lost}"
