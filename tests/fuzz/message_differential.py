"""Puts damaged requests and responses to releases of Kafka and to the reference, and tells where
they differ.

`python -m tests.fuzz.message_differential --inputs 20000 --seed 1 4.4 3.9` (the releases have to be
installed as targets, see `make oracle`). A release's own classes read each input and write it
again. The reference, with the leniencies of the release, has to do the same: refuse it, or write
the same bytes. What differs is printed by kind, the shortest input of each kind with it; what is
known to differ, and why, is not counted (`KNOWN`).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import AdapterSession
from kafka_conformance.protocol.messages import MessageInput, Reply, Status
from kafka_conformance.targets.resolve import installation
from kafka_format import protocol
from kafka_format.errors import EncodeError, FormatError
from kafka_format.protocol import Request, Response
from kafka_format.sampler import exchanges
from kafka_format.spec.layout import specification
from kafka_format.spec.releases import Release, release
from kafka_generator.oracle import target_of

from tests.fuzz.differential import tell
from tests.fuzz.message_mutator import MessageMutator

BLOCK: Final = 1000
KINDS: Final[tuple[exchanges.Kind, ...]] = ("request", "response")

KNOWN: Final = (
    ("Invalid raw tag field list", "tags that are out of order are read, and nobody can write them again"),
    ("OutOfMemoryError", "the JVM's heap, not the bytes, decides"),
)
"""What a release says where it and the reference differ, and why."""


LATER_TAGS: Final = {"3.9": frozenset({"fetch_request", "broker_heartbeat_request"})}
"""Messages that got a tagged field after a release, which it therefore passes over in versions that
have no such field; later ones refuse it there."""


class Asked(NamedTuple):
    """An input, and what it is read as."""

    kind: exchanges.Kind
    api: int
    version: int
    data: bytes


def inputs(number: int) -> Iterator[Asked]:
    """Yield damaged messages of all versions for ever. The front of a request is left whole, since
    it says what the request is."""
    mutator = MessageMutator(number)
    for index in range(sys.maxsize):
        kind = mutator.random.choice(KINDS)
        message = exchanges.single(kind, number, index)
        front = len(b"apiversn") if kind == "request" else len(b"corr")
        yield Asked(kind, message.api, message.version, message.data[:front] + mutator.message([message.data[front:]]))


def compare(kafka: Release, count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Put so many inputs to a release; yield the kind of each difference, and the input as text."""
    command = installation(target_of(kafka)).command()
    drawn = inputs(seed)
    for _ in range(0, count, BLOCK):
        block = [next(drawn) for _ in range(BLOCK)]
        session = AdapterSession(lambda: AdapterClient(command, Limits()))
        questions = [
            MessageInput(KINDS.index(message.kind), message.api, message.version, message.data) for message in block
        ]
        for word in session.ask(questions):
            message = block[word.question]
            kind = difference(kafka, message, word.reply)
            if kind:
                yield kind, f"{message.kind} {protocol.api_name(message.api)} {message.version}: {message.data.hex()}"
        session.close()


def difference(kafka: Release, asked: Asked, reply: Any) -> str:
    """Return the kind of a difference; empty if there is none, or a known one."""
    if not isinstance(reply, Reply):
        return "" if "memory" in reply.detail else f"lost: {reply.detail}"
    is_answer = reply.status == Status.ANSWER
    is_known = not is_answer and any(words in reply.text for words, _ in KNOWN)
    if reply.status == Status.UNSUPPORTED or is_known or _is_contradicted(asked):
        return ""
    ours = read(asked, kafka.flags)
    if is_answer:
        return (
            _of_refused(kafka, asked, ours)
            if isinstance(ours, FormatError)
            else _of_written(asked, reply.content, ours)
        )
    said = re.sub(r"-?[0-9]+", "N", reply.text)[:120]
    return "" if isinstance(ours, FormatError) else f"Kafka refuses, the reference does not: {said}"


def _of_refused(kafka: Release, asked: Asked, error: FormatError) -> str:
    message = f"{protocol.api_name(asked.api)}_{asked.kind}"
    if error.rule == "protocol.tag.version" and message in LATER_TAGS.get(kafka.name, ()):
        return ""
    place = f"{error.rule} at {'header' if error.path[:1] == ('header',) else 'body'}"
    return f"Kafka accepts, the reference does not: {place}"


def _of_written(asked: Asked, content: bytes, ours: Request | Response) -> str:
    try:
        return "" if content in (write(ours), asked.data) else "written otherwise"
    except EncodeError as error:
        return f"Kafka writes what the reference cannot: {error.detail}"


def _is_contradicted(asked: Asked) -> bool:
    """Tell whether releases contradict each other about the bytes of a version."""
    name = f"{protocol.api_name(asked.api)}_{asked.kind}"
    layouts = specification().versioned.values()
    return any(layout.variant_of == name and asked.version in layout.versions for layout in layouts)


def read(asked: Asked, flags: frozenset[str]) -> Request | Response | FormatError:
    """Read with these leniencies."""
    try:
        if asked.kind == "request":
            return protocol.decode_request(asked.data, flags=flags)
        return protocol.decode_response(asked.data, asked.api, asked.version, flags=flags)
    except FormatError as error:
        return error


def write(found: Request | Response) -> bytes:
    """Write header and body again.

    Raises:
        EncodeError: nobody can write them.
    """
    if isinstance(found, Request):
        header = protocol.schema("request_header", protocol.header_version(found.api, found.version))
        return header.encode(found.header) + protocol.request(found.api, found.version).encode(found.body)
    header = protocol.schema("response_header", protocol.header_version(found.api, found.version, "response"))
    return header.encode(found.header) + protocol.response(found.api, found.version).encode(found.body)


def main() -> int:
    """Compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", metavar="RELEASE", default=["4.4", "3.9"])
    parser.add_argument("--inputs", type=int, default=20_000, help="inputs for each release")
    parser.add_argument("--seed", type=int, default=0, help="number that decides the inputs")
    options = parser.parse_args()
    differs = False
    for name in options.releases:
        kinds: Counter[str] = Counter()
        shortest: dict[str, str] = {}
        for kind, data in compare(release(name), options.inputs, options.seed):
            kinds[kind] += 1
            shortest[kind] = min(shortest.get(kind, data), data, key=len)
        tell(f"Kafka {name}: {options.inputs} inputs", kinds, shortest)
        differs = differs or bool(kinds)
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
