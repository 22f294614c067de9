"""The miniature adapters as targets: how to start them, and vectors in their format."""

import sys
from dataclasses import replace
from pathlib import Path

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.targets.candidate import Candidate
from kafka_conformance.vectors import json_answers
from kafka_conformance.vectors.vector import Refusal, Vector, Verdict
from kafka_format.records import Record

QUICK = Limits(seconds=0.6, start_seconds=60, memory=150 << 20)
"""Limits for miniatures that hang, which is waited for: one needs some 15 MB and answers within
milliseconds."""

PATIENT = replace(QUICK, seconds=60)
"""Limits for all others, however slow the machine is."""

HANGING = frozenset({"hangs", "spins", "one_reply_without_end"})


def limits(*names: str) -> Limits:
    """Return the limits for some miniatures."""
    return PATIENT if HANGING.isdisjoint(names) else QUICK


def command(name: str, *arguments: str) -> Command:
    script = Path(__file__).with_name("miniatures")
    return Command((sys.executable, "-S", str(script), name, *arguments))


def candidate(name: str, *arguments: str) -> Candidate:
    return Candidate(name, command(name, *arguments))


def record(offset: int, **fields: object) -> Record:
    zero = Record(offset, timestamp=0, timestamp_type=0, producer_id=0, producer_epoch=0, sequence=0)
    return zero._replace(**fields)


def valid(data: bytes, **fields: object) -> Vector:
    """A vector that decodes to one record a byte."""
    documents = tuple(json_answers.to_json(record(byte) for byte in data))
    return _vector(f"valid/{data.hex()}", data, Verdict.VALID, answer=documents, **fields)


def invalid(data: bytes, stage: str = "structure", **fields: object) -> Vector:
    fault = Refusal(stage=stage, rule="toy.high-bit", offset=0)
    return _vector(f"invalid/{data.hex()}", data, Verdict.INVALID, fault=fault, **fields)


def lenient(data: bytes, answer: bytes) -> Vector:
    documents = tuple(json_answers.to_json(record(byte) for byte in answer))
    return _vector(f"lenient/{data.hex()}", data, Verdict.LENIENT, answer=documents, flag="toy-flag")


def _vector(vector_id: str, data: bytes, verdict: Verdict, **fields: object) -> Vector:
    plain = {"formats": ("v2",), "codecs": ("none",), "rules": ("toy.high-bit",), "format": "v2", "family": "toy"}
    return Vector(id=vector_id, title="a toy", verdict=verdict, data=data, **{**plain, **fields})
