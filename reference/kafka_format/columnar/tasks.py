"""One call of the decoder: sound record batches side by side, everything else by the scalar decoder, all in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from kafka_format.columnar import lanes
from kafka_format.columnar.arrays import Flags, Groups, bounds
from kafka_format.columnar.columns import Columns
from kafka_format.columnar.framing import Batches, Frames, batches
from kafka_format.columnar.outcomes import Outcomes
from kafka_format.columnar.resolving import Resolver
from kafka_format.columnar.scalar import Settings
from kafka_format.columnar.sources import of_records
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, Record
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size

_RECORD: Final = "record"


class Task:
    """Inputs, cut into pieces, on the way to their columns."""

    def __init__(self, data: bytes, frames: Frames, settings: Settings) -> None:
        """Find the record batches that numpy can try."""
        self._data = data
        self._frames = frames
        self._smallest = minimum_size(Nested(find(_RECORD)))
        self._batches = self._affordable(self._readable(batches(data, frames)), settings.max_records)
        self._counts = self._batches.heads["record_count"].astype(np.int64)
        claimed = np.zeros(frames.starts.size, np.int64)
        claimed[self._batches.frames] = self._counts
        self._resolver = Resolver(data, frames, settings, claimed)

    def outcomes(self) -> Outcomes:
        """Read everything."""
        self._unpack()
        firsts = self._frames.groups.firsts[self._frames.groups.owners[self._batches.frames]]
        found, sound = lanes.read(self._data, self._batches, self._batches.frames - firsts)
        for piece in self._batches.frames[~sound].tolist():
            if not self._resolver.refused_before(piece):
                self._resolver.reread(piece)
        self._resolver.settle()
        return self._in_order(found, sound)

    def _readable(self, found: Batches) -> Batches:
        """Leave out control batches, which have rules of their own, and those that cannot have so many records."""
        attributes, counts = found.heads["attributes"], found.heads["record_count"].astype(np.int64)
        room = found.ends - found.starts
        holds = (counts >= 0) & (counts * self._smallest <= room) & ((counts > 0) | (room == 0))
        fits = np.where(attributes & CODEC_MASK, counts > 0, holds)
        return found.chosen(fits & (attributes & CONTROL_BIT == 0))

    def _affordable(self, found: Batches, most: int) -> Batches:
        """Leave out inputs that claim more records than they may have: numpy reads all of them at once."""
        groups, claimed = self._frames.groups, np.zeros(self._frames.starts.size, np.int64)
        claimed[found.frames] = found.heads["record_count"]
        return found.chosen((groups.sums(claimed) <= most)[groups.owners[found.frames]])

    def _unpack(self) -> None:
        """Put decompressed records behind the input, and let the scalar decoder read what is no readable batch."""
        found, codecs = self._batches, self._batches.heads["attributes"] & CODEC_MASK
        packed = dict(zip(found.frames[codecs > 0].tolist(), np.flatnonzero(codecs).tolist(), strict=True))
        apart = np.ones(self._frames.starts.size, np.bool_)
        apart[found.frames[codecs == 0]] = False
        payloads: dict[int, bytes] = {}
        for piece in np.flatnonzero(apart).tolist():
            if self._resolver.refused_before(piece):
                continue
            lane = packed.get(piece)
            payload = None if lane is None else self._payload(lane)
            if lane is None or payload is None:
                self._resolver.read(piece)
            else:
                payloads[lane] = payload
        if packed:
            self._place(payloads, codecs == 0)

    def _payload(self, lane: int) -> bytes | None:
        found = self._batches
        compressed = self._data[int(found.starts[lane]) : int(found.ends[lane])]
        codec = int(found.heads["attributes"][lane]) & CODEC_MASK
        fewest = int(self._counts[lane]) * self._smallest
        return self._resolver.decompress(int(found.frames[lane]), codec, compressed, fewest)

    def _place(self, payloads: dict[int, bytes], kept: Flags) -> None:
        """Let the batches whose records were decompressed have them where they are now."""
        packed = np.array(list(payloads), np.int64)
        places = len(self._data) + bounds(np.array([len(one) for one in payloads.values()], np.int64))
        self._batches.starts[packed], self._batches.ends[packed] = places[:-1], places[1:]
        kept[packed] = True
        self._data = b"".join([self._data, *payloads.values()])
        self._batches, self._counts = self._batches.chosen(kept), self._counts[kept]

    def _in_order(self, found: Columns, sound: Flags) -> Outcomes:
        """Take the rows of batches that are sound, and between them what the scalar decoder read."""
        owners, refusals = self._frames.groups, self._resolver.refusals
        firsts, counts = np.zeros(self._frames.starts.size, np.int64), np.zeros(self._frames.starts.size, np.int64)
        firsts[self._batches.frames] = Groups(self._counts).firsts
        counts[self._batches.frames[sound]] = self._counts[sound]
        for owner in {*refusals, *self._resolver.whole}:
            counts[owners.firsts[owner] : owners.ends[owner]] = 0
        apart = self._resolver.accepted()
        if apart:
            sizes = np.array([len(one) for one in apart.values()], np.int64)
            pieces = np.array(list(apart), np.int64)
            firsts[pieces], counts[pieces] = len(found) + np.cumsum(sizes) - sizes, sizes
            found = found.then(self._columns_of(apart))
        if apart or counts.sum() != len(found):
            rows = Groups(counts)
            found = found.take(firsts[rows.owners] + rows.places)
        errors = {owner: error for owner, (_, error) in sorted(refusals.items())}
        return Outcomes(found, bounds(owners.sums(counts)), errors)

    def _columns_of(self, apart: Mapping[int, list[Record]]) -> Columns:
        groups = self._frames.groups
        firsts = groups.firsts[groups.owners[list(apart)]].tolist()
        entries = [piece - first for (piece, one), first in zip(apart.items(), firsts, strict=True) for _ in one]
        return of_records(self._data, [record for one in apart.values() for record in one], entries)
