"""Readers of the protocol: headers, their versions, and bodies that end early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kafka_format.codec import checks
from kafka_format.codec.compiler import Structure
from kafka_format.codec.interpreter import Reader
from kafka_format.errors import FormatError
from kafka_format.protocol import apis, exchange
from kafka_format.spec.flags import NO_FLAGS
from kafka_format.spec.layout import Layout
from kafka_format.spec.layout.model import Field, Form, TagSection
from kafka_format.spec.layout.types import VARINTS

from kafka_generator.mutants.families.protocol_tags import without_section
from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.protocol.versions import with_types

mutant = family("decode-protocol", "headers")

_Header = Callable[..., int]
_Tags = Callable[..., int]
_Decode = Callable[..., Any]
HEADERS = ("request_header", "response_header")
"""What the names of the headers' versions start with."""

FLEXIBLE = 2
"""The version of the request header of flexible requests."""

_API_VERSIONS = 18
_CONTROLLED_SHUTDOWN = 7


def _header(patch: Patch, change: Callable[[int, int, str, int], int]) -> None:
    """Change the version of headers; `change` gets API, version, kind and the right version."""

    def wrong(right: _Header, api: apis.Api, number: int, kind: str = "request") -> int:
        return change(apis.api_number(api), number, kind, right(api, number, kind))

    patch.wrap(apis.header_version, wrong)


def _client_id(patch: Patch, change: Callable[[Layout, Form], Form]) -> None:
    """Let the client id of request headers be of the type that `change` makes of the right one."""

    def wrong(layout: Layout) -> Layout:
        if not layout.name.startswith("request_header"):
            return layout
        return with_types(layout, lambda kind: change(layout, kind) if isinstance(kind, Form) else kind)

    patch.versions(wrong)


@mutant(
    "protocol/api-versions-response-with-flexible-header",
    rules=["protocol.header.api-versions"],
    source=["kafkaex/kayrock#48", "kafka-protocol-rs/kafka-protocol-rs#113", "build-trust/ockam#4407"],
)
def api_versions_response_with_flexible_header(patch: Patch) -> None:
    """Reads tagged fields in the header of ApiVersions responses, as of other flexible ones."""
    _header(
        patch,
        lambda api, number, kind, right: 1 if (api, kind) == (_API_VERSIONS, "response") and number > 2 else right,
    )


@mutant(
    "protocol/request-header-always-1",
    rules=["protocol.header.version"],
    source=["kafka-protocol-rs/kafka-protocol-rs#4"],
)
def request_header_always_1(patch: Patch) -> None:
    """Reads request header 1 in front of flexible requests too."""
    _header(patch, lambda api, number, kind, right: min(right, 1) if kind == "request" else right)


@mutant("protocol/request-header-always-2", source=["shotover/shotover-proxy#1056"])
def request_header_always_2(patch: Patch) -> None:
    """Reads request header 2 in front of all requests."""
    _header(patch, lambda api, number, kind, right: 2 if kind == "request" else right)


@mutant("protocol/response-header-always-0", rules=["protocol.header.version"])
def response_header_always_0(patch: Patch) -> None:
    """Reads response header 0 in front of flexible responses too."""
    _header(patch, lambda api, number, kind, right: 0 if kind == "response" else right)


@mutant("protocol/response-header-always-1", source=["shotover/shotover-proxy#1056"])
def response_header_always_1(patch: Patch) -> None:
    """Reads response header 1 in front of all responses but those of ApiVersions."""
    _header(patch, lambda api, number, kind, right: int(api != _API_VERSIONS) if kind == "response" else right)


@mutant("protocol/controlled-shutdown-0-with-client-id", rules=["protocol.header.version"])
def controlled_shutdown_with_client_id(patch: Patch) -> None:
    """Reads a client id in front of ControlledShutdown version 0."""
    _header(
        patch,
        lambda api, number, kind, right: 1 if (api, number, kind) == (_CONTROLLED_SHUTDOWN, 0, "request") else right,
    )


@mutant("protocol/client-id-compact", rules=["protocol.header.client-id"])
def client_id_compact(patch: Patch) -> None:
    """Reads a compact length in front of the client id of request header 2."""
    compact = VARINTS["compact_length"]
    _client_id(patch, lambda layout, kind: replace(kind, length=compact) if layout.version == FLEXIBLE else kind)


@mutant("protocol/client-id-never-null", source=["kafkaex/kayrock#48"])
def client_id_never_null(patch: Patch) -> None:
    """Refuses a null client id."""
    _client_id(patch, lambda layout, kind: replace(kind, null=None))


@mutant("protocol/tags-behind-null-client-id-unread", source=["redpanda-data/redpanda#6585"])
def tags_behind_null_client_id_unread(patch: Patch) -> None:
    """Reads no tagged fields in a request header whose client id is null."""

    def wrong(right: _Tags, self: Reader, field: Field, kind: TagSection, position: int, place: Any) -> int:
        after = right(self, field, kind, position, place)
        return position if "client_id" in place.values and place.values["client_id"] is None else after

    patch.wrap(Reader._tags, wrong)


@mutant("protocol/header-tags-unread")
def header_tags_unread(patch: Patch) -> None:
    """Reads no tagged fields in headers; those in bodies are right."""
    patch.versions(lambda layout: without_section(layout) if layout.name.startswith(HEADERS) else layout)


@mutant(
    "protocol/api-versions-fallback-unknown",
    source=["kafka-protocol-rs/kafka-protocol-rs#122", "IBM/sarama#3328", "kroxylicious/kroxylicious#1110"],
)
def api_versions_fallback_unknown(patch: Patch) -> None:
    """Reads ApiVersions responses in the version asked for, also error 35, which has version 0."""
    patch.constant(exchange, "_UNSUPPORTED_VERSION", b"")


@mutant("protocol/unknown-version-as-the-highest")
def unknown_version_as_the_highest(patch: Patch) -> None:
    """Reads a request of a version that it does not know as the highest one that it knows."""

    def wrong(right: Callable[[bytes], tuple[int, int]], data: bytes) -> tuple[int, int]:
        try:
            return right(data)
        except FormatError as error:
            if "request_api_version" not in error.path:
                raise
            api = int.from_bytes(data[:2], "big", signed=True)
            return api, apis.layout_of(api, "request").versions.highest

    patch.wrap(exchange.read_api, wrong)


@mutant("protocol/surplus-is-refused", source=["confluentinc/librdkafka#5049"])
def surplus_is_refused(patch: Patch) -> None:
    """Refuses requests behind which librdkafka leaves bytes that every Kafka ignores."""
    patch.wrap(checks.surplus_of, lambda _right, layout, rest: None)


@mutant("protocol/body-cut-has-defaults")
def body_cut_has_defaults(patch: Patch) -> None:
    """Gives defaults for fields of a body that ends before them, as for a later version."""

    def wrong(right: _Decode, self: Structure[Any], data: bytes, *, flags: frozenset[str] = NO_FLAGS) -> Any:
        try:
            return right(self, data, flags=flags)
        except FormatError as error:
            fields = self.layout.fields
            cut = next((at for at, field in enumerate(fields) if error.path[:1] == (field.name,)), 0)
            if error.offset != len(data) or not cut:
                raise
            short = type(self)(replace(self.layout, fields=fields[:cut]))
            return {field.name: field.default for field in fields} | right(short, data, flags=flags)

    patch.wrap(Structure.decode, wrong)
