"""The broker that a run is about: one that runs already, or one that the suite starts itself."""

from __future__ import annotations

from dataclasses import dataclass

from kafka_conformance.brokers.address import Address


@dataclass(slots=True)
class Place:
    """A broker that runs already, which the user named.

    Attributes:
        address: where it is.
        name: what it is.
        version: its release; empty if nobody knows.
        language: the language it is written in.
        url: where it lives.
        run: what the names of the topics of this run have in common.
        is_ours: True if the suite started it, so that nothing of it stays.
    """

    address: Address
    name: str = "a broker"
    version: str = ""
    language: str = ""
    url: str = ""
    run: str = ""
    is_ours: bool = False

    def start(self) -> None:
        """Do nothing: it runs."""

    def restart(self) -> bool:
        """Do nothing; tell that it was not started again."""
        return False

    def stop(self) -> None:
        """Do nothing: it goes on."""
