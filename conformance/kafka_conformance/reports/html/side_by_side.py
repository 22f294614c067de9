"""Expected and got, side by side.

A finding names the first field that differs. Where the records that came are known, the fields
after it are compared here too; where they are not, a comparison says that they were not compared.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from kafka_tools.text import plural

from kafka_conformance.judging.result import Result
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import CODECS, FIELDS, Direction, Hello
from kafka_conformance.reports.origins import split_path
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.json_answers import TIMESTAMP_TYPES
from kafka_conformance.vectors.vector import Vector, Verdict

_LONGEST_HEX = 128


class Agreement(StrEnum):
    """The ways in which a row of a comparison comes out."""

    SAME = "same"
    DIFFERS = "differs"
    NOT_COMPARED = "not compared"


class Pair(NamedTuple):
    """One row: a field, what it must be, what it was."""

    name: str
    expected: str
    got: str
    agreement: Agreement = Agreement.DIFFERS


class SideBySide(NamedTuple):
    """A finding as a table.

    Attributes:
        title: the record that the rows are about; empty if they are about the whole answer.
        pairs: the rows.
        story: what the target said besides; empty if the rows have it all.
    """

    title: str
    pairs: Sequence[Pair]
    story: str = ""


def comparison(vector: Vector, result: Result, hello: Hello | None) -> SideBySide:
    """Return a finding as a table of expected and actual values, side by side."""
    if hello is not None and result.outcome is Outcome.WRONG_ANSWER and (place := split_path(result.path)):
        index, path = place
        fields = [field for field in FIELDS if field in hello.fields and _is_compared(field, result)]
        shown = _shown_records(vector, hello)
        if index < len(shown) and path.partition("[")[0] in fields:
            came = result.answer[index : index + 1] if result.answer else ()
            given = next(iter(json_answers.to_json(came)), None)
            return SideBySide(f"records[{index}]", list(_pairs(shown[index], given, path, fields, result)))
    expected = result.expected or _expected_text(vector, result)
    got = result.got or ("refused" if result.outcome is Outcome.REFUSED_VALID else result.outcome.words)
    return SideBySide("", [Pair(result.path, expected, got)], "" if result.got else result.detail)


def value_text(value: Any, field: str = "") -> str:  # noqa: ANN401 - any field of an answer in JSON
    """Return a value of an answer as text: hex with its text if it is one, null, empty, numbers."""
    if value is None:
        return "null"
    if field == "headers":
        return ", ".join(f"{value_text(key, 'key')} = {value_text(item, 'value')}" for key, item in value) or "none"
    if field in {"key", "value"}:
        return _bytes_text(bytes.fromhex(value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _bytes_text(data: bytes) -> str:
    if not data:
        return "empty"
    cut = data[:_LONGEST_HEX].hex() + (f"... ({len(data)} bytes)" if len(data) > _LONGEST_HEX else "")
    text = data[:_LONGEST_HEX].decode("ascii", "replace")
    return f'{cut} "{text}"' if text.isascii() and text.isprintable() else cut


def _shown_records(vector: Vector, hello: Hello) -> list[Mapping[str, Any]]:
    """The records that the target should show: control records only if it declares them."""
    return [record for record in vector.answer or () if "control" in hello.fields or not record["control"]]


def _is_compared(field: str, result: Result) -> bool:
    """False for the codec of what a target encoded: it may leave a small batch uncompressed."""
    return not (field == "codec" and result.direction is Direction.ENCODE)


def _pairs(
    record: Mapping[str, Any], came: Mapping[str, Any] | None, path: str, fields: Sequence[str], result: Result
) -> Iterator[Pair]:
    differing = path.partition("[")[0]
    agreement = Agreement.SAME
    for field in fields:
        text = value_text(record[field], field)
        if field == differing:
            yield Pair(path, _name_number(field, result.expected), _name_number(field, result.got))
            agreement = Agreement.NOT_COMPARED
        elif came is None:
            yield Pair(field, text, text if agreement is Agreement.SAME else "", agreement)
        else:
            same = came[field] == record[field]
            yield Pair(field, text, value_text(came[field], field), Agreement.SAME if same else Agreement.DIFFERS)


def _name_number(field: str, text: str) -> str:
    """Give the number of a timestamp type or codec its name."""
    names = {"timestamp_type": dict(zip(("-1", "0", "1"), TIMESTAMP_TYPES, strict=True))}
    names["codec"] = {str(number): name for number, name in enumerate(CODECS)}
    name = names.get(field, {}).get(text)
    return f"{text} ({name})" if name else text


def _expected_text(vector: Vector, result: Result) -> str:
    count = len(vector.answer or ())
    records = plural(count, "record")
    if result.direction is Direction.ENCODE:
        return f"{records} written, and read back the same"
    if vector.verdict is Verdict.INVALID:
        return "refused"
    return f"{records}, or refused" if vector.verdict is Verdict.LENIENT else records
