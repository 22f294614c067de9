"""What the adapters of Python targets share besides the template."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from kafka_conformance.targets.folders import ADAPTERS, TARGETS

FOLDERS = [str(TARGETS / "common" / "python"), str(ADAPTERS / "python")]


@pytest.fixture(scope="module")
def helpers() -> Iterator[dict[str, ModuleType]]:
    before = set(sys.modules)
    sys.path[:0] = FOLDERS
    try:
        import broker  # noqa: PLC0415 - found once the path is set
        import python2  # noqa: PLC0415 - the same

        yield {"broker": broker, "python2": python2}
    finally:
        del sys.path[: len(FOLDERS)]
        for name in {"broker", "python2", "python_adapter"} - before:
            sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("base", "delta", "sequence"), [(-1, 5, -1), (0, 0, 0), (10, 5, 15), (2**31 - 1, 0, 2**31 - 1), (2**31 - 1, 1, 0)]
)
def test_sequences_count_on_at_zero(helpers: dict[str, ModuleType], base: int, delta: int, sequence: int) -> None:
    assert helpers["broker"].sequence_of(base, delta) == sequence


def test_offsets_go_into_the_entries_and_nothing_else_changes(helpers: dict[str, ModuleType]) -> None:
    run = bytes(8) + b"\0\0\0\2ab" + bytes(8) + b"\0\0\0\1c"
    written = helpers["broker"].with_offsets(run, [-1, 258])
    assert written == b"\xff" * 8 + b"\0\0\0\2ab" + bytes(6) + b"\1\2" + b"\0\0\0\1c"


@pytest.mark.parametrize(
    ("data", "cut"),
    [
        (b"", True),
        (bytes(11), True),
        (bytes(8) + b"\0\0\0\2a", True),
        (bytes(8) + b"\0\0\0\2ab", False),
        (bytes(8) + b"\xff\xff\xff\xff", False),  # a size that is wrong is no cut
    ],
)
def test_only_a_first_entry_that_is_cut_is_too_small_a_fetch(
    helpers: dict[str, ModuleType], data: bytes, *, cut: bool
) -> None:
    assert helpers["broker"].is_cut(data) is cut


@pytest.fixture
def old_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "oldpackage").mkdir()
    (tmp_path / "oldpackage" / "__init__.py").touch()
    (tmp_path / "oldpackage" / "client.py").write_text("repr VALUE\nseen = VALUE\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "oldpackage", raising=False)
    return "oldpackage.client"


def test_old_module_runs_with_its_spellings_replaced_and_its_names_put_in(
    helpers: dict[str, ModuleType], old_package: str
) -> None:
    module = helpers["python2"].load(old_package, {"repr VALUE": "repr(VALUE)"}, VALUE=7)
    assert module.seen == 7


def test_release_whose_text_is_another_is_not_run(helpers: dict[str, ModuleType], old_package: str) -> None:
    with pytest.raises(ImportError, match="does not have 'xrange'"):
        helpers["python2"].load(old_package, {"xrange": "range"})


@pytest.mark.parametrize(("data", "signed"), [(b"", 0), (b"a", -390611389), (b"hello", 907060870)])
def test_checksum_is_signed_as_python_2_gave_it(helpers: dict[str, ModuleType], data: bytes, signed: int) -> None:
    assert helpers["python2"].crc32(data) == signed
