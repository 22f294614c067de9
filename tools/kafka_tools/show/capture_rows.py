"""What a capture has of Kafka's protocol: as rows of a list that fit a terminal, and as JSON."""

import textwrap
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from kafka_format import capture, protocol
from kafka_format.capture import Captured
from kafka_format.errors import FormatError
from kafka_format.explain.requests import SIZE
from rich.console import Console
from rich.text import Text

from kafka_tools.show import explained_json, protocol_json
from kafka_tools.show.message_facts import Facts, entries_of, facts_of

_COLUMNS: Final = ("time", "connection", "", "what", "correlation", "client", "bytes", "ms", "about, errors, notes")
_WIDTHS: Final = (15, 10, 2, 36, 11, 24, 9, 9, 0)

_LAYOUTS: Final = (
    (150, (15, 5, 2, 33, 7, 22, 8, 8)),
    (0, (12, 4, 2, 33, 6, 0, 8, 7)),
)
"""Widths of the columns, by the letters in a row of the terminal. What does not fit behind them
gets a row of its own; a client that has no column is named once for each connection."""

_CLIENT: Final = _COLUMNS.index("client")
_INDENT: Final = 18
_NO_FACTS: Final = Facts()


class JudgedMessage(NamedTuple):
    """Something of a capture, what it says, and what is wrong with it.

    Attributes:
        message: what was captured.
        document: it as Kafka's JSON; None if there are none, or they are wrong.
        fault: what is wrong.
        facts: what it is about.
    """

    message: Captured
    document: dict[str, Any] | None
    fault: FormatError | None
    facts: Facts = _NO_FACTS


def judge(message: Captured, *, with_document: bool) -> JudgedMessage:
    """Decode a request or response; without its document, that is quick."""
    if message.api is None or message.version is None or len(message.data) < message.size:
        return JudgedMessage(message, None, None)
    data = message.data[SIZE:]
    try:
        if message.kind == "request":
            request = protocol.decode_request(data)
            facts = facts_of(request.body, message.topics)
            document = protocol_json.of_request(request) if with_document else None
            return JudgedMessage(message, document, None, facts)
        response = protocol.decode_response(data, message.api, message.version)
        facts = facts_of(response.body, message.topics)
        document = protocol_json.of_response(response) if with_document else None
        return JudgedMessage(message, document, None, facts)
    except FormatError as error:
        return JudgedMessage(message, None, error)


def to_json(judged: JudgedMessage, *, annotate: bool) -> dict[str, Any]:
    """Return an item of a capture for `json.dumps`, with its annotated lines if wanted."""
    message = judged.message
    row: dict[str, Any] = {
        "kind": message.kind,
        "time": _time(message).isoformat(),
        "connection": message.connection,
        "client": str(message.client),
        "server": str(message.server),
        "from_client": message.from_client,
        "api": None if message.api is None else protocol.api_name(message.api),
        "version": message.version,
        "correlation_id": message.correlation_id,
        "client_id": message.client_id,
        "seconds": message.seconds,
        "size": message.size,
        "note": message.note,
        "errors": list(entries_of(judged.facts.errors)),
        "fault": judged.fault and explained_json.fault(judged.fault),
    }
    if judged.document is not None:
        row |= {"version": judged.document["version"], "body": judged.document["body"]}
    explained = capture.explain(message) if annotate else None
    if explained is not None:
        row |= explained_json.explanation(explained.explanation)
    return row


def print_table(judged_messages: Iterable[JudgedMessage], console: Console) -> None:
    """Print rows as they come."""
    rows = Rows(console)
    for judged in judged_messages:
        rows.print(judged)


class Rows:
    """A list that grows: in colours and columns that fit a terminal, else a line each."""

    def __init__(self, console: Console) -> None:
        """Begin; the head comes with the first row."""
        self._console = console
        self._has_head = False
        self._clients: dict[int, str] = {}

    def print(self, judged: JudgedMessage) -> None:
        """Print a row."""
        has_head, self._has_head = self._has_head, True
        if self._console.is_terminal:
            row = self._with_new_client(judged, self._console.width)
            for line in _lines(judged, row, self._console.width, has_head=not has_head):
                self._console.print(line, highlight=False, no_wrap=True, overflow="ignore", crop=False, soft_wrap=True)
            return
        if not has_head:
            self._console.file.write(f"{_line(_COLUMNS)}\n")
        self._console.file.write(f"{_line(row_of(judged))}\n")
        self._console.file.flush()

    def _with_new_client(self, judged: JudgedMessage, width: int) -> tuple[str, ...]:
        """Return a row that names the client in front of what it is about, if it is a new one."""
        message, row = judged.message, list(row_of(judged))
        if message.api is not None:
            row[3] = row[3].removeprefix(f"{message.kind} ")  # the arrow says it
        if _widths(width)[_CLIENT]:
            return tuple(row)
        client, row[_CLIENT] = row[_CLIENT], ""
        if client and self._clients.get(message.connection) != client:
            self._clients[message.connection] = client
            row[-1] = "; ".join(filter(None, (client, row[-1])))
        return tuple(row)


def _line(row: tuple[str, ...]) -> str:
    return "  ".join(f"{text:<{width}}" for text, width in zip(row, _WIDTHS, strict=True)).rstrip()


def _widths(width: int) -> tuple[int, ...]:
    """Return the widths of the columns on a terminal of that width."""
    return next(sizes for least, sizes in _LAYOUTS if width >= least)


def _lines(judged: JudgedMessage, row: tuple[str, ...], width: int, *, has_head: bool) -> Iterator[Text]:
    """Yield the rows of an item on a terminal; nothing of them is cut."""
    if has_head:
        yield Text(_fitted(_COLUMNS, width, is_head=True)[0], "bold")
    style = "bold red" if judged.fault or judged.facts.errors else "" if judged.message.from_client else "cyan"
    for line in _fitted(row, width):
        yield Text(line, style)


def _fitted(row: tuple[str, ...], width: int, *, is_head: bool = False) -> list[str]:
    """Return the rows that a row takes on a terminal of that width."""
    *columns, about = row
    widths = _widths(width)
    if is_head:
        columns[1], columns[4] = "conn", "id"
    columns[0] = columns[0][: widths[0]]
    cells = [f"{text:<{size}}" for text, size in zip(columns, widths, strict=True) if size]
    first = " ".join(cells)
    start = sum(widths) + sum(size > 0 for size in widths)
    if len(first) + 1 >= start and len(first) + 1 + len(about) <= width:
        return [f"{first} {about}".rstrip()]
    return [first.rstrip(), *_wrapped("" if is_head else about, width)]


def _wrapped(about: str, width: int) -> list[str]:
    indent = " " * min(_INDENT, width // 4)
    return textwrap.wrap(about, width, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)


def row_of(judged: JudgedMessage) -> tuple[str, ...]:
    """Return the columns of a row as text."""
    message, facts = judged.message, judged.facts
    api = "" if message.api is None else f" {protocol.api_name(message.api)} {message.version}"
    errors = ", ".join(map(str, facts.errors))
    about = "; ".join(filter(None, [facts.about(), errors, message.note, str(judged.fault or "")]))
    return (
        f"{_time(message):%H:%M:%S.%f}",
        str(message.connection or ""),
        "->" if message.from_client else "<-",
        f"{message.kind}{api}",
        "" if message.correlation_id is None else str(message.correlation_id),
        message.client_id or "",
        str(message.size or ""),
        "" if message.seconds is None else f"{message.seconds * 1000:.1f}",
        about,
    )


def _time(message: Captured) -> datetime:
    return datetime.fromtimestamp(message.time, UTC)
