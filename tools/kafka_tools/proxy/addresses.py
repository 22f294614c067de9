"""The addresses of brokers in responses, replaced by those of the proxy: one port a broker.

A client learns from responses (Metadata, FindCoordinator, DescribeCluster, and others in which a
structure has a host and a port) where to connect. What is replaced is written again with the same
fields, unknown tagged ones too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from kafka_format import protocol
from kafka_format.errors import EncodeError, FormatError
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned.model import VersionedStructure

_HOST: Final = "host"
_PORT: Final = "port"
_SMALL: Final = 8 << 10
"""Bytes of a response that is always looked at; in larger ones only where a known host occurs."""

Place = Callable[[str, int], tuple[str, int]]
"""Takes the address of a broker; gives that of the proxy for it."""


@cache
def apis_with_addresses() -> frozenset[int]:
    """Return the APIs whose responses have addresses of brokers."""
    names = specification().enums["api"].values
    return frozenset(
        number for number, name in names.items() if _has_address(specification().versioned[f"{name}_response"].body)
    )


def _has_address(structure: VersionedStructure) -> bool:
    fields = {field.name for field in structure.fields}
    inner = (field.structure for field in structure.fields if field.structure is not None)
    return {_HOST, _PORT} <= fields or any(_has_address(one) for one in inner)


def replaced(data: bytes, api: int, version: int, place: Place, hosts: frozenset[bytes]) -> bytes:
    """Return a response with the addresses of the proxy; as it is where it has none, or is wrong.

    Args:
        data: header and body.
        api: its API.
        version: its version.
        place: gives the address of the proxy for a broker.
        hosts: names of hosts that were seen before.
    """
    is_worth = api == _METADATA or len(data) <= _SMALL or any(host in data for host in hosts)
    if api not in apis_with_addresses() or not is_worth:
        return data
    try:
        response = protocol.decode_response(data, api, version)
        body = _changed(response.body, place)
        if body is response.body:
            return data
        header = response.header
        tagged = getattr(header, "unknown_tagged_fields", ())
        return protocol.encode_response(
            api, response.version, body, correlation_id=header.correlation_id, tagged=tagged
        )
    except (FormatError, EncodeError):
        return data  # it is judged as it is


_METADATA: Final = protocol.api_number("metadata")


def _changed(value: Any, place: Place) -> Any:
    """Return a structure with addresses replaced; the same object where there are none."""
    changes: dict[str, Any] = {}
    for name, inner in zip(value._fields, value, strict=True):
        if isinstance(inner, list) and inner and hasattr(inner[0], "_fields"):
            items = [_changed(item, place) for item in inner]
            if any(one is not other for one, other in zip(items, inner, strict=True)):
                changes[name] = items
        elif hasattr(inner, "_fields"):
            changed = _changed(inner, place)
            if changed is not inner:
                changes[name] = changed
    host, port = getattr(value, _HOST, None), getattr(value, _PORT, None)
    if isinstance(host, str) and host and isinstance(port, int) and port > 0:
        changes[_HOST], changes[_PORT] = place(host, port)
    return value._replace(**changes) if changes else value
