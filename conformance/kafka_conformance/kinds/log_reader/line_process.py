"""A child process that reads lines and answers each with one."""

from __future__ import annotations

import json
from typing import Any, Final

from kafka_conformance.child.process import AdapterProcess
from kafka_conformance.outcomes import Outcome

_MOST: Final = 64 << 20
"""Bytes of a line that are believed; the longest right answer has some thousand."""


class LineProcess(AdapterProcess):
    """A running program. Ask it with `ask`, and always `close` it."""

    def ask(self, question: dict[str, Any], seconds: float) -> Any:
        """Put a question; return the answer.

        Raises:
            TargetLostError: it did not come in time, or the child died, grew too large, or wrote
                something else than a line of JSON.
        """
        self.send(json.dumps(question).encode() + b"\n")
        line = self.receive(seconds)
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            shown = line[:60].decode("utf-8", "backslashreplace")
            raise self.end_as_lost(Outcome.BROKEN_PROTOCOL, f"answered with a line that is not JSON: {shown}") from None

    def _take_body(self) -> bytes | None:
        line, newline, rest = bytes(self._inbox).partition(b"\n")
        if not newline:
            if len(self._inbox) > _MOST:
                raise self.end_as_lost(Outcome.BROKEN_PROTOCOL, f"wrote {len(self._inbox)} bytes without a newline")
            return None
        self._inbox[:] = rest
        return line
