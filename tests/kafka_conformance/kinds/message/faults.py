"""What is wrong with a codec that was planted: a word that it asks for where it might go wrong."""

from __future__ import annotations

from typing import NamedTuple


class PlantedCodec(NamedTuple):
    """A codec with a fault.

    Attributes:
        change: the word.
        cause: a part of the id that the first cause must have.
        form: what the codec gives.
        message: the only message that it is in, `fetch response`; empty for all.
        field: the only field that it is in, by its last name; empty for all.
    """

    change: str
    cause: str
    form: str = "bytes"
    message: str = ""
    field: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.form, self.change, self.message, self.field)))


class BrokenError(Exception):
    """The codec refuses."""


class Faults:
    """What is wrong here."""

    def __init__(self, plant: PlantedCodec | None, is_here: bool) -> None:
        self._fault = plant.change if plant and is_here else ""
        self._field = plant.field if plant else ""
        self.names: list[str] = []

    def has(self, fault: str) -> bool:
        return fault == self._fault and (not self._field or self._field in self.names[-1:])
