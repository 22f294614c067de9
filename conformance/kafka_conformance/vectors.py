"""The golden vectors, loaded and checked.

A vector file has one JSON object a line. Loading refuses whatever a later step would stumble over (a missing key, bytes that
are not hex, an id that occurs twice) and says in which file and line it stands, so that the runner never has to wonder.
The answer stays as the JSON said it; `kafka_conformance.answers` turns it into records.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any


class Verdict(StrEnum):
    """What a decoder must do with the bytes."""

    VALID = "valid"
    INVALID = "invalid"
    LENIENT = "lenient"


class VectorError(ValueError):
    """A vector file that cannot be used; the text starts with file and line."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Where and why invalid bytes must be refused. See the vector format in vectors/README.md."""

    stage: str
    rule: str
    offset: int
    path: str = ""
    twin: str = ""


@dataclass(frozen=True, slots=True)
class Vector:
    """One golden case: bytes, and what a decoder must make of them.

    Attributes:
        id: stable name, a path made for wildcards, for example `v2/checksum/flipped-bit`.
        title: one sentence that tells what is special.
        format: `v0`, `v1`, `v2`, `mixed`, or `v07`.
        family: the file it stands in.
        formats: every format that occurs in the bytes.
        codecs: every codec that occurs in the bytes.
        rules: ids of the rules it is about.
        verdict: valid, invalid or lenient.
        flag: for lenient, the leniency that lets decoders accept it.
        data: the bytes.
        answer: records in JSON form; None if there is no answer (invalid).
        fault: for invalid and lenient, where a strict decoder refuses.
        canonical: True if an encoder given the answer produces a batch of the same fields.
        provenance: where the bytes come from.
        oracle: what Apache Kafka's own classes say, by version: `accepted` or `refused`.
    """

    id: str
    title: str
    format: str
    family: str
    formats: tuple[str, ...]
    codecs: tuple[str, ...]
    rules: tuple[str, ...]
    verdict: Verdict
    data: bytes
    flag: str = ""
    answer: tuple[Mapping[str, Any], ...] | None = None
    fault: Fault | None = None
    canonical: bool = False
    provenance: Mapping[str, Any] = field(default_factory=dict)
    oracle: Mapping[str, str] = field(default_factory=dict)
