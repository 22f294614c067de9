"""Where the bytes of a vector can come from, as far as the bytes tell.

Sound bytes come from a producer, unless something about them is unusual (`features`). Of wrong
bytes, a checksum tells the two kinds apart: if it vouches for what is wrong, a program wrote it so,
and that is crafted; if it does not fit, or does not cover the place, damage can have done it.
"""

from __future__ import annotations

import struct
from typing import Final

from kafka_format.codec.prefix import prefix
from kafka_format.errors import FormatError
from kafka_format.records.entries import MAGIC_AT, OVERHEAD
from kafka_format.records.formats import MAGICS

from kafka_generator.cases import Case
from kafka_generator.inputs import INPUTS
from kafka_generator.reach.features import Features
from kafka_generator.reach.model import Origin, broker, crafted_origin, damage, producer, rarest

_CUT_RULES: Final = frozenset({"entry.cut", "v07.entry.cut"})
_CUT: Final = broker("a broker serves no more bytes than the fetch asks for, and cuts the last entry there")
_DAMAGED: Final = damage("no checksum vouches for what is wrong: a flipped bit or a torn write leaves such bytes")
_WRITTEN: Final = crafted_origin("the checksum vouches for what is wrong, so a program wrote it")
_PRODUCED: Final = {
    "v07": producer("a producer of Kafka 0.7 writes such messages"),
    "v0": producer("producers for brokers of 0.8 and 0.9 write such messages, and the broker gives them offsets"),
    "v1": producer("producers for brokers of 0.10 write such messages, and the broker gives them offsets"),
    "v2": producer("producers since 0.11 write such batches, and the broker gives them offsets"),
}


def derive(case: Case, data: bytes, features: Features) -> Origin:
    """Return where the bytes of a case can come from."""
    if case.verdict != "valid":
        return _WRITTEN if _is_vouched_for(case, data) else _DAMAGED
    cut = [_CUT] if _CUT_RULES & set(case.rules) else []
    if case.input is INPUTS["v07"]:
        return rarest([_PRODUCED["v07"], *cut])
    plain = _PRODUCED[min(case.input.formats(data))]
    return rarest([plain, *cut, *features.of_run(data)])


def _is_vouched_for(case: Case, data: bytes) -> bool:
    """Tell whether the checksums of wrong bytes are right, and cover the field that is wrong."""
    if case.input is INPUTS["v07"]:
        return ".payload" in case.path or case.path.endswith("payload")
    place = 0
    while place + MAGIC_AT < len(data):
        end = place + OVERHEAD + int.from_bytes(data[place + 8 : place + OVERHEAD], "big", signed=True)
        if end <= place + MAGIC_AT or not _fits(data[place : min(end, len(data))]):
            return False
        place = end
    return place <= len(data)


def _fits(entry: bytes) -> bool:
    """Tell whether an entry's checksum is right. One of unknown magic is taken for a message.

    So the magic of a batch counts as not covered, as it is, and that of a message as covered.
    """
    name, start = ("record_batch", 0) if entry[MAGIC_AT] == MAGICS["v2"] else ("message_v0", OVERHEAD)
    try:
        prefix(name).check(entry, start, len(entry))
    except (FormatError, struct.error):
        return False
    return True
