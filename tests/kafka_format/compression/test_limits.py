import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from functools import cache

import lz4.block
import pytest
import snappy
import zstandard
from kafka_format import compression
from kafka_format.errors import FormatError, Stage

MIB = 1 << 20


def xerial(*blocks: bytes) -> bytes:
    return compression.compress("snappy", b"") + b"".join(len(block).to_bytes(4, "big") + block for block in blocks)


def lz4_frame(*blocks: bytes) -> bytes:
    """A frame of blocks of up to 4 MiB; 73 is the header checksum of 60 70."""
    sized = b"".join(len(block).to_bytes(4, "little") + block for block in blocks)
    return bytes.fromhex("04224d18607073") + sized + bytes(4)


ZEROS = bytes(64 * MIB)


def lz4_block(size: int) -> bytes:
    """A block of zeros."""
    block: bytes = lz4.block.compress(ZEROS[:size], store_size=False)
    return block


BOMBS: dict[str, tuple[str, Callable[[], bytes], int | None]] = {
    "gzip": ("gzip", lambda: compression.compress("gzip", ZEROS), 10),
    "gzip, many members": ("gzip", lambda: compression.compress("gzip", ZEROS[:MIB]) * 64, None),
    "snappy": ("snappy", lambda: xerial(snappy.compress(ZEROS)), 20),
    "snappy, many chunks": ("snappy", lambda: compression.compress("snappy", ZEROS), None),
    "lz4": ("lz4", lambda: compression.compress("lz4", ZEROS), None),
    "lz4, large blocks": (
        "lz4",
        lambda: lz4_frame(*[lz4_block(4 * MIB)] * 16),
        None,
    ),
    "zstd": ("zstd", lambda: compression.compress("zstd", ZEROS), 0),
    "zstd, content size": ("zstd", lambda: zstandard.ZstdCompressor().compress(ZEROS), 0),
    "zstd, many frames": ("zstd", lambda: compression.compress("zstd", ZEROS[:MIB]) * 64, None),
    "zstd, runs": ("zstd", lambda: bytes.fromhex("28b52ffd0058") + (b"\2\0\x10\0" * 512) + b"\1\0\0", 0),
}


@cache
def bomb(name: str) -> bytes:
    """Make a bomb when the first test needs it."""
    return BOMBS[name][1]()


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_costs_the_limit_and_two_blocks_at_most(name: str) -> None:
    """Measured in Python's own allocations, which hold the results of every codec."""
    codec, _, offset = BOMBS[name]
    data = bomb(name)
    limit = 8 * MIB
    with pytest.raises(FormatError):  # the library is loaded before measuring
        compression.decompress(codec, data, limit=100)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match="more than the limit of 8388608 bytes") as caught:
            compression.decompress(codec, data, limit=limit)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (caught.value.rule, caught.value.stage) == ("compression.limit", Stage.RESOURCE)
    assert offset in (None, caught.value.offset)
    assert peak <= limit + 2 * 4 * MIB + MIB // 4


@pytest.mark.parametrize("name", BOMBS)
def test_the_limit_itself_is_allowed(name: str) -> None:
    codec, data = BOMBS[name][0], bomb(name)
    assert len(compression.decompress(codec, data, limit=64 * MIB)) == 64 * MIB
    with pytest.raises(FormatError, match="more than the limit"):
        compression.decompress(codec, data, limit=64 * MIB - 1)


def test_the_limit_holds_for_a_truncated_tail() -> None:
    data = compression.compress("zstd", b"") + compression.compress("zstd", ZEROS)[:-1]
    with pytest.raises(FormatError, match="more than the limit of 8388608 bytes"):
        compression.decompress("zstd", data, limit=8 * MIB, flags=frozenset({"zstd-truncated-tail"}))


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc and limits the address space")
def test_memory_of_the_whole_process_stays_within_the_limit() -> None:
    """Native allocations too: streams that announce gigabytes, read by a process that may not have
    them."""
    code = """if True:
        import resource
        from kafka_format import compression
        from kafka_format.errors import FormatError
        for codec in compression.NAMES:
            compression.decompress(codec, compression.compress(codec, b"hello"))
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (192 << 20), -1))
        for codec, data in (
            ("snappy", compression.compress("snappy", b"") + b"\\0\\0\\0\\x08\\xff\\xff\\xff\\xff\\x07abc"),
            ("snappy", b"\\xff\\xff\\xff\\xff\\x0fabc"),
            ("lz4", bytes.fromhex("04224d18607073ffffff7f") + bytes(9)),
            ("zstd", bytes.fromhex("28b52ffde0ffffffffffffff7f2900006869")),
            ("zstd", bytes.fromhex("28b52ffda0ffffff0729000068656c6c6f")),
            ("zstd", bytes.fromhex("28b52ffd00ff29000068656c6c6f")),
        ):
            try:
                compression.decompress(codec, data, flags=frozenset({"snappy-raw-block"}))
            except FormatError as error:
                print(error.rule)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    rules = [
        "snappy.block-size",
        "snappy.block-size",
        "lz4.block-length",
        "zstd.window",
        "zstd.content-size",
        "zstd.window",
    ]
    assert (done.stdout.split(), done.stderr) == ([f"compression.{rule}" for rule in rules], "")


def test_many_small_members_take_linear_time() -> None:
    """50 000 members: 1 MB. Quadratic copying would move 25 GB."""
    empty = compression.compress("gzip", b"")
    assert compression.decompress("gzip", empty * 50_000) == b""
