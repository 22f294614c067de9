"""What the reference and the interpreter say of a case, and whether that is what its table says."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from kafka_format import structure
from kafka_format.codec import interpreter
from kafka_format.codec.prefix import prefix
from kafka_format.errors import EncodeError, FormatError
from kafka_format.records import Record
from kafka_format.spec.flags import flags
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Layout

from kafka_generator.cases import Case


class Judgement(NamedTuple):
    """The result of decoding a case's bytes.

    Attributes:
        answer: the records for valid and lenient; None for invalid.
        fault: why the strict reference refuses; None for valid.
    """

    answer: list[Record] | None
    fault: FormatError | None


def judge(case: Case, data: bytes) -> Judgement:
    """Decode the bytes of a case and compare the result with its table.

    Raises:
        LayoutError: the reference, or the interpreter, does not judge as the table says; with file
            and line.
    """
    _compare_readings(case, data)
    strict = _decode(case, data, frozenset())
    if case.verdict == "valid":
        if isinstance(strict, FormatError):
            raise case.section.error(f"`{case.id}` is to be valid, but: {strict}")
        return Judgement(strict, None)
    if not isinstance(strict, FormatError):
        raise case.section.error(f"`{case.id}` is to be {case.verdict}, but the reference accepts it")
    if (strict.rule, strict.path_text) != (case.broken, case.path):
        raise case.section.error(
            f"`{case.id}` is to break {case.broken} at `{case.path}`, but: {strict}",
            key="fault",
            advice=f"path {strict.path_text}",
        )
    if case.verdict == "invalid":
        return Judgement(None, strict)
    return Judgement(_leniently(case, data), strict)


def _leniently(case: Case, data: bytes) -> list[Record]:
    if case.flag not in flags():
        raise case.section.error(f"there is no flag `{case.flag}`", key="flag", advice=", ".join(flags()))
    accepted = _decode(case, data, frozenset({case.flag}))
    if isinstance(accepted, FormatError):
        raise case.section.error(f"`{case.id}` is refused even with {case.flag}: {accepted}")
    return accepted


def _decode(case: Case, data: bytes, flags: frozenset[str]) -> list[Record] | FormatError:
    try:
        return case.input.decode(data, flags)
    except FormatError as error:
        return error


_WALKED: Final = 5000
"""Records of a batch that the interpreter still walks; where there are more, they are there for
their number alone."""


def _compare_readings(case: Case, data: bytes) -> None:
    """Read each entry in both ways: the same values, or the same fault."""
    try:
        runs = list(case.input.split(data))
    except FormatError:
        return
    for entry in runs:
        raw, batch = data[entry.start : entry.end], prefix("record_batch")
        if entry.magic == 2 and len(raw) >= batch.size and batch.read(raw).record_count > _WALKED:
            continue
        compiled, walked = _both(find(case.input.layout(entry)), raw)
        if compiled != walked:
            raise case.section.error(f"`{case.id}`: compiled says {compiled}, interpreted says {walked}")


def _both(layout: Layout, data: bytes) -> tuple[Any, Any]:
    answers: list[Any] = []
    for decode in (
        lambda: interpreter.as_mappings(structure(layout.name).decode(data)),
        lambda: interpreter.decode(layout, data),
    ):
        try:
            answers.append(decode())
        except FormatError as error:
            answers.append(error.facts())
    return answers[0], answers[1]


def is_canonical(case: Case, answer: list[Record] | None, data: bytes) -> bool:
    """Tell whether the answer, encoded as one batch or set, uncompressed, gives these bytes."""
    if not answer:
        return False
    try:
        return case.input.encode(answer, data) == data
    except EncodeError:
        return False
