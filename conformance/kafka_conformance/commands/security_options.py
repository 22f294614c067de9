"""Options of a broker that takes nobody as it is: TLS, and users with passwords.

A password is never on the command line, which others may see, nor in a report: it is read from the
environment or from a file.
"""

import os
import ssl
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import click
from kafka_tools.errors import UsageError
from kafka_tools.system.tls import client_context

from kafka_conformance.targets.broker_security import Login, Mechanism, Security

VARIABLE: Final = "KAFKA_PASSWORD"
"""The variable of the environment that has the password, or the token, unless a file has it."""

_MECHANISMS = [str(each) for each in Mechanism]
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)
_Function = TypeVar("_Function", bound=Callable[..., Any])


def security(function: _Function) -> _Function:
    """Add the options of a `Security`, and give the function one as `security`."""

    @wraps(function)
    def called(
        *,
        tls: bool,
        tls_ca: Path | None,
        tls_cert: Path | None,
        sasl: str | None,
        user: str,
        password_file: Path | None,
        **others: object,
    ) -> object:
        given = Security(_context(tls_ca, tls_cert, is_asked=tls), _login(sasl, user, password_file))
        return function(security=given, **others)

    words = f"File of the password, or of the token [default: the variable {VARIABLE} has it]."
    options = (
        click.option("--password-file", metavar="FILE", type=_FILE, help=words),
        click.option("--user", metavar="NAME", default="", help="With --sasl: who logs in."),
        click.option(
            "--sasl", type=click.Choice([str(each) for each in Mechanism]), help="Log in to brokers, by this mechanism."
        ),
        click.option("--tls-cert", metavar="FILE", type=_FILE, help="With --tls: own certificate and key (PEM)."),
        click.option("--tls-ca", metavar="FILE", type=_FILE, help="With --tls: certificates of who signs brokers'."),
        click.option("--tls", is_flag=True, help="Speak TLS with brokers that were named by their address."),
    )
    for option in options:
        called = option(called)
    return cast("_Function", called)


def _context(ca: Path | None, certificate: Path | None, *, is_asked: bool) -> ssl.SSLContext | None:
    if not is_asked:
        if ca or certificate:
            raise UsageError("--tls-ca and --tls-cert go with --tls.", "Add --tls.")
        return None
    return client_context(ca, certificate)


def _login(sasl: str | None, user: str, password_file: Path | None) -> Login | None:
    if sasl is None:
        if user or password_file:
            raise UsageError("--user and --password-file go with --sasl.", "For example: --sasl SCRAM-SHA-256.")
        return None
    mechanism = Mechanism(sasl)
    if not user and mechanism is not Mechanism.OAUTHBEARER:
        raise UsageError(f"--sasl {sasl} needs a user.", "Add --user NAME.")
    return Login(mechanism, user, _secret(password_file))


def _secret(file: Path | None) -> str:
    if file is not None:
        try:
            return file.read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, ValueError) as error:
            raise UsageError(f"the password cannot be read: {error}.") from None
    if (found := os.environ.get(VARIABLE)) is None:
        raise UsageError("there is no password.", f"Set {VARIABLE}, or name a file with --password-file.")
    return found
