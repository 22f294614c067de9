"""Requests and responses, line by line: which bytes are which field, down to the records inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

from kafka_format.codec import checks
from kafka_format.codec.interpreter import Span, SpanReader
from kafka_format.errors import FormatError
from kafka_format.explain.cut import ENDLESS, CutError, CutReader
from kafka_format.explain.guesses import Guess, cut_guesses, guesses
from kafka_format.explain.inside import AS_RULED, How, around, inside
from kafka_format.explain.lines import Explanation, Line, lines_of
from kafka_format.primitives.counts import byte_count
from kafka_format.protocol.apis import api_name, api_number, header_version
from kafka_format.protocol.exchange import is_fallback, read_api
from kafka_format.spec.flags import check_flags
from kafka_format.spec.layout import Layout, find, specification

Kind = Literal["request", "response"]
SIZE: Final = 4
"""Bytes of the size in front of a request or response."""

_NO_VERSION: Final = 100
"""No API will have so many versions soon."""

_LARGEST: Final = 1 << 30
"""No client and no broker takes so large a request."""

_SMALLEST: Final = 4
"""Bytes of the smallest header: a correlation id."""


class ExplainedFrame(NamedTuple):
    """A request or response, explained.

    Attributes:
        kind: which of both it is.
        api: number of the API; None if no API is known that it can be.
        version: version of the body; None as well.
        values: the fields of `header` and `body` as far as they were read, by their names.
        guesses: what else the bytes can be, if the API and version are guessed; the one that was
            taken comes first.
        lines: its lines. Offsets count from the size in front, or from the header if there is none.
        fault: why reading had to stop, or what is wrong with records inside.
        missing: bytes that are missing at its end at least, where it is cut.
    """

    kind: Kind
    api: int | None
    version: int | None
    values: Mapping[str, Any]
    guesses: tuple[Guess, ...]
    lines: list[Line]
    fault: FormatError | None
    missing: int = 0

    @property
    def explanation(self) -> Explanation:
        """Its lines, as those of other bytes."""
        return Explanation(self.lines, self.fault, self.missing)


def explain_request(
    data: bytes, api: int | str | None = None, version: int | None = None, *, how: How = AS_RULED, start: int = 0
) -> ExplainedFrame:
    """Explain a request.

    Args:
        data: the size in front if there is one, header and body.
        api: what to read it as, if not as its header says.
        version: the same.
        how: leniencies and limits.
        start: where the header begins: at `SIZE` after a size.

    Raises:
        LayoutError: there is no such API or version.
        ValueError: there is no such flag. Wrong bytes raise nothing.
    """
    check_flags(how.flags)
    try:
        said = read_api(data[start : start + SIZE])
    except FormatError as error:
        if api is None or version is None:
            fault = None if how.may_be_cut and len(data) - start < SIZE else error
            return _explain_parts(
                data, start, ("request", None, None), [("header", find("request_header", 1))], how, fault
            )
        said = (api_number(api), version)
    number = said[0] if api is None else api_number(api)
    body = said[1] if version is None else version
    header = find("request_header", header_version(number, body))
    return _explain_parts(
        data, start, ("request", number, body), [("header", header), ("body", _body(number, body))], how
    )


def explain_response(
    data: bytes, api: int | str | None = None, version: int | None = None, *, how: How = AS_RULED, start: int = 0
) -> ExplainedFrame:
    """Explain a response; the arguments are those of `explain_request`.

    Which API and version it is, no response says. Where they are not given, it is explained as what
    reads to the end.

    Raises:
        LayoutError: there is no such API or version.
        ValueError: there is no such flag. Wrong bytes raise nothing.
    """
    check_flags(how.flags)
    readings: tuple[Guess, ...] = ()
    if api is None or version is None:
        readings = guesses(data, start, api, version)
        if not readings and how.may_be_cut and (not start or announced_end(data, start) > len(data)):
            readings = cut_guesses(data, start, api, version)
        if not readings:
            return _explain_parts(data, start, ("response", None, None), [("header", find("response_header", 0))], how)
        api, version = readings[0].api, readings[0].version
    number = api_number(api)
    header = find("response_header", header_version(number, version, "response"))
    parts = [("header", header), ("body", _body(number, version, "response"))]
    explained = _explain_parts(data, start, ("response", number, version), parts, how)
    if explained.fault is not None and version > 0 and is_fallback(number, data, start + SIZE):
        explained = explain_response(data, number, 0, how=how, start=start)
    return explained._replace(guesses=readings)


def _body(api: int, version: int, kind: Kind = "request") -> Layout:
    return find(f"{api_name(api)}_{kind}", version)


def _explain_parts(
    data: bytes,
    start: int,
    what: tuple[Kind, int | None, int | None],
    parts: list[tuple[str, Layout]],
    how: How,
    announced_fault: FormatError | None = None,
) -> ExplainedFrame:
    fault = announced_fault.within(offset=start) if announced_fault is not None else None
    end = announced_end(data, start) if how.may_be_cut else len(data)
    read = _read_parts(data, start, end, parts, how, is_known=what[1] is not None)
    if read.fault is not None and how.may_be_cut and not start:
        cut = _read_parts(data, start, ENDLESS, parts, how, is_known=what[1] is not None)
        read = cut if cut.fault is None else read
    fault = fault or read.fault
    lines = [*_size_lines(data, start), *_lines(read.spans, fault, data, start, parts[-1][1], how)]
    if read.missing and lines:
        least = "" if start else " at least"
        note = f"cut here: {byte_count(read.missing)} {'is' if read.missing == 1 else 'are'} missing{least}"
        lines[-1] = lines[-1]._replace(value="; ".join(filter(None, (lines[-1].value, note))))
    fault = fault or next((line.fault for line in lines if line.fault is not None), None)
    return ExplainedFrame(*what, read.values, (), lines, fault, read.missing)


class _Read(NamedTuple):
    """The values and the lines of a frame."""

    values: dict[str, Any]
    spans: list[Span]
    fault: FormatError | None
    missing: int


def announced_end(data: bytes, start: int) -> int:
    """Return where a frame ends by the size in front of it, if that is behind its last byte."""
    size = int.from_bytes(data[: min(start, SIZE)], "big", signed=True)
    return max(len(data), start + size) if start and size <= _LARGEST else len(data)


def _read_parts(
    data: bytes, start: int, end: int, parts: list[tuple[str, Layout]], how: How, *, is_known: bool
) -> _Read:
    """Read header and body up to an end; behind the last byte, it may be cut."""
    reader = (CutReader if end > len(data) else SpanReader)(data, flags=how.flags)
    values: dict[str, Any] = {}
    position, missing, fault = start, max(0, end - len(data)) if end < ENDLESS else 0, None
    try:
        for name, layout in parts:
            values[name], position = reader.read(layout, position, end, (name,))
        if is_known and position < len(data):
            _check_end(parts[-1][1], data, position, how)
    except FormatError as error:
        fault = error
    except CutError as cut:
        missing = missing or cut.missing
    return _Read(values, reader.spans, fault, missing)


def _check_end(layout: Layout, data: bytes, position: int, how: How) -> None:
    try:
        checks.check_end(layout, data, position, how.flags)
    except FormatError as error:
        raise error.within("body") from None


def _size_lines(data: bytes, start: int) -> Iterator[Line]:
    if start:
        size = int.from_bytes(data[:start], "big", signed=True)
        missing = size - (len(data) - start)
        note = f" ({byte_count(missing)} of it {'is' if missing == 1 else 'are'} missing)" if missing > 0 else ""
        yield Line(None, "size", 0, data[:start], f"{size}{note}")


def _lines(
    spans: list[Span], fault: FormatError | None, data: bytes, start: int, last: Layout, how: How
) -> Iterator[Line]:
    """Yield the lines of spans, with those of what their bytes hold in their place."""
    lines = lines_of(spans, fault, None, data, len(data), start, last)
    said = around(spans, how)
    for span, line in zip(spans, lines, strict=False):
        if (
            (span.field.holds or span.field.held_by)
            and isinstance(span.value, bytes)
            and span.path[-1] == span.field.name
        ):
            yield from inside(span, said, how, _explain_forwarded) or [line]
        else:
            yield line
    yield from lines[len(spans) :]


def _explain_forwarded(data: bytes, how: How) -> Explanation:
    return explain_request(data, how=how).explanation


def split(data: bytes) -> Iterator[bytes]:
    """Yield frames with their sizes. A frame whose size cannot be has all that is left."""
    position = 0
    while position < len(data):
        size = int.from_bytes(data[position : position + SIZE], "big", signed=True)
        end = position + SIZE + size if size >= 0 else len(data)
        yield data[position:end]
        position = end


def is_framed(data: bytes, kind: Kind) -> bool:
    """Tell whether sizes stand in front of requests or responses, by what the first bytes say."""
    whole = end = 0
    for frame in split(data):
        end += len(frame)
        if not _is_whole(frame):
            break
        whole += 1
    else:
        return whole > 0
    if whole and end == len(data):
        if kind == "response":
            return True
        # API 0 and a low version look like a small size: what reads to its end without has none.
        return _is_announced(next(split(data))[SIZE:]) and explain_request(data).fault is not None
    size = int.from_bytes(data[:SIZE], "big", signed=True)
    if kind == "response" or len(data) <= SIZE or size > _LARGEST:
        return False
    return not _is_announced(data) and not _has_unknown_version(data)


def _has_unknown_version(data: bytes) -> bool:
    """Tell whether bytes begin with an API that there is, and a version that there may be some day.

    API 0 is left out: those bytes rather are a size.
    """
    api, version = int.from_bytes(data[:2], "big"), int.from_bytes(data[2:SIZE], "big")
    return 0 < api <= max(specification().enums["api"].values) and version < _NO_VERSION


def _is_announced(data: bytes) -> bool:
    try:
        read_api(data[:SIZE])
    except FormatError:
        return False
    return True


def _is_whole(frame: bytes) -> bool:
    """Tell whether a frame has what its size says, and that is enough for a header."""
    return len(frame) >= SIZE + _SMALLEST and len(frame) == SIZE + int.from_bytes(frame[:SIZE], "big", signed=True)
