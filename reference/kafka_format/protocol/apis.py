"""The APIs by number and name, and the versions of their headers."""

from __future__ import annotations

from functools import cache
from typing import Final, Literal

from kafka_format.errors import LayoutError
from kafka_format.spec.layout import specification
from kafka_format.spec.layout.versioned import VersionedLayout
from kafka_format.spec.layout.yamlfile import suggest

Api = int | str
"""An API: its number, its name as in layouts (`list_offsets`), or as Kafka has it
(`ListOffsets`)."""

# What these functions say never changes, and a broker asks them a dozen times a request.

_API_VERSIONS: Final = 18
_CONTROLLED_SHUTDOWN: Final = 7


@cache
def api_name(api: Api) -> str:
    """Return the name of an API as in layouts, for example `list_offsets`.

    Raises:
        LayoutError: there is no such API; the message suggests a near name.
    """
    names = specification().enums["api"].values
    if isinstance(api, int):
        if api not in names:
            raise LayoutError(
                f"there is no API {api}", file="spec/enums.yaml", line=1, advice=f"there are 0 to {max(names)}"
            )
        return names[api]
    word = api.replace("_", "").replace("-", "").lower()
    for name in names.values():
        if name.replace("_", "") == word:
            return name
    raise LayoutError(f"there is no API `{api}`", file="spec/enums.yaml", line=1, advice=suggest(api, names.values()))


@cache
def api_number(api: Api) -> int:
    """Return the number of an API.

    Raises:
        LayoutError: there is no such API; the message suggests a near name.
    """
    name = api_name(api)
    return next(number for number, word in specification().enums["api"].values.items() if word == name)


@cache
def layout_of(api: Api, kind: Literal["request", "response"]) -> VersionedLayout:
    """Return the request or the response of an API in all versions."""
    return specification().versioned[f"{api_name(api)}_{kind}"]


@cache
def header_version(api: Api, number: int, kind: Literal["request", "response"] = "request") -> int:
    """Return the version of the header in front of a request or response.

    It is 2 and 1 where that is flexible, else 1 and 0 (KIP-482). The response of ApiVersions has
    header 0 in all versions (KIP-511); the request of ControlledShutdown had header 0 in version 0.
    """
    flexible = number in layout_of(api, kind).flexible
    if kind == "response":
        return int(flexible and api_number(api) != _API_VERSIONS)
    if number == 0 and api_number(api) == _CONTROLLED_SHUTDOWN:
        return 0
    return 2 if flexible else 1
