"""TCP segments from a capture file. dpkt and python-pcapng read the containers and headers."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, BinaryIO, Final, NamedTuple

from kafka_format.capture.captured import Endpoint
from kafka_format.capture.containers import of_pcapng, of_snoop
from kafka_format.capture.fragments import Fragments, is_fragment
from kafka_format.capture.tunnels import inner
from kafka_format.primitives.counts import byte_count

_LONGEST_BLOCK: Final = 16 << 20
"""Bytes of a packet or block that are read at a time; tcpdump and Wireshark keep 262144 of a
packet."""

_MAGICS: Final = frozenset(
    bytes.fromhex(magic)
    for magic in ("a1b2c3d4", "d4c3b2a1", "a1b23c4d", "4d3cb2a1", "a1b2cd34", "34cdb2a1", "0a0d0d0a", "736e6f6f")
)
"""First bytes of files of pcap (microseconds, nanoseconds, and the modified one; both orders of
bytes), of pcapng and of snoop."""

_LAST: Final = 253402300800.0
"""The year 10000 in seconds since 1970: no capture has such a time."""

_PCAPNG: Final = bytes.fromhex("0a0d0d0a")
_SNOOP: Final = b"snoo"


class CaptureError(ValueError):
    """A capture that cannot be read, or not to its end; or a library that is missing.

    Attributes:
        detail: what is wrong.
        hint: what to do next.
        packets: packets that were read before.
    """

    def __init__(self, detail: str, *, hint: str = "", packets: int = 0) -> None:
        """Keep the facts, and make one sentence."""
        super().__init__(f"{detail} {hint}".rstrip())
        self.detail: Final = detail
        self.hint: Final = hint
        self.packets: Final = packets


class TcpSegment(NamedTuple):
    """One TCP segment.

    Attributes:
        time: when it was captured, in seconds since 1970-01-01 UTC.
        source: who sent it.
        target: who was to get it.
        number: sequence number of its first byte, or of SYN.
        acknowledged: sequence number of the byte that its sender waits for; None if it says none.
        content: its bytes, as far as they were captured.
        cut: bytes at its end that were not captured, since packets were cut short (`tcpdump -s`).
        is_syn: it opens a direction.
        is_fin: it ends a direction.
    """

    time: float
    source: Endpoint
    target: Endpoint
    number: int
    acknowledged: int | None
    content: bytes
    cut: int
    is_syn: bool
    is_fin: bool


def is_capture(start: bytes) -> bool:
    """Return whether a file is a capture, by its first four bytes."""
    return start[:4] in _MAGICS


class _Limited:
    """A file of which nobody reads too much at a time, whatever the file says of its lengths.

    It is read once from its start, so that it may be a pipe to which tcpdump still writes.
    """

    def __init__(self, file: BinaryIO, start: bytes) -> None:
        self._file = file
        self._start = start
        self._place = 0

    def tell(self) -> int:
        return self._place

    def read(self, size: int) -> bytes:
        if not 0 <= size <= _LONGEST_BLOCK:
            msg = f"a packet or block of {size} bytes"
            raise ValueError(msg)
        content, self._start = self._start[:size], self._start[size:]
        content += self._file.read(size - len(content)) if size > len(content) else b""
        self._place += len(content)
        if 0 < len(content) < size:
            missing = size - len(content)
            msg = f"{byte_count(missing)} {'is' if missing == 1 else 'are'} missing at its end"
            raise ValueError(msg)
        return content


def segments(file: BinaryIO) -> Iterator[TcpSegment | None]:
    """Yield the TCP segments of a capture, and None for each packet that is none.

    Raises:
        CaptureError: the file is no capture, or is damaged or cut; what came before was yielded.
    """
    try:
        import dpkt  # noqa: PLC0415 - an extra
        import pcapng.exceptions  # noqa: PLC0415 - the same
    except ImportError as error:
        hint = "Install it: pip install 'kafka-format-conformance[capture]'"
        raise CaptureError(f"{error.name} is needed to read captures.", hint=hint) from None
    start = file.read(4)
    if not is_capture(start):
        hint = "Captures are files of tcpdump or Wireshark."
        raise CaptureError("this is no pcap or pcapng file.", hint=hint)
    packets_of = {_PCAPNG: of_pcapng, _SNOOP: of_snoop}.get(start, _of_pcap)
    count, fragments = 0, Fragments()
    broken = (dpkt.Error, pcapng.exceptions.PcapngException, ValueError, *_BROKEN)
    try:
        for time, link, packet in packets_of(_Limited(file, start)):
            count += 1
            yield _segment(time if 0 <= time < _LAST else 0.0, link, packet, fragments)
    except broken as error:
        detail = f"the capture breaks off after {count} packet{'' if count == 1 else 's'}: {error}."
        raise CaptureError(detail, hint="What was captured before is all there.", packets=count) from None


_BROKEN: Final = (
    struct.error, IndexError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, ZeroDivisionError,
)  # fmt: skip
"""Errors that the libraries raise at unexpected bytes, besides their own."""


def _of_pcap(file: Any) -> Iterator[tuple[float, int, bytes]]:
    import dpkt  # noqa: PLC0415 - an extra

    reader = dpkt.pcap.Reader(file)
    for time, packet in reader:
        yield float(time), reader.datalink(), packet


def _segment(time: float, link: int, packet: bytes, fragments: Fragments) -> TcpSegment | None:
    """Return the TCP segment in a packet; None if it has none or a part, or its headers are cut."""
    import dpkt  # noqa: PLC0415 - an extra

    try:
        network = inner(_network(link, packet))
        if not isinstance(network, (dpkt.ip.IP, dpkt.ip6.IP6)) or network.p != dpkt.ip.IP_PROTO_TCP:
            return None
        transport, length = network.data, _length(network)
        if is_fragment(network):
            whole = fragments.add(network) if len(transport) >= length else None
            if whole is None:
                return None
            transport, length = dpkt.tcp.TCP(whole), len(whole)
        if not isinstance(transport, dpkt.tcp.TCP):
            return None
        flags, content = transport.flags, bytes(transport.data)
        return TcpSegment(
            time,
            Endpoint(_address(network.src), transport.sport),
            Endpoint(_address(network.dst), transport.dport),
            transport.seq,
            transport.ack if flags & dpkt.tcp.TH_ACK else None,
            content,
            max(0, length - transport.off * 4 - len(content)),
            bool(flags & dpkt.tcp.TH_SYN),
            bool(flags & dpkt.tcp.TH_FIN),
        )
    except (dpkt.Error, ValueError, *_BROKEN):
        return None


def _length(network: Any) -> int:
    """Return how long the content of an IP packet was; 0 where the network card was to say it."""
    if network.v == 6:
        return int(network.plen) - sum(len(header) for header in network.all_extension_headers)
    return int(network.len) - int(network.hl) * 4


@lru_cache(maxsize=1 << 12)
def _address(octets: bytes) -> str:
    return socket.inet_ntop(socket.AF_INET if len(octets) == 4 else socket.AF_INET6, octets)


def _network(link: int, packet: bytes) -> Any:
    """Return the IP packet in a packet of that link type (see tcpdump.org/linktypes.html)."""
    if link not in _RAW:
        read = _readers().get(link)
        return None if read is None else read(packet).data
    import dpkt  # noqa: PLC0415 - an extra

    return (dpkt.ip6.IP6 if packet[0] >> 4 == 6 else dpkt.ip.IP)(packet)


@cache
def _readers() -> Mapping[int, Callable[[bytes], Any]]:
    """Return what reads packets with something in front of IP, by their link type."""
    import dpkt  # noqa: PLC0415 - an extra

    return {
        0: dpkt.loopback.Loopback,
        1: dpkt.ethernet.Ethernet,
        9: dpkt.ppp.PPP,
        108: dpkt.loopback.Loopback,
        113: dpkt.sll.SLL,
        276: dpkt.sll2.SLL2,
    }


_RAW: Final[Mapping[int, str]] = MappingProxyType({12: "raw", 14: "raw", 101: "raw", 228: "IPv4", 229: "IPv6"})
"""Link types that have nothing in front of IP."""
