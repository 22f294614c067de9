"""Packets of a capture file: what clients and a broker say, on a connection each."""

import struct
from collections.abc import Iterator

HEAD = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 20, 101)
"""The head of a capture file whose packets begin with IP."""

_BROKER = (bytes([10, 255, 0, 1]), 9092)
_CLIENT_PORT = 50000
_LARGEST = 60000  # bytes of TCP in a packet: the length of one has 16 bits


def connection(number: int, *said: bytes) -> Iterator[bytes]:
    """Yield the packets of a connection; client and broker speak by turns, the client first.

    Args:
        number: which connection it is, below 2^24.
        said: what they say.
    """
    client = (bytes([10, *number.to_bytes(3, "big")]), _CLIENT_PORT)
    sent = {True: 1, False: 1}
    for turn, data in enumerate(said):
        is_client = turn % 2 == 0
        ends = (client, _BROKER) if is_client else (_BROKER, client)
        for start in range(0, len(data), _LARGEST):
            part = data[start : start + _LARGEST]
            yield _packet(*ends, (sent[is_client], sent[not is_client]), part)
            sent[is_client] += len(part)


def _packet(source: tuple[bytes, int], to: tuple[bytes, int], numbers: tuple[int, int], data: bytes) -> bytes:
    """Make a packet of the capture: head, IP, TCP with both sequence numbers, data. Sums are 0."""
    tcp = struct.pack(">HHIIBBHHH", source[1], to[1], *numbers, 0x50, 0x18, 65535, 0, 0) + data
    ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 0, 0, 64, 6, 0) + source[0] + to[0]
    size = len(ip) + len(tcp)
    return struct.pack("<IIII", 0, 0, size, size) + ip + tcp
