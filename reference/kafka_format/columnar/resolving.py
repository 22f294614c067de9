"""Who reads which piece, what each costs of the limits, and what came of it.

Both limits hold for an input, and are used up from its start to its end. So all that can use up bytes, or needs to know
what is left, happens here in the order of the pieces; the record batches that numpy reads side by side only say how
many records they have.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

import numpy as np

from kafka_format import compression
from kafka_format.columnar.arrays import Ints
from kafka_format.columnar.framing import Frames
from kafka_format.columnar.scalar import Scalar, Settings
from kafka_format.errors import FormatError
from kafka_format.records.budget import Budget
from kafka_format.records.model import Record


class Resolver:
    """What the scalar decoder says of pieces, and what it costs.

    Attributes:
        records: of the pieces that it read.
        refusals: by input, the first piece that is wrong and the error.
        whole: inputs of which the scalar decoder read all pieces.
    """

    def __init__(self, data: bytes, frames: Frames, settings: Settings, claimed: Ints) -> None:
        """Start with whole limits; `claimed` is how many records numpy may read of each piece."""
        self.records: dict[int, list[Record]] = {}
        self.refusals: dict[int, tuple[int, FormatError]] = {}
        self.whole: set[int] = set()
        self._scalar = Scalar(data, frames, settings)
        self._settings = settings
        self._groups = frames.groups
        self._claimed = claimed
        self._more: defaultdict[int, int] = defaultdict(int)
        self._left: defaultdict[int, int] = defaultdict(lambda: settings.limit)
        self._payloads: dict[int, tuple[int, int]] = {}

    @cached_property
    def _before(self) -> Ints:
        """How many records numpy may read of the pieces before each, in its input."""
        return self._groups.running(self._claimed) - self._claimed

    def refused_before(self, piece: int) -> bool:
        """Tell whether the input was refused for a piece before this one."""
        refusal = self.refusals.get(self._owner(piece))
        return refusal is not None and refusal[0] < piece

    def _owner(self, piece: int) -> int:
        return int(np.searchsorted(self._groups.ends, piece, side="right"))

    def decompress(self, piece: int, codec: int, compressed: bytes, fewest: int) -> bytes | None:
        """Decompress the records of a batch; None if that cannot be, or gives fewer bytes than they must have."""
        owner = self._owner(piece)
        left = self._left[owner]
        try:
            payload = compression.decompress(compression.NAMES[codec], compressed, limit=left)
        except FormatError:
            return None
        if len(payload) < fewest:
            return None
        self._left[owner] = left - len(payload)
        self._payloads[piece] = left, len(payload)
        return payload

    def read(self, piece: int) -> None:
        """Let the scalar decoder read a piece that comes behind all that used up a limit so far."""
        owner = self._owner(piece)
        records = self._settings.max_records - int(self._before[piece]) - self._more[owner]
        budget = Budget(self._left[owner], records)
        if self._asked(owner, piece, budget):
            self._more[owner] += len(self.records[piece]) - int(self._claimed[piece])
            self._left[owner] = budget.limit

    def reread(self, piece: int) -> None:
        """Let the scalar decoder read a piece that numpy read and doubts.

        What it used up is known. If the scalar decoder counts otherwise, all of the input is left to it.
        """
        left, size = self._payloads.get(piece, (self._settings.limit, 0))
        budget = Budget(left, self._settings.max_records)
        owner = self._owner(piece)
        if self._asked(owner, piece, budget) and left - budget.limit != size:
            self.whole.add(owner)

    def _asked(self, owner: int, piece: int, budget: Budget) -> bool:
        try:
            self.records[piece] = self._scalar.piece(owner, piece, budget)
        except FormatError as error:
            self.refusals[owner] = piece, error
            return False
        return True

    def settle(self) -> None:
        """Leave to the scalar decoder what claims more records than it may have, or what that one counts otherwise."""
        claimed = self._groups.sums(self._claimed)
        for owner, more in self._more.items():
            claimed[owner] += more
        self.whole.update(np.flatnonzero(claimed > self._settings.max_records).tolist())
        for owner in self.whole:
            self.refusals.pop(owner, None)
            budget = Budget(self._settings.limit, self._settings.max_records)
            for piece in range(int(self._groups.firsts[owner]), int(self._groups.ends[owner])):
                if not self._asked(owner, piece, budget):
                    break

    def accepted(self) -> dict[int, list[Record]]:
        """Return the records of the pieces that the scalar decoder read, in order, but none of refused inputs."""
        pieces = [piece for piece in sorted(self.records) if self._owner(piece) not in self.refusals]
        return {piece: self.records[piece] for piece in pieces}
