"""Memory in which blocks lie for all targets that share them: written once, read by each in a process of its own."""

import os
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar, Protocol

from kafka_conformance.scale import columns, images
from kafka_conformance.scale.batches import Batches, Block

SLOTS = 2
"""One block is decoded while the next one is written."""

_APART = 1 << 36
"""Bytes between blocks. None is so large, and memory that is not written takes none."""

_FORMS = 1 << 4
"""More than there are forms in which the targets of a run want a block."""


class Kind(IntEnum):
    """How a block is written; the numbers are those of shared_blocks.py."""

    COLUMNS = 0
    IMAGES = 1


class Form(Protocol):
    """How a block is written for some targets. Equal forms are equal bytes."""

    @property
    def kind(self) -> Kind:
        """What the other side has to know."""

    def sections(self, block: Block) -> list[memoryview]:
        """Write a block; its parts belong one after the other."""

    def __hash__(self) -> int:
        """Be one of the forms in which a block is there already."""


@dataclass(frozen=True)
class Columns:
    """Field by field.

    Attributes:
        hide_control: leave out control records.
    """

    hide_control: bool
    kind: ClassVar = Kind.COLUMNS

    def sections(self, block: Block) -> list[memoryview]:
        """See `columns.sections`."""
        return columns.sections(block, hide_control=self.hide_control)


@dataclass(frozen=True)
class Images:
    """Batch by batch.

    Attributes:
        fields: those that the target declares.
    """

    fields: frozenset[str]
    kind: ClassVar = Kind.IMAGES

    def sections(self, block: Block) -> list[memoryview]:
        """See `images.sections`."""
        return images.sections(block, self.fields)


class Slots:
    """The memory of one worker. Linux only.

    Attributes:
        path: where processes of the same user find it.
    """

    def __init__(self) -> None:
        """Make it, empty."""
        self._file = os.memfd_create("blocks")
        self.path = f"/proc/{os.getpid()}/fd/{self._file}"
        self._written: dict[int, tuple[Batches, dict[Form, tuple[int, int]]]] = {}
        self._next = 0

    def place(self, batches: Batches, form: Form) -> tuple[int, int]:
        """Say where a block lies, offset and size; write it there first if it is new.

        Only the last `SLOTS` blocks are kept.
        """
        slot = next((slot for slot, (known, _) in self._written.items() if known is batches), None)
        if slot is None:
            slot, self._next = self._next, (self._next + 1) % SLOTS
            self._written[slot] = (batches, {})
        places = self._written[slot][1]
        if form not in places:
            offset = (slot * _FORMS + len(places)) * _APART
            places[form] = (offset, _write(self._file, form.sections(batches.block), offset))
        return places[form]

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
