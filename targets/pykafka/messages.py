"""Responses as pykafka takes them: whether the class of an API and version reads one.

They are read from after the correlation id on, as `BrokerConnection.response` hands them over. An
error code that it knows is raised; the response was read then, so that is no refusal.
"""

from typing import Any

from pykafka import protocol
from pykafka.exceptions import ERROR_CODES
from python_adapter import NotSupported

_CORRELATION_ID = 4
_CLASSES = {
    0: protocol.ProduceResponse,
    1: protocol.FetchResponse,
    2: protocol.ListOffsetResponse,
    3: protocol.MetadataResponse,
    8: protocol.OffsetCommitResponse,
    9: protocol.OffsetFetchResponse,
    10: protocol.GroupCoordinatorResponse,
    11: protocol.JoinGroupResponse,
    12: protocol.HeartbeatResponse,
    13: protocol.LeaveGroupResponse,
    14: protocol.SyncGroupResponse,
    15: protocol.DescribeGroupsResponse,
    16: protocol.ListGroupsResponse,
    18: protocol.ApiVersionsResponse,
    19: protocol.CreateTopicsResponse,
    20: protocol.DeleteTopicsResponse,
}


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
    return {} if api not in _CLASSES else _CLASSES[api].get_versions() or {0: _CLASSES[api]}
