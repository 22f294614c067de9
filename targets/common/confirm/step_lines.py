"""What an application of a producer does, step by step: a line each, how it went."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Steps(Protocol):
    """What a library calls the steps; what it raises is printed."""

    def begin(self) -> object:
        """Begin a transaction."""

    def send(self, value: bytes) -> Callable[[], object]:
        """Send a value; what is returned waits for it."""

    def commit(self) -> object:
        """Commit."""

    def abort(self) -> object:
        """Abort."""


def take(steps: Steps, file: str) -> None:
    """Take the steps of a file: `send a b`, `transaction a b`, `abandon a b`."""
    for line in Path(file).read_text(encoding="utf-8").splitlines():
        kind, *values = line.split()
        if kind == "send":
            _send(steps, values)
            continue
        is_sent = do("begin", steps.begin) and _send(steps, values)
        if kind == "abandon" or not (is_sent and do("commit", steps.commit)):
            do("abort", steps.abort)


def do(what: str, step: Callable[[], object]) -> bool:
    """Take a step, print how it went, and tell if it went well."""
    try:
        step()
    except Exception as error:  # noqa: BLE001 - whatever it is, the reader wants to see it
        print(f"{what}: {type(error).__name__}: {' '.join(str(error).split())}", flush=True)
        return False
    print(f"{what}: ok", flush=True)
    return True


def _send(steps: Steps, values: list[str]) -> bool:
    """Send values one behind the other, then wait for all."""
    waits: dict[str, Callable[[], object]] = {}
    for value in values:
        try:
            waits[value] = steps.send(value.encode())
        except Exception as error:  # noqa: BLE001 - told in its turn
            waits[value] = _raises(error)
    went = [do(f"send {value}", wait) for value, wait in waits.items()]
    return all(went)


def _raises(error: Exception) -> Callable[[], object]:
    def wait() -> object:
        raise error

    return wait
