"""Writers of the protocol: tagged fields and headers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from kafka_format.codec import members, runtime
from kafka_format.codec.interpreter import writer
from kafka_format.protocol import apis
from kafka_format.spec.layout import Layout
from kafka_format.spec.layout.model import Form, Type
from kafka_format.spec.layout.types import VARINTS

from kafka_generator.mutants.families.protocol_headers import HEADERS
from kafka_generator.mutants.families.protocol_tags import without_section
from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch
from kafka_generator.mutants.protocol.versions import with_types

mutant = family("encode-protocol", "tagged fields and headers")

_Tags = Sequence[tuple[int, bytes]]
_API_VERSIONS = 18


def _sections(patch: Patch, order: Callable[[_Tags, _Tags], _Tags]) -> None:
    """Let tagged fields be written in the order that `order` says."""
    patch.replace(runtime.section, lambda known, unknown: _section(order(known, unknown)))


def _section(tags: _Tags, more: int = 0) -> bytes:
    """Write tagged fields in this order; sizes say `more` than they should."""
    varint = runtime.write_unsigned
    parts = [varint(tag) + varint(len(content) + more) + content for tag, content in tags]
    return varint(len(tags)) + b"".join(parts)


@mutant("protocol/encode-no-tag-sections", source=["kafka-protocol-rs/kafka-protocol-rs#38"])
def no_tag_sections(patch: Patch) -> None:
    """Writes nothing where there are no tagged fields, not even their number."""
    patch.wrap(runtime.section, lambda right, known, unknown: right(known, unknown) if known or unknown else b"")


@mutant("protocol/encode-unknown-tags-dropped", rules=["protocol.tag.unknown"])
def unknown_tags_dropped(patch: Patch) -> None:
    """Drops the tagged fields that it does not know."""
    patch.always(writer._unknown, returns=[])


@mutant("protocol/encode-unknown-tags-first")
def unknown_tags_first(patch: Patch) -> None:
    """Writes the tagged fields that it does not know before the others, whatever their tags."""
    _sections(patch, lambda known, unknown: [*unknown, *known])


@mutant("protocol/encode-tags-descending", source=["aio-libs/aiokafka#1139"])
def tags_descending(patch: Patch) -> None:
    """Writes the highest tag first."""
    _sections(patch, lambda known, unknown: sorted([*known, *unknown], reverse=True))


@mutant("protocol/encode-tag-size-left-out", source=["dpkp/kafka-python#2725"])
def tag_size_left_out(patch: Patch) -> None:
    """Writes tagged fields without their sizes."""
    varint = runtime.write_unsigned
    patch.replace(
        runtime.section,
        lambda known, unknown: (
            varint(len(known) + len(unknown))
            + b"".join(varint(tag) + content for tag, content in sorted([*known, *unknown]))
        ),
    )


@mutant("protocol/encode-tag-size-one-more")
def tag_size_one_more(patch: Patch) -> None:
    """Writes the size of a tagged field as a compact length, which is one more."""
    patch.replace(runtime.section, lambda known, unknown: _section(sorted([*known, *unknown]), 1))


@mutant("protocol/encode-tag-count-one-more")
def tag_count_one_more(patch: Patch) -> None:
    """Writes the number of tagged fields as a compact count, which is one more."""
    patch.result(runtime.section, lambda data: bytes([data[0] + 1]) + data[1:] if data != b"\0" else data)


@mutant("protocol/encode-tagged-defaults", rules=["protocol.tag.default"], source=["Aiven-Open/kio#216"])
def tagged_defaults(patch: Patch) -> None:
    """Writes tagged fields that have their defaults too."""
    patch.always(members.is_default, returns=False)


@mutant("protocol/encode-tagged-structures-of-defaults", rules=["protocol.tag.default"])
def tagged_structures_of_defaults(patch: Patch) -> None:
    """Writes a tagged structure also where all its fields have their defaults."""
    patch.wrap(
        members.is_default,
        lambda right, field, value: right(field, value) and not (isinstance(value, Mapping) and bool(value)),
    )


@mutant("protocol/encode-tagged-zero-left-out")
def tagged_zero_left_out(patch: Patch) -> None:
    """Leaves a tagged field out where it is 0, false or empty, whatever its default is."""
    patch.wrap(members.is_default, lambda right, field, value: not value and value is not None)


@mutant("protocol/encode-tagged-fields-never")
def tagged_fields_never(patch: Patch) -> None:
    """Leaves all tagged fields out."""
    patch.always(members.is_default, returns=True)


@mutant("protocol/encode-tags-of-inner-structures-left-out")
def inner_tags_left_out(patch: Patch) -> None:
    """Writes tagged fields at the end of the whole alone."""
    patch.wrap(writer._tags, lambda right, field, kind, given, path: b"" if path else right(field, kind, given, path))


@mutant("protocol/encode-api-versions-response-with-flexible-header", rules=["protocol.header.api-versions"])
def api_versions_response_header(patch: Patch) -> None:
    """Writes tagged fields in the header of the response of ApiVersions."""
    _header(
        patch,
        lambda api, number, kind, right: 1 if (api, kind) == (_API_VERSIONS, "response") and number > 2 else right,
    )


@mutant("protocol/encode-request-header-always-1", rules=["protocol.header.version"])
def request_header_always_1(patch: Patch) -> None:
    """Writes request header 1 in front of flexible requests too."""
    _header(patch, lambda api, number, kind, right: min(right, 1) if kind == "request" else right)


@mutant("protocol/encode-response-header-always-0", rules=["protocol.header.version"])
def response_header_always_0(patch: Patch) -> None:
    """Writes response header 0 in front of flexible responses too."""
    _header(patch, lambda api, number, kind, right: 0 if kind == "response" else right)


def _header(patch: Patch, change: Callable[[int, int, str, int], int]) -> None:
    def wrong(right: Callable[..., int], api: apis.Api, number: int, kind: str = "request") -> int:
        return change(apis.api_number(api), number, kind, right(api, number, kind))

    patch.wrap(apis.header_version, wrong)


@mutant("protocol/encode-client-id-compact", rules=["protocol.header.client-id"])
def client_id_compact(patch: Patch) -> None:
    """Writes a compact length in front of the client id of request header 2."""

    def wrong(kind: Type) -> Type:
        return replace(kind, length=VARINTS["compact_length"]) if isinstance(kind, Form) else kind

    def change(layout: Layout) -> Layout:
        return with_types(layout, wrong) if layout.name == "request_header_v2" else layout

    patch.versions(change)


@mutant("protocol/encode-header-tags-left-out")
def header_tags_left_out(patch: Patch) -> None:
    """Writes no tagged fields in headers."""
    patch.versions(lambda layout: without_section(layout) if layout.name.startswith(HEADERS) else layout)
