"""`kafka-format proxy`: what clients and a real broker say to each other, judged as it passes."""

import asyncio
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from kafka_tools.commands.capture import Filter, api_number
from kafka_tools.commands.number_types import Seconds
from kafka_tools.errors import UsageError
from kafka_tools.proxy.judging import Judge
from kafka_tools.proxy.proxy import Proxy, Upstream
from kafka_tools.show import capture_rows, screen
from kafka_tools.show.capture_rows import JudgedMessage
from kafka_tools.system.tls import client_context
from kafka_tools.text import plural

_FILE = click.Path(path_type=Path)


@click.command(name="proxy")
@click.option("--upstream", metavar="HOST:PORT", required=True, help="The broker that is asked first.")
@click.option(
    "--listen", metavar="HOST:PORT", default="127.0.0.1:19092", show_default=True, help="Where clients connect."
)
@click.option(
    "--advertise", metavar="HOST", help="The host that clients are told for every broker [default: that of --listen]."
)
@click.option("--tls", is_flag=True, help="Speak TLS with brokers; clients still speak without.")
@click.option("--tls-ca", metavar="FILE", type=_FILE, help="With --tls: certificates of who signs the brokers'.")
@click.option("--tls-cert", metavar="FILE", type=_FILE, help="With --tls: own certificate and key (PEM).")
@click.option("--tls-any", is_flag=True, help="With --tls: take any certificate.")
@click.option("--write", "file", metavar="FILE", type=_FILE, help="Write what passes as a capture (pcap).")
@click.option("--api", "apis", metavar="NAME", multiple=True, help="List only that API. Repeatable.")
@click.option("--client", "clients", metavar="PATTERN", multiple=True, help="List only client ids like this.")
@click.option("--topic", "topics", metavar="PATTERN", multiple=True, help="List only what names such a topic.")
@click.option("--errors", is_flag=True, help="List only responses with errors, and bytes that break a rule.")
@click.option("--quiet", is_flag=True, help="List nothing; everything is judged all the same.")
@click.option("--summary", is_flag=True, help="At the end, print figures by client and API.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each request and response.")
@click.option("--seconds", metavar="S", type=Seconds(min_open=True), help="Stop after S seconds [default: never].")
def command(
    *,
    upstream: str,
    listen: str,
    advertise: str | None,
    tls: bool,
    tls_ca: Path | None,
    tls_cert: Path | None,
    tls_any: bool,
    file: Path | None,
    apis: tuple[str, ...],
    clients: tuple[str, ...],
    topics: tuple[str, ...],
    errors: bool,
    quiet: bool,
    summary: bool,
    as_json: bool,
    seconds: float | None,
) -> int:
    """Stand between clients and a broker, list what they say, and judge it by the protocol's rules.

    \b
    kafka-format proxy --upstream broker:9092
    kafka-format proxy --upstream broker:9092 --errors --write session.pcap
    kafka-format proxy --upstream broker:9094 --tls --tls-ca ca.pem --summary

    Clients connect to 127.0.0.1:19092 instead of the broker. Every frame is passed on, those of
    clients before anybody looks at them; addresses of brokers in responses are replaced by those of
    the proxy, one port a broker. What is listed and written is what the broker said.

    The list is that of `capture`. With --tls, the connection to the broker is encrypted and is
    listed all the same. Ctrl-C ends it. Exit status 1 if bytes broke a rule.
    """  # noqa: D301 - \b keeps the lines of a paragraph
    if (tls_ca or tls_cert or tls_any) and not tls:
        raise UsageError("--tls-ca, --tls-cert and --tls-any go with --tls.", "Add --tls.")
    wanted = Filter(frozenset(map(api_number, apis)), clients, topics=topics, errors=errors)
    show = (lambda _: None) if quiet else partial(_show, wanted, _printer(as_json=as_json))
    host, port = _address(upstream, "--upstream")
    context = client_context(tls_ca, tls_cert, any_certificate=tls_any) if tls else None
    judge = _judge(show, file, with_document=as_json and not quiet)
    listening = _address(listen, "--listen")
    try:
        proxy = Proxy(Upstream(host, port, context), listening, advertise or listening[0], judge.note)
        proxy.on_close = lambda link: judge.closed(link, time.time())
        asyncio.run(_run(proxy, seconds))
    except KeyboardInterrupt:
        pass
    finally:
        judge.end()
    if summary:
        lines = judge.summary.lines(screen.width_of(Console()))
        for line in map(json.dumps, judge.summary.to_json()) if as_json else lines:
            click.echo(line)
    click.echo(_said(proxy, judge), err=True)
    return 1 if judge.broken else 0


async def _run(proxy: Proxy, seconds: float | None) -> None:
    try:
        host, port = proxy.start()
    except OSError as error:
        raise UsageError(f"cannot listen: {error.strerror}.", "--listen HOST:PORT says where; port 0 is any.") from None
    click.echo(f"Clients connect to {host}:{port}. Ctrl-C ends.", err=True)
    try:
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()
    except TimeoutError:
        pass
    finally:
        await proxy.stop()


def _said(proxy: Proxy, judge: Judge) -> str:
    failed = f", {proxy.failed} of them not taken by a broker" if proxy.failed else ""
    broken = f"{judge.broken} of them broke a rule" if judge.broken else "none broke a rule"
    return f"{plural(proxy.links, 'connection')}{failed}; {plural(judge.count, 'frame')}, {broken}."


def _judge(show: Callable[[JudgedMessage], None], file: Path | None, *, with_document: bool) -> Judge:
    try:
        return Judge(show, with_document=with_document, file=file)
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}.") from None


def _printer(*, as_json: bool) -> Callable[[JudgedMessage], None]:
    if as_json:
        return lambda judged: click.echo(json.dumps(capture_rows.to_json(judged, annotate=False)))
    return capture_rows.Rows(Console()).print


def _show(wanted: Filter, show: Callable[[JudgedMessage], None], judged: JudgedMessage) -> None:
    if wanted.takes(judged.message) and wanted.takes_content(judged):
        show(judged)


def _address(said: str, option: str) -> tuple[str, int]:
    host, _, port = said.rpartition(":")
    if not host or not port.isascii() or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise UsageError(f"{option}: {said!r} is not HOST:PORT.", "For example: localhost:9092")
    return host.strip("[]"), int(port)
