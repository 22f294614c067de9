"""Signs of what is not Kafka's: marks at the start of files and streams of others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from kafka_format.capture import is_capture
from kafka_format.recognition.model import Candidate, Kind

_MARKS: Final = (
    (b"\x1f\x8b\x08", "a stream of gzip"),
    (b"\x28\xb5\x2f\xfd", "a stream of zstd"),
    (b"\x04\x22\x4d\x18", "a stream of lz4"),
    (b"\x82SNAPPY\0", "a stream of snappy, in the framing of xerial"),
    (b"\xff\x06\0\0sNaPpY", "a stream of snappy, in its own framing"),
    (b"\xfd7zXZ\0", "a stream of xz"),
    (b"BZh", "a stream of bzip2"),
    (b"PK\x03\x04", "a zip or jar archive"),
    (b"\xca\xfe\xba\xbe", "a class of Java"),
    (b"\xac\xed\0\x05", "objects that Java serialized"),
    (b"Obj\x01", "a container of Avro"),
    (b"PAR1", "a file of Parquet"),
    (b"ORC", "a file of ORC"),
    (b"\x7fELF", "a program"),
    (b"\x89PNG\r\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"%PDF-", "a document (PDF)"),
    (b"SQLite format 3\0", "a database of SQLite"),
    (b"OSIL", "a segment of a RabbitMQ stream"),
    (b"OSII", "an index of a RabbitMQ stream"),
    (b"BKLE", "a ledger of BookKeeper, as Pulsar's"),
    (b"SSH-", "a session of SSH"),
    (b"PRI * HTTP/2.0", "a connection of HTTP/2"),
    (b"AMQP", "a connection of AMQP"),
    (b"\xff\xfd", "a session of telnet"),
    (b"*1\r\n$", "a connection of Redis"),
    (b"STREAMS", "a stream of NATS"),
    (b"INFO {", "a connection of NATS"),
)
_ROCKETMQ: Final = b"\xda\xa3\x20\xa7"
_HTTP: Final = re.compile(
    rb"(?:GET|POST|PUT|HEAD|DELETE|OPTIONS|PATCH|CONNECT|TRACE) \S{1,4096} HTTP/1\.[01]\r?\n|HTTP/1\.[01] \d{3} "
)
_TLS_RECORDS: Final = {20: "a change of the cipher", 21: "an alert", 22: "a handshake", 23: "data"}
_LARGEST_TLS: Final = (16 << 10) + 2048
_LARGEST_JSON: Final = 16 << 20
_LOOKED_AT: Final = 1024
_TEXT_RUN: Final = re.compile(rb"[\x20-\x7e]{4,}")
_FASTCGI_HEAD: Final = 8
_SHORTEST: Final = 8
_NEAR: Final = 16
"""Bytes of a payload in which its first text begins; ids whose last byte is 0 are rare, and small
sizes in front of frames look like them."""

_LARGEST_ID: Final = 1 << 20
"""Ids of schemas that a registry gives are small."""


def candidates(data: bytes) -> Iterator[Candidate]:
    """Yield what bytes are, by their marks."""
    if is_capture(data):
        title = "a capture of network traffic"
        yield Candidate(Kind.CAPTURE, title, 97, ("the mark of pcap, pcapng or snoop",))
    for mark, title in _MARKS:
        if data.startswith(mark):
            yield Candidate(Kind.OTHER, title, 92 if len(mark) > 2 else 42, ("the mark at its start",))
    if data[4:8] == _ROCKETMQ:
        yield Candidate(Kind.OTHER, "a commit log of RocketMQ", 93, ("its magic number",))
    if _HTTP.match(data):
        yield Candidate(Kind.OTHER, "HTTP", 95, ("its first line",))
    yield from _tls(data)
    yield from _json(data)
    if _is_fastcgi(data):
        yield Candidate(Kind.OTHER, "a connection of FastCGI", 92, ("the record that begins a request",))
    yield from _of_registry(data)
    yield from _of_other_registries(data)


def _tls(data: bytes) -> Iterator[Candidate]:
    if len(data) < 6 or data[0] not in _TLS_RECORDS or data[1] != 3 or data[2] > 4:
        return
    size = int.from_bytes(data[3:5], "big")
    if 0 < size <= _LARGEST_TLS:
        what = _TLS_RECORDS[data[0]]
        yield Candidate(Kind.OTHER, "encrypted with TLS", 92 if data[0] == 22 else 80, (f"a record with {what}",))


def _json(data: bytes) -> Iterator[Candidate]:
    start = data[:64].lstrip()[:1]
    if start not in (b"{", b"[") or len(data) > _LARGEST_JSON:
        return
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return
    yield Candidate(Kind.OTHER, "JSON", 85, ("it reads as JSON to its end",))


def _is_fastcgi(data: bytes) -> bool:
    """Tell whether FCGI_BEGIN_REQUEST is there: 8 bytes, a role of 1 to 3, flags, and zeros."""
    return (
        len(data) >= 2 * _FASTCGI_HEAD
        and data[:2] == b"\1\1"
        and data[4:6] == b"\0\x08"
        and data[6] < _FASTCGI_HEAD
        and 1 <= int.from_bytes(data[8:10], "big") <= 3
        and data[10] < 2
        and not any(data[11:16])
    )


def _of_other_registries(data: bytes) -> Iterator[Candidate]:
    """Yield a payload behind the id of its schema as Glue or Apicurio writes it."""
    if len(data) > 18 and data[0] == 3 and data[1] in (0, 5) and data[8] >> 4 == 4 and data[10] >> 6 == 2:
        evidence = ("a 3, how it is compressed, and a random id",)
        yield Candidate(Kind.OTHER, "a payload with the id of its schema in front, as Glue's", 60, evidence)
    content = data[9 : 9 + _LOOKED_AT]
    number, texts = int.from_bytes(data[1:9], "big"), sum(len(found[0]) for found in _TEXT_RUN.finditer(content))
    if len(content) > 3 and data[0] == 0 and 0 < number < _LARGEST_ID and number & 0xFF and texts * 2 > len(content):
        title = f"a payload with the id of its schema in front ({number}, 8 bytes), as Apicurio's"
        evidence = ("a zero byte, a small number of 8 bytes, then text",)
        yield Candidate(Kind.OTHER, title, 41, evidence, ("many bytes begin so",))


def _of_registry(data: bytes) -> Iterator[Candidate]:
    """Yield a payload with the id of its schema in front, as Confluent's serializers write it."""
    number, content = int.from_bytes(data[1:5], "big"), data[5 : 5 + _LOOKED_AT]
    texts = sum(len(found[0]) for found in _TEXT_RUN.finditer(content))
    is_json = content[:1] == b"{"
    if (
        len(data) > _SHORTEST and data[0] == 0 and 0 < number < _LARGEST_ID and texts * 2 > len(content)
        and (is_json or (number & 0xFF and _TEXT_RUN.search(content, 0, _NEAR)))
    ):  # fmt: skip
        title = f"a payload with the id of its schema in front ({number}), as those of a schema registry"
        score = 60 if is_json else 41
        yield Candidate(Kind.OTHER, title, score, ("a zero byte, a small number, then text",), ("many bytes begin so",))
