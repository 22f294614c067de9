"""A producer behind the adapter protocol: a program that is given an order, and writes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.child.process import AdapterProcess
from kafka_conformance.errors import ProtocolError
from kafka_conformance.kinds.producer.questions import Order
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.frames import frame
from kafka_conformance.protocol.hello import Hello, hello_request, parse_hello

ORDER: Final = b"O"

SECONDS: Final = 60.0
"""Time for one order, with the start of the program: producers try again for half a minute."""


class ProducerDriver:
    """A running bridge to a producer's program.

    Attributes:
        hello: what it declared.
    """

    def __init__(self, command: Command, limits: Limits, stopped: Callable[[], bool] = lambda: False) -> None:
        """Start the bridge.

        Raises:
            TargetLostError: it cannot be started, or its hello is late, missing or wrong.
        """
        self._process = AdapterProcess(command, limits, stopped)
        self._process.send(frame(hello_request()))
        try:
            self.hello: Hello = parse_hello(self._process.receive(limits.start_seconds))
        except ProtocolError as error:
            raise self._process.end_as_lost(Outcome.BROKEN_PROTOCOL, str(error)) from None

    def write(self, broker: str, orders: Sequence[Order]) -> Iterator[list[str]]:
        """Have the producer write orders; yield what its application is told of failures in each.

        Args:
            broker: its address, `host:port`.
            orders: orders of one format.

        Raises:
            TargetLostError: it was lost on the order behind the last that was yielded.
        """
        asked = {"broker": broker, "release": orders[0].release, "orders": [order.document() for order in orders]}
        self._process.send(frame(ORDER + json.dumps(asked).encode()))
        for _ in orders:
            body = self._process.receive(SECONDS)
            try:
                failures = [str(text) for text in json.loads(body[1:])["failures"]]
            except (KeyError, TypeError, ValueError, RecursionError) as error:
                detail = f"said what cannot be read: {error!r}"
                raise self._process.end_as_lost(Outcome.BROKEN_PROTOCOL, detail) from None
            yield failures

    def close(self) -> list[str]:
        """End the bridge; return what it did wrong in its last moments, in words."""
        return self._process.close()
