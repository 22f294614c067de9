"""Requests and responses with headers: which version has which, and what can be wrong with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from kafka_format import protocol
from kafka_format.codec.compiler import version
from kafka_format.primitives.counts import byte_count
from kafka_format.spec.layout import find, specification
from kafka_format.spec.layout.versioned import VersionedLayout

from kafka_generator.protocol_vectors import values
from kafka_generator.protocol_vectors.case import MessageCase
from kafka_generator.protocol_vectors.pieces import Writer, join, uvarint
from kafka_generator.protocol_vectors.shapes import Shape

FAMILY: Final = "frames"
_CORRELATION: Final = 7
_CLIENT: Final = "client-1"
_TAGS: Final = ((1000, b"a"), (1001, b""))
_METADATA: Final = 3
_API_VERSIONS: Final = 18
_RIGID, _FLEXIBLE = 8, 12
"""Versions of Metadata with the older and the newer headers."""


def cases() -> Iterator[MessageCase]:
    """Yield the cases: every version behind its header, and headers at their edges and beyond."""
    for whole in specification().versioned.values():
        if whole.kind in {"request", "response"} and not whole.variant_of:
            for number in whole.versions.numbers:
                yield _whole(whole, number)
    yield from _client_ids()
    yield from _correlations()
    yield from _tags()
    yield from _unknown()
    yield from _wrong_versions()
    yield from _cuts()
    yield from _fallback()


def _shape(whole: VersionedLayout, number: int) -> Shape:
    return Shape(whole, (number,), find(whole.name, number))


def _layout(kind: str, api: int) -> VersionedLayout:
    return specification().versioned[f"{protocol.api_name(api)}_{kind}"]


def header(whole: VersionedLayout, number: int, *, at: int | None = None, **fields: Any) -> bytes:
    """Write the header of a request or response.

    Args:
        whole: layout of the body.
        number: its version.
        at: version of the header; by default that which belongs to it.
        fields: other values than the usual ones.
    """
    api = whole.api or 0
    if whole.kind == "request":
        own = protocol.header_version(api, number, "request") if at is None else at
        given = {"request_api_key": api, "request_api_version": number, "client_id": _CLIENT}
    else:
        own = protocol.header_version(api, number, "response") if at is None else at
        given = {}
    given |= {"correlation_id": _CORRELATION, "unknown_tagged_fields": ()} | fields
    layout = version(f"{whole.kind}_header", own).layout
    return join(Writer().pieces(layout, given))


def _body(whole: VersionedLayout, number: int) -> bytes:
    layout = find(whole.name, number)
    return join(Writer().pieces(layout, values.value(layout, values.PROFILES["typical"])))


def _case(whole: VersionedLayout, number: int, word: str, what: str, data: bytes, **more: Any) -> MessageCase:
    title = f"{whole.title} {number}: {what}"
    return MessageCase(_shape(whole, number), word, title, data, framed=True, family=FAMILY, **more)


def _whole(whole: VersionedLayout, number: int) -> MessageCase:
    rules = ["protocol.header.version"]
    if whole.kind == "response" and whole.api == _API_VERSIONS:
        rules.append("protocol.header.api-versions")
    if whole.kind == "request" and number in whole.flexible:
        rules.append("protocol.header.client-id")
    data = header(whole, number) + _body(whole, number)
    return _case(whole, number, "whole", "behind its header", data, rules=tuple(rules))


def _client_ids() -> Iterator[MessageCase]:
    whole = _layout("request", _METADATA)
    for number in (_RIGID, _FLEXIBLE):
        for word, client in (("null", None), ("empty", ""), ("foreign", values.FOREIGN), ("long", "c" * values.LONG)):
            data = header(whole, number, client_id=client) + _body(whole, number)
            what = f"a client id that is {word}"
            yield _case(whole, number, f"client-id/{word}", what, data, rules=("protocol.header.client-id",))
        usual = header(whole, number)
        for word, raw in (("minus-two", b"\xff\xfe"), ("lowest", b"\x80\0")):
            data = usual[:8] + raw + usual[10 + len(_CLIENT) :] + _body(whole, number)
            flag = "negative-length-is-null"
            what = "a length of the client id that is negative and not -1"
            rules = ("length.not-negative",)
            yield _case(whole, number, f"client-id/{word}", what, data, rules=rules, flag=flag, is_valid=False)


def _correlations() -> Iterator[MessageCase]:
    for kind in ("request", "response"):
        whole = _layout(kind, _METADATA)
        for word, number in (("lowest", -(1 << 31)), ("minus-one", -1), ("highest", (1 << 31) - 1)):
            data = header(whole, _FLEXIBLE, correlation_id=number) + _body(whole, _FLEXIBLE)
            what = f"the correlation id is {number}"
            yield _case(whole, _FLEXIBLE, f"correlation-id/{word}", what, data, rules=("field.integer",))


def _tags() -> Iterator[MessageCase]:
    for kind in ("request", "response"):
        whole = _layout(kind, _METADATA)
        tagged = header(whole, _FLEXIBLE, unknown_tagged_fields=_TAGS)
        body = _body(whole, _FLEXIBLE)
        rules = ("tagged-fields.unknown", "protocol.tag.unknown")
        yield _case(whole, _FLEXIBLE, "tags", "unknown tagged fields in the header", tagged + body, rules=rules)
        backwards = header(whole, _FLEXIBLE, unknown_tagged_fields=_TAGS[::-1])
        order = {"rules": ("protocol.tags.ascending",), "flag": "tags-in-any-order", "is_valid": False}
        yield _case(whole, _FLEXIBLE, "tags-descend", "tags of the header descend", backwards + body, **order)
        for word, count in (("wrapped", 0xFFFFFFFF), ("wrapped-minus-two", 0xFFFFFFFE), ("wrapped-lowest", 1 << 31)):
            negative = header(whole, _FLEXIBLE)[:-1] + uvarint(count)
            none = {"rules": ("protocol.tags.count",), "flag": "negative-tag-count-is-none", "is_valid": False}
            what = f"the count of the header's tagged fields is {count - (1 << 32)} as an int32"
            yield _case(whole, _FLEXIBLE, f"tag-count/{word}", what, negative + body, **none)
        behind = {"rules": ("protocol.body.exact",), "flag": "body-trailing-bytes", "is_valid": False}
        data = header(whole, _FLEXIBLE) + body + b"\0"
        yield _case(whole, _FLEXIBLE, "trailing", "a byte behind the body", data, **behind)


def _unknown() -> Iterator[MessageCase]:
    whole = _layout("request", _METADATA)
    rest = header(whole, _FLEXIBLE)[4:] + _body(whole, _FLEXIBLE)
    for word, api, number in (
        ("api/highest", 0x7FFF, 0), ("api/minus-one", -1, 0), ("version/highest", _METADATA, 0x7FFF),
        ("version/minus-one", _METADATA, -1),
    ):  # fmt: skip
        front = api.to_bytes(2, "big", signed=True) + number.to_bytes(2, "big", signed=True)
        more: dict[str, Any] = {"rules": ("protocol.header.known",), "is_valid": False}
        more["has_oracle"] = number == 0  # the classes look for the API; that the version is known, the broker checks
        yield _case(whole, _FLEXIBLE, f"unknown/{word}", "an API or a version that there is not", front + rest, **more)


def _wrong_versions() -> Iterator[MessageCase]:
    """Yield bodies behind the header of the other kind, where that shows."""
    response = _layout("response", _METADATA)
    data = header(response, _FLEXIBLE, at=0) + _body(response, _FLEXIBLE)
    yield _case(response, _FLEXIBLE, "header-0", "behind header 0", data, is_valid=False)
    data = header(response, _RIGID, at=1) + _body(response, _RIGID)
    yield _case(response, _RIGID, "header-1", "behind header 1", data, is_valid=False)
    api_versions = _layout("response", _API_VERSIONS)
    newest = api_versions.versions.highest
    data = header(api_versions, newest, at=1) + _body(api_versions, newest)
    yield _case(api_versions, newest, "header-1", "behind header 1", data, is_valid=False)


def _cuts() -> Iterator[MessageCase]:
    for kind in ("request", "response"):
        whole = _layout(kind, _METADATA)
        for number in (_RIGID, _FLEXIBLE):
            head = header(whole, number, unknown_tagged_fields=_TAGS)
            for kept in range(len(head)):
                word = f"header-cut-{kept}"
                what = f"the header ends after {byte_count(kept)}"
                yield _case(whole, number, word, what, head[:kept], is_valid=False)


def _fallback() -> Iterator[MessageCase]:
    """Yield answers of brokers that do not know the version of ApiVersions (KIP-511)."""
    whole = _layout("response", _API_VERSIONS)
    lists = {
        "no-list": b"\0\0\0\0",
        "list": b"\0\0\0\1\0\x12\0\0\0\2",
        "long-list": b"\0\0\0\2\0\3\0\0\0\x08\0\x12\0\0\0\2",
    }
    for number in whole.versions.numbers[1:]:
        for word, versions in lists.items():
            data = header(whole, number) + b"\0\x23" + versions
            rules = ("protocol.header.api-versions",)
            what = "answered in version 0, with error 35"
            yield _case(whole, number, f"fallback/{word}", what, data, rules=rules)
