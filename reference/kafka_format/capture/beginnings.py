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

_IDS: Final = 10
"""Bytes of a header: API, version, correlation id, the length of the client id."""

_SASL_HANDSHAKE: Final = 17
_MOST_CHAINED: Final = 100
"""Frames one after the other that are looked at."""

_MOST_ANSWERS: Final = 4
_LARGEST_STEP: Final = 1000
"""How far the id of a response may be from that of the one before it. A Java client that asks for
ApiVersions first numbers the request before that it wants to send: 1, 0, 2."""

_MANY_FIELDS: Final = 30
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
        api, _ = read_api(data[SIZE:])
    except FormatError:
        return 0
    if len(data) >= SIZE + size:
        return _whole_score(data[SIZE : SIZE + size], api)
    explained = explain_request(data[:_MOST_READ], how=_CUT, start=SIZE)
    named = _is_named(explained.values.get("header", {}).get("client_id"))
    if explained.fault is not None:
        return 3 if named else 0
    if not api and not named:
        return 1
    is_far = len(explained.lines) > _FAR and explained.missing < _MOST_MISSING * len(data)
    return 2 + (2 * named + 2 * is_far if named else is_far)


def _whole_score(data: bytes, api: int) -> int:
    try:
        request = protocol.decode_request(data)
    except FormatError:
        explained = explain_request(data)
        return 5 if _is_named(explained.values.get("header", {}).get("client_id")) else 1
    client = getattr(request.header, "client_id", None)
    if not api and not any(data[_IDS + len(client or "") :]):
        return 1  # zeros are a request of API 0 that asks for nothing, and a response without error
    if not api and not _is_named(client):  # it is the half of a small number, too
        topics = (getattr(topic, "name", None) for topic in request.body.topic_data or ())
        return 6 if any(map(_is_named, topics)) else 1
    return 10


def _is_named(client: Any) -> bool:
    text = client.decode(errors="replace") if isinstance(client, bytes) else client
    return isinstance(text, str) and bool(text) and text.isprintable()


class Sent(NamedTuple):
    """What one end sent, as far as it was captured.

    Attributes:
        data: the bytes.
        places: where a segment begins.
        gaps: where bytes are missing.
    """

    data: bytes
    places: tuple[int, ...]
    gaps: tuple[int, ...] = ()


def find_request(sent: Sent) -> Start:
    """Return where the best request begins in what one end sent, of the places where segments do.

    The first one whose score is `ENOUGH` is taken.
    """
    front = preamble(sent.data)
    best = Start(0, 0)
    for at in (front, *sent.places) if front else sent.places:
        score = request_score(sent.data[at:])
        if score > best.score:
            best = Start(at, min(score, _chain_score(sent, at)))
        if best.score >= ENOUGH:
            break
    return best


def find_request_anywhere(sent: Sent) -> Start:
    """Return where the best request begins in what one end sent, at whatever byte.

    Among so many places some bytes of any protocol read as a request. So it must be whole, and what
    follows it must begin like requests as well.
    """
    for at in range(min(len(sent.data) - SIZE - _SMALLEST, _MOST_SCANNED)):
        if _may_begin(sent.data, at) and request_score(sent.data[at:]) > ENOUGH:
            start = Start(at, _chain_score(sent, at))
            if start.score >= ENOUGH:
                return start
    return Start(0, 0)


def _chain_score(sent: Sent, at: int) -> int:
    """Return how much speaks for frames one after the other from a byte on, up to the next gap.

    10, if all begin like requests; 0, if one does not. After a SASL handshake, tokens may follow.
    """
    end = min((gap for gap in sent.gaps if gap > at), default=len(sent.data))
    for _ in range(_MOST_CHAINED):
        size = int.from_bytes(sent.data[at : at + SIZE], "big", signed=True)
        if at + SIZE + SIZE > end:
            return 10
        try:
            api, _ = read_api(sent.data[at + SIZE :])
        except FormatError:
            return 0
        if api == _SASL_HANDSHAKE:
            return 10
        if not _SMALLEST <= size <= _LARGEST:
            return 0
        at += SIZE + size
    return 10


def _may_begin(data: bytes, at: int) -> bool:
    """Tell quickly whether a whole request can begin at a byte."""
    size = int.from_bytes(data[at : at + SIZE], "big")
    return _SMALLEST <= size <= len(data) - at - SIZE and data[at + SIZE] == 0 and data[at + SIZE + 2] == 0


def find_response(sent: Sent) -> Start:
    """Return where responses begin in what one end sent, where the other end sent nothing."""
    for at in sent.places[:8]:
        score = _response_score(sent.data, at)
        if score:
            return Start(at, score)
    return Start(0, 0)


def _response_score(data: bytes, at: int) -> int:
    """Return how much speaks for whole responses that begin here and read to their ends.

    Their ids are near one another, since clients count their requests.
    """
    count = fields = texts = 0
    before: int | None = None
    while count < _MOST_ANSWERS and at + SIZE + SIZE <= len(data):
        size = int.from_bytes(data[at : at + SIZE], "big", signed=True)
        correlation_id = int.from_bytes(data[at + SIZE : at + 2 * SIZE], "big", signed=True)
        if not SIZE <= size <= len(data) - at - SIZE:
            break
        is_next = correlation_id >= 0 and (before is None or 0 < abs(correlation_id - before) <= _LARGEST_STEP)
        found = guesses(data[at : at + SIZE + size], SIZE) if is_next else ()
        if not found or found[0].unnamed:
            return 0
        before = correlation_id
        count, fields, texts = count + 1, fields + found[0].fields, texts + max(found[0].texts, 0)
        at += SIZE + size
    if not count or (at + SIZE <= len(data) and not _may_be_size(data, at)):
        return 0
    is_good = fields >= FEWEST_FIELDS and (texts or count > 1 or fields >= _MANY_FIELDS)
    return ENOUGH if count > 1 and is_good else ENOUGH_AT_END if is_good else 2


def _may_be_size(data: bytes, at: int) -> bool:
    return SIZE <= int.from_bytes(data[at : at + SIZE], "big", signed=True) <= _LARGEST
