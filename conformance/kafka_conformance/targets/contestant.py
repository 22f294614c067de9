"""A target that is about to take part: what a TARGET of the command line is resolved to."""

from dataclasses import dataclass

from kafka_conformance.child.launch import Command


@dataclass(frozen=True, slots=True)
class Contestant:
    """A target that takes part: its name, how to start it, and where its maintainers take findings.

    `command` is None for a target that is not ready; `problem` then says what is missing and what mends it.
    """

    name: str
    command: Command | None
    issues: str = ""
    problem: str = ""
