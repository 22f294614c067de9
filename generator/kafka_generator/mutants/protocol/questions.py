"""Vectors of the protocol for a reference that may be wrong, and whether its answers show it.

A vector is asked in the first of the versions in which its bytes mean the same. What is expected is
what the right reference reads: that it is what the vector says, the tests of the vectors hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from kafka_conformance.vectors.protocol import ProtocolVector
from kafka_conformance.vectors.vector import Verdict
from kafka_format.codec import compiler
from kafka_format.protocol import exchange, records

from kafka_generator.mutants.kills import active, right
from kafka_generator.mutants.mutant import Mutant
from kafka_generator.mutants.questions import REFUSED

Answer = Any
"""What a reference makes of a vector: a value, bytes, or REFUSED."""

_FEW: Final = 256
"""So many vectors are asked first; then twice as many, and so on."""


class Questions:
    """Vectors, and what the right reference makes of them."""

    def __init__(self, vectors: Iterable[ProtocolVector]) -> None:
        """Take the vectors."""
        by_size = sorted(vectors, key=lambda vector: (len(vector.data), vector.id))
        self._values: dict[str, Answer] = {}
        self.by_id = {vector.id: vector for vector in by_size}
        self._asked: Mapping[str, Sequence[ProtocolVector]] = {
            "decode-protocol": by_size,
            "encode-protocol": [vector for vector in by_size if vector.canonical],
        }

    def learn(self, vectors: Iterable[ProtocolVector]) -> None:
        """Ask the right reference, as far as that was not done before."""
        new = [vector for vector in vectors if vector.id not in self._values]
        if new:
            with right():
                self._values |= {vector.id: decode(vector, frozenset({vector.flag} - {""})) for vector in new}

    def first_kill(self, mutant: Mutant) -> str:
        """Return the id of the smallest vector that shows a mutant's fault; empty if none does.

        Raises:
            UsageError: the mutant cannot be made, because the reference has changed under it.
        """
        asked, at, more = self._asked[mutant.direction], 0, _FEW
        while at < len(asked):
            if killing := self.kills(mutant, asked[at : at + more]):
                return killing[0]
            at, more = at + more, 2 * more
        return ""

    def kills(self, mutant: Mutant, vectors: Sequence[ProtocolVector]) -> list[str]:
        """Return the ids of those vectors that show what a mutant does wrong.

        Raises:
            UsageError: the mutant cannot be made, because the reference has changed under it.
        """
        self.learn(vectors)
        is_encoder = mutant.direction == "encode-protocol"
        with active(mutant.change, mutant.id):
            answers = [self.encode(vector) if is_encoder else decode(vector) for vector in vectors]
        is_wrong = _is_written_wrong if is_encoder else self.is_read_wrong
        return [vector.id for vector, answer in zip(vectors, answers, strict=True) if is_wrong(vector, answer)]

    def is_read_wrong(self, vector: ProtocolVector, answer: Answer) -> bool:
        """Tell whether an answer is wrong, by the pass conditions of vectors/README.md."""
        if answer is REFUSED:
            return vector.verdict is Verdict.VALID
        return vector.verdict is Verdict.INVALID or bool(answer != self._values[vector.id])

    def encode(self, vector: ProtocolVector) -> Answer:
        """Write what the right reference reads."""
        return caught(lambda: _write(vector, self._values[vector.id]))


def _is_written_wrong(vector: ProtocolVector, answer: Answer) -> bool:
    return bool(answer != vector.data)


def decode(vector: ProtocolVector, flags: frozenset[str] = frozenset()) -> Answer:
    """Read a vector with the reference as it is now; any exception is a refusal."""
    return caught(lambda: _read(vector, vector.versions[0], flags))


def _read(vector: ProtocolVector, number: int, flags: frozenset[str]) -> Answer:
    if vector.kind == "framed_request":
        return exchange.decode_request(vector.data, flags=flags)
    if vector.kind == "framed_response" and vector.api is not None:
        return exchange.decode_response(vector.data, vector.api, number, flags=flags)
    if vector.kind == "framed_record_key":
        return records.decode_key(vector.topic, vector.data, flags=flags).value
    if vector.kind == "framed_record_value":
        key = records.SchemaRecord(f"{vector.layout.removesuffix('_value')}_key", 0, None)
        return records.decode_value(vector.topic, vector.data, key, flags=flags).value
    return compiler.version(vector.layout, number).decode(vector.data, flags=flags)


def _write(vector: ProtocolVector, value: Answer) -> bytes:
    if vector.topic:
        return _front(vector) + compiler.version(vector.layout, vector.versions[0]).encode(value)
    if not vector.is_framed:
        return compiler.version(vector.layout, vector.versions[0]).encode(value)
    header = value.header
    more = {"correlation_id": header["correlation_id"], "tagged": header.get("unknown_tagged_fields", ())}
    if vector.kind == "framed_response":
        return exchange.encode_response(value.api, value.version, value.body, **more)
    return exchange.encode_request(value.api, value.version, value.body, client_id=header.get("client_id"), **more)


def _front(vector: ProtocolVector) -> bytes:
    """Return what stands in front of a key or a value, which no mutant writes."""
    header = (vector.value or {}).get("header", {})
    size = 2 if len(header) == 1 else len(header)
    return vector.data[:size]


def caught(ask: Callable[[], Answer]) -> Answer:
    """Return what comes back; any exception is a refusal.

    Raises:
        NameError, SyntaxError: the mutant does not run, so it is not wrong in what it says.
    """
    try:
        return ask()
    except (NameError, SyntaxError):
        raise
    except Exception:  # noqa: BLE001 - a decoder that is wrong may raise anything
        return REFUSED
