"""Telemetry of clients (KIP-714): what the broker wants, and that it takes what comes."""

from __future__ import annotations

import uuid
from typing import Any, Final

from kafka_tools.server.state import Call

_SUBSCRIPTION: Final = 1
_NO_CLIENT: Final = bytes(16)
_MOST_BYTES: Final = 1 << 20


async def get_telemetry_subscriptions(call: Call) -> Any:
    """Ask for all metrics, and give a client an id that has none."""
    known = bytes(call.body.client_instance_id)
    return call.answer(
        client_instance_id=uuid.uuid4().bytes if known == _NO_CLIENT else known,
        subscription_id=_SUBSCRIPTION,
        accepted_compression_types=[],
        push_interval_ms=call.state.settings.push_ms,
        telemetry_max_bytes=_MOST_BYTES,
        delta_temporality=False,
        requested_metrics=[""],
    )


async def push_telemetry(call: Call) -> Any:
    """Take metrics, and forget them."""
    return call.answer()
