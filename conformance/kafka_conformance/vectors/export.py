"""The golden vectors as files for other programs: JSON Lines, JSON, raw bytes, and a manifest.

    manifest.json, manifest.tsv    what there is: a row a vector
    jsonl/                         the vector files, or the chosen lines; with folders
    json/NAME.json                 one vector, a recipe followed and a folded answer written out
    bin/NAME.bin                   its bytes; a recipe is followed
    bin/NAME.answer                the answer, in the canonical form of the adapter protocol

NAME is the id with a dot for each slash. Ids have lower-case letters, digits, `-`, `_` and a few
dots only, so that names are as different as ids on every file system. The manifest comes last: a
folder without one holds no whole export. Nothing in the files tells when or where they were made,
so that two exports of one version are the same to the byte.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from kafka_tools.errors import UsageError

from kafka_conformance.protocol import answers
from kafka_conformance.vectors import contents, conversations, directions, json_answers, log_vectors, orders, scenarios
from kafka_conformance.vectors.log_vectors import DIRECTORY, LogVector
from kafka_conformance.vectors.vector import AnyVector, Subject, Vector

MANIFEST: Final = "manifest.json"
TABLE: Final = "manifest.tsv"
DECODE: Final = "decode"
"""The direction of the vectors of records; of the others, their families are the directions."""

CONTENT: Final = contents.FOLDER
"""The direction of the vectors of keys and values."""

LOG: Final = log_vectors.FOLDER
"""The direction of the vectors of log directories and their files."""

COLUMNS: Final = ("id", "direction", "family", "format", "verdict", "size", "sha256", "bin", "answer", "json")
"""What the manifests tell of a vector: `size` and `sha256` of its bytes, and its files; empty where
there is none."""

BESIDE: Final = ("protocol", "protocol.json", "protocol.tsv")
"""What an export of the vectors of the protocol has, which stays."""

_ID: Final = re.compile(r"[a-z0-9_-]+(/[a-z0-9_-]+(\.[a-z0-9_-]+)*)*(@[0-9]+)?")
_DEVICE: Final = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9])(/|$)")
_LONGEST: Final = 200
"""Characters of a name: file systems hold 255, and the endings need some."""


class ExportKind(StrEnum):
    """The kinds of files that an export can write."""

    JSONL = "jsonl"
    JSON = "json"
    BIN = "bin"


@dataclass(frozen=True, slots=True)
class Item:
    """One vector as it is exported.

    Attributes:
        vector: the vector; not one of the protocol, for which there is `protocol_export`.
    """

    vector: AnyVector

    @property
    def direction(self) -> str:
        """`decode`, or what else it is about: `deliver`, `conversation`, `log` and so on."""
        if isinstance(self.vector, LogVector):
            return LOG
        if isinstance(self.vector, Vector) and self.vector.subject is Subject.CONTENT:
            return CONTENT
        return self.vector.family if self.vector.family in _FOLDERS else DECODE

    @property
    def file(self) -> str:
        """The file of lines that it stands in."""
        match self.direction, self.vector.family:
            case "decode", family:
                return f"{family}.jsonl"
            case "log", family:
                return f"{LOG}/{'directories' if family == DIRECTORY else 'files'}.jsonl"
            case "content", family:
                return f"{family}.jsonl"
            case conversations.FAMILY | scenarios.FAMILY, family:
                return f"{_FOLDERS[family]}/{self.vector.id.split('/')[1]}.jsonl"
            case _, family:
                return f"{_FOLDERS[family]}/{family}.jsonl"

    @property
    def data(self) -> bytes | None:
        """The bytes of the vector; None if it has none of its own, or several files."""
        if self.decoded is not None:
            return self.decoded.data
        text = self.vector.document.get("hex")
        return None if text is None else bytes.fromhex(text)

    @property
    def decoded(self) -> Vector | None:
        """The vector, if it is one to decode."""
        return self.vector if isinstance(self.vector, Vector) and self.direction == DECODE else None

    @property
    def format(self) -> str:
        """The format of the bytes; empty for files of a log."""
        return self.vector.format if isinstance(self.vector, Vector) else ""

    @property
    def name(self) -> str:
        """The name of its files, without what they end in.

        Raises:
            UsageError: some file system could not have it.
        """
        identity = self.vector.id
        if not _ID.fullmatch(identity) or _DEVICE.match(identity) or len(identity) > _LONGEST:
            raise UsageError(f"{identity!r} cannot be a file name everywhere.", "spec/schema says how an id is formed.")
        return identity.replace("/", ".")


_FOLDERS: Final = {
    directions.DELIVER: directions.FOLDER,
    directions.ASSIGN: directions.FOLDER,
    directions.CONVERT: directions.FOLDER,
    conversations.FAMILY: conversations.FOLDER,
    orders.FAMILY: orders.FOLDER,
    scenarios.FAMILY: scenarios.FOLDER,
}
"""The folders of what is about more than decoding, by family."""


def write(
    vectors: Iterable[AnyVector],
    folder: Path,
    kinds: frozenset[ExportKind],
    on_written: Callable[[], object] = lambda: None,
) -> None:
    """Write the vectors to a folder that is new, empty, or an earlier export, which is replaced.

    `on_written` is called for each vector.

    Raises:
        UsageError: the folder holds something else, or cannot be written.
    """
    items = list(map(Item, vectors))
    try:
        _make_room(folder, kinds)
        if ExportKind.JSONL in kinds:
            _write_lines(items, folder / ExportKind.JSONL)
        rows = []
        for item in items:
            rows.append(_row(item, folder, kinds))
            on_written()
        _write_manifests(rows, folder)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}.") from None


def _make_room(folder: Path, kinds: frozenset[ExportKind]) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        _remove_earlier(folder)
    for kind in kinds:
        (folder / kind).mkdir(parents=True)


def _remove_earlier(folder: Path) -> None:
    """Remove an earlier export, and nothing that is not one."""
    others = (
        []
        if not folder.is_dir()
        else sorted({path.name for path in folder.iterdir()} - {MANIFEST, TABLE, *ExportKind, *BESIDE})
    )
    if others or not _is_export(folder / MANIFEST):
        what = f"holds other things ({', '.join(others[:3])})" if others else "is there and is no whole export"
        raise UsageError(f"{folder} {what}, and nothing is overwritten.", "Name a new or an empty folder.")
    (folder / MANIFEST).unlink()
    (folder / TABLE).unlink(missing_ok=True)
    for kind in ExportKind:
        if (folder / kind).is_dir():
            shutil.rmtree(folder / kind)


def _is_export(manifest: Path) -> bool:
    try:
        document = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(document, dict) and {"vectors_version", "vectors"} <= set(document)


def _write_lines(items: Sequence[Item], folder: Path) -> None:
    for name, group in groupby(items, key=lambda item: item.file):
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        lines = [json.dumps(item.vector.document, ensure_ascii=False) + "\n" for item in group]
        file.write_bytes("".join(lines).encode())


def _row(item: Item, folder: Path, kinds: frozenset[ExportKind]) -> dict[str, Any]:
    """Write the files of one vector and return its row of the manifest."""
    files = {}
    for key, (name, content) in _files(item, kinds):
        (folder / name).write_bytes(content)
        files[key] = name
    facts: dict[str, Any] = {
        "id": item.vector.id,
        "direction": item.direction,
        "family": item.vector.family,
        "format": item.format,
        "verdict": item.vector.verdict,
    }
    if item.data is not None:
        facts |= {"size": len(item.data), "sha256": hashlib.sha256(item.data).hexdigest()}
    return {key: (facts | files).get(key, "") for key in COLUMNS}


def _files(item: Item, kinds: frozenset[ExportKind]) -> Iterator[tuple[str, tuple[str, bytes]]]:
    """Yield column, and name and content of the file."""
    if ExportKind.BIN in kinds and item.data is not None:
        yield "bin", (f"bin/{item.name}.bin", item.data)
        if item.decoded is not None and item.decoded.answer is not None:
            answer = answers.to_bytes(json_answers.from_json(item.decoded.answer))
            yield "answer", (f"bin/{item.name}.answer", answer)
    if ExportKind.JSON in kinds:
        yield "json", (f"json/{item.name}.json", _write_out(item).encode())


def _write_out(item: Item) -> str:
    """Return the JSON of a vector with nothing folded; that of a large one in a single line."""
    vector, document = item.decoded, item.vector.document
    if vector is None or not vector.is_large:
        return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    unfolded: dict[str, tuple[str, Any]] = {"recipe": ("hex", vector.data.hex())}
    if vector.answer is not None:
        unfolded["answer"] = ("answer", list(vector.answer))
    whole: dict[str, Any] = dict(unfolded.get(key, (key, value)) for key, value in document.items())
    return json.dumps(whole, ensure_ascii=False) + "\n"


def _write_manifests(rows: Sequence[Mapping[str, Any]], folder: Path) -> None:
    lines = ["\t".join(COLUMNS), *("\t".join(str(row[key]) for key in COLUMNS) for row in rows)]
    (folder / TABLE).write_bytes(("\n".join(lines) + "\n").encode())
    document = {"vectors_version": version("kafka-format-conformance"), "vectors": rows}
    (folder / MANIFEST).write_bytes((json.dumps(document, indent=1) + "\n").encode())
