"""A broker on the loopback interface that serves one vector: what a library's own consumer fetches from.

It has one topic with one partition, whose log is the bytes of the vector, and answers what a consumer asks for on its
way there, in the oldest versions that clients still speak (Kafka 0.8 to 0.11; none of them flexible). A fetch gets
the log from the first entry on that ends at the offset asked for or behind it, as from Kafka. A group has one member.

For producers it is a broker of 0.10, where they write v1, or of 0.11, where they write v2, which keeps what it is sent.
"""

import socketserver
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

TOPIC = "vector"
_NODE = 1
_PRODUCE, _FETCH, _LIST_OFFSETS, _METADATA, _API_VERSIONS = 0, 1, 2, 3, 18
_OFFSET_COMMIT, _OFFSET_FETCH, _FIND_COORDINATOR = 8, 9, 10
_JOIN_GROUP, _HEARTBEAT, _LEAVE_GROUP, _SYNC_GROUP = 11, 12, 13, 14
_UNSUPPORTED_VERSION = 35
_LATEST = -1
_WAIT = 0.05  # seconds that an empty fetch takes

_VERSIONS = {
    _PRODUCE: (0, 3),  # by which clients tell how new a broker is
    _FETCH: (0, 4),
    _LIST_OFFSETS: (0, 1),
    _METADATA: (0, 1),
    _OFFSET_COMMIT: (0, 2),
    _OFFSET_FETCH: (0, 1),
    _FIND_COORDINATOR: (0, 0),
    _JOIN_GROUP: (0, 0),
    _HEARTBEAT: (0, 0),
    _LEAVE_GROUP: (0, 0),
    _SYNC_GROUP: (0, 0),
    _API_VERSIONS: (0, 2),
}
_VERSIONS_OF_0_10 = {**_VERSIONS, _PRODUCE: (0, 2), _FETCH: (0, 2), _LIST_OFFSETS: (0, 0), _API_VERSIONS: (0, 0)}
"""Where producers write v1, and still take the broker to be newer than 0.9."""


@contextmanager
def serving(log: bytes) -> Iterator[str]:
    """Serve the bytes as long as the block runs; gives the address, `host:port`."""
    server = _Server(("127.0.0.1", 0), _Connection)
    server.log = log
    with _running(server) as address:
        yield address


@contextmanager
def taking(*, takes_v2: bool = False) -> Iterator[tuple[str, list[bytes]]]:
    """Take what producers send while the block runs, as a broker of 0.10 or 0.11; gives the address and what came."""
    server = _Server(("127.0.0.1", 0), _Connection)
    server.versions, server.taken = (_VERSIONS if takes_v2 else _VERSIONS_OF_0_10), []
    with _running(server) as address:
        yield address, server.taken


@contextmanager
def _running(server: "_Server") -> Iterator[str]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    log = b""
    versions: Mapping[int, tuple[int, int]] = _VERSIONS
    taken: list[bytes]


class _Connection(socketserver.StreamRequestHandler):
    """Answers requests until the client hangs up."""

    server: _Server
    disable_nagle_algorithm = True

    def handle(self) -> None:
        with suppress(ConnectionError, struct.error):  # it left, perhaps in the middle of a request
            while len(size := self.rfile.read(4)) == 4:
                request = _Request(self.rfile.read(*struct.unpack(">i", size)))
                body = _ANSWERS[request.key](request, self.server)
                self.wfile.write(struct.pack(">ii", 4 + len(body), request.correlation) + body)


class _Request:
    """A request read from front to back, header version 1."""

    def __init__(self, data: bytes) -> None:
        self._data, self._place = data, 0
        self.key, self.version, self.correlation = self.integers("hhi")
        self.string()  # the client's id

    def integers(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(f">{form}", self._data, self._place)
        self._place += struct.calcsize(f">{form}")
        return found

    def string(self) -> bytes:
        (length,) = self.integers("h")
        return self._take(length)

    def octets(self) -> bytes:
        (length,) = self.integers("i")
        return self._take(length)

    def _take(self, length: int) -> bytes:
        start, self._place = self._place, self._place + max(length, 0)
        return self._data[start : self._place]


def _api_versions(request: _Request, server: _Server) -> bytes:
    known = server.versions
    is_known = request.version <= known[_API_VERSIONS][1]
    rows = b"".join(struct.pack(">hhh", key, *versions) for key, versions in known.items())
    throttle_time = bytes(4) if is_known and request.version else b""
    return struct.pack(">hi", 0 if is_known else _UNSUPPORTED_VERSION, len(known)) + rows + throttle_time


def _metadata(request: _Request, server: _Server) -> bytes:
    node, is_newer = struct.pack(">i", _NODE), request.version >= 1
    broker = node + _string(b"127.0.0.1") + struct.pack(">i", server.server_address[1]) + b"\xff\xff" * is_newer
    partition = struct.pack(">hii", 0, 0, _NODE) + _array(node) + _array(node)
    topic = struct.pack(">h", 0) + _string(TOPIC.encode()) + b"\0" * is_newer + _array(partition)
    return _array(broker) + node * is_newer + _array(topic)


def _find_coordinator(_request: _Request, server: _Server) -> bytes:
    address = _string(b"127.0.0.1") + struct.pack(">i", server.server_address[1])
    return struct.pack(">hi", 0, _NODE) + address


def _list_offsets(request: _Request, server: _Server) -> bytes:
    request.integers("ii")  # the replica's id, one topic
    request.string()
    _, _, timestamp = request.integers("iiq")
    offset = _end(server.log) if timestamp == _LATEST else 0
    found = struct.pack(">qq", -1, offset) if request.version else _array(struct.pack(">q", offset))
    return _of_partition(struct.pack(">ih", 0, 0) + found)


def _produce(request: _Request, server: _Server) -> bytes:
    """Take the records of one partition, and say that the first has the offset 0."""
    if request.version >= 3:
        request.string()  # the id of a transaction
    request.integers("hii")  # acks, the patience of the client, one topic
    request.string()
    request.integers("ii")  # one partition, its index
    server.taken.append(request.octets())
    append_time = struct.pack(">q", -1) if request.version >= 2 else b""
    return _of_partition(struct.pack(">ihq", 0, 0, 0) + append_time) + bytes(4 if request.version else 0)


def _fetch(request: _Request, server: _Server) -> bytes:
    request.integers("iii" + ("i" if request.version >= 3 else "") + ("b" if request.version >= 4 else ""))
    request.integers("i")  # one topic
    request.string()
    _, _, offset = request.integers("iiq")
    end = _end(server.log)
    records = _from(server.log, offset)
    if not records:
        time.sleep(_WAIT)
    transactions = struct.pack(">qi", end, -1) if request.version >= 4 else b""
    head = struct.pack(">ihq", 0, 0, end) + transactions
    throttle_time = bytes(4) if request.version else b""
    return throttle_time + _of_partition(head + struct.pack(">i", len(records)) + records)


def _join_group(request: _Request, _server: _Server) -> bytes:
    """Make the only member the leader."""
    request.string()
    request.integers("i")
    request.string(), request.string()
    request.integers("i")  # one protocol
    protocol, subscription = request.string(), request.octets()
    member = _string(b"member")
    return struct.pack(">hi", 0, 1) + _string(protocol) + member * 2 + _array(member + _octets(subscription))


def _sync_group(request: _Request, _server: _Server) -> bytes:
    """Give back what the leader assigned to itself."""
    request.string()
    request.integers("i")
    request.string()
    request.integers("i")  # one member
    request.string()
    return struct.pack(">h", 0) + _octets(request.octets())


def _offset_fetch(_request: _Request, _server: _Server) -> bytes:
    return _of_partition(struct.pack(">iqhh", 0, -1, 0, 0))


def _offset_commit(_request: _Request, _server: _Server) -> bytes:
    return _of_partition(struct.pack(">ih", 0, 0))


def _agreed(_request: _Request, _server: _Server) -> bytes:
    return struct.pack(">h", 0)


_ANSWERS: dict[int, Callable[[_Request, _Server], bytes]] = {
    _PRODUCE: _produce,
    _FETCH: _fetch,
    _LIST_OFFSETS: _list_offsets,
    _METADATA: _metadata,
    _OFFSET_COMMIT: _offset_commit,
    _OFFSET_FETCH: _offset_fetch,
    _FIND_COORDINATOR: _find_coordinator,
    _JOIN_GROUP: _join_group,
    _HEARTBEAT: _agreed,
    _LEAVE_GROUP: _agreed,
    _SYNC_GROUP: _sync_group,
    _API_VERSIONS: _api_versions,
}


def _entries(log: bytes) -> Iterator[tuple[int, int]]:
    """Yield place and last offset of every entry that is whole."""
    place, head, delta_place, format_v2 = 0, 17, 23, 2
    while place + head <= len(log):
        offset, size = struct.unpack_from(">qi", log, place)
        if size < head - 12 or place + 12 + size > len(log):
            return
        is_v2 = log[place + 16] == format_v2 and size >= delta_place + 4 - 12
        yield place, offset + (struct.unpack_from(">i", log, place + delta_place)[0] if is_v2 else 0)
        place += 12 + size


def _from(log: bytes, offset: int) -> bytes:
    """Leave out the entries that end below an offset; nothing, if all do."""
    return next((log[place:] for place, last in _entries(log) if last >= offset), b"")


def _end(log: bytes) -> int:
    """Return the offset behind the last entry."""
    return max((last + 1 for _, last in _entries(log)), default=0)


def _of_partition(partition: bytes) -> bytes:
    return _array(_string(TOPIC.encode()) + _array(partition))


def _array(element: bytes) -> bytes:
    """Write an array of one element."""
    return struct.pack(">i", 1) + element


def _string(text: bytes) -> bytes:
    return struct.pack(">h", len(text)) + text


def _octets(data: bytes) -> bytes:
    return struct.pack(">i", len(data)) + data
