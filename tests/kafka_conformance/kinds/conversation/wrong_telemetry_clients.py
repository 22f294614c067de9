"""Clients that tell of themselves in a wrong way, each with the conversation that shows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.kafka_conformance.kinds.conversation.telemetry_client import GZIP, NOBODY, ZSTD, TelemetryClient

Method = Callable[..., Any]

MINE = b"\1" * 16


def wrong(**methods: Method) -> type[TelemetryClient]:
    """Return the kind of clients that have other methods."""
    return type("WrongTelemetryClient", (TelemetryClient,), methods)


def _nothing(_self: TelemetryClient, *_more: object) -> None:
    return None


def _says(**fields: object) -> Method:
    return lambda self, terminating: {**TelemetryClient.request(self, terminating), **fields}


def _asks_as(identity: bytes) -> Method:
    def subscribe(self: TelemetryClient) -> None:
        self.instance = identity
        TelemetryClient.subscribe(self)

    return subscribe


def _asks_nobody(self: TelemetryClient) -> None:
    self.instance, self.subscription, self.interval = MINE, 1, 0.2


def _ends(self: TelemetryClient, _code: int) -> None:
    self.is_over = True


WRONG: dict[str, tuple[type[TelemetryClient], str]] = {
    "pushes without asking": (wrong(subscribe=_asks_nobody), "asks-first"),
    "asks with an id of its own": (wrong(subscribe=_asks_as(MINE)), "asks-first"),
    "pushes with another id": (wrong(request=_says(client_instance_id=MINE)), "asks-first"),
    "pushes for another subscription": (wrong(request=_says(subscription_id=0)), "asks-first"),
    "says each time that it was the last": (wrong(request=_says(terminating=True)), "pushes-again"),
    "heeds no unknown subscription": (wrong(on_push_error=_nothing), "unknown-subscription"),
    "asks as somebody else": (wrong(subscribe=_asks_as(NOBODY)), "unknown-subscription"),
    "heeds no compression that is not accepted": (wrong(on_push_error=_nothing), "unsupported-compression"),
    "ends at a compression that is not accepted": (wrong(on_push_error=_ends), "unsupported-compression"),
    "pushes what nobody wants": (wrong(wants=lambda *_: True, wait=lambda _self: 0.1), "nothing-wanted"),
    "compresses always": (wrong(choose=lambda *_: GZIP), "no-compression"),
    "compresses with its own codec": (wrong(choose=lambda *_: ZSTD), "gzip"),
    "pushes at once": (wrong(wait=lambda _self: 0.0), "interval"),
    "is silent at the end": (wrong(stop=_nothing), "last-push"),
    "does not say that it was the last": (wrong(request=_says(terminating=False)), "last-push"),
}
"""By what they do wrong: the client, and the conversation in which it shows."""
