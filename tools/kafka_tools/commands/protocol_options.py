"""The options that say that bytes are requests or responses of the protocol, and which."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, TypeVar, cast

import click
from kafka_format import protocol
from kafka_format.errors import LayoutError
from kafka_format.explain.requests import Kind

from kafka_tools.commands.number_types import Whole
from kafka_tools.commands.options import sentence
from kafka_tools.errors import UsageError

_Function = TypeVar("_Function", bound=Callable[..., Any])


class ExchangeOptions(NamedTuple):
    """Options that say which request or response the bytes are.

    Attributes:
        kind: request or response; None if the bytes are something else.
        api: number of the API, if it is said.
        version: version of the API, or of a layout, if it is said.
    """

    kind: Kind | None
    api: int | None
    version: int | None

    def kind_option(self) -> dict[str, bool]:
        """Return the option that was given, by its name: `request` or `response`."""
        return {} if self.kind is None else {self.kind: True}

    def both(self) -> tuple[int, int]:
        """Return the API and the version.

        Raises:
            UsageError: one of them is missing.
        """
        if self.api is None or self.version is None:
            raise UsageError(
                f"the API and version of the {self.kind} are missing.",
                f"For example: --api fetch --version 12 --{self.kind}. `explain --response` guesses what it can be.",
            )
        return self.api, self.version


def exchange(function: _Function) -> _Function:
    """Add the options of an `ExchangeOptions`, and give the function one as `exchange`.

    Raises:
        UsageError: there is no such API or version, or what is said does not go together.
    """

    @wraps(function)
    def called(*, request: bool, response: bool, api: str | None, version: int | None, **others: object) -> object:
        return function(exchange=_exchange(api, version, request=request, response=response), **others)

    options = (
        click.option("--version", metavar="N", type=Whole(0), help="Version of the API, or of a --layout."),
        click.option("--api", metavar="NAME", help="The API, by name or number: fetch, Fetch or 1."),
        click.option("--response", is_flag=True, help="A response, or several with their sizes in front."),
        click.option("--request", is_flag=True, help="A request, or several with their sizes in front."),
    )
    for option in options:
        called = option(called)
    return cast("_Function", called)


def _exchange(api: str | None, version: int | None, *, request: bool, response: bool) -> ExchangeOptions:
    if request and response:
        raise UsageError("--request and --response exclude each other.", "Bytes of one direction are read at a time.")
    kind: Kind | None = "request" if request else "response" if response else None
    if api is None:
        return ExchangeOptions(kind, None, version)
    if kind is None:
        raise UsageError("--api goes with --request or --response.", f"For example: --api {api} --request")
    try:
        number = protocol.api_number(int(api) if api.isascii() and api.isdecimal() else api)
        if version is not None:
            protocol.request(number, version) if kind == "request" else protocol.response(number, version)
    except LayoutError as error:
        raise UsageError(f"{error.detail}.", sentence(error.advice)) from None
    return ExchangeOptions(kind, number, version)
