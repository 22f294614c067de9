"""What the child that decodes a block and its parent share: where the child stands, and what has been found.

It lies in memory of both, so that the parent knows it when the child has died, and the next child can go on.
"""

import mmap
import os
import struct

ANSWER, REFUSED, UNSUPPORTED, RAISED, CRASHED, HUNG, OUT_OF_MEMORY, NOT_PUT = range(8)
"""Words on a batch. The first three are those of the adapter protocol."""

PLACE, COMPARED, LOGGED, ACTIVE, BLOCKS, LENGTH, COMPARING = range(7)
"""Places in `State.numbers`."""

_ENTRY = struct.Struct("=ibi")
_ROOM = 1 << 17
_HEAD = 8 * 7


class State:
    """What parent and child share: numbers in a page, the request at hand, and what has been found in it.

    Attributes:
        numbers: place of the batch at hand, -1 for none; place before which all are judged; bytes of entries; 1 in a
            block; number of the block; bytes of the request; how many batches are being compared, 0 for none.
    """

    def __init__(self) -> None:
        self._page = mmap.mmap(-1, _ROOM)
        self.numbers = memoryview(self._page)[:_HEAD].cast("q")
        self._log = os.memfd_create("found")

    def begin(self, request: bytes) -> None:
        """Take up a block."""
        self._page[_HEAD : _HEAD + len(request)] = request
        self.numbers[LENGTH] = len(request)
        self.numbers[PLACE], self.numbers[COMPARED], self.numbers[LOGGED] = -1, 0, 0
        self.numbers[COMPARING] = 0
        self.numbers[BLOCKS] += 1
        self.numbers[ACTIVE] = 1

    def end(self) -> None:
        """Be done with the block."""
        self.numbers[ACTIVE] = 0

    def request(self) -> bytes:
        """The request at hand."""
        return self._page[_HEAD : _HEAD + self.numbers[LENGTH]]

    def note(self, place: int, word: int, content: bytes) -> None:
        """Add an entry to the reply."""
        entry = _ENTRY.pack(place, word, len(content)) + content
        os.pwrite(self._log, entry, self.numbers[LOGGED])
        self.numbers[LOGGED] += len(entry)

    def entries(self) -> list[bytes]:
        """All entries; what was found a second time, after a loss, counts once."""
        data, at, found = os.pread(self._log, self.numbers[LOGGED], 0), 0, {}
        while at < len(data):
            place, word, size = _ENTRY.unpack_from(data, at)
            # Giving up is told of all that follows a place, and takes nothing back of what is known of the place.
            found[place, word == NOT_PUT] = data[at : at + _ENTRY.size + size]
            at += _ENTRY.size + size
        return list(found.values())
