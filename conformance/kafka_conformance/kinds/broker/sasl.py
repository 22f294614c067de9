"""What a client says to log in: PLAIN (RFC 4616), SCRAM (RFC 5802), OAUTHBEARER (RFC 7628)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Generator
from typing import Final

from kafka_conformance.targets.broker_security import Login, Mechanism

Exchange = Generator[bytes, bytes, None]
"""Yields what the client says, and is sent what the broker answers; raises a ValueError if that is
wrong."""

_HASHES: Final = {Mechanism.SCRAM_SHA_256: "sha256", Mechanism.SCRAM_SHA_512: "sha512"}
_MOST_ITERATIONS: Final = 1 << 20
"""A broker that asks for more only wants our time; Kafka's default is 4096."""


def exchange(login: Login, nonce: str = "") -> Exchange:
    """Return the exchange of a login; `nonce` is a random text unless it is said."""
    if login.mechanism is Mechanism.PLAIN:
        return _say(f"\0{login.user}\0{login.secret}")
    if login.mechanism is Mechanism.OAUTHBEARER:
        return _say(f"n,,\x01auth=Bearer {login.secret}\x01\x01")
    return _scram(login, _HASHES[login.mechanism], nonce or secrets.token_urlsafe(18))


def _say(words: str) -> Exchange:
    yield words.encode()


def _scram(login: Login, algorithm: str, nonce: str) -> Exchange:
    user = login.user.replace("=", "=3D").replace(",", "=2C")
    first = f"n={user},r={nonce}"
    challenge = (yield f"n,,{first}".encode()).decode()
    said = dict(part.split("=", 1) for part in challenge.split(","))
    iterations = int(said["i"])
    if not said["r"].startswith(nonce) or not 0 < iterations <= _MOST_ITERATIONS:
        raise ValueError(f"a challenge that is none: {challenge!r}")
    salted = hashlib.pbkdf2_hmac(
        algorithm, login.secret.encode(), base64.b64decode(said["s"], validate=True), iterations
    )
    last = f"c=biws,r={said['r']}"
    signed = f"{first},{challenge},{last}".encode()
    key = hmac.digest(salted, b"Client Key", algorithm)
    signature = hmac.digest(hashlib.new(algorithm, key).digest(), signed, algorithm)
    proof = bytes(left ^ right for left, right in zip(key, signature, strict=True))
    answer = (yield f"{last},p={base64.b64encode(proof).decode()}".encode()).decode()
    due = hmac.digest(hmac.digest(salted, b"Server Key", algorithm), signed, algorithm)
    if answer != f"v={base64.b64encode(due).decode()}":
        raise ValueError("it does not know the password itself")
