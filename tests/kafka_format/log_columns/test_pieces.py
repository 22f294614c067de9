"""The layout machine finds the same batches as Python, and stops at the same doubts."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kafka_format import logs

pytest.importorskip("numpy", reason="numpy is not installed")
from kafka_format.codec.readings import engine
from kafka_format.log_columns.pieces import pieces

SIZES = (1, 30, 400, 2100, 9000)
"""Bytes of values, below and above the size from which on checksums are computed by the library."""


def segment(chance: random.Random) -> bytearray:
    values = (chance.randbytes(chance.choice(SIZES)) for _ in range(chance.randrange(2, 60)))
    batches = (
        logs.batch(number, records=[{"key": b"k", "value": value}]) for number, value in enumerate(values, start=7)
    )
    return bytearray(b"".join(batches))


def damage(chance: random.Random, data: bytearray) -> None:
    at = chance.randrange(len(data))
    match chance.randrange(6):
        case 0:
            data[at] ^= 1 << chance.randrange(8)
        case 1:
            del data[at:]
        case 2:
            data += bytes(chance.randrange(1, 200))
        case 3:
            data[at : at + 70] = bytes(70)
        case 4:
            data[at : at + 4] = chance.choice((b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\x80\0\0\0", b"\0\0\0\x31"))
        case _:
            pass


def found(path: Path, size: int, *, check_crc: bool) -> Iterator[tuple[int, list[int], int, str]]:
    for piece in pieces(path, 0, path.stat().st_size, size, check_crc=check_crc):
        yield piece.position, piece.starts.tolist(), piece.size, piece.doubt


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("engine", ["machine"], indirect=True)
@pytest.mark.parametrize("check_crc", [True, False])
def test_the_machine_finds_the_same(check_crc: bool, tmp_path: Path) -> None:
    chance, path, doubts = random.Random(7), tmp_path / "00000000000000000007.log", set[str]()  # noqa: S311 - not secrets
    for number in range(90):
        data = segment(chance)
        damage(chance, data)
        path.write_bytes(data)
        size = (100, 3000, 1 << 20)[number % 3]
        quick = list(found(path, size, check_crc=check_crc))
        with engine("python"):
            assert list(found(path, size, check_crc=check_crc)) == quick
        doubts |= {doubt for *_, doubt in quick}
    assert doubts == {"", "entry", "tail"} | ({"crc"} if check_crc else set())
