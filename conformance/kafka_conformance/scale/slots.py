"""Memory in which blocks lie for all targets that share them: written once, read by each in a process of its own."""

import os

from kafka_conformance.scale import columns
from kafka_conformance.scale.batches import Batches

SLOTS = 2
"""One block is decoded while the next one is written."""

_APART = 1 << 36
"""Bytes between slots. No block is so large, and memory that is not written takes none."""


class Slots:
    """The memory of one worker. Linux only.

    Attributes:
        path: where processes of the same user find it.
    """

    def __init__(self) -> None:
        """Make it, empty."""
        self._file = os.memfd_create("blocks")
        self.path = f"/proc/{os.getpid()}/fd/{self._file}"
        self._written: dict[int, tuple[Batches, dict[bool, tuple[int, int]]]] = {}
        self._next = 0

    def place(self, batches: Batches, *, hide_control: bool) -> tuple[int, int]:
        """Say where a block lies, offset and size; write it there first if it is new.

        Only the last `SLOTS` blocks are kept.
        """
        slot = next((slot for slot, (known, _) in self._written.items() if known is batches), None)
        if slot is None:
            slot, self._next = self._next, (self._next + 1) % SLOTS
            self._written[slot] = (batches, {})
        places = self._written[slot][1]
        if hide_control not in places:
            parts = columns.sections(batches.block, hide_control=hide_control)
            offset = (2 * slot + hide_control) * _APART
            places[hide_control] = (offset, _write(self._file, parts, offset))
        return places[hide_control]

    def close(self) -> None:
        """Give the memory back."""
        os.close(self._file)


def possible() -> bool:
    """True where there is what this needs: memory files and process descriptors."""
    return hasattr(os, "memfd_create") and hasattr(os, "pidfd_open")


def _write(file: int, parts: list[memoryview], offset: int) -> int:
    """Write parts one after another; return their size."""
    size = sum(map(len, parts))
    written = os.pwritev(file, parts, offset)
    if written != size:  # more than 2 GiB, or no memory
        raise MemoryError(f"a block of {size} bytes does not fit into memory")
    return size
