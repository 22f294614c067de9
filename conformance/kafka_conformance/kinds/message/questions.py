"""A message as a question to a target, and the bytes of a right answer."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from kafka_format import protocol, structure
from kafka_format.codec.compiler import Structure, version
from kafka_format.protocol.json_form import EXACT, UNKNOWN
from kafka_format.protocol.records import KEYED
from kafka_format.spec.layout import Layout, find, specification
from kafka_format.spec.layout.versioned import VersionedLayout

from kafka_conformance.protocol.hello import Hello
from kafka_conformance.protocol.messages import MessageInput, MessageKind
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Verdict

NOT_DECLARED: Final = "it does not read requests and responses"
"""What is said of a target whose hello declares no `apis`."""

FALLBACK: Final = "/fallback/"
"""In ids of answers to ApiVersions in version 0, to whom asked in a version the broker lacks."""

_CORRELATION: Final = 7
_CLIENT: Final = "client-1"


@dataclass(frozen=True, slots=True)
class MessageQuestion:
    """A vector in one of its versions, as it is put to a target."""

    vector: ProtocolVector
    number: int

    @property
    def id(self) -> str:
        """The vector, and the version where it has several."""
        return f"{self.vector.id}@{self.number}" if len(self.vector.versions) > 1 else self.vector.id

    @property
    def kind(self) -> Literal["request", "response", "record"]:
        """What it is, framed or not; `record` is a key or a value of a record."""
        if self.vector.api is None:
            return "record"
        return "request" if self.vector.kind.endswith("request") else "response"

    @property
    def header(self) -> Structure[Any]:
        """The codec of the header that stands in front of a request or response."""
        kind, api = ("request" if self.kind == "request" else "response"), self.vector.api or 0
        return version(f"{kind}_header", protocol.header_version(api, self.number, kind))

    @property
    def message(self) -> bytes:
        """The bytes: the body, and what stands in front of it."""
        if self.vector.is_framed:
            return self.vector.data
        return self._front() + self.vector.data

    @property
    def input(self) -> MessageInput:
        """What the target is asked."""
        if self.kind != "record":
            kind = MessageKind.REQUEST if self.kind == "request" else MessageKind.RESPONSE
            return MessageInput(kind, self.vector.api or 0, self.number, self.message)
        return MessageInput(MessageKind.RECORD, self.record_layout.number or 0, self.number, self._record())

    @property
    def record_layout(self) -> VersionedLayout:
        """The layout of a key or a value, which knows its topic and its number."""
        return specification().versioned[self.vector.layout]

    @property
    def front_layout(self) -> Layout:
        """The layout of what stands in front of the body."""
        return find(self.record_layout.behind) if self.kind == "record" else self.header.layout

    def _record(self) -> bytes:
        """Return the record of which this is the key or the value."""
        topic, key = self.record_layout.topic, None
        if self.vector.kind.endswith("key"):
            return structure("schema_record").encode({"topic": topic.encode(), "key": self.message})
        if topic in KEYED:
            layout = self.vector.layout.removesuffix("_value") + "_key"
            front = structure("record_number").encode({"number": self.record_layout.number})
            key = front + version(layout, 0).encode({})
        return structure("schema_record").encode({"topic": topic.encode(), "key": key, "value": self.message})

    def _front(self) -> bytes:
        """Return what is put in front of a body."""
        if self.kind != "record":
            return self.header.encode(self._header())
        given = {"number": self.record_layout.number, "version": self.number}
        front = structure(self.record_layout.behind)
        return front.encode({name: given[name] for name in given if name in front.type._fields})

    def _header(self) -> dict[str, Any]:
        """Return the header that is put in front of a body."""
        given: dict[str, Any] = {"correlation_id": _CORRELATION}
        if self.kind == "request":
            given |= {"request_api_key": self.vector.api, "request_api_version": self.number}
            if "client_id" in self.header.type._fields:
                given["client_id"] = _CLIENT
        return given

    def body(self) -> Structure[Any]:
        """Return the codec of the body."""
        return version(self.vector.layout, self.body_version)

    @property
    def body_version(self) -> int:
        """The version of the body, which may be another than was asked."""
        number: int = (self.vector.value or {}).get("version", self.number) if self.vector.is_framed else self.number
        return number

    def value(self) -> Mapping[str, Any]:
        """Return the expected body as JSON."""
        value = self.vector.value or {}
        return value["body"] if self.vector.is_framed else value

    def encode(self, *, with_unknown: bool = True) -> bytes:
        """Return header and body as an encoder writes them, with or without unknown tagged fields.

        Raises:
            EncodeError: nobody can write them.
        """
        if self.vector.canonical and with_unknown:
            return self.message
        front, body = self._front(), self.body()
        if self.vector.is_framed and self.kind != "record":
            header = EXACT.read(self.header, _without_unknown((self.vector.value or {})["header"], with_unknown))
            front = self.header.encode(header)
        return front + body.encode(EXACT.read(body, _without_unknown(self.value(), with_unknown)))

    def gap(self, hello: Hello) -> str:
        """Say what a target does not declare that it takes to be asked this; empty if it does."""
        if self.kind == "record":
            topic = self.record_layout.topic
            return "" if topic in hello.apis.get("records", ()) else f"it does not read records of {topic}"
        if FALLBACK in self.vector.id and not hello.apis.get("fallback"):
            return "it does not say that it reads an answer to ApiVersions in version 0, whatever it asked"
        return ""


def _without_unknown(value: Any, with_unknown: bool) -> Any:  # noqa: FBT001 - JSON
    """Return a value as it is, or without its unknown tagged fields."""
    if with_unknown:
        return value
    if isinstance(value, Mapping):
        return {name: _without_unknown(member, with_unknown) for name, member in value.items() if name != UNKNOWN}
    return [_without_unknown(item, with_unknown) for item in value] if isinstance(value, list) else value


def can_be_put(vector: ProtocolVector) -> bool:
    """Tell whether a vector is a request, response or schema record that releases agree on.

    A question names the API and the version, so headers that name others are not for it.
    """
    layout = specification().versioned.get(vector.layout)
    if layout is None or layout.variant_of:
        return False
    if vector.api is None:
        return bool(layout.topic and layout.behind) and layout.kind in {"record_key", "record_value"}
    return not (vector.is_framed and "/unknown/" in vector.id)


def in_versions(vectors: Iterable[ProtocolVector]) -> Iterator[MessageQuestion]:
    """Yield every vector that can be put to a target, in each of its versions."""
    return (MessageQuestion(vector, number) for vector in vectors if can_be_put(vector) for number in vector.versions)


def frame_question(
    id_: str, kind: Literal["request", "response"], api: int, number: int, data: bytes
) -> MessageQuestion:
    """Make a question of a valid frame that stands in no vector.

    Args:
        id_: what it is called.
        kind: request or response.
        api: key of the API.
        number: the version.
        data: header and body, as the reference writes them.
    """
    name = protocol.api_name(api)
    header, body = _codecs(kind, api, number)
    read_header, size = header.read(data)
    read_body, _ = body.read(data, size)
    value = {
        "version": number,
        "header": EXACT.write(header.layout, read_header),
        "body": EXACT.write(body.layout, read_body),
    }
    vector = ProtocolVector(
        id=id_,
        title=f"{name} {kind}, version {number}",
        family=name,
        kind=f"framed_{kind}",
        layout=f"{name}_{kind}",
        message="",
        versions=(number,),
        rules=(),
        verdict=Verdict.VALID,
        data=data,
        api=api,
        value=value,
        canonical=True,
    )
    return MessageQuestion(vector, number)


@cache
def _codecs(kind: Literal["request", "response"], api: int, number: int) -> tuple[Structure[Any], Structure[Any]]:
    header = version(f"{kind}_header", protocol.header_version(api, number, kind))
    return header, version(f"{protocol.api_name(api)}_{kind}", number)
