"""Links that open bytes in the decoder, and the examples of its page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from kafka_conformance.vectors import protocol
from kafka_conformance.vectors.vector import Vector

from kafka_site.addresses import relative
from kafka_site.model import Site

PAGE: Final = "decoder"
_MOST: Final = 8 << 10
"""Bytes that a link carries; site/decoder/input.js says why."""

_RECORDS: Final = {
    "a record batch with headers": "wild/java-4-4-0/none/headers",
    "a batch that zstd compressed": "wild/java-4-4-0/zstd/one",
    "a commit of a transaction": "control/marker/commit",
    "a wrapper of v1": "v1/wrapper/relative-offsets",
    "messages of v0": "v0/size/key-and-value",
    "messages of 0.7": "v07/offset/three-messages",
    "a damaged gzip payload": "v2/gzip/wrong-crc",
}
_MESSAGES: Final = {
    "the first request of librdkafka": "wild/api-versions-request/3/librdkafka-2-16-0",
    "a produce request": "wild/produce-request/10/librdkafka-2-16-0",
    "a fetch response": "wild/fetch-response/16/librdkafka-2-16-0-session",
}
_KINDS: Final = {"framed_request": "request", "framed_response": "response"}


class Example(NamedTuple):
    """Bytes to try: what they are, and the link that opens them."""

    title: str
    href: str


def href(page: str, data: bytes, **how: object) -> str:
    """Return the link from a page that opens bytes in the decoder.

    It is empty if they are too many, or none.

    Args:
        page: path of the page.
        data: the bytes.
        how: `kind` as in site/decoder/kinds.js; `api` and `version` of a response, `layout` and
            `version` of a structure of the protocol.
    """
    if not data or len(data) > _MOST:
        return ""
    named = {"as" if name == "kind" else name: value for name, value in how.items()}
    return f"{relative(PAGE, page)}#{urlencode({'hex': data.hex(), **named})}"


def of_vector(page: str, vector: Vector) -> str:
    """Return the link from a page that opens a vector of the record formats."""
    return href(page, vector.data, kind="v07" if vector.format == "v07" else "records")


def of_message(page: str, vector: Mapping[str, Any]) -> str:
    """Return the link from a page that opens a vector of the protocol, which is JSON."""
    kind, version = vector["kind"], vector["versions"][0]
    data = bytes.fromhex(vector["hex"])
    match kind:
        case "framed_request":
            return href(page, data, kind="request")
        case "framed_response":
            return href(page, data, kind="response", api=vector["api"], version=version)
        case _:
            known = "schema_record" if kind.startswith("framed_") else "structure"
            return href(page, data, kind=known, layout=vector["layout"], version=version)


def values(site: Site) -> dict[str, Any]:
    """Return what the page of the decoder is made of: examples."""
    records = [Example(title, of_vector(PAGE, site.vectors[identity])) for title, identity in _RECORDS.items()]
    return {"examples": [*records, *(message(title, identity) for title, identity in _MESSAGES.items())]}


def message(title: str, identity: str) -> Example:
    """Return the example of a request or response that somebody sent: a vector of the protocol."""
    vector = next(vector for vector in protocol.load(families=["wild"]) if vector.id == identity)
    kind = _KINDS[vector.kind]
    how = {"api": vector.api, "version": vector.versions[0]} if kind == "response" else {}
    return Example(title, href(PAGE, vector.data, kind=kind, **how))
