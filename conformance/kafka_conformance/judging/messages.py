"""Requests and responses: what a target makes of them, held against the vectors of the protocol."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from kafka_format import protocol
from kafka_format.codec.versions import CompiledVersion, version
from kafka_format.codec.versions.defaults import default_of
from kafka_format.codec.versions.text import inner, members
from kafka_format.errors import EncodeError
from kafka_format.spec.layout.model import Counted, Layout, TagSection

from kafka_conformance.child.session import Exchange, Loss
from kafka_conformance.judging.difference import Difference
from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import MessageInput, Reply, Status
from kafka_conformance.vectors.golden import Verdict
from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.protocol_values import UNKNOWN, from_json, plain

_CORRELATION: Final = 7
_CLIENT: Final = "client-1"
_SHOWN: Final = 60


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

    def written(self) -> bytes:
        """Return header and body as an encoder writes them.

        Raises:
            EncodeError: nobody can write them.
        """
        if self.vector.canonical:
            return self.input.message
        body = self.body()
        written = body.encode(from_json(body, self.value()))
        header: Any = self._header()
        if self.vector.is_framed:
            header = from_json(self.header, (self.vector.value or {})["header"])
        return self.header.encode(header) + written


def can_be_put(vector: ProtocolVector) -> bool:
    """Tell whether a vector is a request or response, of a known API, that releases do not contradict.

    A target is told which API and version to read, so headers that name others are not for it; nor is the answer of a
    broker that does not know the version of ApiVersions, which is the connection's to notice.
    """
    elsewhere = vector.is_framed and ("/unknown/" in vector.id or "/fallback/" in vector.id)
    return vector.api is not None and "_of_" not in vector.layout and not elsewhere


def judge(question: MessageQuestion, target: str, form: str, word: Exchange) -> Result:
    """Hold what a target says of a vector against its verdict.

    Args:
        question: the vector, and the version that was asked.
        target: the name of the target.
        form: what the target gives: `json` or `bytes`.
        word: what it said.
    """
    reply, verdict = word.reply, question.vector.verdict
    if isinstance(reply, Loss):
        return Result(question.id, target, reply.outcome, detail=reply.detail)
    if reply.status == Status.UNSUPPORTED:
        return Result(question.id, target, Outcome.UNSUPPORTED, detail=reply.text)
    if reply.status != Status.ANSWER:
        outcome = Outcome.REFUSED_VALID if verdict is Verdict.VALID else Outcome.PASSED
        return Result(question.id, target, outcome, detail=reply.text)
    if verdict is Verdict.INVALID:
        rule = (question.vector.fault or {})["rule"]
        return Result(
            question.id, target, Outcome.ACCEPTED_INVALID, detail=question.vector.title, expected=f"refused: {rule}"
        )
    found = _of_json(question, reply) if form == "json" else _of_bytes(question, reply)
    if found is None:
        return Result(question.id, target, Outcome.PASSED)
    detail = f"{found.path} is {found.got}, not {found.expected}"
    return Result(
        question.id,
        target,
        Outcome.WRONG_ANSWER,
        detail=detail,
        path=found.path,
        expected=found.expected,
        got=found.got,
    )


def _of_bytes(question: MessageQuestion, reply: Reply) -> Difference | None:
    """Compare the bytes written again; of bytes that no encoder can write, nothing is compared."""
    try:
        expected = question.written()
    except EncodeError:
        return None
    if reply.content == expected:
        return None
    pairs = zip(expected, reply.content, strict=False)
    at = next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(expected), len(reply.content)))
    return Difference(
        f"byte {at}", expected[at:][:_SHOWN].hex() or "the end", reply.content[at:][:_SHOWN].hex() or "the end"
    )


def _of_json(question: MessageQuestion, reply: Reply) -> Difference | None:
    try:
        document = json.loads(reply.content)
        body = document["body"]
    except (ValueError, KeyError, TypeError) as error:
        return Difference("the answer", "JSON with a body", repr(error))
    return difference(question.body().layout, question.value(), body, "")


def difference(layout: Layout, expected: Mapping[str, Any], got: Any, path: str) -> Difference | None:  # noqa: ANN401 - JSON
    """Return the first difference of two values of a structure; None if there is none.

    Names are compared without case, `_` and `-`. A tagged field that is missing has its default; unknown tagged fields
    that are not shown are not compared.
    """
    if not isinstance(got, Mapping):
        return Difference(path, "a structure", _shown(got))
    given = {_plain(name): value for name, value in got.items()}
    for field in members(layout):
        place = f"{path}.{field.kafka}" if path else field.kafka
        name = _plain(field.kafka)
        if isinstance(field.type, TagSection):
            if _plain(UNKNOWN) in given and given[_plain(UNKNOWN)] != expected.get(UNKNOWN, []):
                return Difference(place, _shown(expected.get(UNKNOWN)), _shown(given[_plain(UNKNOWN)]))
        elif name in given:
            found = _value(field.type, expected[field.kafka], given[name], place)
            if found is not None:
                return found
        elif field.tag is None or expected[field.kafka] != plain(field.type, default_of(field, _values)):
            return Difference(place, _shown(expected[field.kafka]), "missing")
    return None


def _values(_layout: Layout, values: dict[str, Any]) -> dict[str, Any]:
    return values


def _value(kind: Any, expected: Any, got: Any, path: str) -> Difference | None:  # noqa: ANN401 - JSON
    if expected is None or got is None:
        return None if expected is got else Difference(path, _shown(expected), _shown(got))
    if isinstance(kind, Counted):
        return _items(kind, expected, got, path)
    nested = inner(kind)
    if nested is not None:
        return difference(nested, expected, got, path)
    same = str(expected) == str(got) if not isinstance(expected, bool | float) else expected == got
    return None if same else Difference(path, _shown(expected), _shown(got))


def _items(kind: Counted, expected: list[Any], got: Any, path: str) -> Difference | None:  # noqa: ANN401 - JSON
    if not isinstance(got, list) or len(got) != len(expected):
        return Difference(path, f"{len(expected)} items", f"{len(got)} items" if isinstance(got, list) else _shown(got))
    pairs = enumerate(zip(expected, got, strict=True))
    found = (_value(kind.item, one, other, f"{path}[{index}]") for index, (one, other) in pairs)
    return next((one for one in found if one is not None), None)


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _shown(value: Any) -> str:  # noqa: ANN401 - JSON
    return json.dumps(value)[:_SHOWN]
