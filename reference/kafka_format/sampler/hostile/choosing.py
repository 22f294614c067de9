"""Gives each of many sound batches one fault, and works out what is due then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Words
from kafka_format.sampler.answers import Answers
from kafka_format.sampler.hashing import draw
from kafka_format.sampler.hostile import batch_records, batches, messages, old_messages
from kafka_format.sampler.hostile.batches import Batch
from kafka_format.sampler.hostile.message_sets import MessageSet
from kafka_format.sampler.hostile.model import Dice, Fault, Known, Made
from kafka_format.sampler.hostile.old_messages import OldSet
from kafka_format.sampler.parts import FORMATS, Part, joined, pieces

NO_FAULT: Final = Fault("", "", "valid", "", "nothing")

_UNHARMED: Final = 16
"""One batch in so many stays sound, so that a decoder which refuses all is found out."""

_KNOWN: Final[Sequence[Known[Any]]] = (
    *batches.FAULTS.known,
    *batch_records.FAULTS.known,
    *messages.V0.known,
    *messages.V1.known,
    *old_messages.FAULTS.known,
)

FAULTS: Final = (NO_FAULT, *(known.fault for known in _KNOWN))
"""All faults. The place of one stands for it in blocks."""


def harmed(part: Part, keys: Words) -> Part:
    """Give each batch that has one of these keys its fault."""
    chosen, made = [], []
    words = draw(keys, "fault").tolist()
    for word, data, version, codec in zip(words, pieces(part.data), part.formats, part.codecs, strict=True):
        fault, result = _harm(Dice(word), data, FORMATS[version], compression.NAMES[codec])
        chosen.append(fault)
        made.append(result)
    answers = _due(part.answers, made)
    return part._replace(data=joined([one.data for one in made]), answers=answers, faults=bytes(chosen))


def done_to(fault: Fault, data: bytes, version: str, codec: str, word: int) -> bytes | None:
    """Do a fault to sound bytes, at the place that the word chooses; None where it cannot be done.

    The bytes need not be the sampler's. Faults look for what its batches always have, a second message for instance;
    bytes without it cannot have the fault.
    """
    try:
        result = _KNOWN[FAULTS.index(fault) - 1].make(_case(data, version, codec), Dice(word))
    except (IndexError, KeyError, ValueError):
        return None
    return result.data if isinstance(result, Made) else result


def _harm(dice: Dice, data: bytes, version: str, codec: str) -> tuple[int, Made]:
    """Do the fault that the dice choose, or the next one that can be done."""
    if dice.below(_UNHARMED) == 0:
        return 0, Made(data)
    table = _table(version, codec)
    first = dice.below(len(table))
    case = _case(data, version, codec)
    for step in range(len(table)):
        place = table[(first + step) % len(table)]
        known = _KNOWN[place - 1]
        result = known.make(case, dice)
        if result is not None:
            return place, result if isinstance(result, Made) else Made(result, kept=0)
    return 0, Made(data)


@cache
def _table(version: str, codec: str) -> tuple[int, ...]:
    """Return the places of the faults that batches of a format and codec can have."""
    others = tuple(f"{version}/{name}-" for name in compression.NAMES[1:] if name != codec)
    return tuple(
        place
        for place, fault in enumerate(FAULTS)
        if fault.name.startswith(f"{version}/") and not fault.name.startswith(others)
    )


def _case(data: bytes, version: str, codec: str) -> Batch | MessageSet | OldSet:
    if version == "v2":
        return Batch(data, codec)
    return OldSet(data, codec) if version == "v07" else MessageSet(data, codec, FORMATS.index(version))


def _due(answers: Answers, made: Sequence[Made]) -> Answers:
    """Return the answers as the faults leave them: none for what must be refused."""
    counts = answers.groups.counts
    kept, first, last, moved = (
        np.array([getattr(one, name) for one in made], np.int64) for name in ("kept", "first", "last", "moved")
    )
    owners, places = answers.groups.owners, answers.groups.places
    last = np.where(last < 0, counts, last)
    mine = (places >= first[owners]) & (places < last[owners])
    offsets = answers.numbers["offset"] + np.where(mine, moved[owners], 0)
    changed = answers._replace(numbers={**answers.numbers, "offset": offsets})
    shown = places < np.where(kept < 0, counts, kept)[owners]
    return changed if shown.all() else changed.of_records(shown)
