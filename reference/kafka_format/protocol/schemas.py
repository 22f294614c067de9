"""One version of a request, a response or another layout of the protocol, compiled.

schemas.pyi, which `generate.py` writes from the layouts, tells editors and type checkers which
class belongs to an API.
"""

from __future__ import annotations

from typing import Any

from kafka_format.codec.compiler import Structure, version
from kafka_format.protocol.apis import Api, api_name


def request(api: Api, number: int) -> Structure[Any]:
    """Return the request of an API in one version.

    Raises:
        LayoutError: there is no such API, or it has no such version.
    """
    return version(f"{api_name(api)}_request", number)


def response(api: Api, number: int) -> Structure[Any]:
    """Return the response of an API in one version.

    Raises:
        LayoutError: there is no such API, or it has no such version.
    """
    return version(f"{api_name(api)}_response", number)


def schema(name: str, number: int) -> Structure[Any]:
    """Return one version of any layout: a header, a record's key or value, a variant of a release.

    Raises:
        LayoutError: there is no such layout, or it has no such version.
    """
    return version(name, number)
