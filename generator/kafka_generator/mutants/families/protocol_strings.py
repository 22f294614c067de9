"""Readers of the protocol: the text of strings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kafka_format.codec.interpreter import Reader
from kafka_format.spec.layout.model import Field, Form

from kafka_generator.mutants.families.protocol_numbers import change_values
from kafka_generator.mutants.mutant import family
from kafka_generator.mutants.patch import Patch

mutant = family("decode-protocol", "strings")

_Value = Callable[..., tuple[Any, int]]


def _texts(patch: Patch, change: Callable[[str], str]) -> None:
    change_values(patch, Form, lambda value: change(value) if isinstance(value, str) else value)


@mutant("protocol/string-as-latin-1")
def string_as_latin_1(patch: Patch) -> None:
    """Takes each byte of a string for a character."""
    _texts(patch, lambda text: text.encode().decode("latin-1"))


@mutant("protocol/string-to-nul")
def string_to_nul(patch: Patch) -> None:
    """Ends strings at a NUL, as C does."""
    _texts(patch, lambda text: text.partition("\0")[0])


@mutant("protocol/string-stripped")
def string_stripped(patch: Patch) -> None:
    """Strips strings of white space at their ends."""
    _texts(patch, str.strip)


@mutant("protocol/string-of-ascii")
def string_of_ascii(patch: Patch) -> None:
    """Drops the characters of a string that are not ASCII."""
    _texts(patch, lambda text: text.encode("ascii", "ignore").decode())


@mutant("protocol/string-of-three-bytes-a-character")
def string_of_three_bytes_a_character(patch: Patch) -> None:
    """Replaces a string's characters of four bytes, as in the UTF-8 of old databases."""
    _texts(patch, lambda text: "".join(character if ord(character) < 0x10000 else "\ufffd" for character in text))


@mutant("protocol/string-of-127-bytes")
def string_of_127_bytes(patch: Patch) -> None:
    """Cuts strings after 127 characters."""
    _texts(patch, lambda text: text[:127])


@mutant("protocol/string-length-in-characters")
def string_length_in_characters(patch: Patch) -> None:
    """Takes the length of a string for its characters, not for its bytes."""

    def wrong(right: _Value, self: Reader, field: Field, kind: Form, position: int, end: int, path: Any) -> Any:
        if kind.content != "text":
            return right(self, field, kind, position, end, path)
        length, start = self._leaf(field, kind.length, position, end, (*path, "length"))
        if length < 0:
            return right(self, field, kind, position, end, path)
        text = self.data[start:end].decode(errors="ignore")[:length]
        return text, start + len(text.encode())

    patch.wrap(Reader._form, wrong)


@mutant("protocol/string-not-utf8-dropped")
def string_not_utf8_dropped(patch: Patch) -> None:
    """Drops the bytes of a string that are not UTF-8, where Kafka replaces them."""
    patch.wrap(
        Reader._utf8,
        lambda right, self, field, content, start, path: content.decode(errors="ignore").encode(),
    )


@mutant("protocol/string-not-utf8-as-latin-1")
def string_not_utf8_as_latin_1(patch: Patch) -> None:
    """Takes a string that is not UTF-8 for one of single bytes."""

    def wrong(right: Callable[..., bytes], self: Reader, field: Field, content: bytes, *at: Any) -> bytes:
        try:
            return content.decode().encode()
        except UnicodeDecodeError:
            return content.decode("latin-1").encode()

    patch.wrap(Reader._utf8, wrong)
