"""Recording of what real clients and real brokers say.

Call it as `python -m kafka_generator.recordings.wild.traffic`.

A proxy stands between them, which the broker advertises as its own address, and another between the
broker and its controller. Of each client the first request and the first response of every API and
version are stored, header and body, unless others have said the same often enough; and each that
fills a field which none before it did. What the client said before is replaced. What breaks a rule
is told, and what the reference does not write again byte for byte; it is stored in any case.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from kafka_conformance.errors import NotReadyError
from kafka_format import protocol
from kafka_format.errors import FormatError

from kafka_generator.recordings.wild.__main__ import ROOT, run
from kafka_generator.recordings.wild.clients import Client, clients
from kafka_generator.recordings.wild.orders import orders
from kafka_generator.recordings.wild.proxy import Frame
from kafka_generator.recordings.wild.sessions import ClientProgram, compile_plugins, sessions, settings
from kafka_generator.recordings.wild.tap import TappedBroker, tap_broker

FILE: Final = ROOT / "vectors" / "cases" / "protocol-wild.jsonl"
RELEASES: Final = ("4.4.0", "3.9.2", "2.8.2", "0.10.2.2", "0.9.0.1")
PRODUCERS: Final = (
    *("java-4.4.0", "java-2.8.2", "java-1.1.1", "librdkafka-2.16.0", "franz-go-1.22.2", "sarama-1.61.1"),
    *("kafka-python-3.0.12", "aiokafka-0.14.0", "segmentio-0.4.51", "kafkajs-2.2.4", "platformatic-2.12.1"),
    "rskafka-0.6.0",
)
"""The producers that are recorded, with the newest broker."""

BETWEEN: Final = frozenset({4, 5, 6, 7, 27})
"""APIs with which brokers and controllers speak to brokers, and not clients."""

_ENOUGH: Final = 2
"""Clients of which the same kind of message is stored, of whatever library."""

_MOST_LIBRARIES: Final = 4
"""Libraries of which the same kind of message is stored."""

_MOST: Final = 8000
"""Bytes of the largest message that is stored."""


def main() -> int:
    """Record every client that is named anew; 1 if one could not be run, or something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m kafka_generator.recordings.wild.traffic", description=__doc__)
    parser.add_argument("names", nargs="*", help="producers or sessions; default: all")
    parser.add_argument("--broker", action="append", choices=RELEASES, help="release of the broker; default: all")
    options = parser.parse_args()
    cache, is_well = ROOT / ".targets" / "wild", True
    for release in options.broker or RELEASES:
        talking = [client for client in _talking(release) if not options.names or client.label in options.names]
        for place in sorted({place_of(client) for client in talking}):
            there = [client for client in talking if place_of(client) == place]
            is_well &= _record_all(there, release, place, cache, with_broker=bool(place) or not options.names)
    return 0 if is_well else 1


def _record_all(
    talking: Sequence[Client | ClientProgram], release: str, place: str, cache: Path, *, with_broker: bool
) -> bool:
    """Have all talk to one broker, and keep what is said; False if something went wrong.

    Args:
        talking: who talks.
        release: the release of the broker.
        place: what it has besides, see `sessions.settings`.
        cache: where clients and brokers are installed.
        with_broker: whether to keep what the broker and its controller say to each other, too; with
            few clients that is less than what is there already.
    """
    is_well = True
    with TemporaryDirectory() as folder:
        plugins = compile_plugins(release, cache, Path(folder)) if place == "telemetry" else None
        with tap_broker(release, cache, Path(folder), settings(release, place), plugins) as running:
            for client in talking:
                is_well &= _record(client, cache, running)
        between = [frame for frame in running.proxy.frames if frame.api in BETWEEN]
        said = running.controller.frames + between
        label = "-".join(filter(None, ["broker", release, place]))
        return is_well & (not with_broker or keep(label, release, said))


def place_of(client: Client | ClientProgram) -> str:
    """Return what the broker has besides to which somebody talks."""
    return client.place if isinstance(client, ClientProgram) else ""


def _talking(release: str) -> Iterator[Client | ClientProgram]:
    """Yield who talks to a broker of a release."""
    if release == RELEASES[0]:
        yield from (client for client in clients() if client.label in PRODUCERS)
    yield from (session for session in sessions() if release in session.brokers)


def _record(client: Client | ClientProgram, cache: Path, running: TappedBroker) -> bool:
    """Have somebody talk, and keep what is said; False if that went wrong."""
    start = len(running.proxy.frames)
    try:
        if isinstance(client, ClientProgram):
            client.run(cache, running.release, running.address)
        else:
            asked = [order for order in orders() if order.needs <= client.can][:3]
            asked += [order for order in orders() if order.transactional and order.needs <= client.can][:1]
            run(client, cache, running.address, running.release, asked)
    except NotReadyError as error:
        sys.stderr.write(f"{client.label}: left out: {error}\n")
        return False
    said = running.proxy.frames[start:]
    return keep(client.label, running.release, [frame for frame in said if frame.api not in BETWEEN])


def keep(label: str, release: str, frames: list[Frame]) -> bool:
    """Replace what is stored of a client and a broker; False if something was wrong with it."""
    wrong = [f"{label}: {text}\n" for frame in frames if (text := fault(frame))]
    sys.stderr.writelines(wrong)
    documents = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    kept = [document for document in documents if (document["client"], document["broker"]) != (label, release)]
    labels: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    filled: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for document in kept:
        stored = Frame(document["kind"], document["api"], document["version"], bytes.fromhex(document["hex"]))
        labels[stored[:3]].append(without_release(document["client"]))
        filled[stored[:3]] |= filled_fields(stored)
    lines = []
    for frame in _worth_storing(frames):
        fields = filled_fields(frame)
        if _is_new(without_release(label), labels[frame[:3]]) or not fields <= filled[frame[:3]] or fault(frame):
            lines.append(_line(label, release, frame))
            filled[frame[:3]] |= fields
    sys.stderr.write(f"{label} and {release}: {len(lines)} of {len(frames)} messages\n")
    FILE.write_text("".join(json.dumps(line) + "\n" for line in kept + lines), encoding="utf-8")
    return not wrong


def _is_new(name: str, others: Sequence[str]) -> bool:
    """Tell whether a message is stored although others have said the same."""
    return len(others) < _ENOUGH or (name not in others and len(others) < _MOST_LIBRARIES)


def without_release(label: str) -> str:
    """Return which library a client uses: `franz-go` of `franz-go-1.22.2-sasl`."""
    return label.partition(next((f"-{part}" for part in label.split("-") if part[0].isdigit()), "\0"))[0]


def fault(frame: Frame) -> str:
    """Return what is wrong with a message; empty if it is read, and written again byte for byte."""
    what = f"{frame.kind} {frame.api} {frame.version} {frame.data.hex()}"
    try:
        written = _again(frame)
    except FormatError as error:
        return f"{what}: {error}"
    return "" if written == frame.data else f"{what}: is written as {written.hex()}"


def _again(frame: Frame) -> bytes:
    """Read a message, and write what was read.

    Raises:
        FormatError: it breaks a rule.
    """
    kind, api = frame.kind, frame.api
    content = _read(frame)
    version = frame.version if kind == "request" else content.version
    codec = protocol.request(api, version) if kind == "request" else protocol.response(api, version)
    number = protocol.header_version(api, frame.version, kind)
    return protocol.schema(f"{kind}_header", number).encode(content.header) + codec.encode(content.body)


def _read(frame: Frame) -> protocol.Request | protocol.Response:
    """Read a message.

    Raises:
        FormatError: it breaks a rule.
    """
    if frame.kind == "request":
        return protocol.decode_request(frame.data)
    return protocol.decode_response(frame.data, frame.api, frame.version)


def filled_fields(frame: Frame) -> frozenset[str]:
    """Return the paths of the fields that have another value than their default; none if unread."""
    try:
        return frozenset(_filled(_read(frame).body, ""))
    except FormatError:
        return frozenset()


def _filled(value: Any, path: str) -> Iterator[str]:
    for name, default in getattr(value, "_field_defaults", {}).items():
        inner = getattr(value, name)
        if inner != default:
            yield f"{path}.{name}"
            for item in inner if type(inner) in {tuple, list} else (inner,):
                yield from _filled(item, f"{path}.{name}")


def _worth_storing(frames: list[Frame]) -> list[Frame]:
    """Return the messages that are the first of their kind, API and version, or fill more fields.

    None that is too large. If something is wrong with a message of a kind, it goes first.
    """
    by_message: dict[tuple[str, int, int], list[Frame]] = defaultdict(list)
    filled: dict[tuple[str, int, int], set[str]] = defaultdict(set)
    for frame in sorted((frame for frame in frames if len(frame.data) <= _MOST), key=lambda frame: not fault(frame)):
        kind, fields = frame[:3], filled_fields(frame)
        if not by_message[kind] or not fields <= filled[kind]:
            by_message[kind].append(frame)
            filled[kind] |= fields
    return [frame for same in by_message.values() for frame in same]


def _line(label: str, release: str, frame: Frame) -> dict[str, Any]:
    kind, api, version, data = frame
    return {"client": label, "broker": release, "kind": kind, "api": api, "version": version, "hex": data.hex()}


if __name__ == "__main__":
    sys.exit(main())
