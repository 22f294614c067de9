"""meta.properties: the ids of a broker, its cluster and its data directory (MetaProperties).

It is a properties file of Java: `key=value` lines in any order, comments after `#` or `!`. Version
0 is from ZooKeeper's time (0.9 to 3.9), version 1 from KRaft (3.0 and newer).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from kafka_format.log.text.lines import Line, is_id, number, split, text_error

NAME: Final = "meta.properties"

_NODE: Final = {0: "broker.id", 1: "node.id"}
"""The key of the id of the broker, by version."""

_REQUIRED: Final = {0: (), 1: ("node.id", "cluster.id")}
"""The keys that a version must have. Without a version it is 0 (MetaProperties.Builder)."""

_PAIR: Final = re.compile(r"(?P<key>(?:\\.|[^\\\s=:])*)\s*[=:]?\s*(?P<value>.*)")
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_ESCAPES: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


class MetaProperties(NamedTuple):
    """The content of meta.properties.

    Attributes:
        version: 0 or 1.
        node_id: id of the broker, `broker.id` in version 0; None in a fresh directory of version 0.
        cluster_id: id of the cluster; empty for none.
        directory_id: id of the directory, since 3.7 (KIP-858); empty for none.
        others: the other keys, with their values.
    """

    version: int
    node_id: int | None
    cluster_id: str = ""
    directory_id: str = ""
    others: tuple[tuple[str, str], ...] = ()


def decode(data: bytes) -> MetaProperties:
    """Read the file.

    Raises:
        FormatError: a broker does not start with it.
    """
    values = properties(data)
    version_text = values.pop("version", ("0", 0))
    version = number(version_text[0], 32, loose=True)
    if version is None or version not in _REQUIRED:
        detail = f"the version is `{version_text[0]:.40}`, known are 0 and 1"
        raise text_error("log.meta-properties.version", detail, version_text[1], "version")
    for key in _REQUIRED[version]:
        if key not in values:
            raise text_error(
                "log.meta-properties.keys", f"version {version} needs `{key}`, which is missing", len(data), key
            )
    node, at = values.pop(_NODE[version], (None, 0))
    node_id = None if node is None else number(node, 32, loose=True)
    if node is not None and node_id is None:
        raise text_error("log.meta-properties.keys", f"`{node:.40}` is not a broker id", at, _NODE[version])
    cluster, _ = values.pop("cluster.id", ("", 0))
    has_directory = "directory.id" in values
    directory, at = values.pop("directory.id", ("", 0))
    if has_directory and not is_id(directory):
        raise text_error("log.meta-properties.directory-id", f"`{directory:.40}` is not an id", at, "directory.id")
    return MetaProperties(version, node_id, cluster, directory, tuple((key, text) for key, (text, _) in values.items()))


def encode(meta: MetaProperties) -> bytes:
    """Write the file, without the comment with the date that Java puts first."""
    pairs = [("node.id" if meta.version else "broker.id", "" if meta.node_id is None else str(meta.node_id))]
    pairs += [("directory.id", meta.directory_id), ("version", str(meta.version)), ("cluster.id", meta.cluster_id)]
    return "".join(f"{key}={value}\n" for key, value in (*pairs, *meta.others) if value).encode("latin-1", "replace")


def properties(data: bytes) -> dict[str, tuple[str, int]]:
    """Read a Java properties file: by key the value and the first byte of its line.

    The last one counts.
    """
    values: dict[str, tuple[str, int]] = {}
    for line in _logical_lines(data):
        if pair := _PAIR.fullmatch(line.text):
            values[_unescape(pair["key"])] = (_unescape(pair["value"]), line.offset)
    return values


def _logical_lines(data: bytes) -> list[Line]:
    """Return the lines without comments and blank ones, joined where one ends in a backslash."""
    lines: list[Line] = []
    open_line: Line | None = None
    for line in split(data):
        text = line.text.lstrip(" \t\f")
        if open_line is None and (not text or text[0] in "#!"):
            continue
        whole = Line(open_line.text + text, open_line.offset) if open_line is not None else Line(text, line.offset)
        slashes = len(whole.text) - len(whole.text.rstrip("\\"))
        open_line = Line(whole.text[:-1], whole.offset) if slashes % 2 else None
        if open_line is None:
            lines.append(whole)
    return [*lines, open_line] if open_line is not None else lines


def _unescape(text: str) -> str:
    def unescaped(escape: re.Match[str]) -> str:
        letter = escape[1]
        return chr(int(letter[1:], 16)) if len(letter) > 1 else _ESCAPES.get(letter, letter)

    return _ESCAPE.sub(unescaped, text)
