"""TLS with brokers: whose certificates are trusted, and the own one."""

import ssl
from pathlib import Path

from kafka_tools.errors import UsageError


def client_context(ca: Path | None, certificate: Path | None, *, any_certificate: bool = False) -> ssl.SSLContext:
    """Return how TLS is spoken with a broker.

    Args:
        ca: certificates of who signs the broker's; None for those of the system.
        certificate: own certificate and key (PEM); None for none.
        any_certificate: True to take any certificate of the broker.

    Raises:
        UsageError: a file cannot be read.
    """
    try:
        context = ssl.create_default_context(cafile=ca)
        if certificate is not None:
            context.load_cert_chain(certificate)
    except (OSError, ssl.SSLError) as error:
        raise UsageError(f"the certificates cannot be read: {error}.") from None
    if any_certificate:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context
