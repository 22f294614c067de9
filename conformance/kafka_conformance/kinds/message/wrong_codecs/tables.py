"""What a wrong codec is: a name, and the methods of the plain one that are others in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from kafka_conformance.kinds.message.wrong_codecs.plain import PlainCodec

ANYWHERE: Final = "*."
"""In front of the name of a field, wherever it stands."""


class WrongCodec(NamedTuple):
    """A codec with one thing wrong.

    Attributes:
        id: stable name of the cause.
        does: what it does, as a sentence without its subject.
        methods: the methods of the plain codec that are others in it, by name.
        writes: True if what it writes is wrong: it reads rightly, and shows nothing in values.
    """

    id: str
    does: str
    methods: dict[str, Callable[..., Any]]
    writes: bool = False

    def codec(self, field: str = "") -> PlainCodec:
        """Return such a codec; if a field is named, one that is wrong in that alone."""
        methods = self.methods
        if field:
            methods = {name: _only_in(field, name, method) for name, method in methods.items()}
        made: PlainCodec = type("Wrong", (PlainCodec,), methods)()
        return made


def _only_in(field: str, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    right = getattr(PlainCodec, name)

    def either(self: PlainCodec, *arguments: Any) -> Any:
        place = ".".join(self.path)
        is_here = place == field or (field.startswith(ANYWHERE) and place.rpartition(".")[2] == field[len(ANYWHERE) :])
        return (method if is_here else right)(self, *arguments)

    return either


def writer(name: str, does: str, **methods: Callable[..., Any]) -> WrongCodec:
    """Return a codec that writes something wrong."""
    return WrongCodec(f"writes/{name}", does, methods, writes=True)


def reader(name: str, does: str, **methods: Callable[..., Any]) -> WrongCodec:
    """Return a codec that reads something wrong."""
    return WrongCodec(f"reads/{name}", does, methods)
