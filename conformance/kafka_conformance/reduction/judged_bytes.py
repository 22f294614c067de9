"""Bytes that no vector holds, with the verdict of the reference on them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kafka_format import records
from kafka_format.errors import FormatError
from kafka_format.records import Record, v07

from kafka_conformance.vectors.vector import Refusal, Verdict


@dataclass(frozen=True, slots=True)
class JudgedBytes:
    """Bytes that a decoder is to read, and what must come of them; see `DecodeCase`.

    Attributes:
        data: the bytes.
        format: their format, `v07`, `v0`, `v1` or `v2`.
        codecs: every codec that occurs in them.
        verdict: valid, invalid or lenient.
        answer: the records that are due; none if they must be refused.
        fault: for invalid and lenient, where a strict decoder refuses.
        flag: for lenient, the leniency that lets decoders accept them.
        title: what was done to them, in a sentence; empty for nothing.
        id: what results call them.
    """

    data: bytes
    format: str
    codecs: tuple[str, ...]
    verdict: Verdict = Verdict.VALID
    answer: Sequence[Record] = ()
    fault: Refusal | None = None
    flag: str = ""
    title: str = ""
    id: str = ""

    @property
    def formats(self) -> tuple[str, ...]:
        """The one format that occurs in them."""
        return (self.format,)

    def records(self) -> Sequence[Record]:
        """Return the records that are due."""
        return self.answer


def judged(data: bytes, version: str, codecs: tuple[str, ...], flag: str = "") -> JudgedBytes:
    """Return bytes with the verdict of the reference.

    With a flag, bytes that only a decoder with that leniency reads are lenient.
    """
    made = JudgedBytes(data, version, codecs)
    read = v07.decode if version == "v07" else records.decode
    try:
        return replace(made, answer=read(data))
    except FormatError as error:
        made = replace(
            made,
            verdict=Verdict.INVALID,
            fault=Refusal(error.stage.value, error.rule, error.offset, error.path_text),
        )
    if not flag:
        return made
    try:
        return replace(made, verdict=Verdict.LENIENT, flag=flag, answer=read(data, flags=frozenset({flag})))
    except FormatError:
        return made
