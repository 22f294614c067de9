"""What can be wrong, as data.

Two families. A `FormatError` says that *bytes* break a rule: which rule, at which stage, at which byte, in which
field. A `LayoutError` says that one of our own specification files is wrong: which file, which line, what to write
instead. Both carry their facts as attributes, so that a report can sort and count them, and print one clear sentence,
so that a person can act on it.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

_RECORD: Final = re.compile(r"^(?:records|message\.value|message\.payload)\[(\d+)\]")


class Stage(StrEnum):
    """Where a decoder stands when it refuses. The order is the order in which a decoder meets them."""

    FRAMING = "framing"
    CHECKSUM = "checksum"
    DECOMPRESSION = "decompression"
    STRUCTURE = "structure"
    SEMANTICS = "semantics"
    RESOURCE = "resource"


class FormatError(ValueError):
    """Bytes that break a rule of the format.

    Attributes:
        detail: what is wrong, in words.
        rule: id of the broken rule, as in spec/rules.
        stage: where decoding stood.
        offset: byte offset of the fault, counted from the start of the input (of the decompressed payload if
            `payload`).
        path: the field, for example `records[2].key.length`; empty for the whole input.
        hint: what to do next, if there is something to do.
        entry: index of the entry in the input, if known.
        payload: True if `offset` counts inside a decompressed payload.
    """

    def __init__(
        self,
        detail: str,
        *,
        rule: str,
        stage: Stage,
        offset: int,
        path: str = "",
        hint: str = "",
        entry: int | None = None,
        record: int | None = None,
        payload: bool = False,
    ) -> None:
        """Keep the facts; the text is made from them on demand."""
        super().__init__(detail)
        self.detail = detail
        self.rule = rule
        self.stage = stage
        self.offset = offset
        self.path = path
        self.hint = hint
        self.entry = entry
        self._record = record
        self.payload = payload

    @property
    def record(self) -> int | None:
        """Index of the record in its entry: as given, or from the path, where readers say which one they are at."""
        if self._record is not None:
            return self._record
        found = _RECORD.search(self.path)
        return int(found[1]) if found else None

    def fault(self) -> tuple[str, str, int, str, bool]:
        """Return what two decoders must agree on: rule, stage, offset, path, payload."""
        return self.rule, str(self.stage), self.offset, self.path, self.payload

    def __str__(self) -> str:
        """One sentence: where, what, which rule, what next."""
        place = f"byte {self.offset}" + (" of the decompressed payload" if self.payload else "")
        field = f", {self.path}" if self.path else ""
        entry = f", entry {self.entry}" if self.entry is not None else ""
        hint = f" {self.hint}" if self.hint else ""
        return f"{self.stage} error at {place}{entry}{field}: {self.detail} [{self.rule}]{hint}"


class LayoutError(ValueError):
    """A specification file that cannot be used.

    Attributes:
        file: the file, relative to spec/ where that is known.
        line: line in the file, from 1.
        detail: what is wrong.
        advice: what to write instead.
    """

    def __init__(self, detail: str, *, file: str, line: int, advice: str = "") -> None:
        """Keep the facts and make the usual `file:line: detail` text."""
        super().__init__(f"{file}:{line}: {detail}" + (f" ({advice})" if advice else ""))
        self.file = file
        self.line = line
        self.detail = detail
        self.advice = advice


class EncodeError(ValueError):
    """A value that a layout cannot write.

    Attributes:
        detail: what is wrong.
        path: the field, for example `records[2].timestamp_delta`.
    """

    def __init__(self, detail: str, *, path: str) -> None:
        """Keep the facts and make one sentence."""
        super().__init__(f"cannot encode {path or 'the value'}: {detail}")
        self.detail = detail
        self.path = path
