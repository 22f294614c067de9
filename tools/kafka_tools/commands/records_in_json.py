"""Records inside of requests and responses, as JSON records in place of base64, and back."""

import base64
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from kafka_format import records
from kafka_format.codec.members import inner, members
from kafka_format.errors import FieldPath, FormatError
from kafka_format.records import Record, json_form
from kafka_format.spec.layout.model import Layout

from kafka_tools.errors import UsageError

_Change = Callable[[Any, FieldPath], Any]


def read(layout: Layout, document: Any, flags: frozenset[str]) -> Any:  # noqa: ANN401 - JSON
    """Return a body as JSON whose records are read.

    Raises:
        FormatError: records break a rule. Its offset counts from where they begin.
    """

    def change(value: Any, path: FieldPath) -> Any:  # noqa: ANN401 - JSON
        if not isinstance(value, str):
            return value
        try:
            return json_form.to_json(records.decode(base64.b64decode(value), flags=flags))
        except FormatError as error:
            raise error.within("body", *path) from None

    return _change_records(layout, document, change, ())


def write(layout: Layout, document: Any) -> Any:  # noqa: ANN401 - JSON
    """Return a body's JSON with records as base64.

    Lists of records become a batch each, not compressed.

    Raises:
        UsageError: what stands in the list is no record.
    """

    def change(value: Any, path: FieldPath) -> Any:  # noqa: ANN401 - JSON
        if not isinstance(value, list):
            return value
        try:
            answer = json_form.from_json(with_defaults(value))
        except ValueError as error:
            raise UsageError(f"{'.'.join(map(str, path))}: {error}.", "`decode --records` prints records.") from None
        return base64.b64encode(records.encode(answer)).decode()

    return _change_records(layout, document, change, ())


def with_defaults(documents: list[Any], timestamp_type: int = 0, step: int = 1) -> list[Any]:
    """Return JSON records where what was left out has its default; offsets count on by a step."""
    [default] = json_form.to_json([Record(offset=0, timestamp_type=timestamp_type)])
    filled: list[Any] = []
    offset = 0
    for document in documents:
        if isinstance(document, Mapping):
            document = {**default, "offset": str(offset), **document}  # noqa: PLW2901 - the same record, whole
            with suppress(TypeError, ValueError):  # what is no number is reported with its place
                offset = int(document["offset"]) + step
        filled.append(document)
    return filled


def _change_records(layout: Layout, document: Any, change: _Change, path: FieldPath) -> Any:  # noqa: ANN401 - JSON
    """Return JSON with each field of records changed.

    What does not fit the layout stays as it is.
    """
    if not isinstance(document, Mapping):
        return document
    changed = dict(document)
    for field in members(layout):
        if field.kafka not in changed:
            continue  # left out: it gets its default
        value = changed[field.kafka]
        place = (*path, field.kafka)
        nested = inner(field.type)
        if field.holds == "records" and value is not None:
            changed[field.kafka] = change(value, place)
        elif nested is not None and isinstance(value, list):
            changed[field.kafka] = [
                _change_records(nested, item, change, (*place, index)) for index, item in enumerate(value)
            ]
        elif nested is not None:
            changed[field.kafka] = _change_records(nested, value, change, place)
    return changed
