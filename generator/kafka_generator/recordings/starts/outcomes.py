"""What a start did, read from what the node logged, and from its files before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from kafka_generator.start_vectors import files

_ENTRY: Final = re.compile(r"^\[(?P<thread>[^\]]*)\] (?P<level>[A-Z]+) (?P<logger>\S+) - (?P<message>.*)$")
_LOADED: Final = re.compile(
    r"Completed load of Log\(dir=(?P<dir>[^,]+), .*logStartOffset=(?P<start>\d+), logEndOffset=(?P<end>\d+)"
)
_LEADER: Final = re.compile(r"transition to Leader\(.*?epoch=(?P<epoch>\d+), epochStartOffset=(?P<end>\d+)")
_NOT_SERVED: Final = re.compile(
    r"(?:Failed to load metadata from|Error loading transactions from transaction log|Error loading offsets from)"
    r" (?P<partition>[\w.-]+-\d+)"
)
_REMOTE: Final = "__remote_log_metadata-0"
_REMOTE_ENDED: Final = "ConsumerTask - Error occurred while processing the records"
"""What is said of the metadata of remote storage, without its partition."""

_OFFLINE: Final = re.compile(
    r"(?:Stopping serving logs in dir|Stopped serving logs in dir|Adding offline directory)"
    r" (?P<dir>[\w/.-]+?)\.?(?:\s|$)"
)
_NOISE: Final = (
    "CONTROLLER_REGISTRATION",
    "NotControllerException",
    "The broker is in",
    "Exceptionally slow controller event",
    "channel manager timed out before sending",
    "This instance is in invalid state, initialized: false",
)
"""Parts of errors that a sound start logs too: on a busy machine, or with remote storage."""

_VOLATILE: Final = (
    (re.compile(r"@[0-9a-f]{5,8}\b"), "@..."),
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:..."),
    (re.compile(r"(incarnation(?:Id)?)=[\w-]{22}"), r"\1=..."),
)
_STRAY: Final = re.compile(r"\.[0-9a-f]{32}-stray$")
_ERRORS: Final = 4


def of_log(text: str, folder: Path) -> dict[str, Any]:
    """Return what a log says: errors, where logs start and end, what is not served."""
    text = text.replace(f"{folder}/", "").replace(str(folder), "")
    entries = list(_entries(text))
    ends = {
        files.without_id(match["dir"]): [int(match["start"]), int(match["end"])] for match in _LOADED.finditer(text)
    }
    leader = _LEADER.search(text)
    not_served = sorted({match["partition"] for match in _NOT_SERVED.finditer(text)})
    not_served += [_REMOTE] if _REMOTE_ENDED in text else []
    said = {
        "errors": list(_errors(entries)),
        "ends": dict(sorted(ends.items())),
        "metadata_end": int(leader["end"]) if leader else None,
        "not_served": not_served,
        "offline": sorted({match["dir"] for match in _OFFLINE.finditer(text)}),
    }
    return {key: value for key, value in said.items() if value not in ([], {}, None)}


def _entries(text: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """Yield level, logger, first line and the other lines of each entry."""
    entry: tuple[str, str, str, list[str]] | None = None
    for line in text.splitlines():
        if (match := _ENTRY.match(line)) is not None:
            if entry is not None:
                yield entry
            entry = (match["level"], match["logger"].rpartition(".")[2], match["message"], [])
        elif entry is not None:
            entry[3].append(line)
    if entry is not None:
        yield entry


def _errors(entries: list[tuple[str, str, str, list[str]]]) -> Iterator[dict[str, Any]]:
    seen = list[dict[str, Any]]()
    for level, logger, message, rest in entries:
        if level != "ERROR" or any(noise in f"{message}{rest[:1]}" for noise in _NOISE):
            continue
        error: dict[str, Any] = {"logger": logger, "message": _stable(message)}
        if rest:
            error["exception"] = _stable(rest[0])
            causes = [_stable(line.removeprefix("Caused by: ")) for line in rest if line.startswith("Caused by: ")]
            error |= {"causes": causes} if causes else {}
        if error not in seen:
            seen.append(error)
    yield from seen[:_ERRORS]


def _stable(text: str) -> str:
    for pattern, instead in _VOLATILE:
        text = pattern.sub(instead, text)
    return text[:400]


def sizes(folder: Path) -> dict[str, int]:
    """Return the sizes of all files below a folder by their paths; of a folder -1."""
    return {
        path.relative_to(folder).as_posix(): -1 if path.is_dir() else path.stat().st_size
        for path in folder.rglob("*")
        if path.exists()  # a link may lead nowhere
    }


def of_files(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, Any]:
    """Return what became of files: gone, new, renamed, or smaller than before."""
    made = sorted(path for path, size in after.items() if size < 0 and path not in before)
    strays = {_STRAY.sub("", path): path for path in made if path.endswith("-stray")}
    old = {path: size for path, size in before.items() if not any(path.startswith(f"{each}/") for each in strays)}
    said = {
        "gone": sorted(path for path in old if path not in after and not _is_told(path, before, after)),
        "made": [files.without_id(path) for path in made],
        "strays": {path: files.without_id(name) for path, name in sorted(strays.items())},
        "cut": {path: [size, after[path]] for path, size in sorted(old.items()) if _is_cut(path, size, after)},
        "put_aside": sorted(path for path in after if path not in before and path.endswith((".deleted", ".part"))),
    }
    return {key: value for key, value in said.items() if value}


def _is_told(path: str, before: Mapping[str, int], after: Mapping[str, int]) -> bool:
    """Tell whether a path is in a folder that is gone wholly, or is what every start makes anew."""
    folder = path.rpartition("/")[0]
    return (folder in before and folder not in after) or (path.endswith(".snapshot") and "__cluster_metadata" in path)


def _is_cut(path: str, size: int, after: Mapping[str, int]) -> bool:
    return path.endswith((".log", ".checkpoint")) and -1 < after.get(path, size) < size
