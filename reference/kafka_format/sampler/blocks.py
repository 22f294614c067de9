"""Blocks: many batches of a seed, with their answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Ints, Words
from kafka_format.columnar.byte_moves import octets
from kafka_format.sampler import message_sets, message_sets_07, record_batches
from kafka_format.sampler.answers import Answers, end_to_end
from kafka_format.sampler.encoder import Encoded, join
from kafka_format.sampler.faults import FAULTS, Fault, add_faults
from kafka_format.sampler.hashing import batch_keys, draw
from kafka_format.sampler.numbers import pick
from kafka_format.sampler.profiles import PROFILES, Profile
from kafka_format.sampler.samples import FORMATS, Samples, merge

_LAST_INDEX: Final = 1 << 63

_SORTS: Final = (len(FORMATS), len(compression.NAMES), len(FAULTS))
"""The numbers of formats, codecs and faults."""

_VERDICTS: Final = bytes(("valid", "invalid", "lenient").index(fault.verdict) for fault in FAULTS).ljust(256, b"\0")


@dataclass(frozen=True, eq=False)
class Block:
    """Batches one after the other, each with the answer that a decoder must give.

    Attributes:
        data: bytes of all batches.
        bounds: where each batch begins in `data`, and where the last ends; one more than there are
            batches.
        columns: the answers in columns.
        formats: the format of each batch, a byte that is a place in `v0`, `v1`, `v2`, `v07`.
        codecs: the codec of each batch or wrapper, a byte that is a place in
            `kafka_format.compression.NAMES`.
        faults: the fault of each batch, a byte that is a place in `kafka_format.sampler.FAULTS`; 0
            for none.
    """

    data: bytes
    bounds: Ints
    columns: Answers
    formats: bytes
    codecs: bytes
    faults: bytes

    def __len__(self) -> int:
        """Count the batches."""
        return len(self.formats)

    @property
    def answers(self) -> bytes:
        """The answers in canonical form (layout `answer`), written when first asked for."""
        return self._encode.data

    @property
    def answer_bounds(self) -> Ints:
        """Where each answer begins in `answers`, and where the last ends."""
        return self._encode.bounds

    @cached_property
    def _encode(self) -> Encoded:
        return self.columns.encoded()

    def input(self, index: int) -> bytes:
        """Return the bytes of a batch, by its place in the block."""
        return self.data[self.bounds[index] : self.bounds[index + 1]]

    def answer(self, index: int) -> bytes:
        """Return the answer for a batch, by its place in the block."""
        return self.answers[self.answer_bounds[index] : self.answer_bounds[index + 1]]

    def format_of(self, index: int) -> str:
        """Return the format of a batch: `v07`, `v0`, `v1` or `v2`."""
        return FORMATS[self.formats[index]]

    def codec_of(self, index: int) -> str:
        """Return the codec of a batch, or of its wrapper."""
        return compression.NAMES[self.codecs[index]]

    def fault_of(self, index: int) -> Fault:
        """Return the fault of a batch."""
        return FAULTS[self.faults[index]]

    @property
    def verdicts(self) -> bytes:
        """For each batch 0 if its answer is due, 1 if it must be refused, 2 for either of both."""
        return self.faults.translate(_VERDICTS)

    def sorts(self) -> Counter[tuple[str, str, str, str]]:
        """Count the batches by format, codec, fault and rule.

        The last two are empty without a fault.
        """
        places = (octets(column).astype(np.int64) for column in (self.formats, self.codecs, self.faults))
        counts = np.bincount(np.ravel_multi_index(tuple(places), _SORTS))
        sorts: Counter[tuple[str, str, str, str]] = Counter()
        for sort in counts.nonzero()[0]:
            version, codec, fault = np.unravel_index(sort, _SORTS)
            name = (FORMATS[version], compression.NAMES[codec], FAULTS[fault].name, FAULTS[fault].rule)
            sorts[name] = int(counts[sort])
        return sorts


def block(seed: int, start: int, count: int, profile: str | Profile = "mixed") -> Block:
    """Return the batches `start` to `start + count - 1` of a seed.

    Batch i is a function of seed, profile and i alone, wherever and in whatever company it is made.

    Args:
        seed: any integer; what counts is its value modulo 2^64.
        start: index of the first batch.
        count: how many batches; may be 0.
        profile: a name of `PROFILES`, or a profile of your own.

    Raises:
        ValueError: there is no such profile, or an index is negative or beyond 2^63.
    """
    known = profile if isinstance(profile, Profile) else PROFILES.get(profile)
    if known is None:
        raise ValueError(f"no profile is called {profile!r}; the profiles are {', '.join(PROFILES)}")
    if not 0 <= start <= start + count <= _LAST_INDEX:
        raise ValueError(f"the batches {start} to {start + count - 1} do not lie within 0 and 2^63 - 1")
    ends = [*range(start, start + max(count, 1), known.block), start + count]
    parts = [_samples(batch_keys(seed, known.name, first, end - first), known) for first, end in pairwise(ends)]
    batches = parts[0].batches if len(parts) == 1 else join([data for part in parts for data in part.batches.cut()])
    answers = end_to_end([part.answers for part in parts])
    formats, codecs, faults = (b"".join(column) for column in zip(*(part[2:] for part in parts), strict=True))
    return Block(batches.data, batches.bounds, answers, formats, codecs, faults)


def single(seed: int, index: int, profile: str = "mixed") -> Block:
    """Return a block of batch `index` alone."""
    return block(seed, index, 1, profile)


def twin(seed: int, index: int, profile: str) -> bytes:
    """Return batch `index` without its fault; the same bytes if it has none."""
    return _samples(batch_keys(seed, profile, index, 1), replace(PROFILES[profile], harmed=False)).batches.data


def _samples(keys: Words, profile: Profile) -> Samples:
    """Make one batch for each key."""
    formats = np.array([FORMATS.index(name) for name in profile.formats])
    picked = pick(draw(keys, "format"), formats)
    versions = np.unique(formats).tolist()
    places = [np.flatnonzero(picked == version) for version in versions]
    made = [_of_format(keys[mine], profile, version) for mine, version in zip(places, versions, strict=True)]
    samples = merge(made, places)
    return add_faults(samples, keys) if profile.harmed else samples


def _of_format(keys: Words, profile: Profile, version: int) -> Samples:
    match FORMATS[version]:
        case "v07":
            return message_sets_07.make(keys, profile)
        case "v2":
            return record_batches.make(keys, profile)
        case _:
            return message_sets.make(keys, profile, version)
