"""The page that counts what the vectors of log directories cover: rules, and files by release."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from kafka_format.log import remote_snapshot
from kafka_format.log.names import FileKind, parse_file
from kafka_format.log.text import checkpoints, clean_shutdown, meta_properties, partition_metadata, quorum_state
from kafka_format.spec.rules import rules
from kafka_tools.errors import UsageError

PAGE: Final = "log-coverage.md"

_NOT_ASKED: Final = {
    FileKind.SEGMENT_07: "no class of 0.7 is in a registry, so its messages stand as KIPs and sources have them",
    remote_snapshot.NAME: "brokers of 3.8 and newer keep no such file",
}
"""Files that some releases were not asked about, and why."""

_SEGMENTS: Final = frozenset({FileKind.SEGMENT})
_MARKS: Final = frozenset(checkpoints.OFFSET_FILES)
_ABOUT: Final[Mapping[str, frozenset[str]]] = {
    "segment": _SEGMENTS,
    "offset-index": frozenset({FileKind.OFFSET_INDEX}),
    "time-index": frozenset({FileKind.TIME_INDEX}),
    "transaction-index": frozenset({FileKind.TRANSACTION_INDEX}),
    "snapshot": frozenset({FileKind.PRODUCER_SNAPSHOT}),
    "kraft-snapshot": frozenset({FileKind.KRAFT_SNAPSHOT}),
    "quorum-state": frozenset({quorum_state.NAME}),
    "epochs": frozenset({checkpoints.EPOCH_FILE}),
    "checkpoint": _MARKS | {checkpoints.EPOCH_FILE},
    "offsets": _MARKS,
    "clean-shutdown": frozenset({clean_shutdown.NAME}),
    "partition-metadata": frozenset({partition_metadata.NAME}),
    "meta-properties": frozenset({meta_properties.NAME}),
    "remote-snapshot": frozenset({remote_snapshot.NAME}),
    "file": _SEGMENTS,
    "name": frozenset({"a name alone", FileKind.SEGMENT}),
}
"""The files that rules are about, by the second word of their ids."""

_CONTENTS: Final = "log.contents."
_SOUND: Final = ("start/sound/", "start/controller/sound", "start/broker/sound")
_LOOSE: Final = frozenset({"log-name-of-any-width"})
_HEAD: Final = """\
<!-- made by generate.py -->
# What the vectors of log directories cover

[vectors/log](../vectors/log/README.md) has {directories} directories and {files} files and names,
and [vectors/start](../vectors/start/README.md) {starts} variants of data directories.
Each rule about them is kept and broken by at least one. A sound vector keeps the rules about the
files that it has.
"""


def page(
    directories: Iterable[Mapping[str, Any]],
    files: Iterable[Mapping[str, Any]],
    starts: Iterable[Mapping[str, Any]] = (),
) -> str:
    """Return the page; variants of starts keep and break the rules about contents.

    Raises:
        UsageError: a rule has no vector that breaks it or none that keeps it.
    """
    of_directories, of_files, of_starts = list(directories), list(files), list(starts)
    head = _HEAD.format(directories=len(of_directories), files=len(of_files), starts=len(of_starts))
    return "\n".join([head, *_rules(of_directories, of_files, of_starts), "", *_files(of_directories, of_files), ""])


def _rules(
    directories: list[Mapping[str, Any]], files: list[Mapping[str, Any]], starts: list[Mapping[str, Any]]
) -> list[str]:
    lines = ["## Rules", "", "| rule | kept by | broken by | for example |", "|---|---|---|---|"]
    for rule in sorted(rule.id for rule in rules().values() if rule.about == "log" and rule.broken_by == "bytes"):
        broken = [directory["id"] for directory in directories if rule in directory["breaks"]]
        broken += [file["id"] for file in files if file.get("rule") == rule]
        broken += [start["id"] for start in starts if rule in start["breaks"]]
        sound = [
            (directory["id"], set(map(_of_path, directory["files"])))
            for directory in directories
            if not directory["breaks"]
        ]
        sound += [(file["id"], {_kind(file)}) for file in files if file["verdict"] == "valid"]
        if rule.startswith(_CONTENTS):
            kept = [start["id"] for start in starts if start["id"].startswith(_SOUND)]
        else:
            kept = [id_ for id_, kinds in sound if _is_kept(rule, kinds)]
        if not (kept and broken):
            raise UsageError(f"{rule} is {'kept' if kept else 'broken'} by vectors only.", "Add a case.")
        lines.append(f"| [{rule}](rules.md) | {len(kept)} | {len(broken)} | `{broken[0]}` |")
    return lines


def _is_kept(rule: str, kinds: set[str]) -> bool:
    """Tell whether a rule is about one of these kinds of files, so that sound ones keep it."""
    return bool(_ABOUT[rule.split(".")[1]] & kinds)


def _files(directories: list[Mapping[str, Any]], files: list[Mapping[str, Any]]) -> list[str]:
    releases = sorted({release for document in [*directories, *files] for release in document["kafka"]})
    counts: dict[str, dict[str, int]] = {}
    for document in directories:
        for kind in {_of_path(path) for path in document["files"]}:
            for release in document["kafka"]:
                counts.setdefault(kind, dict.fromkeys(releases, 0))[release] += 1
    for document in files:
        counts.setdefault(_kind(document), dict.fromkeys(releases, 0))
        for release in document["kafka"]:
            counts[_kind(document)][release] += 1
    lines = ["## Files", "", "How many vectors the classes of each release were asked about, by what is in them.", ""]
    lines += [f"| file | {' | '.join(releases)} | |", "|---|" + "---|" * (len(releases) + 1)]
    for kind, by_release in sorted(counts.items()):
        cells = " | ".join(str(by_release[release] or "") for release in releases)
        lines.append(f"| `{kind}` | {cells} | {_NOT_ASKED.get(kind, '')} |")
    return lines


def _kind(vector: Mapping[str, Any]) -> str:
    name = vector.get("file") or vector["name"]
    return "a name alone" if "name" in vector else _of_path(name)


def _of_path(path: str) -> str:
    name = path.rpartition("/")[2]
    try:
        parsed = parse_file(name, _LOOSE)
    except ValueError:
        return "another name"
    return parsed.kind if parsed is not None else name
