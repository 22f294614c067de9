"""The entries that are left to the scalar decoder, and what they use up of the limits.

Both limits hold for an input, and are used up from its start to its end. So all that can use up
bytes, or needs to know what is left, happens here in the order of the entries; the record batches
that numpy reads side by side only say how many records they have.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Ints
from kafka_format.columnar.entries import Entries
from kafka_format.columnar.scalar import ReadSettings, Scalar
from kafka_format.errors import FormatError
from kafka_format.records.budget import Budget
from kafka_format.records.model import Record


class Fallback:
    """Reads entries with the scalar decoder, within the limits of each input.

    Attributes:
        records: of the entries that it read, by their index.
        refusals: by input, the first entry that is wrong and the error.
        whole: inputs of which the scalar decoder read all entries.
    """

    def __init__(self, data: bytes, entries: Entries, settings: ReadSettings, claimed: Ints) -> None:
        """Start with whole limits; `claimed` is how many records numpy may read of each entry."""
        self.records: dict[int, list[Record]] = {}
        self.refusals: dict[int, tuple[int, FormatError]] = {}
        self.whole: set[int] = set()
        self._scalar = Scalar(data, entries, settings)
        self._settings = settings
        self._groups = entries.groups
        self._claimed = claimed
        self._more: defaultdict[int, int] = defaultdict(int)
        self._left: defaultdict[int, int] = defaultdict(lambda: settings.limit)
        self._payloads: dict[int, tuple[int, int]] = {}

    @cached_property
    def _before(self) -> Ints:
        """The number of records that numpy may read of the entries before each, in its input."""
        return self._groups.running(self._claimed) - self._claimed

    def refused_before(self, entry: int) -> bool:
        """Return whether the input was refused for an entry before this one."""
        refusal = self.refusals.get(self._owner(entry))
        return refusal is not None and refusal[0] < entry

    def _owner(self, entry: int) -> int:
        return int(self._groups.owners_of(np.array(entry)))

    def decompress(self, entry: int, codec: int, compressed: bytes, fewest: int) -> bytes | None:
        """Return a batch's records decompressed; None if they cannot be, or are too short."""
        owner = self._owner(entry)
        left = self._left[owner]
        try:
            payload = compression.decompress(compression.NAMES[codec], compressed, limit=left)
        except FormatError:
            return None
        if len(payload) < fewest:
            return None
        self._left[owner] = left - len(payload)
        self._payloads[entry] = left, len(payload)
        return payload

    def read(self, entry: int) -> None:
        """Read an entry that comes after all that used up a limit so far."""
        owner = self._owner(entry)
        records = self._settings.max_records - int(self._before[entry]) - self._more[owner]
        budget = Budget(self._left[owner], records)
        if self._try(owner, entry, budget):
            self._more[owner] += len(self.records[entry]) - int(self._claimed[entry])
            self._left[owner] = budget.limit

    def reread(self, entry: int) -> None:
        """Read an entry again that numpy read and doubts.

        What it used up is known. If the scalar decoder counts otherwise, all of the input is left
        to it.
        """
        left, size = self._payloads.get(entry, (self._settings.limit, 0))
        budget = Budget(left, self._settings.max_records)
        owner = self._owner(entry)
        if self._try(owner, entry, budget) and left - budget.limit != size:
            self.whole.add(owner)

    def _try(self, owner: int, entry: int, budget: Budget) -> bool:
        try:
            self.records[entry] = self._scalar.read(owner, entry, budget)
        except FormatError as error:
            self.refusals[owner] = entry, error
            return False
        return True

    def settle(self) -> None:
        """Read inputs again that claim too many records, or that the decoders count differently."""
        claimed = self._groups.sums(self._claimed)
        for owner, more in self._more.items():
            claimed[owner] += more
        self.whole.update(np.flatnonzero(claimed > self._settings.max_records).tolist())
        for owner in self.whole:
            self.refusals.pop(owner, None)
            budget = Budget(self._settings.limit, self._settings.max_records)
            for entry in range(int(self._groups.firsts[owner]), int(self._groups.ends[owner])):
                if not self._try(owner, entry, budget):
                    break

    def accepted(self) -> dict[int, list[Record]]:
        """Return by entry the records that the scalar decoder read; refused inputs are left out."""
        return {
            entry: records for entry, records in sorted(self.records.items()) if self._owner(entry) not in self.refusals
        }
