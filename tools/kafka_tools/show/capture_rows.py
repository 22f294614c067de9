"""What a capture has of Kafka's protocol: as rows of a table, and as JSON."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final, NamedTuple

from kafka_format import capture, protocol
from kafka_format.capture import Captured
from kafka_format.errors import FormatError
from kafka_format.explain.requests import SIZE
from rich.console import Console
from rich.table import Table

from kafka_tools.show import explained_json, protocol_json

_PAGE: Final = 200
"""Rows of a table that are laid out together; memory is bounded by them."""

_COLUMNS: Final = ("time", "connection", "", "what", "correlation", "client", "bytes", "ms", "note")
_WIDTHS: Final = (15, 10, 2, 36, 11, 24, 9, 9, 0)


class JudgedMessage(NamedTuple):
    """Something of a capture, what it says, and what is wrong with it.

    Attributes:
        message: what was captured.
        document: it as Kafka's JSON; None if there are none, or they are wrong.
        fault: what is wrong.
    """

    message: Captured
    document: dict[str, Any] | None
    fault: FormatError | None


def judge(message: Captured) -> JudgedMessage:
    """Decode a request or response."""
    if message.api is None or message.version is None or len(message.data) < message.size:
        return JudgedMessage(message, None, None)
    data = message.data[SIZE:]
    try:
        if message.kind == "request":
            return JudgedMessage(message, protocol_json.of_request(protocol.decode_request(data)), None)
        response = protocol.decode_response(data, message.api, message.version)
        return JudgedMessage(message, protocol_json.of_response(response), None)
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
        "fault": judged.fault and explained_json.fault(judged.fault),
    }
    if judged.document is not None:
        row |= {"version": judged.document["version"], "body": judged.document["body"]}
    explained = capture.explain(message) if annotate else None
    if explained is not None:
        row |= explained_json.explanation(explained.explanation)
    return row


def print_table(judged_messages: Iterable[JudgedMessage], console: Console) -> None:
    """Print rows as they come: as a table in colours on a terminal, else as lines with columns."""
    rows = iter(judged_messages)
    is_first = True
    while page := list(islice(rows, _PAGE)):
        if console.is_terminal:
            console.print(_table(page, has_head=is_first))
        else:
            heads = [_COLUMNS] if is_first else []
            console.file.writelines(f"{_line(row)}\n" for row in (*heads, *map(row_of, page)))
        is_first = False


def _line(row: tuple[str, ...]) -> str:
    return "  ".join(f"{text:<{width}}" for text, width in zip(row, _WIDTHS, strict=True)).rstrip()


def _table(page: list[JudgedMessage], *, has_head: bool) -> Table:
    table = Table(box=None, pad_edge=False, show_header=has_head)
    for name, width in zip(_COLUMNS, _WIDTHS, strict=True):
        table.add_column(name, min_width=width or None, overflow="fold")
    for judged in page:
        table.add_row(*row_of(judged), style="bold red" if judged.fault else "")
    return table


def row_of(judged: JudgedMessage) -> tuple[str, ...]:
    """Return the columns of a row as text."""
    message = judged.message
    api = "" if message.api is None else f" {protocol.api_name(message.api)} {message.version}"
    note = "; ".join(filter(None, [message.note, str(judged.fault or "")]))
    return (
        f"{_time(message):%H:%M:%S.%f}",
        str(message.connection or ""),
        "->" if message.from_client else "<-",
        f"{message.kind}{api}",
        "" if message.correlation_id is None else str(message.correlation_id),
        message.client_id or "",
        str(message.size or ""),
        "" if message.seconds is None else f"{message.seconds * 1000:.1f}",
        note,
    )


def _time(message: Captured) -> datetime:
    return datetime.fromtimestamp(message.time, UTC)
