"""What clients send, noted: every request as a line of JSON, and what is wrong with it."""

from __future__ import annotations

import json
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from kafka_format import protocol
from kafka_format.errors import EncodeError, FormatError
from kafka_format.protocol import Request

Sink = Callable[[str], None]
"""Takes a line of JSON."""

_SHOWN: Final = 4096
"""Bytes of a wrong request that a note has."""

MOST_FAULTS: Final = 1000


@dataclass(frozen=True, slots=True)
class RequestFault:
    """A request that breaks a rule.

    Attributes:
        client: the client's id, or address.
        what: which request.
        rule: id of the rule; empty if the broker cannot serve it for a reason that is no rule.
        detail: what is wrong, in words.
        request: its first bytes.
        is_overlooked: True if it is what widely used clients write, and every release of Kafka
            takes.
    """

    client: str
    what: str
    rule: str
    detail: str
    request: bytes = b""
    is_overlooked: bool = False


@dataclass(slots=True)
class Notes:
    """What clients sent.

    Attributes:
        sink: takes each note as a line of JSON; None if nobody reads them.
        faults: requests that break a rule, as far as there is room.
        counts: requests by API and version.
    """

    sink: Sink | None = None
    faults: deque[RequestFault] = field(default_factory=lambda: deque(maxlen=MOST_FAULTS))
    counts: Counter[tuple[str, int]] = field(default_factory=Counter)

    def request(self, connection: int, client: str, request: Request) -> None:
        """Note a request that could be read."""
        name = protocol.api_name(request.api)
        self.counts[name, request.version] += 1
        if self.sink is not None:
            said = {
                "client_id": getattr(request.header, "client_id", None),
                "correlation_id": request.header.correlation_id,
                "body": _body(request),
            }
            self._write("request", connection, client, api=name, version=request.version, **said)

    def fault(self, connection: int, fault: RequestFault) -> None:
        """Note what is wrong with a request."""
        self.faults.append(fault)
        self._write(
            "fault",
            connection,
            fault.client,
            what=fault.what,
            rule=fault.rule,
            detail=fault.detail,
            request=fault.request[:_SHOWN].hex(),
        )

    def event(self, kind: str, connection: int, client: str, **more: Any) -> None:
        """Note something else: a connection opened or closed, records that were taken."""
        self._write(kind, connection, client, **more)

    def _write(self, kind: str, connection: int, client: str, **more: Any) -> None:
        if self.sink is not None:
            self.sink(
                json.dumps({"kind": kind, "time": time.time(), "connection": connection, "client": client, **more})
            )


def _body(request: Request) -> Any:
    try:
        return protocol.to_json(protocol.request(request.api, request.version), request.body)
    except (EncodeError, FormatError) as error:  # a value that JSON has no form for
        return {"unreadable": str(error)}
