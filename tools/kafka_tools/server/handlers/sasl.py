"""SASL: PLAIN, with any name and any password; who has a session has to renew it (KIP-368)."""

from __future__ import annotations

from typing import Any, Final

from kafka_tools.server.error_codes import NO_ERROR, UNSUPPORTED_SASL_MECHANISM
from kafka_tools.server.state import BrokerState, Call, Connection

_MECHANISM: Final = "PLAIN"

_BEFORE: Final = frozenset({"api_versions", "sasl_handshake", "sasl_authenticate"})
"""What may be asked before anybody is authenticated."""

_AGAIN: Final = frozenset({"sasl_handshake", "sasl_authenticate"})
"""What may be asked when a session is over."""


def is_admitted(state: BrokerState, here: Connection, api: str) -> bool:
    """Tell whether a connection may ask for an API now; if not, the broker hangs up.

    Where the settings name no session, all may (SaslServerAuthenticator, and SocketServer for
    sessions that are over).
    """
    if state.settings.session_ms is None:
        return True
    if here.session_end is None:
        return api in _BEFORE
    return api in _AGAIN or state.clock() < here.session_end


def authenticate(state: BrokerState, here: Connection) -> None:
    """Note that a connection is authenticated, and for how long."""
    seconds = (state.settings.session_ms or 0) / 1000
    here.session_end = state.clock() + seconds if seconds else float("inf")


async def sasl_handshake(call: Call) -> Any:
    """Agree to PLAIN; after version 0, the token comes without a header (KIP-43)."""
    is_known = call.body.mechanism == _MECHANISM
    call.connection.takes_tokens = int(is_known and call.version == 0)
    error = NO_ERROR if is_known else UNSUPPORTED_SASL_MECHANISM
    return call.answer(error_code=error, mechanisms=[_MECHANISM])


async def sasl_authenticate(call: Call) -> Any:
    """Agree, and tell how long that holds; nothing is agreed to that is to be refused."""
    if not call.state.is_refusing:
        authenticate(call.state, call.connection)
    return call.answer(auth_bytes=b"", session_lifetime_ms=call.state.settings.session_ms or 0)
