"""The vectors of the protocol as files for other programs: unpacked JSON Lines, and a table.

    protocol.json       the version of the vectors, and the files with their SHA-256
    protocol.tsv        a row a vector, its bytes as hex, for languages without a library for JSON
    protocol/NAME.jsonl the lines of one API or family

They may stand beside an export of the other vectors. Two exports of one version are the same to the
byte.
"""

import hashlib
import json
import shutil
from collections.abc import Collection, Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Final

from kafka_format import protocol as reference
from kafka_format.errors import LayoutError
from kafka_tools.errors import UsageError

from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.protocol import ProtocolVector

MANIFEST: Final = "protocol.json"
TABLE: Final = "protocol.tsv"
FOLDER: Final = "protocol"
COLUMNS: Final = ("id", "kind", "api", "message", "versions", "verdict", "canonical", "hex")
"""What the table tells of a vector. `versions` has commas in between; `canonical` is `true` or
`false`."""


def of_apis(apis: Collection[str]) -> list[ProtocolVector]:
    """Return the vectors of APIs, in the order of their files.

    Args:
        apis: APIs by name or number, or families without an API.

    Raises:
        UsageError: there is no such API.
    """
    return list(protocol.load(families=_families(apis)))


def _families(apis: Collection[str]) -> list[str]:
    """Return the names of the files of APIs, and of families that have no API."""
    known = protocol.families()
    return [api if api in known else _api(api, known) for api in apis]


def _api(text: str, known: Collection[str]) -> str:
    try:
        return reference.api_name(int(text) if text.isascii() and text.isdecimal() else text)
    except LayoutError as error:
        others = [name for name in known if not _is_api(name)]
        end = "" if error.advice.endswith("?") else "."
        hint = f"{error.advice.capitalize()}{end} Families without an API: {', '.join(others)}."
        raise UsageError(f"{error.detail}.", hint) from None


def _is_api(name: str) -> bool:
    try:
        return bool(reference.api_name(name))
    except LayoutError:
        return False


def write(vectors: Sequence[ProtocolVector], folder: Path) -> None:
    """Write vectors to a folder; what an earlier export of these files left there is replaced.

    Raises:
        UsageError: the folder cannot be written, or has a `protocol` that is no earlier export.
    """
    try:
        _make_room(folder)
        files = []
        for family, group in groupby(vectors, key=lambda vector: vector.family):
            text = "".join(json.dumps(vector.document, ensure_ascii=False) + "\n" for vector in group).encode()
            (folder / FOLDER / f"{family}.jsonl").write_bytes(text)
            files.append({"file": f"{FOLDER}/{family}.jsonl", "sha256": hashlib.sha256(text).hexdigest()})
        rows = ["\t".join(COLUMNS), *map(_row, vectors)]
        (folder / TABLE).write_bytes(("\n".join(rows) + "\n").encode())
        document = {"vectors_version": version("kafka-format-conformance"), "vectors": len(vectors), "files": files}
        (folder / MANIFEST).write_bytes((json.dumps(document, indent=1) + "\n").encode())
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}.") from None


def _make_room(folder: Path) -> None:
    """Remove an earlier export of these files, and nothing that is not one."""
    if (folder / FOLDER).exists():
        if not (folder / MANIFEST).is_file():
            what = f"{folder / FOLDER} is there and is no export, and nothing is overwritten."
            raise UsageError(what, "Name a new or an empty folder.")
        shutil.rmtree(folder / FOLDER)
    (folder / MANIFEST).unlink(missing_ok=True)
    (folder / FOLDER).mkdir(parents=True)


def _row(protocol_vector: ProtocolVector) -> str:
    cells = {
        "id": protocol_vector.id,
        "kind": protocol_vector.kind,
        "api": "" if protocol_vector.api is None else str(protocol_vector.api),
        "message": protocol_vector.message,
        "versions": ",".join(map(str, protocol_vector.versions)),
        "verdict": protocol_vector.verdict,
        "canonical": str(protocol_vector.canonical).lower(),
        "hex": protocol_vector.data.hex(),
    }
    return "\t".join(cells[name] for name in COLUMNS)
