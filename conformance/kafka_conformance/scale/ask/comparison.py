"""Compares the replies of a target with those of a target that is right.

What is due is written in the bytes of a reply: for each batch a result with status, length and
answer, of the layout `answered`. Mostly all of a reply is right, and one comparison of memory
proves it. Else its halves are compared, their halves and so on, and the replies that are not proven
right are left to `judge`.

A field that the target does not declare is due as zero, as the adapter protocol has it. If
something else came, the bits of such fields are left out of the comparison. To find them, the
answers are written once more with other values.
"""

from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from kafka_conformance.errors import ProtocolError
from kafka_conformance.protocol.hello import FIELDS
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.scale.ask import block_frames
from kafka_conformance.scale.batches import Batches

if TYPE_CHECKING:
    from kafka_format.sampler.answers import Answers

_FLAGS = {"transactional": 1, "control": 2}
_ALL_FLAGS = sum(_FLAGS.values())
_CONTENTS = ("key", "value")
_NUMBERS = frozenset(FIELDS) - {*_FLAGS, *_CONTENTS, "headers"}

_VALID, _INVALID = range(2)
"""Verdicts as a block has them; 2 is lenient: the batch may be refused, or else the answer is
due."""

_REFUSALS = frozenset({Status.REFUSED, Status.PARTIAL})


class Expected:
    """The expected replies for a block, for a target that declares certain fields."""

    def __init__(self, batches: Batches, fields: Collection[str]) -> None:
        """Nothing is written before something is compared."""
        self._columns = batches.block.columns
        self._fields = frozenset(fields)
        self._verdicts = batches.block.verdicts

    def differing(self, numbers: Sequence[int], results: bytes, at: int = 0) -> dict[int, Reply]:
        """Return the replies that are not proven right, by the number of their batch.

        A run of results that is not what is due is compared half by half, down to a single result.

        Args:
            numbers: batches that were put, in order.
            results: what came: a `block_result` for each.
            at: where the first of them begins.

        Raises:
            ProtocolError: something else came.
        """
        replies: dict[int, Reply] = {}
        runs = [(0, len(numbers))]
        while runs:
            first, last = runs.pop()
            expected = self._due(numbers[first:last])
            if expected is not None and results.startswith(expected, at):
                at += len(expected)
            elif last - first > 1:
                middle = (first + last) // 2
                runs += ((middle, last), (first, middle))
            else:
                reply, at = block_frames.read_result(results, at, first)
                if not self._is_right(numbers[first], reply):
                    replies[numbers[first]] = reply
        if at != len(results):
            raise ProtocolError(f"sent {len(results) - at} bytes after the last result of a block")
        return replies

    def _is_right(self, number: int, reply: Reply) -> bool:
        """Tell whether a reply is right though its bytes differ.

        False proves nothing.
        """
        verdict = self._verdicts[number]
        if reply.status in _REFUSALS:
            return verdict != _VALID
        return verdict != _INVALID and reply.status == Status.ANSWER and self._agrees(number, reply.content)

    def _agrees(self, number: int, answer: bytes) -> bool:
        """Compare an answer with the one that is due, in all that is declared."""
        start, end = self._bounds(number)
        if self._fields.issuperset(FIELDS) or len(answer) != end - start:
            return False
        expected, undeclared = (int.from_bytes(data[start:end]) for data in (self._answered[0], self._undeclared))
        return not (expected ^ int.from_bytes(answer)) & ~undeclared

    def _bounds(self, number: int) -> tuple[int, int]:
        """Return where the answer to a batch begins and ends in the results."""
        _, bounds = self._answered
        return bounds[number] + block_frames.result_head(), bounds[number + 1]

    def _due(self, numbers: Sequence[int]) -> bytes | memoryview | None:
        """Return these batches' expected results in a row; None if one must be refused."""
        if not numbers:
            return b""
        if _INVALID in self._verdicts[numbers[0] : numbers[-1] + 1]:
            return None
        data, bounds = self._answered
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            return data[bounds[numbers[0]] : bounds[numbers[-1] + 1]]
        return b"".join(data[bounds[number] : bounds[number + 1]] for number in numbers)

    @cached_property
    def _answered(self) -> tuple[memoryview, Sequence[int]]:
        """The results for all batches, and where each begins and the last one ends."""
        encoded = _declared_fields(self._columns, self._fields, 0).encoded("answered")
        return memoryview(encoded.data), encoded.bounds.tolist()

    @cached_property
    def _undeclared(self) -> bytes:
        """Return a mask with a bit set in every fixed-size field that is not declared."""
        ones = _declared_fields(self._columns, self._fields, -1).encoded("answered").data
        return (np.frombuffer(self._answered[0], np.uint8) ^ np.frombuffer(ones, np.uint8)).tobytes()


def _declared_fields(columns: "Answers", fields: Collection[str], otherwise: int) -> "Answers":
    """Return answers as a target gives them that declares only these fields.

    Numbers that are not declared become `otherwise`, contents become null, and of headers there are
    none. Without `control`, control records are left out.
    """
    missing = frozenset(FIELDS).difference(fields)
    flags = columns.numbers["flags"]
    if "control" in missing and (flags & _FLAGS["control"]).any():
        columns = columns.of_records(flags & _FLAGS["control"] == 0)
        flags = columns.numbers["flags"]
    shown = sum(bit for field, bit in _FLAGS.items() if field in fields)
    numbers: dict[str, Any] = {field: np.full_like(flags, otherwise) for field in missing & _NUMBERS}
    numbers["flags"] = flags & shown | otherwise & _ALL_FLAGS & ~shown
    none = np.full_like(flags, -1)
    nulls: dict[str, Any] = {
        field: getattr(columns, field)._replace(lengths=none) for field in missing.intersection(_CONTENTS)
    }
    columns = columns._replace(numbers={**columns.numbers, **numbers}, **nulls)
    return columns.without_headers() if "headers" in missing else columns
