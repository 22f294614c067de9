"""One call of the decoder: sound batches together, the rest one at a time, all in order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Final

import numpy as np

from kafka_format.columnar.arrays import Flags, RowGroups, bounds
from kafka_format.columnar.batch_headers import SoundBatches, sound_batches
from kafka_format.columnar.batch_records import read_records
from kafka_format.columnar.columns import Columns
from kafka_format.columnar.entries import Entries
from kafka_format.columnar.fallback import Fallback
from kafka_format.columnar.outcomes import Outcomes
from kafka_format.columnar.scalar import ReadSettings
from kafka_format.columnar.scalar_records import columns_of
from kafka_format.records.model import CODEC_MASK, CONTROL_BIT, Record
from kafka_format.spec.layout import find
from kafka_format.spec.layout.model import Nested, minimum_size

_RECORD: Final = "record"


class Decoder:
    """Inputs, cut into entries, on the way to their columns."""

    def __init__(self, data: bytes, entries: Entries, settings: ReadSettings) -> None:
        """Find the record batches that numpy can try."""
        self._data = data
        self._entries = entries
        self._smallest = minimum_size(Nested(find(_RECORD)))
        self._batches = self._affordable(self._readable(sound_batches(data, entries)), settings.max_records)
        self._counts = self._batches.heads["record_count"].astype(np.int64, copy=False)
        claimed = np.zeros(entries.starts.size, np.int64)
        claimed[self._batches.entries] = self._counts
        self._fallback = Fallback(data, entries, settings, claimed)

    def outcomes(self) -> Outcomes:
        """Read everything."""
        self._unpack()
        firsts = self._entries.groups.firsts[self._entries.groups.owners[self._batches.entries]]
        columns, sound = read_records(self._data, self._batches, self._batches.entries - firsts)
        for entry in self._batches.entries[~sound].tolist():
            if not self._fallback.refused_before(entry):
                self._fallback.reread(entry)
        self._fallback.settle()
        return self._in_order(columns, sound)

    def _readable(self, batches: SoundBatches) -> SoundBatches:
        """Leave out control batches, which have their own rules, and impossible counts."""
        attributes, counts = batches.heads["attributes"], batches.heads["record_count"].astype(np.int64, copy=False)
        room = batches.ends - batches.starts
        holds = (counts >= 0) & (counts * self._smallest <= room) & ((counts > 0) | (room == 0))
        fits = np.where(attributes & CODEC_MASK, counts > 0, holds)
        return batches.only(fits & (attributes & CONTROL_BIT == 0))

    def _affordable(self, batches: SoundBatches, most: int) -> SoundBatches:
        """Leave out inputs that claim more records than the limit: numpy reads all at once."""
        groups, claimed = self._entries.groups, np.zeros(self._entries.starts.size, np.int64)
        claimed[batches.entries] = batches.heads["record_count"]
        return batches.only((groups.sums(claimed) <= most)[groups.owners[batches.entries]])

    def _unpack(self) -> None:
        """Put decompressed records after the input.

        The scalar decoder reads batches that cannot be.
        """
        batches, codecs = self._batches, self._batches.heads["attributes"] & CODEC_MASK
        compressed = dict(zip(batches.entries[codecs > 0].tolist(), np.flatnonzero(codecs).tolist(), strict=True))
        apart = np.ones(self._entries.starts.size, np.bool_)
        apart[batches.entries[codecs == 0]] = False
        payloads: dict[int, bytes] = {}
        for entry in np.flatnonzero(apart).tolist():
            if self._fallback.refused_before(entry):
                continue
            batch = compressed.get(entry)
            payload = None if batch is None else self._payload(batch)
            if batch is None or payload is None:
                self._fallback.read(entry)
            else:
                payloads[batch] = payload
        if compressed:
            self._place(payloads, codecs == 0)

    def _payload(self, batch: int) -> bytes | None:
        """Decompress the records of a batch; None if that cannot be."""
        batches = self._batches
        compressed = self._data[int(batches.starts[batch]) : int(batches.ends[batch])]
        codec = int(batches.heads["attributes"][batch]) & CODEC_MASK
        fewest = int(self._counts[batch]) * self._smallest
        return self._fallback.decompress(int(batches.entries[batch]), codec, compressed, fewest)

    def _place(self, payloads: dict[int, bytes], kept: Flags) -> None:
        """Put payloads after the buffer, and let their batches have their records there."""
        unpacked = np.array(list(payloads), np.int64)
        places = len(self._data) + bounds(np.array([len(payload) for payload in payloads.values()], np.int64))
        self._batches.starts[unpacked], self._batches.ends[unpacked] = places[:-1], places[1:]
        kept[unpacked] = True
        self._data = b"".join([self._data, *payloads.values()])
        self._batches, self._counts = self._batches.only(kept), self._counts[kept]

    def _in_order(self, columns: Columns, sound: Flags) -> Outcomes:
        """Return the rows of sound batches and, between them, what the scalar decoder read."""
        owners, refusals = self._entries.groups, self._fallback.refusals
        firsts, counts = np.zeros(self._entries.starts.size, np.int64), np.zeros(self._entries.starts.size, np.int64)
        firsts[self._batches.entries] = RowGroups(self._counts).firsts
        counts[self._batches.entries[sound]] = self._counts[sound]
        for owner in {*refusals, *self._fallback.whole}:
            counts[owners.firsts[owner] : owners.ends[owner]] = 0
        apart = self._fallback.accepted()
        if apart:
            sizes = np.array([len(records) for records in apart.values()], np.int64)
            entries = np.array(list(apart), np.int64)
            firsts[entries], counts[entries] = len(columns) + np.cumsum(sizes) - sizes, sizes
            columns = columns.then(self._scalar_columns(apart))
        if apart or counts.sum() != len(columns):
            rows = RowGroups(counts)
            columns = columns.take(firsts[rows.owners] + rows.places)
        errors = {owner: error for owner, (_, error) in sorted(refusals.items())}
        return Outcomes(columns, bounds(owners.sums(counts)), errors)

    def _scalar_columns(self, apart: Mapping[int, list[Record]]) -> Columns:
        """Return columns of the records of some entries."""
        groups = self._entries.groups
        firsts = groups.firsts[groups.owners[list(apart)]].tolist()
        sizes = [len(records) for records in apart.values()]
        indices = np.repeat([entry - first for entry, first in zip(apart, firsts, strict=True)], sizes)
        return columns_of(self._data, list(chain(*apart.values())), indices.tolist())
