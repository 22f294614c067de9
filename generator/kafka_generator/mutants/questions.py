"""Vectors of every direction for a reference that may be wrong, and whether its answers show it.

`ask` runs while the reference is wrong and takes what it gives as it is; `kills` judges afterwards,
with the right reference, by the pass conditions of vectors/README.md. Any exception counts as a
refusal, because a target that raises one refuses.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from kafka_conformance.child.session import Reaction
from kafka_conformance.diagnosis import symptom
from kafka_conformance.judging.difference import first_difference
from kafka_conformance.judging.result import Result
from kafka_conformance.kinds.decoder import encode_questions, judge
from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import CODECS, FIELDS, Direction, Hello
from kafka_conformance.protocol.messages import Reply, Status
from kafka_conformance.vectors import golden, json_answers
from kafka_conformance.vectors.vector import Vector, Verdict
from kafka_format import records
from kafka_format.broker import consumer, conversion, offsets
from kafka_format.errors import FormatError

from kafka_generator.decompression import decompress_entries, is_packed
from kafka_generator.mutants.reach import Reached, reach

REFUSED: Final = object()
"""In place of what comes back: there was an exception."""

_DELIVERED: Final = ("outcome", "next_offset", "records")
_APPENDED: Final = ("last_offset", "in_place", "max_timestamp", "hex", "unpacked")
_CONVERTED: Final = ("hex", "unpacked")
_SEEN: Final = ("offset", "timestamp", "timestamp_type", "key", "value", "headers")


@dataclass(frozen=True)
class Question:
    """One vector in one direction.

    Attributes:
        id: id of the vector.
        size: bytes that it has.
        ask: puts it to the reference that is active, and returns what comes back.
        kills: tells whether what came back is wrong.
        symptom: says how it is wrong, if it is.
    """

    id: str
    size: int
    ask: Callable[[frozenset[str]], Any]
    kills: Callable[[Any], bool]
    symptom: Callable[[Any], str] = lambda _: ""

    @cached_property
    def reach(self) -> frozenset[Reached]:
        """How far the right reference gets with the vector; to be asked for before it is wrong."""
        return reach(self.answer)

    def answer(self, flags: frozenset[str] = frozenset()) -> Any:
        """Ask, with these leniencies allowed, and take any exception for a refusal.

        Raises:
            NameError, SyntaxError: the mutant does not run, so it is not wrong in what it says.
        """
        try:
            return self.ask(flags)
        except (NameError, SyntaxError):
            raise
        except Exception:  # noqa: BLE001 - a decoder that is wrong may raise anything
            return REFUSED


def questions(directory: Path) -> dict[str, list[Question]]:
    """Return the questions of every direction; `directory` is vectors/.

    Large vectors are left out: what kills by its size costs every mutant a second and more.
    """
    known = [vector for vector in golden.load(directory) if not vector.is_large]
    by_direction = {
        "decode": [_decode(vector) for vector in known],
        "encode": [_encode(vector) for vector in encode_questions.encodable(known)],
    }
    for direction, make in _DIRECTIONS.items():
        lines = (directory / "directions" / f"{direction}.jsonl").read_text(encoding="utf-8").splitlines()
        by_direction[direction] = [make(json.loads(line)) for line in lines]
    return by_direction


def _decode(vector: Vector) -> Question:
    expected = None if vector.answer is None else vector.records()

    def kills(got: Any) -> bool:
        if got is REFUSED:
            return vector.verdict is Verdict.VALID
        return vector.verdict is Verdict.INVALID or got != expected

    def how(got: Any) -> str:
        if got is REFUSED:
            return symptom.REFUSED
        difference = first_difference(expected, got, FIELDS) if expected is not None else None
        return symptom.field_of(difference.path) if difference else symptom.ACCEPTED

    def ask(flags: frozenset[str]) -> Any:
        decode = records.decode_v07 if vector.format == "v07" else records.decode
        return decode(vector.data, flags=flags)

    return Question(vector.id, len(vector.data), ask, kills, how)


_HELLO: Final = Hello(
    name="mutant",
    version="",
    language="Python",
    formats=("v0", "v1", "v2"),
    codecs=CODECS,
    fields=FIELDS,
    checks_crc=True,
    directions=(Direction.ENCODE,),
)


def _encode(vector: Vector) -> Question:
    asked = encode_questions.question(vector)
    wanted = answers.from_bytes(asked.answer)

    def judged(got: Any) -> Result:
        reply = Reply(Status.REFUSED, b"") if got is REFUSED else Reply(Status.ANSWER, got)
        return judge.judge_encode(vector, _HELLO, _HELLO.name, Reaction(0, reply, 0.0))

    codec = CODECS[asked.codec]
    return Question(
        vector.id,
        len(vector.data),
        lambda _: records.encode(wanted, magic=asked.magic, codec=codec),
        lambda got: judged(got).is_finding,
        lambda got: symptom.symptom(judged(got)),
    )


def _deliver(line: Mapping[str, Any]) -> Question:
    aborted = [(int(producer), int(offset)) for producer, offset in line["aborted"]]
    asked = (bytes.fromhex(line["hex"]), int(line["fetch_offset"]), line["isolation"], aborted)

    def delivered(got: Any) -> dict[str, Any]:
        outcome = "too-small" if got.too_small else "stopped" if got.error else "whole"
        seen = [{key: record[key] for key in _SEEN} for record in json_answers.to_json(got.records)]
        return {"outcome": outcome, "next_offset": str(got.next_offset), "records": seen}

    return _of_line(line, lambda flags: consumer.deliver(*asked, flags=flags), delivered, _DELIVERED)


def _assign(line: Mapping[str, Any]) -> Question:
    topic = line["topic"] | {
        "timestamp_type": json_answers.TIMESTAMP_TYPES.index(line["topic"]["timestamp_type"]) - 1,
        "now": int(line["topic"]["now"]),
    }

    def ask(_: frozenset[str]) -> Any:
        return offsets.assign(bytes.fromhex(line["hex"]), int(line["first_offset"]), offsets.TopicState(**topic))

    def appended(got: Any) -> dict[str, Any]:
        data = {"hex": got.data.hex()} if got.in_place else _bytes(got.data)
        return data | {
            "last_offset": str(got.last_offset),
            "in_place": got.in_place,
            "max_timestamp": str(got.max_timestamp),
        }

    return _of_line(line, ask, appended, _APPENDED)


def _convert(line: Mapping[str, Any]) -> Question:
    asked = (bytes.fromhex(line["hex"]), line["magic"], int(line["first_offset"]))
    return _of_line(line, lambda _: conversion.down_convert(*asked), lambda got: _bytes(got.data), _CONVERTED)


_DIRECTIONS: Final[dict[str, Callable[[Mapping[str, Any]], Question]]] = {
    "deliver": _deliver,
    "assign": _assign,
    "convert": _convert,
}


def _bytes(data: bytes) -> dict[str, str]:
    """Return bytes as a vector has them."""
    return {"unpacked": decompress_entries(data).hex()} if is_packed(data) else {"hex": data.hex()}


def _of_line(
    line: Mapping[str, Any],
    ask: Callable[[frozenset[str]], Any],
    document: Callable[[Any], Mapping[str, Any]],
    keys: Sequence[str],
) -> Question:
    expected = {key: line["expected"][key] for key in keys if key in line["expected"]}
    invalid = bool(line["verdict"] == "invalid")

    def kills(got: Any) -> bool:
        if got is REFUSED or invalid:
            return (got is REFUSED) != invalid
        try:
            return {key: value for key, value in document(got).items() if key in keys} != expected
        except FormatError:
            return True

    return Question(line["id"], len(line["hex"]) // 2, ask, kills)
