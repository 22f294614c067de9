"""What targets are asked to encode.

The answer of a vector is asked for if one batch, or one message set, can hold it: the reference
writes it and reads the same records back. Two vectors with the same answer in the same format and
codec ask only once. Control records are left out, because only brokers write them, and so are
offsets that do not increase, timestamps below -1, and producer ids without a sequence, because
nobody writes them (`MemoryRecordsBuilder` refuses the last). Large vectors, those with a recipe,
are for decoders.

What comes back is judged by the records that the reference reads from it, and by the fields that no
record shows: `written` has these.
"""

from collections.abc import Iterable
from itertools import pairwise

from kafka_format import records
from kafka_format.errors import EncodeError, FormatError
from kafka_format.records import Record
from kafka_format.records.formats import MAGICS

from kafka_conformance.protocol import answers
from kafka_conformance.protocol.hello import CODECS
from kafka_conformance.protocol.messages import EncodeInput
from kafka_conformance.vectors.vector import Vector, Verdict


def encodable(vectors: Iterable[Vector]) -> list[Vector]:
    """Keep the vectors whose answer a producer could be asked to write, each answer once."""
    seen: set[EncodeInput] = set()
    kept = []
    for vector in vectors:
        if _can_be_asked(vector) and question(vector) not in seen:
            seen.add(question(vector))
            kept.append(vector)
    return kept


def question(vector: Vector) -> EncodeInput:
    """Return the question to encode a vector's answer, in its format and with its codec."""
    wanted = vector.records()
    return EncodeInput(MAGICS[vector.format], wanted[0].codec, answers.to_bytes(wanted))


def _can_be_asked(vector: Vector) -> bool:
    if vector.verdict is not Verdict.VALID or not vector.answer or vector.format not in MAGICS or vector.is_large:
        return False
    wanted = vector.records()
    if any(map(_has_no_producer, wanted)):
        return False
    if any(record.offset >= next_.offset for record, next_ in pairwise(wanted)):
        return False
    try:
        written = records.encode(wanted, magic=MAGICS[vector.format], codec=CODECS[wanted[0].codec])
        return records.decode(written) == wanted
    except (EncodeError, FormatError):
        return False


def _has_no_producer(record: Record) -> bool:
    without_sequence = record.producer_id >= 0 and record.sequence < 0
    return record.control or record.timestamp < records.NO_TIMESTAMP or without_sequence
