"""The vectors of the protocol, loaded and checked against the digests of their index."""

import gzip
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from kafka_format.protocol import api_name
from kafka_format.spec import data

from kafka_conformance.errors import VectorError
from kafka_conformance.vectors.patterns import WILD
from kafka_conformance.vectors.vector import Reach, Verdict

FOLDER: Final = "protocol"
INDEX: Final = "index.json"

_UNSENT: Final = frozenset({"lowest", "highest", "minus-one", "unknown-tags", "unknown-tags-alone"})
"""What is special about valid bytes that nobody sends: the ends of every integer, and tags that
there are not."""

_CUT: Final = "field.truncated"
"""The rule that bytes break that end too early."""


@dataclass(frozen=True, slots=True)
class ProtocolVector:
    """Bytes of a request, response, header or schema record, and what a decoder must make of them.

    Attributes:
        id: stable name, a path made for wildcards, for example `fetch-request/4/typical`.
        title: one sentence that tells what is special.
        family: the file that it stands in.
        kind: `request`, `response`, `header`, `record_key`, `record_value`, `data`, `file`: the
            bytes are a body; `framed_request` and `framed_response`: the header stands in front;
            `framed_record_key` and `framed_record_value`: what says in a topic which record it is.
        layout: name of the body's layout.
        message: name of Kafka's schema.
        api: number of the API; None for what has none.
        topic: of a framed key or value, the topic of Kafka's own that it is in; else empty.
        versions: all versions in which the bytes mean just this.
        rules: ids of the rules that it is about.
        verdict: valid, invalid or lenient.
        data: the bytes.
        flag: for lenient, the leniency that lets decoders accept it.
        value: for valid and lenient, the value as JSON; None for invalid.
        fault: for invalid and lenient, stage, rule, offset and path of what is wrong.
        canonical: True if an encoder given the value writes these very bytes.
        oracle: what releases of Kafka's own classes say.
        document: the whole line as JSON had it.
    """

    id: str
    title: str
    family: str
    kind: str
    layout: str
    message: str
    versions: tuple[int, ...]
    rules: tuple[str, ...]
    verdict: Verdict
    data: bytes
    api: int | None = None
    topic: str = ""
    flag: str = ""
    value: Mapping[str, Any] | None = None
    fault: Mapping[str, Any] | None = None
    canonical: bool = False
    oracle: Mapping[str, str] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def reach(self) -> Reach:
        """Where such bytes can come from."""
        return self._origin[0]

    @property
    def evidence(self) -> str:
        """Why such bytes come from there, in a few words."""
        return self._origin[1]

    @property
    def _origin(self) -> tuple[Reach, str]:
        """Derive the reach and its evidence: from the capture, or from what was done to it."""
        if self.id.startswith("wild/"):
            return Reach.PRODUCER, "captured between a client and a broker"
        if self.verdict is Verdict.VALID and self.canonical and self.special not in _UNSENT:
            return Reach.BROKER, "what Kafka's own classes write"
        if self.fault is not None and self.fault["rule"] == _CUT:
            return Reach.DAMAGE, "cut off"
        return Reach.CRAFTED, "nobody is known to send it"

    @property
    def special(self) -> str:
        """The last word of its id, which says what is special about it: `unknown-tags`."""
        return self.id.partition("@")[0].rpartition("/")[2]

    @property
    def is_framed(self) -> bool:
        """True if the header stands in front of the body."""
        return self.kind.startswith("framed_")


def load(directory: Path | None = None, families: Collection[str] = ()) -> tuple[ProtocolVector, ...]:
    """Load the vectors of the protocol, in the order of file and line.

    Args:
        directory: the folder of all vectors; by default that of this distribution.
        families: names of the files to load; all if empty.

    Raises:
        VectorError: a file is missing, is not what its index says, or has a line that is no vector.
    """
    folder = _folder(directory)
    return tuple(vector for name, text in texts(folder, families) for vector in _vectors(name, text))


def find(identity: str) -> ProtocolVector | None:
    """Return the vector of that id; None if there is none. At most three files are read.

    Raises:
        VectorError: a file is missing, is not what its index says, or has a wrong line.
    """
    near = families_of((identity,))
    return next((vector for vector in load(families=near) if vector.id == identity), None) if near else None


def families_of(patterns: Sequence[str], directory: Path | None = None, apis: Collection[int] = ()) -> tuple[str, ...]:
    """Return the names of the files that may have vectors that fit.

    An id begins with the name of its file or of its layout.

    Args:
        patterns: of ids; empty for all.
        directory: the folder of all vectors; by default that of this distribution.
        apis: numbers of APIs whose requests and responses are wanted; empty for all.
    """
    layouts = {f"{api_name(api)}_{kind}" for api in apis for kind in ("request", "response")}
    entries = [
        entry for entry in _entries(_folder(directory)) if not layouts or not layouts.isdisjoint(entry["versions"])
    ]
    wanted = [_beginning(pattern) for pattern in patterns]
    return tuple(_family(entry) for entry in entries if not wanted or any(_may_have(entry, *begin) for begin in wanted))


def _beginning(pattern: str) -> tuple[str, bool]:
    """Return how ids that fit a pattern begin, and whether that is all up to the first slash."""
    first, slash, _ = WILD.split(pattern, maxsplit=1)[0].replace("_", "-").partition("/")
    return first, bool(slash) or not WILD.search(pattern)


def _may_have(entry: Mapping[str, Any], first: str, is_whole: bool) -> bool:  # noqa: FBT001 - a pair
    return any(name == first if is_whole else name.startswith(first) for name in _beginnings(entry))


def beginnings(directory: Path | None = None) -> Iterator[str]:
    """Yield how ids begin: the names of files and layouts."""
    for entry in _entries(_folder(directory)):
        yield from _beginnings(entry)


def _beginnings(entry: Mapping[str, Any]) -> Iterator[str]:
    return (name.replace("_", "-") for name in (_family(entry), *entry["versions"]))


def families(directory: Path | None = None) -> tuple[str, ...]:
    """Return the names of the files, as `load` takes them: APIs, and what has none."""
    folder = _folder(directory)
    return tuple(map(_family, _entries(folder)))


def _folder(directory: Path | None) -> Path:
    return (directory if directory is not None else data.path("vectors")) / FOLDER


def _entries(folder: Path) -> list[dict[str, Any]]:
    """Return what the index tells of each file."""
    entries: list[dict[str, Any]] = json.loads((folder / INDEX).read_text(encoding="utf-8"))["files"]
    return entries


def _family(entry: Mapping[str, Any]) -> str:
    name: str = entry["file"]
    return name.split(".", maxsplit=1)[0]


def texts(folder: Path, families: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield name and text of the files that the index names.

    Raises:
        VectorError: a file is missing, or is not what the index says.
    """
    for entry in _entries(folder):
        name = entry["file"]
        if families and _family(entry) not in families:
            continue
        try:
            content = gzip.decompress((folder / name).read_bytes())
        except (OSError, EOFError) as error:
            raise VectorError(f"{FOLDER}/{name}: cannot be read: {error}") from None
        if hashlib.sha256(content).hexdigest() != entry["sha256"]:
            raise VectorError(f"{FOLDER}/{name}: is not what {INDEX} says; the digest is another one")
        yield name, content.decode()


def _vectors(name: str, text: str) -> Iterator[ProtocolVector]:
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield vector_of(json.loads(line))
        except (KeyError, TypeError, ValueError) as error:
            raise VectorError(f"{FOLDER}/{name}:{number}: no vector of the protocol: {error!r}") from None


def vector_of(document: Mapping[str, Any]) -> ProtocolVector:
    """Return the vector of a line, as JSON had it.

    Raises:
        KeyError: it is no vector; or a TypeError, or a ValueError.
    """
    return ProtocolVector(
        id=document["id"],
        title=document["title"],
        family=document["family"],
        kind=document["kind"],
        layout=document["layout"],
        message=document["message"],
        versions=tuple(document["versions"]),
        rules=tuple(document["rules"]),
        verdict=Verdict(document["verdict"]),
        data=bytes.fromhex(document["hex"]),
        api=document.get("api"),
        topic=document.get("topic", ""),
        flag=document.get("flag", ""),
        value=document.get("value"),
        fault=document.get("fault"),
        canonical=document["canonical"],
        oracle=document["oracle"],
        document=document,
    )
