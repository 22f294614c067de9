"""What lies in keys or values as columns of pyarrow: schema ids, indexes of messages, windows.

Nothing is guessed: the kind of content is what the caller says it is, and a value that is not of
that kind has nulls, and the rule that it breaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from itertools import repeat
from typing import TYPE_CHECKING, Any, Final

from kafka_format.content import serdes
from kafka_format.errors import FormatError

if TYPE_CHECKING:
    import pyarrow as pa

RULE: Final = "broken_rule"
"""The column of the rules that values break; null for those that break none."""

_NAMED: Final = frozenset({"schema_id", "guid"})
_FRAMING: Final = ("schema_id", "guid", "message_indexes", "payload")
_WINDOW: Final = ("key", "window_start", "window_end")
_STORE_WINDOW: Final = (*_WINDOW[:2], "number")
_WINDOWS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("window", "session", "time-first-session-key", "key-first-session-key"), _WINDOW),
    **dict.fromkeys(("window-store-key", "time-first-window-key", "key-first-window-key"), _STORE_WINDOW),
}
_NAMES: Final = {"indexes": "message_indexes", "start": "window_start", "end": "window_end"}
"""Names of columns that are other than those of the parts of an answer."""


def columns_of(kind: str) -> tuple[str, ...]:
    """Return the names of the columns of a kind, without that of the rules.

    Raises:
        ValueError: the kind has none: it is no framing of a numbered schema, and no window.
    """
    if kind in _WINDOWS:
        return _WINDOWS[kind]
    if kind not in serdes.KINDS or kind == "azure" or not _NAMED.intersection(serdes.KINDS[kind].gives):
        raise ValueError(f"{kind!r} has no columns")
    return _FRAMING


def to_arrow(
    kind: str, values: Iterable[bytes | None], headers: Iterable[Sequence[serdes.Header]] | None = None
) -> pa.Table:
    """Return what is in values as a table, a row for each.

    A framing has `schema_id` (int64), `guid` (string, hex), `message_indexes` (list of int32) and
    `payload` (binary); the keys of windows have `key` (string), `window_start` and `window_end`
    (int64, milliseconds), those of a window store `number` (int32) for the end. All have
    `broken_rule` (string).

    Args:
        kind: one of `serdes.KINDS`.
        values: the keys or values.
        headers: the headers of each record; none by default.

    Raises:
        ImportError: pyarrow is not installed.
        ValueError: the kind has no columns.
    """
    pyarrow, names = import_module("pyarrow"), (*columns_of(kind), RULE)
    rows = [_row(kind, value, of_record) for value, of_record in zip(values, headers or repeat(()), strict=False)]
    types = {
        "message_indexes": pyarrow.list_(pyarrow.int32()),
        "payload": pyarrow.binary(),
        "number": pyarrow.int32(),
        **dict.fromkeys(("schema_id", "window_start", "window_end"), pyarrow.int64()),
    }
    return pyarrow.table({
        name: pyarrow.array([row.get(name) for row in rows], types.get(name, pyarrow.string())) for name in names
    })  # fmt: skip


def _row(kind: str, value: bytes | None, headers: Sequence[serdes.Header]) -> Mapping[str, Any]:
    try:
        answer = serdes.read(kind, value, headers)
    except FormatError as error:
        return {RULE: error.rule}
    parts = answer.get("value") or answer if kind in _WINDOWS else answer
    return {_NAMES.get(name, name): _converted(name, part) for name, part in parts.items()}


def _converted(name: str, part: Any) -> Any:  # noqa: ANN401 - a part of an answer
    if name == "payload" and part is not None:
        return bytes.fromhex(part)
    return int(part) if name in {"start", "end"} else part
