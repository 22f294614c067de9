"""Responses as pykafka takes them: whether the class of an API and version reads one.

They are read from after the correlation id on, as `BrokerConnection.response` hands them over. An
error code that it knows is raised; the response was read then, so that is no refusal.
"""

from typing import Any

from pykafka import protocol
from pykafka.exceptions import ERROR_CODES
from python_adapter import NotSupported

_CORRELATION_ID = 4
_NAMES = {
    0: "ProduceResponse",
    1: "FetchResponse",
    2: "ListOffsetResponse",
    3: "MetadataResponse",
    8: "OffsetCommitResponse",
    9: "OffsetFetchResponse",
    10: "GroupCoordinatorResponse",
    11: "JoinGroupResponse",
    12: "HeartbeatResponse",
    13: "LeaveGroupResponse",
    14: "SyncGroupResponse",
    15: "DescribeGroupsResponse",
    16: "ListGroupsResponse",
    18: "ApiVersionsResponse",
    19: "CreateTopicsResponse",
    20: "DeleteTopicsResponse",
}
_CLASSES = {
    api: getattr(protocol, name) for api, name in _NAMES.items() if hasattr(protocol, name)
}  # old releases lack some


def message(kind: int, api: int, version: int, data: bytes) -> bytes:
    """Read a response (kind 1); nothing is told of it."""
    if kind != 1:
        raise NotSupported("it only writes requests")
    if version not in _versions(api):
        raise NotSupported(f"there is no version {version} of API {api}")
    try:
        _versions(api)[version](data[_CORRELATION_ID:])
    except tuple(ERROR_CODES.values()):
        pass  # what the response says
    return b""


def _versions(api: int) -> dict[int, Any]:
    """Return the classes of an API by version; those that have one version do not tell it."""
    if api not in _CLASSES:
        return {}
    return getattr(_CLASSES[api], "get_versions", dict)() or {0: _CLASSES[api]}
