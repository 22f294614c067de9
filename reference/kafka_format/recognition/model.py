"""What bytes may be: candidates, how good they are, and what speaks for and against them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

SURE: Final = 90
"""A score from which a candidate is no guess: a checksum, a mark, or all bytes bear it out."""

LEAST: Final = 40
"""A score below which nothing is recognised: any bytes might read so."""


class Kind(StrEnum):
    """What the bytes are read as. The value is its word in JSON."""

    RECORDS = "records"
    RECORDS_07 = "records of 0.7"
    REQUEST = "request"
    RESPONSE = "response"
    FRAMES = "frames"
    FILE = "file"
    SCHEMA_RECORD = "schema record"
    CAPTURE = "capture"
    TEXT = "text"
    OTHER = "other"


class Candidate(NamedTuple):
    """Something that bytes may be.

    Attributes:
        kind: what they are read as.
        title: what they are, in words.
        score: from 0 to 100 how well it fits; the likelihood is not known.
        evidence: what speaks for it.
        against: what speaks against it.
        start: the byte where it begins; what is before it is something else.
        framed: True for requests and responses with their sizes in front.
        api: number of the API of a request or response, if it is known.
        version: version of the API, or of a layout.
        name: name of the file that it is one like, or of the layout of a schema record.
        content: the bytes that a text stands for.
        missing: bytes that are missing at its end, by what it says itself.
    """

    kind: Kind
    title: str
    score: int
    evidence: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    start: int = 0
    framed: bool = False
    api: int | None = None
    version: int | None = None
    name: str = ""
    content: bytes | None = None
    missing: int = 0

    @property
    def is_guess(self) -> bool:
        """Whether the bytes may well be something else."""
        return self.score < SURE

    def behind(self, start: int, why: str) -> Candidate:
        """Return it as what begins at a later byte."""
        return self._replace(start=self.start + start, evidence=(why, *self.evidence))


class Recognition(NamedTuple):
    """What was found.

    Attributes:
        candidates: the likeliest first; those below `LEAST` are none.
        why: why nothing is recognised, with what came nearest; empty if something is.
    """

    candidates: tuple[Candidate, ...]
    why: str = ""

    @property
    def best(self) -> Candidate | None:
        """The likeliest; None if nothing is recognised."""
        return self.candidates[0] if self.candidates else None
