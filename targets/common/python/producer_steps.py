"""What applications of Python producers do in conversations (docs/your-client.md)."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol

Wait = Callable[[], None]
"""Waits until a value is sent; raises what the application is told if it is not."""


class Producer(Protocol):
    """A client under test; what it raises is what the application is told."""

    def init(self) -> None:
        """Prepare for transactions."""

    def begin(self) -> None:
        """Begin one."""

    def send(self, value: str) -> Wait:
        """Send a value to partition 0 of the topic."""

    def commit(self) -> None:
        """Commit, when all is sent."""

    def abort(self) -> None:
        """Abort."""

    def is_fatal(self, error: Exception) -> bool:
        """Tell whether it can do nothing any more after an error."""

    def close(self) -> None:
        """End it, soon."""


def take(producer: Producer, steps: Iterable[Sequence[str]], *, is_transactional: bool) -> list[str]:
    """Take steps, and return what the application is told."""
    told: list[str] = []
    try:
        if is_transactional:
            producer.init()
        for what, *values in steps:
            if what == "send":
                _await(told, {value: producer.send(value) for value in values})
            else:
                _transaction(producer, told, values, commits=what == "transaction")
    except Exception as error:  # noqa: BLE001 - whatever its users get
        told.append(f"dead {name(error)}")
    with suppress(Exception):
        producer.close()
    return told


def _transaction(producer: Producer, told: list[str], values: Sequence[str], *, commits: bool) -> None:
    try:
        producer.begin()
        waits = {value: producer.send(value) for value in values}
        if not commits:
            for wait in waits.values():
                wait()
            producer.abort()
            told.append("aborted")
            return
        for wait in waits.values():
            wait()
        producer.commit()
        told += [*(f"sent {value}" for value in values), "committed"]
    except Exception as error:
        told.append(f"failed {name(error)}")
        if producer.is_fatal(error):
            raise
        producer.abort()
        told.append("aborted")


def _await(told: list[str], waits: dict[str, Wait]) -> None:
    for value, wait in waits.items():
        try:
            wait()
            told.append(f"sent {value}")
        except Exception as error:  # noqa: BLE001 - whatever its users get
            told.append(f"unsent {value} {name(error)}")


def name(error: Exception) -> str:
    """Name an error by its class, or by its code where all have one class."""
    code = getattr(error.args[0], "name", None) if error.args else None
    return str(code()) if callable(code) else type(error).__name__
