"""What real clients and brokers said, sent in another way: the same frames come.

The dialogues are those of tests/captures. Each is put into TCP segments anew, and these are cut,
joined, shuffled, repeated and carried in all the ways that networks have; no such change adds or
takes a byte, so that no frame may change. Where bytes are taken away, all frames that have none of
them come, and what is missing is said.
"""

import bz2
import gzip
import io
import lzma
import random
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path

import dpkt
import pytest
import zstandard
from kafka_format import capture
from kafka_format.capture import Captured
from kafka_tools.commands.packed import open_input

from tests.kafka_format.capture.test_reader import PREAMBLES, modified, snoop
from tests.kafka_format.capture.wire import (
    CLIENT,
    ETHERNET,
    LINKS,
    SERVER,
    TUNNELS,
    Packet,
    dialogue,
    handshake,
    ip_packet,
    pcap,
    pcapng,
    read,
)

CAPTURES = Path(__file__).parents[2] / "captures"
LONGEST = 30_000
"""Bytes of a dialogue; longer ones are begun only."""


@cache
def dialogues() -> list[list[tuple[int, bytes]]]:
    """What was said on each connection: who, and a frame, in the order of the last bytes."""
    found: dict[tuple[str, int], list[tuple[int, bytes]]] = {}
    for file in sorted(CAPTURES.glob("*.pcap")):
        for one in capture.read(io.BytesIO(file.read_bytes())):
            said = found.setdefault((file.name, one.connection), [])
            if one.kind in ("request", "response") and sum(len(frame) for _, frame in said) < LONGEST:
                said.append((CLIENT if one.from_client else SERVER, one.data))
    return [said for said in found.values() if len(said) > 5]


Random = random.Random
Change = Callable[[Random, list[Packet]], list[Packet]]


def cut(chance: Random, packets: list[Packet]) -> list[Packet]:
    """Cut segments anywhere: into single bytes, at sizes, in the middle of headers."""
    done = []
    for one in packets:
        rest = one
        while len(rest.content) > 1 and chance.random() < 0.8:
            at = chance.randrange(1, min(len(rest.content), chance.choice((2, 5, 30, 1500))) + 1)
            if at == len(rest.content):
                break
            done.append(rest._replace(content=rest.content[:at]))
            rest = rest._replace(content=rest.content[at:], offset=rest.offset + at)
        done.append(rest)
    return done


def sizes_apart(_: Random, packets: list[Packet]) -> list[Packet]:
    """Send the size of each frame in a segment of its own, as some clients do."""
    done = []
    for one in packets:
        done.append(one._replace(content=one.content[:4]))
        if len(one.content) > 4:
            done.append(one._replace(content=one.content[4:], offset=one.offset + 4))
    return done


def joined(_: Random, packets: list[Packet]) -> list[Packet]:
    """Join what one end says without a break, as a network card does."""
    done: list[Packet] = []
    for one in packets:
        before = done[-1] if done else None
        is_next = before is not None and one[:2] == (before.source, before.offset + len(before.content))
        if before is not None and is_next and before.flags == one.flags == 0:
            done[-1] = before._replace(content=before.content + one.content)
        else:
            done.append(one)
    return done


def shuffled(chance: Random, packets: list[Packet]) -> list[Packet]:
    """Change places of segments of one end that come near one another, as routes do.

    The first segment of an end stays the first: without SYN, nobody knows that it is not.
    """
    done = list(packets)
    for at in range(len(done) - 1):
        other = at + 1
        is_first = all(one.source != done[at].source or not one.content for one in done[:at])
        if done[at].source == done[other].source and not is_first and chance.random() < 0.5:
            done[at], done[other] = done[other], done[at]
    return done


def repeated(chance: Random, packets: list[Packet]) -> list[Packet]:
    """Send segments twice, some of them joined with others, or a byte that was sent already."""
    done: list[Packet] = []
    for one in packets:
        done.append(one)
        if one.content and chance.random() < 0.4:
            start = chance.randrange(len(one.content))
            part = one._replace(content=one.content[start:], offset=one.offset + start)
            done.append(chance.choice((one, part, part._replace(content=part.content[:1]))))
    return done


def silent(chance: Random, packets: list[Packet]) -> list[Packet]:
    """Put acknowledgements without content between them."""
    done: list[Packet] = []
    for one in packets:
        done.append(one)
        if one.flags == 0 and chance.random() < 0.3:
            other = CLIENT + SERVER - one.source
            done.append(Packet(other, one.acknowledged or 0, b"", 0, one.offset + len(one.content)))
    return done


def without_syn(_: Random, packets: list[Packet]) -> list[Packet]:
    """Begin to capture after the handshake."""
    return [one for one in packets if one.content]


CHANGES: dict[str, Change] = {
    each.__name__: each for each in (cut, sizes_apart, joined, shuffled, repeated, silent, without_syn)
}


def _of(packets: list[Packet], around: Callable[[bytes], list[bytes]], link: int = 1) -> bytes:
    """Return a capture with what each packet of IP becomes."""
    parts = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link)]
    for index, one in enumerate(packets):
        head = struct.pack("<II", 1_700_000_000 + index, 0)
        parts += [head + struct.pack("<II", len(data), len(data)) + data for data in around(ip_packet(one))]
    return b"".join(parts)


def vlan(packets: list[Packet], tags: int = 1) -> bytes:
    tag = b"\x81\0\0\x07"
    return _of(packets, lambda ip: [ETHERNET + tag * tags + b"\x08\0" + ip])


def fragments(packets: list[Packet], size: int = 64, *, is_turned: bool = False) -> bytes:
    """Send each packet in fragments; the last one first if `is_turned`."""

    def parts(ip: bytes) -> list[bytes]:
        whole = dpkt.ip.IP(ip)
        content = ip[20:]
        each = []
        for start in range(0, len(content), size):
            is_last = start + size >= len(content)
            part = dpkt.ip.IP(
                src=whole.src, dst=whole.dst, p=6, id=len(content) & 0xFFFF, mf=not is_last, offset=start // 8
            )
            part.data = content[start : start + size]
            part.len = 20 + len(part.data)
            each.append(ETHERNET + b"\x08\0" + part.pack_hdr() + part.data)
        return each[::-1] if is_turned else each

    return _of(packets, parts)


def fragments_6(packets: list[Packet], size: int = 64) -> bytes:
    parts = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, 101)]
    for number, one in enumerate(packets):
        ip = ip_packet(one, v6=True)
        content = ip[40:]
        for start in range(0, len(content), size):
            more = int(start + size < len(content))
            piece = struct.pack(">BBHI", 6, 0, start | more, number) + content[start : start + size]
            data = ip[:4] + struct.pack(">HBB", len(piece), 44, 64) + ip[8:40] + piece
            parts.append(struct.pack("<IIII", 1_700_000_000 + number, 0, len(data), len(data)) + data)
    return b"".join(parts)


CARRIERS: dict[str, Callable[[list[Packet]], bytes]] = {
    **{f"link {link}": (lambda packets, link=link: pcap(packets, link)) for link in LINKS},
    **{f"link {link}, IPv6": (lambda packets, link=link: pcap(packets, link, v6=True)) for link in LINKS},
    **{around: (lambda packets, around=around: pcap(packets, around=around)) for around in TUNNELS},
    "VLAN": vlan,
    "VLAN in VLAN": lambda packets: vlan(packets, 2),
    "fragments": fragments,
    "fragments, the last one first": lambda packets: fragments(packets, is_turned=True),
    "fragments of IPv6": fragments_6,
    "pcapng": pcapng,
    "pcapng of two interfaces": lambda packets: pcapng(packets, (1, 113)),
    "modified pcap": lambda packets: modified(pcap(packets)),
    "snoop": lambda packets: snoop(pcap(packets)),
}
PACKED = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zstd": zstandard.compress}


def frames(found: list[Captured], source: int) -> list[tuple[object, ...]]:
    """What one end said."""
    return [
        (one.kind, one.api, one.version, one.correlation_id, one.data)
        for one in found
        if one.from_client is (source == CLIENT)
    ]


def check_same(said: list[tuple[int, bytes]], data: bytes) -> None:
    """Check that a capture gives just what was said, and that requests and answers go together."""
    found, due = read(data), read(pcap(dialogue(*said)))
    assert {one.kind for one in found} == {"request", "response"}
    for source in (CLIENT, SERVER):
        assert [one.data for one in found if one.from_client is (source == CLIENT)] == [
            frame for end, frame in said if end == source
        ]
        assert frames(found, source) == frames(due, source)


@pytest.mark.parametrize("name", CARRIERS)
def test_however_it_is_carried(name: str) -> None:
    for said in dialogues()[:3]:
        check_same(said, CARRIERS[name](dialogue(*said)))


@pytest.mark.parametrize("name", CHANGES)
def test_however_it_is_segmented(name: str) -> None:
    for number, said in enumerate(dialogues()):
        packets = CHANGES[name](Random(number), dialogue(*said))
        check_same(said, pcap(packets))


@pytest.mark.parametrize("seed", range(12))
def test_many_changes_at_once(seed: int) -> None:
    chance = Random(seed)
    for said in chance.sample(dialogues(), 3):
        packets = dialogue(*said, step=chance.choice((300, 1400, 65_000)))
        for name in chance.sample(sorted(CHANGES), 3):
            packets = CHANGES[name](chance, packets)
        check_same(said, CARRIERS[chance.choice(sorted(CARRIERS))](packets))


@pytest.mark.parametrize("name", PACKED)
def test_packed_captures(name: str) -> None:
    said = dialogues()[0]
    data = open_input(io.BytesIO(PACKED[name](pcap(dialogue(*said))))).read()
    check_same(said, data)


@pytest.mark.parametrize("version", PREAMBLES)
def test_a_preamble_of_a_proxy(version: str) -> None:
    for said in dialogues():
        packets = dialogue((CLIENT, PREAMBLES[version]), *said)
        check_same(said, pcap(packets))
        check_same(said, pcap(cut(Random(1), packets)))


@pytest.mark.parametrize("source", [CLIENT, SERVER])
def test_one_side_only(source: int) -> None:
    for said in dialogues():
        found = read(pcap([one for one in dialogue(*said) if one.source == source]))
        assert [one.data for one in found] == [frame for end, frame in said if end == source]


@pytest.mark.parametrize("seed", range(8))
def test_a_segment_that_was_not_captured_costs_what_is_in_it(seed: int) -> None:
    """The frames before the gap come, and the ones behind it; that bytes are missing is said."""
    chance = Random(seed)
    for said in dialogues():
        packets = dialogue(*said, step=chance.choice((100, 1400)))
        with_content = [at for at, one in enumerate(packets) if one.content and at > 12]
        if not with_content:
            continue
        lost = packets.pop(chance.choice(with_content))
        found = read(pcap(packets))
        notes = [one for one in found if one.kind == "lost" or "not captured" in one.note]
        is_last = all(one.offset <= lost.offset for one in packets if one.source == lost.source)
        assert notes or is_last
        hit = [place for place in _places(said, lost.source) if place[0] < lost.offset + len(lost.content)]
        hit = [place for place in hit if place[1] > lost.offset]
        got = {one.data for one in found}
        for start, end, frame in _places(said, lost.source):
            if (start, end, frame) not in hit and end + 100 < _last(said, lost.source):
                assert frame in got, (seed, lost.offset, start)


def _places(said: list[tuple[int, bytes]], source: int) -> list[tuple[int, int, bytes]]:
    """Where each frame of an end begins and ends in what it said."""
    places, at = [], 0
    for end, frame in said:
        if end == source:
            places.append((at, at + len(frame), frame))
            at += len(frame)
    return places


def _last(said: list[tuple[int, bytes]], source: int) -> int:
    return _places(said, source)[-1][1]


@pytest.mark.parametrize("seed", range(6))
def test_a_capture_that_begins_anywhere(seed: int) -> None:
    """Whole requests behind the start come; nothing is invented."""
    chance = Random(seed)
    for said in dialogues():
        packets = dialogue(*said, step=chance.choice((200, 1400)))[len(handshake()) :]
        packets = packets[chance.randrange(len(packets) // 2) :]
        begun = min(one.offset for one in packets if one.source == CLIENT)
        due = [frame for start, _, frame in _places(said, CLIENT) if start >= begun]
        got = [one.data for one in read(pcap(packets)) if one.kind == "request" and one.from_client]
        assert got == due, (len(got), len(due))
