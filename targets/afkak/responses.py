"""Responses as afkak takes them: whether `KafkaCodec` reads the one version that it asks for.

Most come as rows without their structure, and a few lose what stands twice, so nothing is told of
them.
"""

from collections.abc import Callable
from typing import Any

from afkak.kafkacodec import KafkaCodec
from python_adapter import NotSupported

_READERS: dict[tuple[int, int], Callable[[bytes], Any]] = {
    (0, 0): KafkaCodec.decode_produce_response,
    (1, 0): KafkaCodec.decode_fetch_response,
    (2, 0): KafkaCodec.decode_offset_response,
    (3, 0): KafkaCodec.decode_metadata_response,
    (8, 1): KafkaCodec.decode_offset_commit_response,
    (9, 1): KafkaCodec.decode_offset_fetch_response,
    (10, 0): KafkaCodec.decode_consumermetadata_response,
    (11, 0): KafkaCodec.decode_join_group_response,
    (12, 0): KafkaCodec.decode_heartbeat_response,
    (13, 0): KafkaCodec.decode_leave_group_response,
    (14, 0): KafkaCodec.decode_sync_group_response,
}
_ROWS = frozenset({0, 1, 2, 8, 9})
"""APIs whose responses come as a generator of rows, which reads as it goes."""


def message(kind: int, api: int, version: int, data: bytes) -> bytes:
    """Read a response (kind 1); nothing is told of it."""
    if kind != 1:
        raise NotSupported("it only writes requests")
    if (api, version) not in _READERS:
        raise NotSupported(f"there is no version {version} of API {api}")
    request = _READERS[api, version](data)
    if api in _ROWS:
        for _ in request:
            pass
    return b""
