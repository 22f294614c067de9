"""An error as Kafka makes it: the class, and the message."""

from __future__ import annotations

from typing import NamedTuple


class KafkaError(NamedTuple):
    """An error of Kafka.

    Attributes:
        name: its class, without the package.
        message: its message; empty where Kafka gives none.
    """

    name: str
    message: str

    def __str__(self) -> str:
        """Return it as Java prints it, without the package."""
        return f"{self.name}: {self.message}" if self.message else self.name


class Refused(ValueError):  # noqa: N818 - Kafka refuses; what it raises is the error in it
    """A file or record that Kafka refuses, with the error that it makes of it."""

    def __init__(self, name: str, message: str = "") -> None:
        """Keep the error."""
        self.error = KafkaError(name, message)
        super().__init__(str(self.error))
