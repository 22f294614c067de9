"""How a broker is spoken to: plainly or by TLS, as anybody or as a user with a password."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Mechanism(StrEnum):
    """How a user says who it is: the mechanisms of SASL that the suite knows."""

    PLAIN = "PLAIN"
    SCRAM_SHA_256 = "SCRAM-SHA-256"
    SCRAM_SHA_512 = "SCRAM-SHA-512"
    OAUTHBEARER = "OAUTHBEARER"


@dataclass(frozen=True, slots=True)
class Login:
    """A user of a broker.

    Attributes:
        mechanism: how it says who it is.
        user: its name; empty for OAUTHBEARER.
        secret: its password, or its token; never shown.
    """

    mechanism: Mechanism
    user: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Security:
    """How a broker is spoken to.

    Attributes:
        tls: how TLS is spoken; None for plainly.
        login: as whom; None for anybody.
    """

    tls: ssl.SSLContext | None = None
    login: Login | None = None


OPEN: Final = Security()
"""Plainly, and as anybody."""
