"""Captures made by hand: TCP segments of two ends in pcap and pcapng files, for any link type."""

import io
import socket
import struct
from collections.abc import Iterable
from typing import NamedTuple

import dpkt
from kafka_format import capture
from kafka_format.capture import Captured
from pcapng import FileWriter, blocks

CLIENT, SERVER = 40000, 9092
SYN, ACK, FIN = dpkt.tcp.TH_SYN, dpkt.tcp.TH_ACK, dpkt.tcp.TH_FIN
FIRST = {CLIENT: 1000, SERVER: 0xFFFFFFF0}
"""Sequence numbers of SYN; the server's wrap."""


class Packet(NamedTuple):
    """One TCP segment."""

    source: int
    offset: int
    content: bytes
    flags: int = 0
    acknowledged: int | None = None


def framed(content: bytes) -> bytes:
    return len(content).to_bytes(4, "big") + content


def handshake() -> list[Packet]:
    return [Packet(CLIENT, -1, b"", SYN), Packet(SERVER, -1, b"", SYN, 0)]


def dialogue(*said: tuple[int, bytes], step: int = 1400) -> list[Packet]:
    """Return a connection on which the two ends say this, in segments of `step` bytes."""
    at = {CLIENT: 0, SERVER: 0}
    packets = handshake()
    for source, content in said:
        for start in range(0, len(content), step):
            packets.append(Packet(source, at[source], content[start : start + step], 0, at[CLIENT + SERVER - source]))
            at[source] += len(packets[-1].content)
    return packets


def ip_packet(packet: Packet, *, v6: bool = False) -> bytes:
    ports = (CLIENT, SERVER) if packet.source == CLIENT else (SERVER, CLIENT)
    number = (FIRST[packet.source] + 1 + packet.offset) % (1 << 32)
    flags, ack = packet.flags, 0
    if packet.acknowledged is not None:
        flags, ack = flags | ACK, (FIRST[CLIENT + SERVER - packet.source] + 1 + packet.acknowledged) % (1 << 32)
    tcp = dpkt.tcp.TCP(sport=ports[0], dport=ports[1], seq=number, ack=ack, flags=flags, data=packet.content)
    if v6:
        ends = [socket.inet_pton(socket.AF_INET6, f"2001:db8::{port:x}") for port in ports]
        return bytes(dpkt.ip6.IP6(src=ends[0], dst=ends[1], nxt=6, hlim=64, plen=len(tcp), data=tcp))
    ends = [socket.inet_aton(f"10.0.{port >> 8}.{port & 255}") for port in ports]
    return bytes(dpkt.ip.IP(src=ends[0], dst=ends[1], p=6, data=tcp, len=20 + len(tcp)))


ETHERNET = b"\2" * 12
LINKS = {
    1: lambda ip: ETHERNET + (b"\x86\xdd" if ip[0] >> 4 == 6 else b"\x08\x00") + ip,
    0: lambda ip: struct.pack("<I", 30 if ip[0] >> 4 == 6 else 2) + ip,
    101: lambda ip: ip,
    113: lambda ip: bytes(14) + (b"\x86\xdd" if ip[0] >> 4 == 6 else b"\x08\x00") + ip,
    276: lambda ip: (b"\x86\xdd" if ip[0] >> 4 == 6 else b"\x08\x00") + bytes(18) + ip,
}
"""What stands in front of IP, by link type (tcpdump.org/linktypes.html)."""


def datagram(port: int, content: bytes) -> bytes:
    """Return an IP packet with a UDP datagram of one host to another."""
    udp = dpkt.udp.UDP(sport=port, dport=port, ulen=8 + len(content), data=content)
    ends = b"\x0a\0\0\x01", b"\x0a\0\0\x02"
    return bytes(dpkt.ip.IP(src=ends[0], dst=ends[1], p=17, data=udp, len=28 + len(content)))


def _carried(protocol: int, content: bytes) -> bytes:
    """Return an IP packet that carries something else than TCP."""
    ends = b"\x0a\0\0\x01", b"\x0a\0\0\x02"
    return bytes(dpkt.ip.IP(src=ends[0], dst=ends[1], p=protocol, len=20 + len(content), data=content))


TUNNELS = {
    "ip in ip": lambda ip: _carried(4, ip),
    "gre": lambda ip: _carried(47, b"\0\0\x08\0" + ip),
    "vxlan": lambda ip: datagram(4789, b"\x08\0\0\0\0\0\x07\0" + LINKS[1](ip)),
    "vxlan of linux": lambda ip: datagram(8472, b"\x08\0\0\0\0\0\x07\0" + LINKS[1](ip)),
    "geneve": lambda ip: datagram(6081, b"\x01\0\x65\x58\0\0\x07\0" + bytes(4) + LINKS[1](ip)),
    "two of them": lambda ip: datagram(4789, b"\x08\0\0\0\0\0\x07\0" + LINKS[1](_carried(4, ip))),
}
"""What networks of containers put around IP, the least that each format needs."""


def pcap(packets: Iterable[Packet], link: int = 1, *, v6: bool = False, snap: int = 0, around: str = "") -> bytes:
    """Return a capture; of packets the first `snap` bytes, or all, inside what is `around` them."""
    parts = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link)]
    for index, packet in enumerate(packets):
        ip = ip_packet(packet, v6=v6)
        data = LINKS[link](TUNNELS[around](ip) if around else ip)
        kept = data[: snap or len(data)]
        parts.append(struct.pack("<IIII", 1_700_000_000 + index, 500_000, len(kept), len(data)) + kept)
    return b"".join(parts)


def pcapng(packets: Iterable[Packet], links: tuple[int, ...] = (1,)) -> bytes:
    """Return a file with an interface for each link type; the packets come from each in turn."""
    header = blocks.SectionHeader()
    interfaces = [header.new_member(blocks.InterfaceDescription, link_type=link) for link in links]
    output = io.BytesIO()
    writer = FileWriter(output, header)
    for index, packet in enumerate(packets):
        at = index % len(links)
        block = header.new_member(blocks.EnhancedPacket, interface_id=at)
        block.packet_data = LINKS[links[at]](ip_packet(packet))
        block.timestamp_high, block.timestamp_low = divmod((1_700_000_000 + index) * 10**6, 1 << 32)
        writer.write_block(block)
    del interfaces
    return output.getvalue()


def read(data: bytes, port: int | None = None) -> list[Captured]:
    return list(capture.read(io.BytesIO(data), port))


def said(found: Iterable[Captured]) -> list[tuple[str, int | None, int | None]]:
    return [(message.kind, message.api, message.correlation_id) for message in found]
