"""One golden vector: bytes, where they come from, and what a decoder must make of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from kafka_format.records import Record

from kafka_conformance.vectors import json_answers


class Verdict(StrEnum):
    """The verdict on bytes: what a decoder must do with them."""

    VALID = "valid"
    INVALID = "invalid"
    LENIENT = "lenient"


class Reach(StrEnum):
    """Where the bytes of a vector can come from, the likeliest first."""

    PRODUCER = "producer"
    BROKER = "broker"
    DAMAGE = "damage"
    CRAFTED = "crafted"

    @property
    def words(self) -> str:
        """Who meets such bytes, as a person would say it."""
        return _REACH_WORDS[self]


class Subject(StrEnum):
    """What a vector is about; a kind of target is put those of its subjects."""

    RECORDS = "records"
    DELIVERY = "delivery"
    APPEND = "append"
    ORDER = "order"
    CONVERSATION = "conversation"
    MESSAGE = "message"
    LOG = "log"
    CONTENT = "content"
    SCENARIO = "scenario"


_REACH_WORDS = {
    Reach.PRODUCER: "users meet: producers write such bytes",
    Reach.BROKER: "users meet: brokers make such bytes",
    Reach.DAMAGE: "damaged data",
    Reach.CRAFTED: "crafted bytes",
}


@dataclass(frozen=True, slots=True)
class Refusal:
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
        reach: where such bytes can come from.
        evidence: why such bytes come from there, in a sentence.
        provenance: where the bytes come from.
        oracle: what Apache Kafka's own classes say, by version: `accepted` or `refused`.
        document: the whole line as JSON had it, for whoever passes it on.
        subject: what it is about.
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
    answer: Sequence[Mapping[str, Any]] | None = None
    fault: Refusal | None = None
    canonical: bool = False
    reach: Reach = Reach.CRAFTED
    evidence: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)
    oracle: Mapping[str, str] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    subject: Subject = Subject.RECORDS

    def __hash__(self) -> int:
        return hash((self.id, self.data))  # the answer and others are JSON, which has no hash

    @property
    def is_large(self) -> bool:
        """True if a recipe describes the bytes."""
        return "recipe" in self.document

    def records(self) -> list[Record]:
        """Return the answer as records; none if there is no answer.

        Raises:
            ValueError: a record lacks a field or has one of the wrong kind; the text says which.
        """
        return json_answers.from_json(self.answer or ())


class AnyVector(Protocol):
    """The fields that vectors of every kind have; see `Vector`."""

    @property
    def id(self) -> str:
        """Stable name, a path made for wildcards."""

    @property
    def title(self) -> str:
        """One sentence that tells what is special."""

    @property
    def family(self) -> str:
        """The name of its sort."""

    @property
    def rules(self) -> tuple[str, ...]:
        """Ids of the rules that it is about."""

    @property
    def verdict(self) -> Verdict:
        """Valid, invalid or lenient."""

    @property
    def flag(self) -> str:
        """For lenient, the leniency that lets decoders accept it."""

    @property
    def document(self) -> Mapping[str, Any]:
        """The whole line as JSON had it."""


def of_document(document: Mapping[str, Any], data: bytes, **derived: Any) -> Vector:  # noqa: ANN401 - fields of a Vector
    """Return a vector with what its document says; `derived` is what that lacks or says otherwise.

    Raises:
        KeyError: a key is missing; or a TypeError, or a ValueError.
    """
    said = {key: document[key] for key in ("id", "title", "family") if key in document}
    said |= {key: tuple(document[key]) for key in ("formats", "codecs", "rules") if key in document}
    reach = document.get("reach") or {"from": Reach.CRAFTED, "evidence": ""}
    said |= {"reach": Reach(reach["from"]), "evidence": reach["evidence"], "flag": document.get("flag") or ""}
    said |= {key: document.get(key) or {} for key in ("provenance", "oracle")}
    if "verdict" in document:
        said["verdict"] = Verdict(document["verdict"])
    said |= derived
    formats = said["formats"]
    form = document.get("format", formats[0] if len(formats) == 1 else "mixed")
    return Vector(**said, format=form, canonical=bool(document.get("canonical")), data=data, document=document)
