"""Recipes: large bytes and large answers, described instead of written out.

The bytes are the `parts` of a recipe, one after the other. A part is `{"hex": H}`; `{"repeat": H,
"times": N}`; or `{"before": H, "varints_from": A, "times": N, "after": H}`, which is N times
`before`, a zig-zag varint and `after`, the varints counting up from A. `sha256` and `size` are
those of the whole.

In the answer of such a vector, `{"repeat": X, "times": N}` may stand for any bytes, for a header,
which then comes N times, and for a record, which then comes N times with the offset one higher each
time.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, overload

from kafka_format.primitives.varints import VARINT, number_varint
from kafka_tools.errors import UsageError

_BYTES: Final = ("key", "value")
_WORTH: Final = 1000
"""Repetitions from which on bytes, headers and records are folded."""


def expand(recipe: Mapping[str, Any]) -> bytes:
    """Return the bytes that a recipe describes.

    Raises:
        UsageError: they are not those that it names by size and digest, or a part is of no known
            kind.
    """
    try:
        data = b"".join(_part(part) for part in recipe["parts"])
        if (len(data), hashlib.sha256(data).hexdigest()) == (recipe["size"], recipe["sha256"]):
            return data
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f"a recipe that cannot be followed: {error!r}.", "vectors/README.md describes recipes."
        ) from None
    raise UsageError("the bytes of a recipe have another size or digest.", "Is the vector file whole and unchanged?")


def _part(part: Mapping[str, Any]) -> bytes:
    if "hex" in part:
        return bytes.fromhex(part["hex"])
    if "repeat" in part:
        return bytes.fromhex(part["repeat"]) * int(part["times"])
    before, after, first = bytes.fromhex(part["before"]), bytes.fromhex(part["after"]), part["varints_from"]
    return b"".join([before + number_varint(number, VARINT) + after for number in range(first, first + part["times"])])


def describe(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the recipe of some parts, with size and digest of the resulting bytes."""
    data = b"".join(_part(part) for part in parts)
    return {"size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "parts": list(parts)}


def parts_of(data: bytes, unit: bytes) -> list[dict[str, Any]]:
    """Return the parts of bytes in which a unit is repeated over and over in one place."""
    match = re.search(b"(?:" + re.escape(unit) + b"){8,}", data)
    if match is None:
        return [{"hex": data.hex()}]
    start, end = match.span()
    times = (end - start) // len(unit)
    return [{"hex": data[:start].hex()}, {"repeat": unit.hex(), "times": times}, {"hex": data[end:].hex()}]


def fold(answer: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return an answer with `repeat` and `times` in place of repeated items."""
    if len(answer) >= _WORTH and all(_follows(answer[0], record, index) for index, record in enumerate(answer)):
        return [{"repeat": _fold_record(answer[0]), "times": len(answer)}]
    return [_fold_record(record) for record in answer]


def _follows(first: Mapping[str, Any], record: Mapping[str, Any], index: int) -> bool:
    return {**first, "offset": str(int(first["offset"]) + index)} == record


def _fold_record(record: Mapping[str, Any]) -> dict[str, Any]:
    headers = record["headers"]
    if len(headers) >= _WORTH and all(header == headers[0] for header in headers):
        headers = [{"repeat": headers[0], "times": len(headers)}]
    else:
        headers = [[_fold_text(part) for part in header] for header in headers]
    return {**record, **{name: _fold_text(record[name]) for name in _BYTES}, "headers": headers}


def _fold_text(text: str | None) -> str | dict[str, Any] | None:
    if text is not None and len(text) >= 2 * _WORTH and text == text[:2] * (len(text) // 2):
        return {"repeat": text[:2], "times": len(text) // 2}
    return text


class Unfolded(Sequence[Mapping[str, Any]]):
    """The records of a folded answer, made when asked for: there may be a hundred thousand.

    Attributes:
        runs: a record, and how often it comes, with the offset one higher each time.
    """

    def __init__(self, answer: Sequence[Mapping[str, Any]]) -> None:
        """Take an answer as a vector file has it.

        Raises:
            KeyError, TypeError, ValueError: it is not of that form.
        """
        pairs = ((item["repeat"], int(item["times"])) if "repeat" in item else (item, 1) for item in answer)
        self.runs: tuple[tuple[dict[str, Any], int], ...] = tuple(
            (_unfold_record(record), times) for record, times in pairs
        )

    def __len__(self) -> int:
        return sum(times for _, times in self.runs)

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for record, times in self.runs:
            first = int(record["offset"])
            yield from ({**record, "offset": str(first + index)} for index in range(times))

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, Any] | Sequence[Mapping[str, Any]]:
        return tuple(self)[index]


def _unfold_record(record: Mapping[str, Any]) -> dict[str, Any]:
    headers: list[Any] = []
    for header in record["headers"]:
        if isinstance(header, Mapping):
            headers += [header["repeat"]] * header["times"]
        else:
            headers.append([_unfold_text(part) for part in header])
    return {**record, **{name: _unfold_text(record[name]) for name in _BYTES}, "headers": headers}


def _unfold_text(value: str | Mapping[str, Any] | None) -> str | None:
    return str(value["repeat"]) * int(value["times"]) if isinstance(value, Mapping) else value
