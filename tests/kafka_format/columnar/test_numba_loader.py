"""Numba is loaded for much data only, and nothing is lost where it cannot be had but speed."""

import subprocess
import sys
from types import ModuleType, SimpleNamespace

import pytest
from kafka_format import columnar
from kafka_format.columnar import numba_loader

from tests.kafka_format import wire

LOOPS = "kafka_format.columnar.numba_loops"
COMPILED = [LOOPS, *(f"kafka_format.columnar.numba_{name}" for name in ("compiler", "entries", "records"))]


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have nothing loaded, and numba tried after a kilobyte."""
    monkeypatch.setattr(numba_loader, "_tried", [])
    monkeypatch.setattr(numba_loader, "_bytes_read", 0)
    monkeypatch.setattr(numba_loader, "MUCH", 1024)


def read_much() -> None:
    assert len(columnar.decode(wire.V2 * 100)) == 100
    assert len(columnar.decode(wire.V2 * 100)) == 100


def test_it_is_not_loaded_for_little() -> None:
    columnar.decode(wire.V2)
    assert numba_loader._tried == []


def test_it_is_loaded_once_there_was_much(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[str] = []

    def remember(name: str) -> object:
        imported.append(name)
        return SimpleNamespace(config=SimpleNamespace(DISABLE_JIT=0)) if name == "numba" else None

    monkeypatch.setattr(numba_loader, "import_module", remember)
    read_much()
    assert imported == ["numba", LOOPS]


def test_it_can_be_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(numba_loader.SWITCH, "0")
    assert not columnar.load_numba()
    read_much()


def test_it_need_not_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not columnar.load_numba()
    read_much()


def test_a_numba_that_must_not_compile_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    numba = pytest.importorskip("numba", reason="pip install 'kafka-format-conformance[numba]'")
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert not columnar.load_numba()
    read_much()


@pytest.mark.parametrize("error", [RuntimeError("no LLVM here"), ImportError("no LLVM here"), OSError("no LLVM here")])
def test_a_broken_numba_gives_one_warning(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> ModuleType:
        raise error

    monkeypatch.setattr(numba_loader, "import_module", fail)
    with pytest.warns(UserWarning, match=r"numba does not work here.*no LLVM here") as told:
        read_much()
    assert len(told) == 1


def test_columns_are_read_without_importing_numba() -> None:
    code = "import sys; from kafka_format import columnar; columnar.decode(b''); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.whole  # it compiles all of it, which takes seconds
def test_it_compiles_where_nothing_can_be_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba then raises when a function is to be cached, not when it is compiled."""
    numba = pytest.importorskip("numba", reason="pip install 'kafka-format-conformance[numba]'")
    compile_ = numba.njit

    def njit(*signature: object, cache: bool = False, **options: object) -> object:
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return compile_(*signature, **options)

    monkeypatch.setattr(numba, "njit", njit)
    for name in COMPILED:
        monkeypatch.delitem(sys.modules, name, raising=False)
    try:
        assert columnar.load_numba()
        read_much()
    finally:
        for name in COMPILED:
            sys.modules.pop(name, None)
