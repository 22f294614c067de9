"""meta.properties: of one data directory, and of several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafka_generator.start_vectors import edits
from kafka_generator.start_vectors.cases.case import DATA, QUORUM, Case
from kafka_generator.start_vectors.cases.facts import Facts

_FILE: Final = f"{DATA}/meta.properties"
_OTHER: Final = "other"
_SECOND: Final = f"{_OTHER}/meta.properties"
_ID: Final = "0123456789ABCDEFGHIJKA"
_RESERVED: Final = "AAAAAAAAAAAAAAAAAAAABQ"

_OF_VOTERS: Final = {"no-directory", "other-directory", "reserved-directory", "other-cluster", "other-node"}
"""What may come out otherwise where voters stand in the metadata log."""


def cases(facts: Mapping[str, Facts]) -> Iterator[Case]:
    """Yield the variants."""
    for base in ("static", "dynamic"):
        yield Case(f"sound/{base}", "Nothing is changed.", base)
        for name, title, change in _of_one(facts[base]):
            if base == "static" or name in _OF_VOTERS:
                yield Case(f"properties/{base}/{name}", title, base, (change,))
    for name, title, changes in _of_two(facts["static"]):
        yield Case(f"directories/{name}", title, "static", changes, log_dirs=(DATA, _OTHER))
    metadata_dir = {"metadata.log.dir": "{folder}/other"}
    yield Case(
        "directories/metadata-elsewhere",
        "The metadata log is said to be in the second directory, and is in the first.",
        "static",
        (edits.write(_SECOND, _second(facts["static"])),),
        log_dirs=(DATA, _OTHER),
        settings=metadata_dir,
    )


def _line(facts: Facts, name: str) -> str:
    """Return the line of meta.properties that has a key."""
    return next(line for line in facts.properties.splitlines() if line.startswith(f"{name}="))


def _of_one(facts: Facts) -> Iterator[tuple[str, str, edits.Edit]]:
    text, node, cluster = facts.properties, _line(facts, "node.id"), _line(facts, "cluster.id")
    directory = _line(facts, "directory.id")

    def changed(old: str, new: str) -> edits.Edit:
        return edits.replace(_FILE, old, new)

    yield "missing", "meta.properties is missing.", edits.remove(_FILE)
    yield "empty", "meta.properties has no bytes.", edits.write(_FILE, b"")
    yield "zeros", "meta.properties is all zeros, as after a power loss.", edits.write(_FILE, bytes(len(text)))
    yield "version-2", "meta.properties has the version 2.", changed("version=1", "version=2")
    yield "version-text", "The version is no number.", changed("version=1", "version=one")
    yield "no-version", "There is no version.", changed("version=1\n", "")
    yield (
        "version-0",
        "meta.properties has the version 0, of a broker with ZooKeeper.",
        changed("version=1", "version=0"),
    )
    yield "node-text", "The id of the node is no number.", changed(node, "node.id=one")
    yield "node-space", "A space stands behind the id of the node.", changed(node, f"{node} ")
    yield "node-negative", "The id of the node is negative.", changed(node, "node.id=-1")
    yield "other-node", "The id is that of another node than the setting.", changed(node, "node.id=2")
    yield "no-node", "There is no id of the node.", changed(f"{node}\n", "")
    yield (
        "node-twice",
        "The id of the node stands there twice, the right one last.",
        changed(node, f"node.id=2\n{node}"),
    )
    yield "no-cluster", "There is no id of the cluster.", changed(f"{cluster}\n", "")
    yield "other-cluster", "The id of the cluster is another.", changed(cluster, "cluster.id=0123456789ABCDEFGHIJKA")
    yield "reserved-directory", "The id of the directory is reserved.", changed(directory, f"directory.id={_RESERVED}")
    yield "short-directory", "The id of the directory is too short.", changed(directory, "directory.id=short")
    yield (
        "odd-directory",
        "The id of the directory is no base64.",
        changed(directory, "directory.id=!!!!!!!!!!!!!!!!!!!!!!"),
    )
    yield "no-directory", "There is no id of the directory.", changed(f"{directory}\n", "")
    yield "other-directory", "The id of the directory is another.", changed(directory, f"directory.id={_ID}")
    yield (
        "written-otherwise",
        "Colons, spaces and a comment, as Java reads them.",
        edits.write(_FILE, ("! by hand\n" + text.replace("=", " : ")).encode()),
    )
    yield "unreadable", "meta.properties may not be read.", edits.unreadable(_FILE)
    yield "folder", "meta.properties is a folder.", edits.folder_at(_FILE)


def _second(facts: Facts) -> bytes:
    """Return a sound meta.properties of a second directory."""
    return facts.properties.replace(_line(facts, "directory.id"), f"directory.id={_ID}").encode()


def _of_two(facts: Facts) -> Iterator[tuple[str, str, tuple[edits.Edit, ...]]]:
    sound, text = edits.write(_SECOND, _second(facts)), _second(facts).decode()

    def other(old: str, new: str) -> tuple[edits.Edit, ...]:
        return (edits.write(_SECOND, text.replace(old, new).encode()),)

    yield "sound", "A second directory, formatted and empty.", (sound,)
    yield (
        "same-id",
        "Both directories have the same id.",
        (edits.copy(_FILE, "other-id"), edits.folder_at(_OTHER), edits.rename("other-id", _SECOND)),
    )
    yield (
        "other-cluster",
        "The second directory is of another cluster.",
        other(_line(facts, "cluster.id"), "cluster.id=0123456789ABCDEFGHIJKA"),
    )
    yield "other-node", "The second directory is of another node.", other(_line(facts, "node.id"), "node.id=7")
    yield "not-formatted", "The second directory has no meta.properties.", (edits.folder_at(_OTHER),)
    yield "not-there", "The second directory is not there.", ()
    yield (
        "unreadable",
        "The meta.properties of the second directory may not be read.",
        (sound, edits.unreadable(_SECOND)),
    )
    yield "version-2", "The meta.properties of the second directory has the version 2.", other("version=1", "version=2")
    yield "a-file", "The second directory is a file.", (edits.write(_OTHER, b"text"),)
    yield (
        "second-metadata-log",
        "Both directories have a metadata log.",
        (sound, edits.copy(QUORUM, f"{_OTHER}/__cluster_metadata-0")),
    )
    yield (
        "partition-twice",
        "A partition is in both directories.",
        (sound, edits.copy(f"{DATA}/plain-0", f"{_OTHER}/plain-0")),
    )
    yield (
        "partition-moved",
        "A partition was moved to the second directory.",
        (sound, edits.rename(f"{DATA}/plain-0", f"{_OTHER}/plain-0")),
    )
    yield (
        "second-checkpoint-broken",
        "A checkpoint of the second directory is broken.",
        (
            sound,
            edits.rename(f"{DATA}/plain-0", f"{_OTHER}/plain-0"),
            edits.write(f"{_OTHER}/replication-offset-checkpoint", b"0\n1\nplain 0\n"),
        ),
    )
    yield (
        "first-unreadable",
        "The meta.properties of the first directory may not be read.",
        (sound, edits.unreadable(_FILE)),
    )
