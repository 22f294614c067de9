"""What a client says to log in: PLAIN (RFC 4616), SCRAM (RFC 5802), OAUTHBEARER (RFC 7628)."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Final

from scramp import ScramClient, ScramException

from kafka_conformance.targets.broker_security import Login, Mechanism

Exchange = Generator[bytes, bytes, None]
"""Yields what the client says, and is sent what the broker answers; raises a ValueError if that is
wrong."""

_MOST_ITERATIONS: Final = 1 << 20
"""So many are let in; Kafka's default is 4096."""


def exchange(login: Login, nonce: str = "") -> Exchange:
    """Return the exchange of a login; `nonce` is a random text unless it is said."""
    if login.mechanism is Mechanism.PLAIN:
        return _say(f"\0{login.user}\0{login.secret}")
    if login.mechanism is Mechanism.OAUTHBEARER:
        return _show(login.secret)
    return _scram(login, nonce)


def _say(words: str) -> Exchange:
    yield words.encode()


def _show(token: str) -> Exchange:
    """Show a token; a broker that refuses it says why first, and fails when that was answered."""
    if (yield f"n,,\x01auth=Bearer {token}\x01\x01".encode()).strip():
        yield b"\x01"


def _scram(login: Login, nonce: str) -> Exchange:
    client = ScramClient([login.mechanism.value], login.user, login.secret, c_nonce=nonce or None)
    challenge = (yield client.get_client_first().encode()).decode()
    _check_iterations(challenge)
    try:
        client.set_server_first(challenge)
        client.set_server_final((yield client.get_client_final().encode()).decode())
    except ScramException as error:
        raise ValueError(str(error)) from error


def _check_iterations(challenge: str) -> None:
    """Refuse a broker that only wants our time, before the time is spent."""
    found = re.search(r"(?:^|,)i=([0-9]+)", challenge)
    if found is None or not 0 < int(found[1]) <= _MOST_ITERATIONS:
        raise ValueError(f"a challenge that is none: {challenge!r}")
