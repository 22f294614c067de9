"""Where in a connection Kafka's protocol begins, and who of both ends asks.

A header in one piece proves nothing: `01 01 00 01 00 08 00 00` is FastCGI, and a commit of offsets.
What counts is a body that reads to its end, the name of a client, answers that match, and ports.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from kafka_format import protocol
from kafka_format.errors import FormatError
from kafka_format.explain.guesses import guesses
from kafka_format.explain.inside import How
from kafka_format.explain.requests import SIZE, explain_request
from kafka_format.protocol.exchange import read_api

PORTS: Final = frozenset({9092, 9093, 9094, 19092, 29092})
"""Ports that brokers have where nobody says another."""

ENOUGH: Final = 6
"""A score from which bytes are taken for a request at once."""

ENOUGH_AT_END: Final = 4
"""The same where no more bytes come."""

ENOUGH_ON_PORT: Final = 3
"""The same on a port that brokers often have."""

ENOUGH_IF_SAID: Final = 2
"""The same on a port that the user names."""

_FAR: Final = 8
"""Fields up to which a request that is cut says little."""

_MOST_MISSING: Final = 1000

_LARGEST: Final = 100 << 20
_SMALLEST: Final = 8
_MOST_READ: Final = 1 << 16
"""Bytes of a request that is not whole yet that are read."""

_MOST_SCANNED: Final = 1 << 16
FEWEST_FIELDS: Final = 8
"""Fields of a response from which what reads it to its end says something."""

_CUT: Final = How(may_be_cut=True)
_PROXY_2: Final = b"\r\n\r\n\0\r\nQUIT\n"
_PROXY_1: Final = re.compile(rb"PROXY (?:TCP[46]|UNKNOWN)[ -~]{0,90}\r\n")
_PROXY_2_HEAD: Final = 16


class Start(NamedTuple):
    """Where frames begin in one direction: the byte, and how good the evidence is."""

    at: int
    score: int


def preamble(data: bytes) -> int:
    """Return the bytes of a PROXY preamble at the start of a connection (HAProxy); 0 for none."""
    if data.startswith(_PROXY_2) and len(data) >= _PROXY_2_HEAD:
        return _PROXY_2_HEAD + int.from_bytes(data[14:16], "big")
    found = _PROXY_1.match(data)
    return found.end() if found else 0


def request_score(data: bytes) -> int:
    """Return how much speaks for it that a request after its size begins here.

    10 if its body ends where its size says; less if it is not whole, or something is wrong in it; 0
    for what is none.
    """
    size = int.from_bytes(data[:SIZE], "big", signed=True)
    if len(data) < SIZE + _SMALLEST or not _SMALLEST <= size <= _LARGEST:
        return 0
    try:
        api, version = read_api(data[SIZE:])
    except FormatError:
        return 0
    if len(data) >= SIZE + size:
        return _whole_score(data[SIZE : SIZE + size], api, version)
    explained = explain_request(data[:_MOST_READ], how=_CUT, start=SIZE)
    named = _is_named(explained.values.get("header", {}).get("client_id"))
    if explained.fault is not None:
        return 3 if named else 0
    is_far = len(explained.lines) > _FAR and explained.missing < _MOST_MISSING * len(data)
    return 2 + (2 * named + 2 * is_far if named else is_far)


def _whole_score(data: bytes, api: int, version: int) -> int:
    try:
        request = protocol.decode_request(data)
    except FormatError:
        explained = explain_request(data)
        return 5 if _is_named(explained.values.get("header", {}).get("client_id")) else 1
    named = _is_named(getattr(request.header, "client_id", None))
    return 10 if named or api or version else 4


def _is_named(client: Any) -> bool:
    text = client.decode(errors="replace") if isinstance(client, bytes) else client
    return isinstance(text, str) and bool(text) and text.isprintable()


def find_request(pieces: list[bytes], *, thorough: bool = False) -> Start:
    """Return where the best request begins in what one end sent, by the pieces that it came in.

    Args:
        pieces: the bytes.
        thorough: look at every byte, not only at where pieces begin.
    """
    data = b"".join(pieces)
    places = [0]
    for piece in pieces[:-1]:
        places.append(places[-1] + len(piece))
    front = preamble(data)
    places = [front, *places] if front else places
    if thorough:
        places = [*places, *range(min(len(data), _MOST_SCANNED))]
    best = Start(0, 0)
    for at in places:
        if at + SIZE + _SMALLEST > len(data):
            continue
        score = request_score(data[at:]) if not thorough or _may_begin(data, at) else 0
        if score > best.score:
            best = Start(at, score)
        if best.score >= ENOUGH:
            break
    return best


def _may_begin(data: bytes, at: int) -> bool:
    """Tell quickly whether a whole request can begin at a byte."""
    size = int.from_bytes(data[at : at + SIZE], "big")
    return _SMALLEST <= size <= len(data) - at - SIZE and data[at + SIZE] == 0 and data[at + SIZE + 2] == 0


def find_response(pieces: list[bytes]) -> Start:
    """Return where responses begin in what one end sent, where no request is known."""
    data = b"".join(pieces)
    places = [0]
    for piece in pieces[:-1]:
        places.append(places[-1] + len(piece))
    for at in places[:8]:
        score = _response_score(data, at)
        if score:
            return Start(at, score)
    return Start(0, 0)


def _response_score(data: bytes, at: int) -> int:
    """Return how much speaks for whole responses that begin here and read to their ends."""
    count = fields = 0
    while count < 2 and at + SIZE + SIZE <= len(data):
        size = int.from_bytes(data[at : at + SIZE], "big", signed=True)
        if not SIZE <= size <= len(data) - at - SIZE:
            break
        found = guesses(data[at : at + SIZE + size], SIZE)
        if not found or found[0].unnamed:
            return 0
        count, fields, at = count + 1, fields + found[0].fields, at + SIZE + size
    if not count:
        return 0
    return ENOUGH if count > 1 and fields >= FEWEST_FIELDS else ENOUGH_AT_END if fields >= FEWEST_FIELDS else 2
