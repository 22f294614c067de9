"""Files and streams of others, whole, cut and from their middle: nothing of them is Kafka's.

A guess may be wrong, and says so; what is claimed for certain may not.
"""

import bz2
import gzip
import io
import json
import lzma
import marshal
import pickle
import random
import sqlite3
import struct
import sys
import tarfile
import wave
import zipfile
import zlib
from pathlib import Path

import pytest
from kafka_format.recognition import Kind, recognise

TEXT = Path(__file__).read_text(encoding="utf-8")
ROWS = [{"id": number, "name": f"order {number}", "sum": number * 1.5} for number in range(200)]


def png() -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    head = struct.pack(">IIBBBBB", 32, 32, 8, 0, 0, 0, 0)
    picture = zlib.compress(bytes(33 * 32))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", picture) + chunk(b"IEND", b"")


def sqlite() -> bytes:
    with sqlite3.connect(":memory:") as database:
        database.execute("create table orders (id integer primary key, name text, sum real)")
        database.executemany("insert into orders values (:id, :name, :sum)", ROWS)
        database.commit()
        return database.serialize()


def sound() -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(8000)
        writer.writeframes(bytes(2000))
    return file.getvalue()


def packed(kind: type[zipfile.ZipFile] | type[tarfile.TarFile]) -> bytes:
    file = io.BytesIO()
    if kind is zipfile.ZipFile:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("orders.json", json.dumps(ROWS))
    else:
        with tarfile.open(fileobj=file, mode="w") as archive:
            archive.add(__file__, "test.py")
    return file.getvalue()


def protobuf() -> bytes:
    """Return messages with a number and a text in each, as protoc's encoding has them."""
    rows = []
    for row in ROWS:
        name = str(row["name"]).encode()
        content = b"\x08" + bytes((int(row["id"]) & 0x7F,)) + b"\x12" + bytes((len(name),)) + name
        rows.append(b"\x0a" + bytes((len(content),)) + content)
    return b"".join(rows)


def avro() -> bytes:
    schema = json.dumps({"type": "record", "name": "order", "fields": [{"name": "id", "type": "long"}]}).encode()
    head = b"Obj\x01\x02\x16avro.schema" + struct.pack("<H", len(schema) * 2) + schema + b"\0" + bytes(range(16))
    return head + b"\xc8\x01\x90\x03" + bytes(range(0, 200, 2)) + bytes(range(16))


def der() -> bytes:
    oid = bytes.fromhex("06092a864886f70d01010b0500")
    return b"\x30\x82\x01\x0a" + (b"\x30\x0d" + oid) * 8 + bytes(range(200))


THINGS = {
    "PNG": png(),
    "a program": Path(sys.executable).read_bytes()[:60_000],
    "gzip": gzip.compress(TEXT.encode() * 3),
    "xz": lzma.compress(TEXT.encode() * 3),
    "bzip2": bz2.compress(TEXT.encode() * 3),
    "zlib": zlib.compress(TEXT.encode() * 3),
    "zip": packed(zipfile.ZipFile),
    "tar": packed(tarfile.TarFile),
    "SQLite": sqlite(),
    "a sound": sound(),
    "JSON": json.dumps(ROWS).encode(),
    "JSON in lines": "\n".join(map(json.dumps, ROWS)).encode(),
    "CSV": "\n".join(f"{row['id']},{row['name']},{row['sum']}" for row in ROWS).encode(),
    "a program's text": TEXT.encode(),
    "UTF-8": ("Größe, 大きさ, размер, μέγεθος 🦊\n" * 60).encode(),
    "UTF-16": (TEXT[:2000]).encode("utf-16"),
    "UTF-32": (TEXT[:2000]).encode("utf-32"),
    "protobuf": protobuf(),
    "protobuf with sizes": b"".join(struct.pack(">I", 40) + protobuf()[at : at + 40] for at in range(0, 2000, 40)),
    "Avro": avro(),
    "Parquet": b"PAR1" + bytes.fromhex("1504152015204c15041504120000") + bytes(range(256)) * 4 + b"PAR1",
    "DER": der(),
    "pickle": pickle.dumps(ROWS),
    "byte code": marshal.dumps(compile(TEXT, "x", "exec")),
    "numbers of 16 bits": struct.pack(">500h", *range(500)),
    "numbers of 32 bits": struct.pack(">500i", *range(500)),
    "numbers of 64 bits": struct.pack("<500q", *range(500)),
    "floats": struct.pack(">500d", *(number / 7 for number in range(500))),
    "zeros": bytes(5000),
    "ones": b"\xff" * 5000,
}


def parts(data: bytes, count: int) -> list[bytes]:
    chance = random.Random(len(data))  # noqa: S311 - chance, not secrets
    sizes = (12, 20, 40, 100, 300, 2000)
    middle = [(chance.randrange(len(data)), chance.choice(sizes)) for _ in range(count)]
    return [data, *(data[:size] for size in sizes), *(data[at : at + size] for at, size in middle)]


@pytest.mark.parametrize("name", THINGS)
def test_nothing_is_claimed_for_certain(name: str) -> None:
    found = [recognise(part).best for part in parts(THINGS[name], 20)]
    assert [one for one in found if one is not None and one.kind is not Kind.OTHER and not one.is_guess] == []


def test_few_guesses_are_made() -> None:
    found = [recognise(part).best for data in THINGS.values() for part in parts(data, 8)]
    guesses = [one for one in found if one is not None and one.kind is not Kind.OTHER]
    assert len(guesses) <= len(found) // 20, [one.title for one in guesses]


MESSAGES = {
    "gearman, a job": b"\0REQ" + struct.pack(">II", 7, 43) + b"topic\0\0select leader member member select key",
    "gearman, whose size ends with it": b"\0REQ"
    + struct.pack(">II", 7, 37)
    + b"host\0\0item from member insert values1",
    "dns over tcp, a question": bytes.fromhex(
        "002248ef010000010000000000000466726f6d076578616d706c6503636f6d0000010001"
    ),
    "thrift, half a call": bytes.fromhex("0000003080010001000000066d656d626572000000010b000100"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_short_messages_of_others_are_not_even_guessed_to_be_kafkas(name: str) -> None:
    best = recognise(MESSAGES[name]).best
    assert best is None or best.kind in {Kind.OTHER, Kind.FRAMES}
