"""A driver with a real producer in it, which is given orders, and writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from kafka_conformance.child.line_client import LineClient
from kafka_conformance.kinds.producer.questions import RELEASES, Order

ORDER: Final = b"O"

SECONDS: Final = 60.0
"""Time for one order, with the start of the program: producers try again for half a minute."""

SILENCE: Final = 15.0
"""A producer that is silent for so long, and does not return, hangs: who tries again sends."""


class ProducerDriver(LineClient):
    """A running driver of a producer that has said hello."""

    def write(self, broker: str, orders: Sequence[Order], sent: Callable[[], int]) -> Iterator[list[str]]:
        """Have the producer write orders; yield the failures that its application gets in each.

        Args:
            broker: its address, `host:port`.
            orders: orders of one format.
            sent: counts the requests that have come.

        Raises:
            TargetLostError: it was lost on the order behind the last that was yielded.
        """
        first = f"{broker}\t{orders[0].release}"
        self.send(ORDER, [first, *(line for order in orders for line in order.lines())])
        for _ in orders:
            yield self._receive(sent)

    def do(
        self, broker: str, topic: str, settings: Mapping[str, str], steps: Sequence[str], sent: Callable[[], int]
    ) -> list[str]:
        """Have the application do one thing after another; return what it was told of each.

        Args:
            broker: its address, `host:port`.
            topic: the topic to write to.
            settings: of the producer, by name.
            steps: what it does, such as `transaction a b`.
            sent: counts the requests that have come.

        Raises:
            TargetLostError: it was lost.
        """
        words = [f"{name}={value}" for name, value in settings.items()]
        order = "\t".join(["order", topic, "codec=none", *words])
        lines = ["\t".join(["step", *step.split()]) for step in steps]
        self.send(ORDER, [f"{broker}\t{RELEASES['v2']}", order, *lines])
        return self._receive(sent)

    def _receive(self, sent: Callable[[], int]) -> list[str]:
        """Return the lines of a reply to an order, which may take long while it sends requests."""
        return self.receive(ORDER, self.losses.limit(SILENCE), sent, SECONDS)
