"""One connection of Kafka's: who is the client, its requests, their responses, SASL tokens, TLS.

Who asks follows from SYN, by the port, or by whose bytes begin like a request. Answers come in the
order of the requests and repeat their correlation ids; a produce request with acks 0 has none.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from kafka_format import protocol
from kafka_format.capture import resynchronising
from kafka_format.capture.beginnings import (
    ENOUGH,
    ENOUGH_AT_END,
    ENOUGH_IF_SAID,
    ENOUGH_ON_PORT,
    FEWEST_FIELDS,
    PORTS,
    Sent,
    Start,
    find_request,
    find_request_anywhere,
    find_response,
    preamble,
)
from kafka_format.capture.captured import Captured, Endpoint, Kind
from kafka_format.capture.frames import Frame, Frames
from kafka_format.capture.packets import TcpSegment
from kafka_format.capture.streams import Stream, StreamPiece
from kafka_format.codec.prefix import Prefix, prefix
from kafka_format.errors import FormatError
from kafka_format.explain.guesses import guesses
from kafka_format.explain.requests import SIZE
from kafka_format.primitives.counts import byte_count
from kafka_format.protocol.exchange import read_api
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import minimum_size

_MOST_PENDING: Final = 10_000
"""Requests that wait for their responses."""

_MOST_TRIED: Final = 200
"""Pieces of a connection that are looked at before it is given up as none of Kafka's."""

_MOST_WAITING: Final = 1 << 20
"""Bytes of a connection that wait until it is known whether it is Kafka's."""

_MOST_GUESSED: Final = 20
"""Responses of a connection that are guessed, because their requests were not captured."""

_MOST_SOUGHT: Final = 16
"""Requests whose responses are looked for where the start of a frame is not known."""

_SASL_HANDSHAKE: Final = 17
_TLS: Final = b"\x16\x03"
"""First bytes of a TLS handshake: its type and the first byte of its version."""

_REQUEST: Final = prefix("request_header", 1)
_RESPONSE: Final = prefix("response_header", 0)
_CLIENT_ID: Final = find("request_header", 1).field("client_id").type
_TEXT_AT: Final = _REQUEST.size + minimum_size(_CLIENT_ID)
"""Where the text of the client id begins, after its length."""


class _Asked(NamedTuple):
    """A request that waits for its response; a SASL token if `api` is None."""

    api: int | None
    version: int
    time: float
    client_id: str | None


class Connection:
    """Takes the segments of one connection, and yields its requests and responses."""

    def __init__(self, number: int, ends: tuple[Endpoint, Endpoint], client: int | None) -> None:
        """Take the connection's number, its two ends, and which of them is the client, if known."""
        self._number = number
        self._ends = ends
        self._client = client
        is_usual = (ends[0].port in PORTS) != (ends[1].port in PORTS)
        self._least = ENOUGH_IF_SAID if client is not None else ENOUGH_ON_PORT if is_usual else None
        self._streams = (Stream(), Stream())
        self._frames = (self._cut(0), self._cut(1))
        self._asked: OrderedDict[int, _Asked] = OrderedDict()
        self._tokens = False
        self._waiting: list[tuple[int, StreamPiece]] | None = []
        self._waiting_size = 0
        self._guessed = 0
        self._client_id = ""
        self.is_other = False
        self._time = 0.0

    def _cut(self, side: int) -> Frames:
        return Frames(lambda content: self._find_frame(side, content))

    @property
    def has_begun(self) -> bool:
        """True once something was sent; a SYN after it opens another connection."""
        return self._time > 0 or self.is_other

    def open(self, side: int, number: int, *, is_client: bool) -> None:
        """Take a SYN of one side."""
        self._streams[side].open(number)
        if self._client is None:
            self._client = side if is_client else 1 - side

    def close(self, side: int, number: int) -> None:
        """Take the FIN of one side."""
        self._streams[side].close(number)

    def feed(self, side: int, segment: TcpSegment, topics: Mapping[bytes, str]) -> Iterator[Captured]:
        """Take the content of a segment of one side."""
        if self.is_other:
            return
        for piece in self._streams[side].feed(segment.time, segment.number, segment.content, segment.cut):
            yield from self._piece(side, piece, topics)

    def answer(self, side: int, time: float, number: int, topics: Mapping[bytes, str]) -> Iterator[Captured]:
        """Take what one side has got of the other, from the numbers beside what it says."""
        for piece in self._streams[1 - side].acknowledge(time, number):
            yield from self._piece(1 - side, piece, topics)

    def end(self, topics: Mapping[bytes, str]) -> Iterator[Captured]:
        """End the connection; yield what is still waiting."""
        for side in (0, 1):
            for piece in self._streams[side].end():
                yield from self._piece(side, piece, topics)
        if self._waiting:
            yield from self._decide(topics, is_last=True)
        if any(frames.is_in_step for frames in self._frames):
            for side in (0, 1):
                for frame in self._frames[side].end(self._time):
                    yield from self._frame(side, frame, topics)

    def _piece(self, side: int, piece: StreamPiece, topics: Mapping[bytes, str]) -> Iterator[Captured]:
        if self.is_other:
            return
        self._time = max(self._time, piece.time)
        if self._waiting is None:
            for frame in self._frames[side].feed(piece):
                yield from self._frame(side, frame, topics)
            return
        if piece.content.startswith(_TLS) and not self._waiting_size:
            yield self._capture("tls", side, Frame(piece.time, b"", 0), "encrypted with TLS, not read")
            self.is_other = True
            return
        self._waiting.append((side, piece))
        self._waiting_size += len(piece.content)
        yield from self._decide(topics, is_last=False)

    def _decide(self, topics: Mapping[bytes, str], *, is_last: bool) -> Iterator[Captured]:
        """Read all that waits once it is known who asks, and where that begins.

        Where it is not known after much, the connection is none of Kafka's.
        """
        waiting = self._waiting or []
        is_much = self._waiting_size > _MOST_WAITING or len(waiting) > _MOST_TRIED
        found = self._find(is_last=is_last or is_much)
        if found is not None:
            self._waiting = None
            yield from self._replay(waiting, *found, topics)
        elif is_much or is_last:
            self.is_other, self._waiting = is_much, []

    def _find(self, *, is_last: bool) -> tuple[int, Start] | None:
        """Return the side whose frames are known to begin at a place, and the place."""
        sides = (0, 1) if self._client is None else (self._client,)
        latest = self._waiting[-1][0] if self._waiting else 0
        for side in sides:
            if side != latest and not is_last:
                continue
            sent = self._sent(side)
            start = find_request(sent)
            if is_last and start.score < ENOUGH:
                start = max(start, find_request_anywhere(sent), key=lambda one: one.score)
            if start.score >= self._enough(side, is_last=is_last):
                self._client = side
                return side, start
        return self._find_answers() if is_last else None

    def _enough(self, side: int, *, is_last: bool) -> int:
        """Return the score of requests of a side; on a port of brokers, brokers rather answer."""
        if self._least and self._client is None and self._ends[side].port in PORTS:
            return ENOUGH + 1
        return self._least or (ENOUGH_AT_END if is_last else ENOUGH)

    def _find_answers(self) -> tuple[int, Start] | None:
        """Return the side that only answers, where requests were not captured."""
        for side in (0, 1) if self._client is None else (1 - self._client,):
            if self._sent(1 - side).data:
                continue  # who asks would be found by that
            start = find_response(self._sent(side))
            if start.score >= (self._least or ENOUGH_AT_END):
                self._client = 1 - side
                return side, start
        return None

    def _sent(self, side: int) -> Sent:
        """Return what one end sent, of what waits."""
        data = bytearray()
        places: list[int] = []
        gaps: list[int] = []
        for one, piece in self._waiting or ():
            if one == side:
                (places if piece.content else gaps).append(len(data))
                data += piece.content
        return Sent(bytes(data), tuple(places), tuple(gaps))

    def _replay(
        self, waiting: list[tuple[int, StreamPiece]], side: int, start: Start, topics: Mapping[bytes, str]
    ) -> Iterator[Captured]:
        """Read what waited; what one end sent before the start is lost."""
        before = start.at
        lost = start.at - self._preamble(waiting, side)
        for one, piece in waiting:
            content = piece.content
            if one == side and before >= 0:
                if len(content) <= before and not (before == 0 and content):
                    before -= len(content)
                    continue
                for frame in self._frames[side].begin(piece.time, max(lost, 0)):
                    yield from self._frame(side, frame, topics)
                piece, before = piece._replace(content=content[before:]), -1  # noqa: PLW2901 - the rest of it
            for frame in self._frames[one].feed(piece):
                yield from self._frame(one, frame, topics)

    def _preamble(self, waiting: list[tuple[int, StreamPiece]], side: int) -> int:
        return preamble(b"".join(piece.content for one, piece in waiting if one == side)[:256])

    def _find_frame(self, side: int, content: bytes) -> int | None:
        """Return where a request or a response begins in content; None for nowhere."""
        if self._client in (None, side):
            if begins_request(content):
                self._client = side
                return 0
            return resynchronising.next_request(content, self._client_id)
        first = next(iter(self._asked.values()), None)
        if first is not None and first.api is None:  # a token has no header
            return 0
        asked = {number: (one.api, one.version) for number, one in islice(self._asked.items(), _MOST_SOUGHT)}
        return resynchronising.next_response(content, asked)

    def _frame(self, side: int, frame: Frame, topics: Mapping[bytes, str]) -> Iterator[Captured]:
        if frame.is_lost:
            yield self._capture("lost", side, frame, f"{byte_count(frame.size)} not captured, or of no frame")
        elif side == self._client:
            yield self._request(side, frame, topics)
        else:
            yield self._response(side, frame, topics)

    def _capture(self, kind: Kind, side: int, frame: Frame, note: str = "") -> Captured:
        client = self._client if self._client is not None else side
        ends = self._ends[client], self._ends[1 - client]
        notes = [note]
        if frame.missing:
            notes.append(f"{frame.missing} of its bytes {'was' if frame.missing == 1 else 'were'} not captured")
        elif not frame.is_lost and len(frame.data) < frame.size:
            notes.append(f"its first {len(frame.data)} bytes were kept")
        text = "; ".join(filter(None, notes))
        return Captured(
            kind, frame.time, self._number, *ends, side == client, data=frame.data, size=frame.size, note=text
        )

    def _request(self, side: int, frame: Frame, topics: Mapping[bytes, str]) -> Captured:
        data = frame.data[SIZE:]
        try:
            api, version = read_api(data)
        except FormatError as error:
            if self._tokens:
                self._ask(-len(self._asked) - 1, _Asked(None, 0, frame.time, None))
                return self._capture("token", side, frame, "SASL token without a header")
            return self._capture("request", side, frame, str(error))
        correlation_id = _number(_REQUEST, "correlation_id", data)
        client_id = client_of(data)
        if not (api == 0 and _asks_nothing(data, version)):
            self._ask(correlation_id, _Asked(api, version, frame.time, client_id))
        self._client_id = client_id or self._client_id
        self._tokens = self._tokens and api == _SASL_HANDSHAKE
        captured = self._capture("request", side, frame)
        captured = captured._replace(api=api, version=version, correlation_id=correlation_id, client_id=client_id)
        return captured._replace(topics=topics)

    def _guess(self, frame: Frame) -> str:
        """Say what a response reads as; nothing if it is not whole, or reads as nothing."""
        if frame.missing or len(frame.data) < frame.size or self._guessed >= _MOST_GUESSED:
            return ""
        self._guessed += 1
        found = guesses(frame.data, SIZE)
        is_good = bool(found) and not found[0].unnamed and found[0].fields >= FEWEST_FIELDS
        if not is_good:
            return ""
        alike = [one.version for one in found if (one.api, one.fields) == (found[0].api, found[0].fields)]
        which = f"{min(alike)} to {max(alike)}" if len(alike) > 1 else str(alike[0])
        return f"; it reads as {protocol.api_name(found[0].api)} {which} (a guess)"

    def _ask(self, correlation_id: int, asked: _Asked) -> None:
        self._asked[correlation_id] = asked
        if len(self._asked) > _MOST_PENDING:
            self._asked.popitem(last=False)

    def _response(self, side: int, frame: Frame, topics: Mapping[bytes, str]) -> Captured:
        first = next(iter(self._asked), None)
        if first is not None and self._asked[first].api is None:
            self._asked.popitem(last=False)
            return self._capture("token", side, frame, "SASL token without a header")
        correlation_id = _number(_RESPONSE, "correlation_id", frame.data[SIZE:])
        asked = self._asked.pop(correlation_id, None)
        if asked is None or asked.api is None:
            captured = self._capture("response", side, frame, f"its request was not captured{self._guess(frame)}")
            return captured._replace(correlation_id=correlation_id)
        if asked.api == _SASL_HANDSHAKE and asked.version == 0:
            self._tokens = True
        captured = self._capture("response", side, frame)._replace(correlation_id=correlation_id, topics=topics)
        captured = captured._replace(api=asked.api, version=asked.version, client_id=asked.client_id)
        return captured._replace(seconds=frame.time - asked.time)


def begins_request(content: bytes) -> bool:
    """Tell whether bytes begin like a request after its size: known API and version, an id."""
    size = int.from_bytes(content[:SIZE], "big", signed=True)
    header = content[SIZE:]
    if min(len(header), size) < _REQUEST.size:
        return False
    try:
        read_api(header)
    except FormatError:
        return False
    length = _length(header)
    text = header[_TEXT_AT : _TEXT_AT + max(length, 0)]
    return (
        -1 <= length <= size and (text.isascii() or length > len(text)) and text.decode(errors="replace").isprintable()
    )


def client_of(data: bytes) -> str | None:
    """Return the client id of a request; None where it has none."""
    if protocol.header_version(*read_api(data)) == 0:
        return None
    length = _length(data)
    return data[_TEXT_AT : _TEXT_AT + length].decode(errors="replace") if length >= 0 else None


def _number(header: Prefix, field: str, data: bytes) -> int:
    """Return a number of a header; of one that was not captured to its end, what there is of it."""
    place = header.places[field]
    return int.from_bytes(data[place : place + header.packers[field].size], "big", signed=True)


def _length(header: bytes) -> int:
    """Return the length that stands in front of the client id; -1 for null."""
    return int.from_bytes(header[_REQUEST.size : _TEXT_AT], "big", signed=True)


def _asks_nothing(data: bytes, version: int) -> bool:
    """Tell whether a produce request has acks 0, and so no response."""
    try:
        request = protocol.decode_request(data)
    except FormatError:
        return False
    return request.version == version and request.body.acks == 0
