"""What lies behind something else, such as the headers of a packet; and text that says bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from kafka_format import paste, protocol
from kafka_format.errors import FormatError
from kafka_format.explain.guesses import guesses
from kafka_format.explain.requests import SIZE, split
from kafka_format.primitives.counts import byte_count
from kafka_format.recognition import frames, pasted
from kafka_format.recognition.entries import first_entry
from kafka_format.recognition.model import LEAST, Candidate, Kind
from kafka_format.records import iterate
from kafka_format.records.entries import OVERHEAD, SMALLEST_SIZE

_FARTHEST: Final = 4096
"""Bytes in front of something that are looked at."""

_LARGEST_RESPONSE: Final = 1 << 20
_LARGEST: Final = 1 << 30
"""No request is larger."""

_SIZE_AT: Final = OVERHEAD - SIZE
_MOST_TRIES: Final = 50
_LARGEST_TEXT: Final = 4 << 20
_PRINTABLE: Final = re.compile(rb"(?:\xef\xbb\xbf)?[\t\n\r\x20-\x7e\x80-\xff]*")
_PROXY_2: Final = b"\r\n\r\n\0\r\nQUIT\n"
_PROXY_1: Final = re.compile(rb"PROXY (?:TCP[46]|UNKNOWN)[ -~]{0,90}\r\n")

Recognise = Callable[[bytes], tuple[Candidate, ...]]
"""Recognises what is inside."""


class _Front(NamedTuple):
    """What stands in front: its bytes, and what it is."""

    size: int
    what: str


def candidates(data: bytes, recognise: Recognise) -> Iterator[Candidate]:
    """Yield what is behind the headers of a packet or the preamble of a proxy, or said as text."""
    for front in (_packet(data), _preamble(data)):
        if front is None:
            continue
        inner = recognise(data[front.size :])
        for one in inner[:3]:
            yield one.behind(front.size, f"behind {front.what} ({byte_count(front.size)})")
        if not inner:
            yield Candidate(Kind.OTHER, front.what, 60, ("its fields fit",), start=front.size)
    yield from _text(data, recognise)


def elsewhere(data: bytes) -> Candidate | None:
    """Return what begins at a later byte and is borne out there: whole requests, or a checksum."""
    return _request_later(data) or _entry_later(data)


def _packet(data: bytes) -> _Front | None:
    """Return the headers of a packet of TCP, with those of Ethernet or without."""
    for start, link in ((0, ""), (14, "Ethernet, "), (16, "a link, "), (4, "a loopback, ")):
        size = _ip_and_tcp(data[start : start + 120], len(data) - start)
        if size is not None and (start != 14 or data[12:14] in (b"\x08\0", b"\x86\xdd")):
            return _Front(start + size, f"the headers of {link}IP and TCP")
    return None


def _ip_and_tcp(head: bytes, length: int) -> int | None:
    """Return the bytes of the headers of IP and TCP; None if there are none."""
    if len(head) < 40:
        return None
    if head[0] >> 4 == 4 and head[9] == 6 and head[0] & 15 >= 5:
        size, total = (head[0] & 15) * 4, int.from_bytes(head[2:4], "big")
    elif head[0] >> 4 == 6 and head[6] == 6:
        size, total = 40, 40 + int.from_bytes(head[4:6], "big")
    else:
        return None
    tcp = head[size + 12] >> 4 if len(head) > size + 12 else 0
    fits = tcp >= 5 and size + tcp * 4 <= total and abs(total - length) <= 64
    return size + tcp * 4 if fits else None


def _preamble(data: bytes) -> _Front | None:
    """Return what HAProxy puts in front of a connection (proxy-protocol.txt)."""
    if data.startswith(_PROXY_2) and len(data) >= 16:
        return _Front(16 + int.from_bytes(data[14:16], "big"), "a PROXY preamble")
    found = _PROXY_1.match(data)
    return _Front(found.end(), "a PROXY preamble") if found else None


def _text(data: bytes, recognise: Recognise) -> Iterator[Candidate]:
    """Yield what a text stands for, if that is something."""
    if not 8 <= len(data) <= _LARGEST_TEXT or not _PRINTABLE.fullmatch(data):
        return
    try:
        read = pasted.read(data.decode(errors="replace"), lambda inner: next(iter(recognise(inner)), None))
    except paste.PasteError:
        return
    for one in recognise(read.data)[:1]:
        yield Candidate(
            Kind.TEXT, f"{read.way} that say {one.title}", max(LEAST, one.score - 5), one.evidence, one.against,
            content=read.data,
        )  # fmt: skip


def _sizes_to_the_end(data: bytes) -> Iterator[int]:
    """Yield the places, but for the first, where a size reaches exactly to the last byte."""
    last = min(len(data) - 12, _FARTHEST)
    if last <= 1 or len(data) > _LARGEST:
        return
    for high in range((len(data) - last - SIZE) >> 8, ((len(data) - 1 - SIZE) >> 8) + 1):
        at = data.find(high.to_bytes(3, "big"), 1, last + SIZE - 1)
        while at > 0:
            if int.from_bytes(data[at : at + SIZE], "big") == len(data) - at - SIZE:
                yield at
            at = data.find(high.to_bytes(3, "big"), at + 1, last + SIZE - 1)


def behind_a_size(data: bytes) -> Candidate | None:
    """Return a request or response of which some of the size in front is missing."""
    return _request_behind(data) or _response_behind(data)


def _response_behind(data: bytes) -> Candidate | None:
    for at in range(1, min(SIZE, len(data) - 2 * SIZE)):
        size = len(data) - at
        if size > _LARGEST_RESPONSE or int.from_bytes(data[:at], "big") != size & (1 << 8 * at) - 1:
            continue
        found = guesses(data, at)
        if found and found[0].is_clean and found[0].is_told:
            evidence = ("what is there of a size in front fits", "its body ends with the last byte")
            return frames.response_of(found, 62, evidence)._replace(against=("its size is not whole",), start=at)
    return None


def _request_behind(data: bytes) -> Candidate | None:
    for at in range(1, SIZE):
        try:
            request = protocol.decode_request(data[at:])
        except FormatError:
            continue
        client = getattr(request.header, "client_id", None)
        if isinstance(client, str) and client and client.isprintable():
            title = f"a request of {protocol.api_name(request.api)}, version {request.version}"
            evidence = (f"its header names a client `{client}`, and its body ends with the last byte",)
            one = Candidate(Kind.REQUEST, title, 86, evidence, ("its size is not whole",))
            return one._replace(api=request.api, version=request.version, start=at)
    return None


def _request_later(data: bytes) -> Candidate | None:
    for at in _sizes_to_the_end(data):
        frame = next(split(data[at:]))
        try:
            request = protocol.decode_request(frame[SIZE:])
        except FormatError:
            continue
        title = f"a request of {protocol.api_name(request.api)}, version {request.version}"
        one = Candidate(Kind.REQUEST, title, 88, ("its size fits, and its body ends with it",), framed=True)
        return one._replace(api=request.api, version=request.version, start=at)
    return None


def _entry_later(data: bytes) -> Candidate | None:
    tries = 0
    for found in _entry_sizes(data).finditer(data, 1 + _SIZE_AT, _FARTHEST + _SIZE_AT):
        at = found.start() - _SIZE_AT
        if not SMALLEST_SIZE <= int.from_bytes(found[1], "big") <= len(data) - at - OVERHEAD:
            continue
        tries += 1
        if tries > _MOST_TRIES:
            return None
        entry = first_entry(data[at:])
        if entry is not None and _is_sound(data[at : at + entry.end]):
            return Candidate(Kind.RECORDS, "records", 88, ("the checksum of an entry is right there",), start=at)
    return None


def _entry_sizes(data: bytes) -> re.Pattern[bytes]:
    """Return what finds sizes of entries that are not far too large, with a magic behind them."""
    zeros = SIZE - (len(data).bit_length() + 7) // 8
    return re.compile(rb"(?s)(?=(\0{%d}.{%d}).{4}[\0-\2])" % (zeros, SIZE - zeros))


def _is_sound(data: bytes) -> bool:
    try:
        return any(True for _ in iterate(data))
    except FormatError:
        return False
