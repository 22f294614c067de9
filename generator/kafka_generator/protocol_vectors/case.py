"""One vector of the protocol: its bytes, and what the reference says of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from kafka_format import protocol
from kafka_format.codec.compiler import Structure, version
from kafka_format.codec.readings import interpreter_only
from kafka_format.codec.structures import structure
from kafka_format.errors import FormatError
from kafka_format.protocol import records
from kafka_format.protocol.json_form import EXACT
from kafka_format.spec.flags import NO_FLAGS
from kafka_format.spec.layout.yamlfile import Section

from kafka_generator.protocol_vectors.shapes import Shape, family


@dataclass(frozen=True, slots=True)
class MessageCase:
    """Bytes, and what must be said of them.

    Attributes:
        shape: versions and layout of the body.
        word: the end of the id.
        title: what is special.
        data: the bytes: of a body, or of header and body.
        rules: for valid, those it is about; else those that may be the broken one.
        flag: for lenient.
        is_valid: True if nothing is wrong with it.
        value: for valid, the value that was written, by the layout's names.
        framed: True if the header stands in front, or what stands in front of a key or a value in a
            topic.
        topic: of a framed key or value, its topic.
        family: the file that it stands in; by default that of its layout.
        source: where the bytes come from.
        has_oracle: whether Kafka is asked about it.
    """

    shape: Shape
    word: str
    title: str
    data: bytes
    rules: tuple[str, ...] = ()
    flag: str = ""
    is_valid: bool = True
    value: Mapping[str, Any] | None = None
    framed: bool = False
    topic: str = ""
    family: str = ""
    source: str = "construction"
    has_oracle: bool = True

    @property
    def id(self) -> str:
        """The id of the vector."""
        return f"{self.family}/{self.shape.id}/{self.word}" if self.family else f"{self.shape.id}/{self.word}"

    @property
    def file(self) -> str:
        """The name of the file that it stands in."""
        return self.family or family(self.shape.whole)

    @property
    def kind(self) -> str:
        """What the bytes are."""
        if self.topic:  # layouts of what only old releases wrote say nothing of a key
            return "framed_record_key" if self.shape.whole.kind == "record_key" else "framed_record_value"
        return f"framed_{self.shape.whole.kind}" if self.framed else self.shape.whole.kind

    @property
    def verdict(self) -> str:
        """Valid, invalid or lenient."""
        return "valid" if self.is_valid else "lenient" if self.flag else "invalid"

    @property
    def codec(self) -> Structure[Any]:
        """The codec of the body."""
        return version(self.shape.whole.name, self.shape.versions[0])

    def decode(self, flags: frozenset[str] = NO_FLAGS) -> Any:
        """Read the bytes with the reference.

        Raises:
            FormatError: they break a rule.
        """
        if not self.framed:
            return self.codec.decode(self.data, flags=flags)
        if self.topic:
            return self._record(flags)
        if self.shape.whole.kind == "request":
            return protocol.decode_request(self.data, flags=flags)
        api = self.shape.whole.api or 0
        return protocol.decode_response(self.data, api, self.shape.versions[0], flags=flags)

    def _record(self, flags: frozenset[str]) -> FramedRecord:
        """Read a key or a value of one of Kafka's own topics, and what stands in front."""
        if self.shape.whole.kind == "record_key":
            content = protocol.decode_key(self.topic, self.data, flags=flags)
            front = records.key_front(self.topic, self.data, flags=flags)
        else:
            key = protocol.SchemaRecord(f"{self.shape.whole.name.removesuffix('_value')}_key", 0, None)
            content = protocol.decode_value(self.topic, self.data, key, flags=flags)
            front = records.value_front(self.topic, self.data, key.layout, flags=flags)
        header, _ = structure(front.front).read(self.data, 0, len(self.data), flags=flags)
        return FramedRecord(front.front, content.version, header, content.value)

    def encode(self, decoded: Any) -> bytes:
        """Write a value that was read with the reference.

        Raises:
            EncodeError: it cannot be written.
        """
        if not self.framed:
            return self.codec.encode(decoded)
        if isinstance(decoded, FramedRecord):
            return structure(decoded.front).encode(decoded.header) + self.codec.encode(decoded.body)
        return self.header(decoded).encode(decoded.header) + self.body(decoded).encode(decoded.body)

    def header(self, decoded: Any) -> Structure[Any]:
        """Return the codec of the header of a request or response."""
        kind: Literal["request", "response"] = "request" if self.shape.whole.kind == "request" else "response"
        asked = decoded.version if kind == "request" else self.shape.versions[0]
        return version(f"{kind}_header", protocol.header_version(decoded.api, asked, kind))

    def body(self, decoded: Any) -> Structure[Any]:
        """Return the codec of a body, which may have another version than was asked for."""
        name = protocol.api_name(decoded.api)
        return version(f"{name}_{self.shape.whole.kind}", decoded.version)

    def json_form(self, decoded: Any) -> dict[str, Any]:
        """Return a value that was read, as vectors have it."""
        if not self.framed:
            return EXACT.write(self.codec.layout, decoded)
        if isinstance(decoded, FramedRecord):
            header = {camel(name): number for name, number in decoded.header._asdict().items()}
            return {"version": decoded.version, "header": header, "body": EXACT.write(self.codec.layout, decoded.body)}
        header = EXACT.write(self.header(decoded).layout, decoded.header)
        return {
            "version": decoded.version,
            "header": header,
            "body": EXACT.write(self.body(decoded).layout, decoded.body),
        }


def camel(name: str) -> str:
    """Return a name of a layout as Kafka writes names: `frameVersion` for `frame_version`."""
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


class FramedRecord(NamedTuple):
    """A key or a value of one of Kafka's own topics.

    Attributes:
        front: name of the layout of what stands in front.
        version: version of the body.
        header: what stands in front.
        body: the value behind it.
    """

    front: str
    version: int
    header: Any
    body: Any


@dataclass(frozen=True, slots=True)
class MessageJudgement:
    """What the reference says.

    Attributes:
        case: the case.
        value: the value, of valid and lenient bytes; None for invalid.
        fault: why bytes are refused.
        canonical: whether encoding the value gives these very bytes.
    """

    case: MessageCase
    value: Any = None
    fault: FormatError | None = None
    canonical: bool = False


def judge(case: MessageCase) -> MessageJudgement:
    """Hold a case against the reference, compiled and interpreted.

    Raises:
        LayoutError: the reference says something else, or its two readers differ.
    """
    section = Section(f"protocol vector `{case.id}`", 1, {}, {})
    decoded, fault = _read(case)
    if case.is_valid:
        if fault is not None:
            raise section.error(f"is to be valid, but: {fault}")
        with interpreter_only():
            same = case.decode()
        written = None if case.value is None else EXACT.write(case.shape.layout, case.value)
        if same != decoded or written not in (None, case.json_form(decoded)):
            raise section.error("is read as another value than was written")
        return MessageJudgement(case, decoded, None, case.encode(decoded) == case.data)
    if fault is None or (case.rules and fault.rule not in case.rules):
        raise section.error(f"is to break {' or '.join(case.rules)}, but: {fault}")
    if not case.flag:
        return MessageJudgement(case, None, fault)
    return MessageJudgement(case, case.decode(frozenset({case.flag})), fault)


def _read(case: MessageCase) -> tuple[Any, FormatError | None]:
    """Return the value of a case, or why it is refused."""
    try:
        return case.decode(), None
    except FormatError as error:
        return None, error
