"""The few batches that suffice to follow producers: a fold of them gives the same as of all.

Of the batches of a producer between two ends of its transactions, a broker's state keeps what the
last one says, and where a transaction was begun. So of each such run the last batch is kept, and
the first one that is transactional, and the first of these that has records; of these batches the
header says all. Control batches are kept
as they are. Where a producer snapshot stands, a run ends, and the batch before it is kept: there
the fold is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kafka_format.columnar.arrays import Flags, Ints
from kafka_format.log.batches import Batch
from kafka_format.log_columns.headers import BATCH, HeaderBlock, flag, join_heads, row_type

_MAGIC: Final = 2


class Followed(NamedTuple):
    """Batches to follow producers by.

    Attributes:
        data: the header of each, of control batches all bytes, one after the other.
        sizes: how many bytes that is of each.
    """

    data: bytes = b""
    sizes: tuple[int, ...] = ()

    def batches(self) -> Iterator[Batch]:
        """Yield them, as far as they were kept."""
        row, position = row_type(BATCH), 0
        for size in self.sizes:
            (head,) = np.frombuffer(self.data, row, 1, position)
            yield Batch(self.data, position, size, _MAGIC, int(head["base_offset"]))
            position += size


class Follower:
    """Keeps the batches of a slice that the checks of producers need; blocks are added in order."""

    def __init__(self, snapshots: tuple[int, ...]) -> None:
        """Begin with nothing; `snapshots` are the offsets of producer snapshots."""
        self._snapshots = np.array(snapshots, np.int64)
        self._heads = list[npt.NDArray[np.void]]()
        self._contents: list[bytes] = []

    def add(self, block: HeaderBlock) -> None:
        """Add the batches of a block."""
        (kept,) = needed_batches(block.heads, self._snapshots).nonzero()
        rows = block.heads[kept]
        self._heads.append(rows)
        pairs = zip(kept.tolist(), rows, strict=True)
        self._contents += [block.control.get(number) or row.tobytes() for number, row in pairs]

    def result(self) -> Followed:
        """Return the batches of all blocks that are needed."""
        kept = needed_batches(join_heads(self._heads), self._snapshots)
        contents = [content for content, is_kept in zip(self._contents, kept.tolist(), strict=True) if is_kept]
        return Followed(b"".join(contents), tuple(map(len, contents)))


def needed_batches(heads: npt.NDArray[np.void], snapshots: Ints) -> Flags:
    """Tell of each batch whether it is needed, given the headers of batches in order."""
    control, producers = flag(heads, "is_control"), heads["producer_id"].astype(np.int64)
    at_snapshot = np.isin(heads["base_offset"].astype(np.int64) + heads["last_offset_delta"] + 1, snapshots)
    kept: Flags = control | at_snapshot
    if not (producers >= 0).any():
        return kept
    order = np.argsort(producers, kind="stable")
    marker, section = (control & (producers >= 0))[order], _ends_before(at_snapshot)[order]
    changes = (np.diff(column) != 0 for column in (producers[order], _ends_before(marker), section))
    run = np.concatenate(([0], np.cumsum(np.logical_or.reduce(list(changes)))))
    data = (~control & (producers >= 0))[order]
    kept[order[_edges(run, data, last=True)]] = True
    transactional = data & flag(heads, "is_transactional")[order]
    kept[order[_edges(run, transactional, last=False)]] = True
    kept[order[_edges(run, transactional & (heads["record_count"] > 0)[order], last=False)]] = True
    return kept


def _ends_before(ends: Flags) -> Ints:
    """Return how many ends there are before each; an end belongs to what it ends."""
    return np.cumsum(ends) - ends


def _edges(run: Ints, which: Flags, *, last: bool) -> Ints:
    """Return the place of the first or last of some in each run."""
    (places,) = which.nonzero()
    changes = np.diff(run[places]) != 0
    edge = np.concatenate((changes, [True])) if last else np.concatenate(([True], changes))
    return places[edge[: places.size]]
