"""Where the zeros at the end of a file begin, whether they were written or never were."""

from pathlib import Path

import pytest
from kafka_format.log.mapped_file import content_end


@pytest.mark.parametrize("content", [b"", b"\0", b"\1", b"\1\0\2", bytes(4096) + b"\1", bytes(1 << 20) + b"\1\0"])
@pytest.mark.parametrize("zeros", [0, 1, 4096, (1 << 20) - 1, (1 << 20) + 1])
@pytest.mark.parametrize("hole", [0, 1 << 22])
def test_content_ends_before_the_zeros(content: bytes, zeros: int, hole: int, tmp_path: Path) -> None:
    path = tmp_path / "00000000000000000000.index"
    with path.open("wb") as file:
        file.write(content + bytes(zeros))
        file.truncate(len(content) + zeros + hole)
    assert content_end(path) == len(content.rstrip(b"\0"))


def test_content_behind_a_hole_is_found(tmp_path: Path) -> None:
    path = tmp_path / "00000000000000000000.index"
    with path.open("wb") as file:
        file.write(b"\1")
        file.seek(1 << 22)
        file.write(b"\2\0")
    assert content_end(path) == (1 << 22) + 1


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "00000000000000000000.index"
    path.write_bytes(b"\1\0\0")
    assert content_end(path) == 1
    path.write_bytes(b"\1\1\0\0")
    assert content_end(path) == 2
