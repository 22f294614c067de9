"""Bytes as requests and responses, with their sizes in front or without."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from kafka_format import protocol
from kafka_format.errors import FormatError
from kafka_format.explain.guesses import Guess, cut_guesses, guesses
from kafka_format.explain.inside import How
from kafka_format.explain.requests import SIZE, ExplainedFrame, explain_request, split
from kafka_format.primitives.counts import byte_count
from kafka_format.recognition.model import LEAST, SURE, Candidate, Kind

_CUT: Final = How(may_be_cut=True)
_LARGEST: Final = 100 << 20
"""Brokers take no larger request (socket.request.max.bytes); no answer is larger by much."""

_LARGEST_GUESSED: Final = 16 << 20
"""Bytes of a response that are tried as every API and version."""

_MOST_MISSING: Final = 1000
"""Bytes that may be missing for each one that is there."""

_NEAR: Final = 4
"""A size that says at most so many times what there is makes a cut likely."""

_FEWEST_FIELDS: Final = 5
_FAR: Final = 7
"""Fields of a cut response without a size from which texts among them say something."""

_MOST_CUT: Final = 1 << 20
"""Bytes of a cut response without a size that are tried as every API and version."""

_MOST_ODD: Final = 4
"""Values that nobody writes, for each that bears a response out: its size still speaks for it."""

_MANY_APIS: Final = 3
"""APIs that are as likely as the first; more of them are a guess even among responses."""

_FRAMES: Final = 45
"""The score of sizes that fit, of what nobody knows."""

_FEW_LINES: Final = 8
"""Lines of an explained request that are not much more than its header."""

_LEAST: Final = 8
"""Bytes of the smallest request; fewer say nothing."""


def candidates(data: bytes) -> Iterator[Candidate]:
    """Yield what bytes are as requests or responses."""
    chain, rest = _chain(data)
    requests = [one for start in (SIZE, 0) if (one := _request(data, start, chain)) is not None]
    yield from requests
    best = max((one.score for one in requests), default=0)
    if best < SURE:
        yield from _responses(data, chain, rest, may_be_start=best < LEAST)


def _chain(data: bytes) -> tuple[int, int]:
    """Return how many whole frames follow one another, and the bytes that the last one lacks.

    There are none if what is left is no frame.
    """
    count = missing = 0
    for frame in split(data):
        size = int.from_bytes(frame[:SIZE], "big", signed=True)
        missing = SIZE + size - len(frame)
        if len(frame) < 2 * SIZE or not 0 <= missing <= (_MOST_MISSING * len(frame) if count else 0):
            return 0, 0
        count += not missing
    return count, missing


def _request(data: bytes, start: int, chain: int) -> Candidate | None:
    """Judge bytes as a request; None if no header of one is there."""
    size = int.from_bytes(data[:SIZE], "big", signed=True)
    if len(data) < start + _LEAST or (start and not _LEAST <= size <= _LARGEST):
        return None
    frame = next(split(data)) if start else data
    try:
        api, version = protocol.exchange.read_api(frame[start:])
    except FormatError:
        return None
    title = f"a request of {protocol.api_name(api)}, version {version}"
    one = Candidate(Kind.REQUEST, title, 0, framed=start > 0, api=api, version=version)
    whole = _whole_request(frame[start:])
    if whole is not None and len(frame) >= start + size * bool(start):
        return _judge_whole(one, whole, chain)
    return _judge_broken(one, explain_request(frame, how=_CUT, start=start), data, frame)


def _whole_request(data: bytes) -> Any:
    try:
        return protocol.decode_request(data)
    except FormatError:
        return None


def _judge_whole(one: Candidate, request: Any, chain: int) -> Candidate:
    client = getattr(request.header, "client_id", None)
    evidence = [f"the header names the API and the version{_client_text(client)}", "the body ends with the last byte"]
    if one.framed:
        evidence[1] = "the body ends where the size in front says"
        title = f"{chain} requests, the first {one.title.removeprefix('a request ')}" if chain > 1 else one.title
        score = 97 if one.api or _is_name(client) else 84 if _names_something(request) else 30
        return one._replace(score=score, evidence=tuple(evidence), title=title)
    score = 92 if _is_name(client) else 75 if one.api else 42 if _names_something(request) else 20
    return one._replace(score=score, evidence=tuple(evidence))


def _names_something(request: Any) -> bool:
    """Tell whether a produce request names something: API 0 alone are two zeros, as anywhere."""
    if getattr(request.body, "transactional_id", None):
        return True
    topics = getattr(request.body, "topic_data", None) or ()
    return any(getattr(topic, "name", None) or any(getattr(topic, "topic_id", b"")) for topic in topics)


def _judge_broken(one: Candidate, explained: ExplainedFrame, data: bytes, frame: bytes) -> Candidate:
    client = explained.values.get("header", {}).get("client_id")
    client = client.decode(errors="replace") if isinstance(client, bytes) else client
    is_named = _is_name(client)
    evidence = (f"the header names the API and the version{_client_text(client)}",)
    size = int.from_bytes(data[:SIZE], "big", signed=True) if one.framed else 0
    is_far = max(explained.missing, size - len(data)) > _MOST_MISSING * len(data)
    if "header" not in explained.values:
        header = _judge_header(one, explained, evidence)
        return header._replace(score=header.score - 25 * is_far)
    if explained.missing and explained.fault is None:
        least = "" if one.framed else "at least "
        against = [f"{least}{byte_count(explained.missing)} missing"]
        score = (82 if is_named else 60 if one.api else 38) if one.framed else (70 if is_named else 30)
        if is_far:
            score, against = score - 25, [*against, "far more than there are"]
        score -= 25 * (not one.api and (_is_odd_produce(explained) or len(explained.lines) <= _FEW_LINES))
        return one._replace(
            score=score,
            evidence=evidence,
            against=tuple(against),
            missing=explained.missing,
            title=f"the start of {one.title}",
        )
    is_exact = one.framed and len(frame) == len(data) and not explained.missing
    is_far_read = len(explained.lines) > _FEW_LINES
    score = (80 if is_named else 50 if one.api and is_far_read else 30) if is_exact else (42 if is_named else 8)
    score -= 25 * _is_odd_produce(explained)
    return one._replace(score=score, evidence=evidence, against=(str(explained.fault),))


def _judge_header(one: Candidate, explained: ExplainedFrame, evidence: tuple[str, ...]) -> Candidate:
    """Judge a request of which not even the header is whole."""
    start = next((line.raw for line in explained.lines if line.path == "header.client_id"), b"")
    if one.framed and one.api and explained.missing and not start:
        return _judge_ids(one, explained, evidence)
    if not explained.missing or not start or not start.decode(errors="replace").isprintable():
        return one._replace(score=12, evidence=evidence, against=("the rest of its header does not read",))
    said = f"its client id begins `{start.decode(errors='replace')}`"
    return one._replace(
        score=58 if one.framed else 46 if one.api else LEAST - 2,
        title=f"the start of {one.title}",
        evidence=(*evidence, said),
        against=(f"{byte_count(explained.missing)} missing",),
        missing=explained.missing,
    )


def _judge_ids(one: Candidate, explained: ExplainedFrame, evidence: tuple[str, ...]) -> Candidate:
    """Judge a request that is cut before its client id: a size, an API, a version, an id."""
    said = next((line.raw for line in explained.lines if line.path == "header.correlation_id"), b"\xff")
    return one._replace(
        score=LEAST + 2 if not said[0] else 12,
        title=f"the start of {one.title}",
        evidence=evidence,
        against=(f"{byte_count(explained.missing)} missing",),
        missing=explained.missing,
    )


def _is_odd_produce(explained: ExplainedFrame) -> bool:
    """Tell whether a request of API 0 has values that no producer sends: two zeros are anywhere."""
    raw = {line.path: line.raw for line in explained.lines if explained.api == 0}
    acks = int.from_bytes(raw.get("body.acks", b"\1"), "big", signed=True)
    timeout = raw.get("body.timeout_ms", b"\0\0\0\1")
    is_empty = raw.get("body.transactional_id.length", b"\1") in (b"\0\0", b"\1\0"[:1]) and "body.acks" in raw
    return acks not in (-1, 0, 1) or not any(timeout) or len(timeout) < SIZE or is_empty


def _client_text(client: Any) -> str:
    return f", and a client `{client}`" if _is_name(client) else ""


def _is_name(client: Any) -> bool:
    """Tell whether a client id is one that people give."""
    return isinstance(client, str) and bool(client) and client.isprintable()


def _responses(data: bytes, chain: int, missing: int, *, may_be_start: bool) -> Iterator[Candidate]:
    if chain and (chain > 1 or not missing):
        for one in _framed_response(next(split(data)), chain):
            against = (f"{byte_count(missing)} of the one behind them missing", *one.against)
            yield one._replace(missing=missing, against=against) if missing else one
        return
    size = int.from_bytes(data[:SIZE], "big", signed=True)
    if 2 * SIZE <= len(data) < size + SIZE <= _LARGEST:
        yield from _cut_response(data, size + SIZE - len(data))
    if 2 * SIZE < len(data) <= _LARGEST_GUESSED:
        found = guesses(data)
        if found:
            yield _bare_response(data, found)
        elif may_be_start:
            yield from _bare_start(data)


def _framed_response(frame: bytes, chain: int) -> Iterator[Candidate]:
    """Yield a response whose size in front fits; if no API reads it, frames of somebody."""
    found = guesses(frame, SIZE) if len(frame) <= _LARGEST_GUESSED else ()
    sizes = f"{chain} sizes in front of parts fit" if chain > 1 else "the size in front fits"
    if not found:
        yield _frames(chain, sizes, "no API reads the first to its end")
        return
    best = found[0]
    is_likely = best.is_clean or (best.is_told and best.odd <= _MOST_ODD * best.signs)
    is_known = not best.unnamed and best.texts >= 0 and frame[SIZE] < 128
    score = 88 if best.is_clean and best.is_told else 70 if is_likely else _FRAMES + 1 if is_known else LEAST + 2
    one = response_of(found, score, (sizes, "the body ends with the frame"))
    title = f"{chain} responses, the first perhaps {best}" if chain > 1 else one.title
    yield one._replace(framed=True, title=title)
    if score <= _FRAMES + 1:
        yield _frames(chain, sizes, "no API reads the first without doubt")


def _frames(chain: int, sizes: str, against: str) -> Candidate:
    """Return frames of somebody."""
    title = f"{chain} payloads with sizes in front" if chain > 1 else "a payload with its size in front"
    return Candidate(Kind.FRAMES, title, _FRAMES, (sizes,), (against,), framed=True)


def _cut_response(data: bytes, missing: int) -> Iterator[Candidate]:
    found = cut_guesses(data, SIZE) if len(data) <= _LARGEST_GUESSED else ()
    if not found:
        return
    is_told = found[0].is_clean and found[0].is_told
    is_good = is_told and found[0].fields >= _FEWEST_FIELDS and missing <= _MOST_MISSING * len(data)
    is_near = is_told and missing <= _NEAR * len(data)
    one = response_of(found, 55 if is_good else 48 if is_near else 20, ("it has a size in front",))
    yield one._replace(
        framed=True, title=f"the start of {one.title}", against=(f"{byte_count(missing)} missing",), missing=missing
    )


def _bare_response(data: bytes, found: tuple[Guess, ...]) -> Candidate:
    best = found[0]
    is_good = best.is_clean and best.is_told and best.fields >= _FEWEST_FIELDS and data[0] < 128
    against = ("any short bytes read as some response",) if not is_good else ("it has no size in front",)
    score = (72 if best.texts > 0 else 46) if is_good else 15
    return response_of(found, score, ("it reads to its last byte",))._replace(against=against)


def _bare_start(data: bytes) -> Iterator[Candidate]:
    """Yield a response without its size that is cut; texts must bear it out."""
    found = cut_guesses(data, 0) if data[0] < 128 and len(data) <= _MOST_CUT else ()
    if not found:
        return
    best = found[0]
    is_good = best.is_clean and best.is_told and best.fields >= _FAR and not best.odd
    one = response_of(found, 43 if is_good else 10, (f"fields of it that read: {best.fields}",))
    against = ("it has no size in front, and does not end with the last byte",)
    yield one._replace(title=f"the start of {one.title}", against=against, missing=1)


def response_of(found: tuple[Guess, ...], score: int, evidence: tuple[str, ...]) -> Candidate:
    """Return a response that can be of several APIs, the likeliest first."""
    best = found[0]
    more = f", or of {', '.join(map(str, islice(found, 1, 4)))}" if len(found) > 1 else ""
    apis = {one.api for one in found if one.odd == best.odd and one.signs == best.signs}
    title = f"a response, {'perhaps ' if len(apis) > _MANY_APIS else ''}as of {best}{more}"
    return Candidate(Kind.RESPONSE, title, score, evidence, api=best.api, version=best.version)
