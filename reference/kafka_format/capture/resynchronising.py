"""Where a frame begins in a stream of which bytes are missing, by what the connection said before.

A request repeats the client id of those before it; a response has the correlation id of a request
that waits for it, and reads as a response of its API.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafka_format.errors import FormatError
from kafka_format.explain.guesses import guesses
from kafka_format.explain.inside import How
from kafka_format.explain.requests import SIZE, explain_response, split
from kafka_format.protocol.exchange import read_api

_LARGEST: Final = 100 << 20
_IDS: Final = 8
"""Bytes between the size of a request and the length of its client id."""

_MOST_READ: Final = 1 << 16
_FEWEST_FIELDS: Final = 5
_CUT: Final = How(may_be_cut=True)


def next_request(content: bytes, client_id: str) -> int | None:
    """Return where the next request of a client begins whose id is known; None for nowhere."""
    if not client_id:
        return None
    name = client_id.encode()
    for at in _places(content, len(name).to_bytes(2, "big") + name):
        start = at - _IDS - SIZE
        if start >= 0 and _is_size(content, start) and _has_header(content[start + SIZE :]):
            return start
    return None


def next_response(content: bytes, asked: Mapping[int, tuple[int | None, int]]) -> int | None:
    """Return where the next response begins; None for nowhere.

    Args:
        content: the bytes.
        asked: API and version of requests that wait for responses, by their correlation ids.
    """
    number = int.from_bytes(content[SIZE : 2 * SIZE], "big", signed=True)
    if number in asked or _are_responses(content):
        return 0
    found = (_response_at(content, *each) for each in asked.items())
    return min((at for at in found if at is not None), default=None)


def _response_at(content: bytes, number: int, asked: tuple[int | None, int]) -> int | None:
    api, version = asked
    if api is None:
        return None
    for at in _places(content, number.to_bytes(4, "big", signed=True)):
        start = at - SIZE
        if start < 0 or not _is_size(content, start):
            continue
        frame = next(split(content[start : start + _MOST_READ]))
        if explain_response(frame, api, version, how=_CUT, start=SIZE).fault is None:
            return start
    return None


def _are_responses(content: bytes) -> bool:
    """Tell whether content is whole responses of requests that were not captured."""
    first = next(split(content[:_MOST_READ]))
    end = 0
    while end < len(content) and _is_size(content, end):
        end += SIZE + int.from_bytes(content[end : end + SIZE], "big")
    if end != len(content) or len(first) > end:
        return False
    found = guesses(first, SIZE)
    return bool(found) and not found[0].unnamed and found[0].fields >= _FEWEST_FIELDS


def _places(content: bytes, part: bytes) -> Iterator[int]:
    at = content.find(part)
    while at >= 0:
        yield at
        at = content.find(part, at + 1)


def _is_size(content: bytes, at: int) -> bool:
    return SIZE <= int.from_bytes(content[at : at + SIZE], "big", signed=True) <= _LARGEST


def _has_header(content: bytes) -> bool:
    try:
        read_api(content)
    except FormatError:
        return False
    return True
