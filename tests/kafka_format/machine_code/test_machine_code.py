"""Machine code that cannot be had is done without, and what it does besides writing is what Python does."""

import sys
from types import ModuleType

import numpy as np
import pytest
from kafka_format import machine_code, sampler
from kafka_format.primitives.checksums import crc32c


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing loaded, and ask for it after a kilobyte."""
    monkeypatch.setattr(machine_code, "_found", [])
    monkeypatch.setattr(machine_code, "_handled", 0)
    monkeypatch.setattr(machine_code, "MUCH", 1024)


def make_much() -> None:
    assert len(sampler.block(3, 0, 100, "tiny").data) > 1024


@pytest.mark.usefixtures("fresh")
class TestLoading:
    def test_it_is_not_asked_for_little(self) -> None:
        sampler.block(3, 0, 1, "tiny")
        assert machine_code._found == []

    def test_it_is_asked_for_when_much_was_done(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[str] = []
        monkeypatch.setattr(machine_code, "import_module", asked.append)
        make_much()
        make_much()
        assert asked == ["kafka_format.machine_code.kernels"]

    def test_it_can_be_forbidden(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(machine_code.SWITCH, "0")
        assert not machine_code.load()
        make_much()

    def test_it_need_not_be_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "kafka_format.machine_code.kernels", None)
        assert not machine_code.load()
        make_much()

    def test_one_that_does_not_work_is_told_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_: str) -> ModuleType:
            raise RuntimeError("no LLVM for this machine")

        monkeypatch.setattr(machine_code, "import_module", fail)
        with pytest.warns(UserWarning, match="numba does not work here, .* no LLVM"):
            make_much()
        make_much()


def test_both_ways_make_the_same_batches() -> None:
    if not machine_code.load():
        pytest.skip("numba is not here: pip install 'kafka-format-conformance[numba]'")
    for profile in sampler.PROFILES:
        block = sampler.block(9, 0, 300, profile)
        with machine_code.without():
            other = sampler.block(9, 0, 300, profile)
            assert (block.data, block.answers) == (other.data, other.answers), profile


@pytest.mark.parametrize("size", [*range(20), 100, 1001])
def test_checksums_are_those_of_the_library(size: int) -> None:
    if not machine_code.load():
        pytest.skip("numba is not here: pip install 'kafka-format-conformance[numba]'")
    kernel = machine_code.kernel()
    if not kernel.checksums:
        pytest.skip("this processor has no instruction for CRC-32C that we know; the library is used")
    data = bytes(place * 37 & 0xFF for place in range(2 * (size + 5)))
    found, bounds = np.frombuffer(bytearray(data), np.uint8), np.array([0, size + 5, 2 * (size + 5)])
    kernel.checksums(found.ctypes.data, bounds.ctypes.data, 2, 1, 5)
    for start, end in ((0, size + 5), (size + 5, 2 * (size + 5))):
        due = crc32c(data[start + 5 : end]).to_bytes(4)
        assert found[start:end].tobytes() == data[start : start + 1] + due + data[start + 5 : end]
