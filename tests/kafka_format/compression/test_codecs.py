import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kafka_format import compression
from kafka_format.compression.library import library
from kafka_format.errors import FormatError, Stage

from tests.kafka_format.compression.helpers import TEXT


def noise(size: int) -> bytes:
    """Bytes that do not compress, the same each time."""
    return hashlib.shake_128(b"noise").digest(size)


CODECS = compression.NAMES[1:]
MAGICS = st.sampled_from([0, 1, 2])
PAYLOADS = st.one_of(
    st.binary(max_size=300),
    st.builds(lambda part, times: part * times, st.binary(min_size=1, max_size=9), st.integers(0, 20_000)),
    st.integers(0, 200_000).map(noise),
)
MIB = 1 << 20


def test_the_index_of_a_name_is_its_number_on_the_wire() -> None:
    assert compression.NAMES == ("none", "gzip", "snappy", "lz4", "zstd")


@pytest.mark.parametrize("codec", compression.NAMES)
@pytest.mark.parametrize("magic", [0, 1, 2])
def test_an_empty_payload_comes_back(codec: str, magic: int) -> None:
    assert compression.decompress(codec, compression.compress(codec, b"", magic=magic), magic=magic) == b""


@pytest.mark.parametrize("codec", compression.NAMES)
@given(payload=PAYLOADS, magic=MAGICS)
def test_a_payload_comes_back(codec: str, payload: bytes, magic: int) -> None:
    written = compression.compress(codec, payload, magic=magic)
    assert compression.decompress(codec, written, magic=magic, limit=len(payload)) == payload


@pytest.mark.parametrize("codec", compression.NAMES)
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_takes_and_gives_plain_bytes(codec: str, kind: type) -> None:
    written = compression.compress(codec, kind(TEXT))
    content = compression.decompress(codec, kind(written))
    assert (type(written), type(content), content) == (bytes, bytes, TEXT)


@pytest.mark.parametrize("codec", CODECS)
def test_no_bytes_are_no_payload(codec: str) -> None:
    with pytest.raises(FormatError) as caught:
        compression.decompress(codec, b"")
    assert (caught.value.stage, caught.value.offset) == (Stage.DECOMPRESSION, 0)


def test_none_leaves_the_payload_alone_and_has_no_limit() -> None:
    assert compression.decompress("none", b"hello", limit=1) == b"hello"


def test_an_unknown_codec_is_the_callers_mistake() -> None:
    for call in (compression.compress, compression.decompress):
        with pytest.raises(ValueError, match=r"'brotli'; the codecs are none, gzip, snappy, lz4, zstd"):
            call("brotli", b"")


def damaged(draw: st.DrawFn, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, max(0, len(out) - 1)))
        match draw(st.sampled_from(["flip", "cut", "insert", "remove", "append"])):
            case "flip" if out:
                out[place] ^= draw(st.integers(1, 255))
            case "cut":
                del out[place:]
            case "remove":
                del out[place : place + draw(st.integers(1, 8))]
            case "append":
                out += out[: draw(st.integers(0, 40))]
            case _:
                out[place:place] = draw(st.binary(min_size=1, max_size=8))
    return bytes(out)


@st.composite
def damaged_streams(draw: st.DrawFn) -> tuple[str, bytes]:
    codec = draw(st.sampled_from(CODECS))
    payload = draw(st.sampled_from([b"", b"hello", TEXT, TEXT * 100, noise(500)]))
    return codec, damaged(draw, compression.compress(codec, payload))


def outcome(codec: str, data: bytes, magic: int, flags: frozenset[str]) -> bytes | FormatError:
    try:
        return compression.decompress(codec, data, magic=magic, limit=MIB, flags=flags)
    except FormatError as error:
        return error


@given(stream=damaged_streams(), magic=MAGICS, flags=st.frozensets(st.sampled_from(sorted(compression.FLAGS))))
def test_damage_is_refused_with_a_format_error_or_read(
    stream: tuple[str, bytes], magic: int, flags: frozenset[str]
) -> None:
    codec, data = stream
    result = outcome(codec, data, magic, flags)
    if isinstance(result, FormatError):
        assert 0 <= result.offset <= len(data)
        assert result.rule.startswith(f"compression.{codec}.") or result.rule == "compression.limit"
    else:
        assert len(result) <= MIB


@given(
    codec=st.sampled_from(CODECS), data=st.binary(max_size=100), flags=st.sampled_from([frozenset(), compression.FLAGS])
)
def test_any_bytes_are_refused_with_a_format_error_or_read(codec: str, data: bytes, flags: frozenset[str]) -> None:
    result = outcome(codec, data, 2, flags)
    assert not isinstance(result, FormatError) or 0 <= result.offset <= len(data)


def test_threads_do_not_share_zstd_contexts() -> None:
    payloads = [bytes([number]) * 300_000 for number in range(64)]
    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(lambda payload: compression.compress("zstd", payload), payloads))
        assert list(pool.map(lambda data: compression.decompress("zstd", data), written)) == payloads


def test_libraries_are_imported_when_a_codec_is_used() -> None:
    code = "import sys, kafka_format.compression; print({'lz4', 'snappy', 'xxhash', 'zstandard'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_missing_library_is_named_with_its_package() -> None:
    with pytest.raises(ImportError, match=r"needs snappy_of_elsewhere: pip install python-snappy") as caught:
        library("snappy_of_elsewhere", "python-snappy")
    assert caught.value.name == "snappy_of_elsewhere"
