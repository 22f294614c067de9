"""All faults, and the choice of one for each of many sound batches, with the expected answer."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Words
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.encoder import join
from kafka_format.sampler.faults import batch_header, batch_records, messages, messages_07
from kafka_format.sampler.faults.dice import Dice
from kafka_format.sampler.faults.fault import DeclaredFault, Fault, FaultyBytes
from kafka_format.sampler.faults.messages_07 import MessageSet07
from kafka_format.sampler.faults.sound_batch import SoundBatch
from kafka_format.sampler.faults.sound_message_set import MessageSet
from kafka_format.sampler.hashing import draw
from kafka_format.sampler.samples import FORMATS, Samples

NO_FAULT: Final = Fault("", "", "valid", "", "nothing")

_UNHARMED: Final = 16
"""One batch in so many stays sound, so that a decoder which refuses all is found out."""

_KNOWN: Final[Sequence[DeclaredFault[Any]]] = (
    *batch_header.FAULTS.known,
    *batch_records.FAULTS.known,
    *messages.V0.known,
    *messages.V1.known,
    *messages_07.FAULTS.known,
)

FAULTS: Final = (NO_FAULT, *(known.fault for known in _KNOWN))
"""All faults. The place of one stands for it in blocks."""


def add_faults(samples: Samples, keys: Words) -> Samples:
    """Give each batch that has one of these keys its fault."""
    places, results = [], []
    words = draw(keys, "fault").tolist()
    for word, data, version, codec in zip(words, samples.batches.cut(), samples.formats, samples.codecs, strict=True):
        place, result = _add_fault(Dice(word), data, FORMATS[version], compression.NAMES[codec])
        places.append(place)
        results.append(result)
    batches, answers = join([result.data for result in results]), _expected_answers(samples.answers, results)
    return samples._replace(batches=batches, answers=answers, faults=bytes(places))


def apply_fault(fault: Fault, data: bytes, version: str, codec: str, word: int) -> bytes | None:
    """Do a fault to sound bytes, at the place that the word chooses; None where it cannot be done.

    The bytes need not be the sampler's. Faults look for what its batches always have, a second
    message for instance; bytes without it cannot have the fault.
    """
    try:
        result = _KNOWN[FAULTS.index(fault) - 1].make(_take_apart(data, version, codec), Dice(word))
    except (IndexError, KeyError, ValueError, struct.error):
        return None
    return result.data if isinstance(result, FaultyBytes) else result


def _add_fault(dice: Dice, data: bytes, version: str, codec: str) -> tuple[int, FaultyBytes]:
    """Do the fault that the dice choose, or the next one that can be done."""
    if dice.below(_UNHARMED) == 0:
        return 0, FaultyBytes(data)
    table = _table(version, codec)
    first = dice.below(len(table))
    sound = _take_apart(data, version, codec)
    for step in range(len(table)):
        place = table[(first + step) % len(table)]
        known = _KNOWN[place - 1]
        result = known.make(sound, dice)
        if result is not None:
            return place, result if isinstance(result, FaultyBytes) else FaultyBytes(result, kept=0)
    return 0, FaultyBytes(data)


@cache
def _table(version: str, codec: str) -> tuple[int, ...]:
    """Return the places of the faults that batches of a format and codec can have."""
    others = tuple(f"{version}/{name}-" for name in compression.NAMES[1:] if name != codec)
    return tuple(
        place
        for place, fault in enumerate(FAULTS)
        if fault.name.startswith(f"{version}/") and not fault.name.startswith(others)
    )


def _take_apart(data: bytes, version: str, codec: str) -> SoundBatch | MessageSet | MessageSet07:
    if version == "v2":
        return SoundBatch(data, codec)
    return MessageSet07(data, codec) if version == "v07" else MessageSet(data, codec, FORMATS.index(version))


def _expected_answers(answers: Answers, results: Sequence[FaultyBytes]) -> Answers:
    """Return the answers as the faults leave them: none for what must be refused."""
    counts = answers.groups.counts
    kept, first, last, moved = (
        np.array([getattr(result, name) for result in results], np.int64) for name in ("kept", "first", "last", "moved")
    )
    owners, places = answers.groups.owners, answers.groups.places
    last = np.where(last < 0, counts, last)
    mine = (places >= first[owners]) & (places < last[owners])
    offsets = answers.numbers["offset"] + np.where(mine, moved[owners], 0)
    changed = answers._replace(numbers={**answers.numbers, "offset": offsets})
    shown = places < np.where(kept < 0, counts, kept)[owners]
    return changed if shown.all() else changed.of_records(shown)
