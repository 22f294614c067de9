"""Wireshark's dissector behind the adapter protocol: is a message dissected, and how?

A response is dissected only if its request was, so a request of the reference's stands in front of
it: the smallest that there is, with the correlation id of the response. One tshark dissects
thousands of messages; its memory grows with every connection, so it is started anew now and then.
"""

import functools
import json
import struct
import subprocess
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

from dissector import Dissector, tshark
from kafka_format import protocol
from kafka_format.errors import LayoutError
from python_adapter import NotSupported, serve

CONNECTIONS = 5000
"""So many before tshark is started anew."""

SIZE = 4
"""Bytes in front of a message."""

PRODUCE = 0
WARNING = 0x600000
"""The severity from which on Wireshark says that something is wrong."""


class Field(NamedTuple):
    """A field as Wireshark shows it; its place counts from the first byte of the header."""

    name: str
    at: int
    size: int
    value: str


dissectors: list[Dissector] = []


def dissector() -> Dissector:
    """Return a running tshark."""
    if dissectors and dissectors[-1].connections >= CONNECTIONS:
        dissectors.pop().close()
    if not dissectors:
        dissectors.append(Dissector())
    return dissectors[-1]


def dissect(kind: int, api: int, version: int, message: bytes) -> bytes:
    """Return what Wireshark shows of a message, as JSON.

    Raises:
        ValueError: it complains.
        NotSupported: it does not know the version, or has no request for the response.
    """
    framed = _sized(message)
    asked = (request(api, version, message[:SIZE]), framed) if kind else (framed,)
    packet = dissector().dissect(*asked)
    problems = list(complaints(packet))
    missing = [text for text in problems if text.startswith(("Unsupported ", "Unknown ", "Request missing"))]
    if missing:
        raise NotSupported(missing[0])
    shown = packet.find("proto[@name='kafka']")
    if problems or shown is None:
        raise ValueError("; ".join(problems) or "no message of Kafka's")
    return json.dumps({"fields": [field._asdict() for field in fields(shown)]}).encode()


def complaints(packet: ET.Element) -> Iterator[str]:
    """Yield what Wireshark says to be wrong with a packet."""
    for expert in packet.iter("field"):
        shown = {field.get("name"): field.get("show", "") for field in expert} if _is_expert(expert) else {}
        if int(shown.get("_ws.expert.severity", 0)) >= WARNING:
            yield shown["_ws.expert.message"]
    if packet.find("proto[@name='_ws.malformed']") is not None:
        yield "malformed packet: it ends too early"


def _is_expert(field: ET.Element) -> bool:
    return field.get("name") == "_ws.expert"


def fields(shown: ET.Element) -> Iterator[Field]:
    """Yield the fields of a message that have bytes of their own."""
    start = int(shown.get("pos", 0)) + SIZE
    for field in shown.iter("field"):
        name, size = field.get("name", ""), int(field.get("size", 0))
        at = int(field.get("pos", 0)) - start
        if name.startswith("kafka.") and size and at >= 0 and field.get("hide") != "yes" and not len(field):
            yield Field(name, at, size, field.get("show", ""))


@functools.cache
def request(api: int, version: int, correlation: bytes) -> bytes:
    """Return the smallest request of a version that a broker answers, after its size.

    Raises:
        NotSupported: there is no such version.
    """
    try:
        body = protocol.request(api, version)
    except LayoutError as error:
        raise NotSupported(str(error)) from None
    values = {"acks": -1} if api == PRODUCE else {}
    number = int.from_bytes(correlation, "big", signed=True)
    return _sized(protocol.encode_request(api, version, body.type(**values), correlation_id=number))


def _sized(message: bytes) -> bytes:
    return struct.pack(">i", len(message)) + message


def version_of_tshark() -> str:
    """Return the version that `tshark --version` tells: `4.0.17`."""
    output = subprocess.run([tshark(), "--version"], capture_output=True, text=True, check=True).stdout
    return next(word for word in output.split() if word[:1].isdigit())


if __name__ == "__main__":
    serve(
        {
            "name": "tshark",
            "version": version_of_tshark(),
            "language": "C",
            "formats": [],
            "codecs": [],
            "fields": [],
            "checks_crc": False,
            "apis": {"form": "verdict"},
            "url": "https://gitlab.com/wireshark/wireshark",
        },
        None,
        message=dissect,
    )
