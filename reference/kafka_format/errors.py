"""The errors of this package: wrong bytes, wrong specification files, values that do not fit.

A `FormatError` says that *bytes* break a rule: which rule, at which stage, at which byte, in which
field. A `LayoutError` says that one of our own specification files is wrong: which file, which
line, what to write instead. An `EncodeError` says which value does not fit its layout. Each carries
its facts as attributes, so that a report can sort and count them, and prints one clear sentence, so
that a person can act on it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

FieldPath = tuple[str | int, ...]
"""The way to a field: names of fields, and indexes of items, for example `("records", 2, "key",
"length")`."""

_OF_RECORDS: Final = (("records",), ("message", "value"), ("message", "payload"))
"""The ways to what holds records: a batch has them itself, a wrapper in its value, one of 0.7 in
its payload."""


def path_text(path: FieldPath) -> str:
    """Return a path as people write it, for example `records[2].key.length`."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class Stage(StrEnum):
    """Where a decoder stands when it refuses, in the order in which a decoder gets there."""

    FRAMING = "framing"
    CHECKSUM = "checksum"
    DECOMPRESSION = "decompression"
    STRUCTURE = "structure"
    SEMANTICS = "semantics"
    RESOURCE = "resource"


class FormatError(ValueError):
    """Bytes that break a rule of the format. It is a value: `within` returns another.

    Attributes:
        detail: what is wrong, in words.
        rule: id of the broken rule, as in spec/rules.
        stage: where decoding stood.
        offset: byte offset of what is wrong, counted from the start of the input (of the
            decompressed payload if `payload`).
        path: the way to the field, for example `("records", 2, "key", "length")`; empty for the
            whole input.
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
        path: FieldPath = (),
        hint: str = "",
        entry: int | None = None,
        payload: bool = False,
    ) -> None:
        """Keep the facts; the text is made from them on demand."""
        super().__init__(detail)
        self.detail: Final = detail
        self.rule: Final = rule
        self.stage: Final = stage
        self.offset: Final = offset
        self.path: Final = path
        self.hint: Final = hint
        self.entry: Final = entry
        self.payload: Final = payload

    def within(self, *path: str | int, offset: int = 0, entry: int | None = None, payload: bool = False) -> FormatError:
        """Return the error as seen from what the bytes lie in.

        Args:
            path: the way to the bytes from there; it comes before the error's own.
            offset: where the bytes begin there. It moves no error that counts inside a decompressed
                payload.
            entry: index of the entry that the bytes are.
            payload: True if the bytes are a decompressed payload.
        """
        return FormatError(
            self.detail,
            rule=self.rule,
            stage=self.stage,
            offset=self.offset if self.payload else self.offset + offset,
            path=(*path, *self.path),
            hint=self.hint,
            entry=self.entry if entry is None else entry,
            payload=self.payload or payload,
        )

    @property
    def path_text(self) -> str:
        """The path as people write it, for example `records[2].key.length`."""
        return path_text(self.path)

    @property
    def record(self) -> int | None:
        """Index of the record in its entry, if the error is about one: first in the path."""
        at = next((at for at, part in enumerate(self.path) if isinstance(part, int)), 0)
        part = self.path[at] if self.path[:at] in _OF_RECORDS else None
        return part if isinstance(part, int) else None

    def facts(self) -> tuple[str, str, int, str, bool]:
        """Return what two decoders must agree on: rule, stage, offset, path in words, payload."""
        return self.rule, str(self.stage), self.offset, self.path_text, self.payload

    def __str__(self) -> str:
        """One sentence: where, what, which rule, what next."""
        place = f"byte {self.offset}" + (" of the decompressed payload" if self.payload else "")
        field = f", {self.path_text}" if self.path else ""
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
        path: the way to the field, for example `("records", 2, "timestamp_delta")`; empty for the
            whole value.
    """

    def __init__(self, detail: str, *, path: FieldPath) -> None:
        """Keep the facts and make one sentence."""
        super().__init__(f"cannot encode {path_text(path) or 'the value'}: {detail}")
        self.detail: Final = detail
        self.path: Final = path

    @property
    def path_text(self) -> str:
        """The path as people write it, for example `records[2].timestamp_delta`."""
        return path_text(self.path)
