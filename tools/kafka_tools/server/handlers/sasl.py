"""SASL: PLAIN, with any name and any password."""

from __future__ import annotations

from typing import Any, Final

from kafka_tools.server.state import NO_ERROR, UNSUPPORTED_SASL_MECHANISM, Call

_MECHANISM: Final = "PLAIN"


async def sasl_handshake(call: Call) -> Any:
    """Agree to PLAIN; after version 0, the token comes without a header (KIP-43)."""
    is_known = call.body.mechanism == _MECHANISM
    call.connection.takes_tokens = int(is_known and call.version == 0)
    error = NO_ERROR if is_known else UNSUPPORTED_SASL_MECHANISM
    return call.answer(error_code=error, mechanisms=[_MECHANISM])


async def sasl_authenticate(call: Call) -> Any:
    """Agree."""
    return call.answer(auth_bytes=b"")
