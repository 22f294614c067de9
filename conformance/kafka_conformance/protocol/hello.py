"""The hello of the adapter protocol: what a target declares about itself, and its JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypedDict, cast

import kafka_format
from kafka_format.broker.consumer import ISOLATIONS
from kafka_format.records import json_form
from kafka_tools import schemas

from kafka_conformance.errors import ProtocolError
from kafka_conformance.protocol.frames import FrameKind, letter

PROTOCOL: Final = 1
"""The version of the adapter protocol."""

CODECS: Final = json_form.CODECS
"""Every codec that a target can declare; a name's index is its number in an answer."""

FIELDS: Final = json_form.FIELDS
"""Every field that a target can declare, in the order in which differences are looked for."""


APPEND: Final = "append"
"""What a broker is asked to do; no adapter declares it."""


class Messages(TypedDict, total=False):
    """What a target gives of requests, responses and schema records; empty if it reads none.

    `form` is `json`, `bytes` or `verdict`; `records` are the topics of Kafka's own whose keys and
    values it reads; `fallback` is true if it reads an answer to ApiVersions in version 0 where it
    asked in a higher one (KIP-511).
    """

    form: str
    records: list[str]
    fallback: bool


Serdes = Mapping[str, Sequence[str]]
"""What a target reads of keys and values: for each kind of content the parts of the answer that it
gives; empty if it reads none. `kafka_format.content.serdes` has the names."""


class Direction(StrEnum):
    """What the target was asked to do."""

    DECODE = "decode"
    ENCODE = "encode"


@dataclass(frozen=True, slots=True)
class Hello:
    """What a target declares about itself in its first message. Only that is asked and compared.

    Attributes:
        name: the library.
        version: the version that runs, as the library itself tells it.
        language: the language it is written in.
        formats: formats that it reads, of `v07`, `v0`, `v1`, `v2`.
        codecs: codecs that it reads, of `none`, `gzip`, `snappy`, `lz4`, `zstd`.
        fields: record fields that its answers carry; the others are not compared. `control` here
            means that it returns control records.
        checks_crc: False if it never looks at checksums.
        directions: what it can be asked to do.
        url: where the library lives.
        requests: further requests that it answers, of `assign`, `convert`, `deliver`.
        partial: True if it tells the records that came before an error from a clean refusal.
        apis: what it gives of requests, responses and schema records.
        logs: the parts of answers about log directories that it gives, of `protocol.logs`; empty
            if it reads none.
        serdes: what it reads of keys and values, and what it gives of each kind.
        kind: `decoder`, or `consumer` or `producer` for the driver of a whole client.
        settings: of a consumer, the settings that it knows, of `reset`, `max_bytes`, `timeout`,
            `rack`, `group`, `instance`; None if it takes part in no conversations.
        isolations: of a consumer, the isolation levels that it has.
    """

    name: str
    version: str
    language: str
    formats: tuple[str, ...]
    codecs: tuple[str, ...]
    fields: tuple[str, ...]
    checks_crc: bool
    directions: tuple[Direction, ...] = (Direction.DECODE,)
    url: str = ""
    requests: tuple[str, ...] = ()
    partial: bool = False
    apis: Messages = field(default_factory=Messages)
    logs: tuple[str, ...] = ()
    serdes: Serdes = field(default_factory=dict)
    kind: str = "decoder"
    settings: tuple[str, ...] | None = None
    isolations: tuple[str, ...] = ISOLATIONS


def hello_request() -> bytes:
    """Return the body of the runner's first message: the protocol, and its partial answers."""
    return _hello({"protocol": PROTOCOL, "partial": True})


def asks_for_partial(body: bytes) -> bool:
    """Tell whether the runner's first message says that it understands partial answers."""
    try:
        document = json.loads(body[1:])
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("partial") is True


def hello_reply(hello: Hello) -> bytes:
    """Make the body of the adapter's answer to it."""
    fields = {name: getattr(hello, name) for name in Hello.__dataclass_fields__}
    return _hello({"protocol": PROTOCOL, **{name: value for name, value in fields.items() if value is not None}})


def parse_hello(body: bytes) -> Hello:
    """Read an adapter's hello and check it against spec/schema/hello.schema.json.

    Raises:
        ProtocolError: it is no hello, of another protocol, or lacks a declaration.
    """
    document = _hello_document(body)
    problem = schemas.problem(document, "hello")
    if problem is not None:
        raise ProtocolError(f"sent a hello that is wrong at {problem.place}: {problem.words}")
    return Hello(
        name=document["name"],
        version=document["version"],
        language=document["language"],
        formats=tuple(document["formats"]),
        codecs=tuple(document["codecs"]),
        fields=tuple(document["fields"]),
        checks_crc=document["checks_crc"],
        directions=tuple(Direction(item) for item in document["directions"]),
        url=document.get("url", ""),
        requests=tuple(document.get("requests", ())),
        partial=document.get("partial", False),
        apis=cast("Messages", document.get("apis", {})),
        logs=tuple(document.get("logs", ())),
        serdes=document.get("serdes", {}),
        kind=document.get("kind", "decoder"),
        settings=tuple(document["settings"]) if "settings" in document else None,
        isolations=tuple(document.get("isolations", ISOLATIONS)),
    )


def _hello_document(body: bytes) -> Any:  # noqa: ANN401 - whatever the JSON says; the schema judges it
    if body[0] != FrameKind.HELLO:
        raise ProtocolError(f"answered hello with a frame of kind {letter(body[0])}, not H")
    try:
        return json.loads(body[1:])
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"sent a hello that is not JSON: {error}") from None


def _hello(document: dict[str, Any]) -> bytes:
    text = json.dumps(document).encode()
    return kafka_format.structure("hello").encode({"document": text})
