"""A request or response as a question to a target, and the bytes of a right answer."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from kafka_format import protocol
from kafka_format.codec.versions import CompiledVersion, version
from kafka_format.protocol.json_form import EXACT, UNKNOWN

from kafka_conformance.protocol.messages import MessageInput
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Verdict

NOT_DECLARED: Final = "it does not read requests and responses"
"""What is said of a target whose hello declares no `apis`."""

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
    def kind(self) -> Literal["request", "response"]:
        """What it is, framed or not."""
        return "request" if self.vector.kind.endswith("request") else "response"

    @property
    def header(self) -> CompiledVersion[Any]:
        """The codec of the header that stands in front."""
        api = self.vector.api or 0
        return version(f"{self.kind}_header", protocol.header_version(api, self.number, self.kind))

    @property
    def input(self) -> MessageInput:
        """What the target is asked."""
        data = self.vector.data if self.vector.is_framed else self.header.encode(self._header()) + self.vector.data
        return MessageInput(("request", "response").index(self.kind), self.vector.api or 0, self.number, data)

    def _header(self) -> dict[str, Any]:
        """Return the header that is put in front of a body."""
        given: dict[str, Any] = {"correlation_id": _CORRELATION}
        if self.kind == "request":
            given |= {"request_api_key": self.vector.api, "request_api_version": self.number}
            if "client_id" in self.header.type._fields:
                given["client_id"] = _CLIENT
        return given

    def body(self) -> CompiledVersion[Any]:
        """Return the codec of the body, which may be of another version than was asked."""
        number = (self.vector.value or {}).get("version", self.number) if self.vector.is_framed else self.number
        return version(self.vector.layout, number)

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
            return self.input.message
        header: Any = self._header()
        if self.vector.is_framed:
            header = EXACT.read(self.header, _without_unknown((self.vector.value or {})["header"], with_unknown))
        body = self.body()
        return self.header.encode(header) + body.encode(EXACT.read(body, _without_unknown(self.value(), with_unknown)))


def _without_unknown(value: Any, with_unknown: bool) -> Any:  # noqa: FBT001 - JSON
    """Return a value as it is, or without its unknown tagged fields."""
    if with_unknown:
        return value
    if isinstance(value, Mapping):
        return {name: _without_unknown(member, with_unknown) for name, member in value.items() if name != UNKNOWN}
    return [_without_unknown(item, with_unknown) for item in value] if isinstance(value, list) else value


def can_be_put(vector: ProtocolVector) -> bool:
    """Tell whether a vector is a request or response of a known API that releases agree on.

    A target is told which API and version to read, so headers that name others are not for it; nor
    is the answer of a broker that does not know the version of ApiVersions, which is the
    connection's to notice.
    """
    elsewhere = vector.is_framed and ("/unknown/" in vector.id or "/fallback/" in vector.id)
    return vector.api is not None and "_of_" not in vector.layout and not elsewhere


def in_versions(vectors: Iterable[ProtocolVector]) -> Iterator[MessageQuestion]:
    """Yield every vector of a request or response, in each of its versions."""
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
def _codecs(
    kind: Literal["request", "response"], api: int, number: int
) -> tuple[CompiledVersion[Any], CompiledVersion[Any]]:
    header = version(f"{kind}_header", protocol.header_version(api, number, kind))
    return header, version(f"{protocol.api_name(api)}_{kind}", number)
