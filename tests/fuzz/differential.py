"""Puts mutated vectors to releases of Kafka and to the reference, and tells where they differ.

`python -m tests.fuzz.differential --inputs 100000 --seed 1 4.4 0.11` (the releases have to be
installed as targets, see `make oracle`). Each input is read strictly and as the release reads; that
must come out as the release's own classes have it: refused, or accepted with the same answer. What
differs is printed by kind, the shortest input of each kind with it. What is known to differ, and
why, is not counted (`KNOWN`, `known`).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from kafka_conformance.child.client import AdapterClient
from kafka_conformance.child.launch import Limits
from kafka_conformance.child.session import AdapterSession, DecodeInput
from kafka_conformance.protocol.messages import InputKind, Reply
from kafka_conformance.targets.resolve import installation
from kafka_format.errors import FormatError
from kafka_format.records import Record, decode
from kafka_format.records.entries import MAGIC_AT
from kafka_format.spec.releases import Release, release, releases
from kafka_generator.oracle import fields_of, record_text, target_of, text_of

from tests.fuzz.mutator import Mutator
from tests.fuzz.seeds import seeds

BLOCK: Final = 2000


_UNBUFFERED: Final = ("3.5", "3.4", "3.0", "2.8", "2.1", "2.0", "1.1", "0.11")
KNOWN: Final = (
    (("0.10.1", "0.10.0", "0.9"), "newPosition <", "adds sizes and positions in 32 bits, which overflow"),
    (
        ("0.10.1", "0.10.0", "0.9"),
        "compression.gzip.complete",
        "takes a gzip stream that is cut for the end of the set",
    ),
    (("0.9", "0.8.2"), "magic", "reads an inner message of any magic as v0"),
    (("0.9", "0.8.2"), "InvocationTargetException", "demands the wrong lz4 header checksum that it writes itself"),
    (("0.9", "0.8.2"), "Stream frame descriptor corrupted", "demands the wrong lz4 header checksum, as it writes it"),
    (_UNBUFFERED, "compression.snappy.chunk-length", "ends a snappy stream at a damaged header between two records"),
    (("0.9", "0.8.2"), "INCOMPATIBLE_VERSION", "refuses a snappy version below 1"),
    (("1.1", "0.11"), "IndexOutOfBounds", "looks for the magic byte of a cut entry where sizes overflow"),
    (("2.1",), "premature EOF", "ends a zstd stream where its first frame ends"),
    (("2.1",), "Decompression error: Unknown frame", "cannot read a second zstd frame"),
)
"""Where old releases differ in ways that no flag can make of the reference: who, what the kind
says, and why."""


class Difference(NamedTuple):
    """One input that a release and the reference read differently."""

    kind: str
    data: bytes


def compare(kafka: Release, inputs: int, seed: int) -> Iterator[Difference]:
    """Put so many inputs to a release, and yield what differs."""
    mutator = Mutator(seeds(kafka.formats), seed)
    command = installation(target_of(kafka)).command()
    for _ in range(0, inputs, BLOCK):
        session = AdapterSession(lambda: AdapterClient(command, Limits()))
        block = [mutator.next() for _ in range(BLOCK)]
        for word in session.ask([DecodeInput(InputKind.RECORDS, data) for data in block]):
            data = block[word.question]
            said = text_of(word.reply, kafka) if isinstance(word.reply, Reply) else f"lost: {word.reply.detail}"
            kind = difference(kafka, data, said)
            if kind:
                yield Difference(kind, data)
        session.close()


def difference(kafka: Release, data: bytes, said: str) -> str:
    """Return the kind of the difference; empty if there is none, or a known one."""
    strict, lenient = _decoded(data, ""), _decoded(data, kafka.name)
    ours = _refusal(lenient) if isinstance(lenient, FormatError) else record_text(lenient, fields_of(kafka))
    if ours == said or (isinstance(lenient, FormatError) and said.startswith("refused")):
        kind = ""
    elif isinstance(lenient, FormatError):
        kind = f"Kafka accepts, the reference does not: {ours}"
    elif said.startswith("accepted"):
        kind = "other answer" + (", strictly too" if strict == lenient else f" with {_refusal(strict)}")
    else:
        kind = f"Kafka does not accept, the reference does{', strictly' if strict == lenient else ''}: {_plain(said)}"
    return "" if not kind or known(kafka, data, kind) else kind


def known(kafka: Release, data: bytes, kind: str) -> str:
    """Return why a difference is none of the reference's; empty if nothing is known of it."""
    for names, words, reason in KNOWN:
        if kafka.name in names and words in kind:
            return reason
    if "OutOfMemoryError" in kind:
        return "the JVM's heap, not the bytes, decides"
    if "v2" not in kafka.formats and any(magic not in (0, 1)[: len(kafka.formats)] for magic in _magics(data)):
        return "before 0.11 an unknown magic byte is read as the newest format there is"
    return ""


def _decoded(data: bytes, as_kafka: str) -> list[Record] | FormatError:
    try:
        return decode(data, as_kafka=as_kafka)
    except FormatError as error:
        return error


def _refusal(error: list[Record] | FormatError) -> str:
    return f"{error.rule} at {re.sub(r'[0-9]+', 'N', error.path_text)}" if isinstance(error, FormatError) else "no flag"


def _plain(said: str) -> str:
    return re.sub(r"-?\b[0-9]+", "N", said)[:150]


def _magics(data: bytes) -> Iterator[int]:
    """Yield the magic byte of all that may be an entry, whole or cut."""
    position = 0
    while len(data) - position > MAGIC_AT:
        yield data[position + MAGIC_AT]
        size = int.from_bytes(data[position + 8 : position + 12], "big", signed=True)
        position += 12 + max(size, 0)


def main() -> int:
    """Compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help=f"of {', '.join(releases())}; all if none")
    parser.add_argument("--inputs", type=int, default=20_000, help="mutated inputs for each release")
    parser.add_argument("--seed", type=int, default=0, help="number that decides the mutations")
    options = parser.parse_args()
    differs = False
    for name in options.releases or releases():
        kinds: Counter[str] = Counter()
        shortest: dict[str, bytes] = {}
        for kind, data in compare(release(name), options.inputs, options.seed):
            kinds[kind] += 1
            shortest[kind] = min(shortest.get(kind, data), data, key=len)
        tell(f"Kafka {name}: {options.inputs} inputs", kinds, {kind: data.hex() for kind, data in shortest.items()})
        differs = differs or bool(kinds)
    return int(differs)


def tell(title: str, kinds: Counter[str], shortest: Mapping[str, object]) -> None:
    """Print how many inputs differ in which way, and the shortest of each."""
    lines = [f"{title}, {kinds.total()} differ"]
    lines += [f"  {count} x {kind}\n    {shortest[kind]}" for kind, count in kinds.most_common()]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
