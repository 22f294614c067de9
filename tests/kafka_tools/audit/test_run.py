"""An audit finds what `log verify` finds, on Spark, and writes nothing into what it reads."""

import json
import shutil
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kafka_format.log.verification import Breach
from kafka_generator.log_vectors import files as vectors
from kafka_generator.log_vectors import oracle
from kafka_tools.errors import UsageError
from kafka_tools.logs import checks, log_paths

from tests.kafka_format.log import real

pytest.importorskip("pyspark", reason="the spark extra is not installed")

from kafka_tools.audit.audit_folder import FOLDERS
from kafka_tools.audit.options import AuditOptions
from kafka_tools.audit.run import run
from kafka_tools.audit.schemas import schema
from kafka_tools.audit.summary import AuditSummary
from pyarrow import parquet

if TYPE_CHECKING:
    from pyspark import SparkContext

pytestmark = pytest.mark.spark

ROOT = Path(__file__).parents[3]
VECTORS = vectors.read(ROOT / "vectors" / vectors.FOLDER / vectors.DIRECTORIES)


class Watching:
    """Hears what happens; can interrupt when rows have come so many times."""

    def __init__(self, most: int = 1 << 60) -> None:
        self.stages: list[str] = []
        self._left = most

    def stage(self, text: str) -> None:
        self.stages.append(text)

    def detail(self, text: str) -> None:
        raise AssertionError(text)

    def began(self, batches: int, done: int) -> None:
        self.stages.append(f"{done} of {batches}")

    def advance(self, *_: int) -> None:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt


@pytest.fixture
def audit(context: "SparkContext", tmp_path: Path) -> Callable[..., AuditSummary]:
    def start(*_: Any) -> AbstractContextManager["SparkContext"]:
        return nullcontext(context)

    def call(*directories: Path, watcher: Watching | None = None, out: str = "out", **options: Any) -> AuditSummary:
        return run(AuditOptions(directories, "", tmp_path / out, **options), watcher or Watching(), start)

    return call


def unpack(name: str, folder: Path) -> Path:
    return oracle.write({path: bytes.fromhex(data) for path, data in VECTORS[name]["files"].items()}, folder)


def known(breaches: Iterable[Breach]) -> list[tuple[Any, ...]]:
    found = [(each.rule, str(each.path), each.detail, each.position, each.offset) for each in breaches]
    return sorted(found, key=repr)


def rows(out: Path, name: str) -> list[dict[str, Any]]:
    [part] = (out / name).glob("*.parquet")
    found = parquet.ParquetFile(part)
    assert found.schema_arrow.equals(schema(FOLDERS[name]))
    plain: list[dict[str, Any]] = found.read().to_pylist()
    return plain


def state(folder: Path) -> list[tuple[Any, ...]]:
    return [(path, path.stat().st_size, path.stat().st_mtime_ns) for path in sorted(folder.rglob("*"))]


@pytest.mark.parametrize("slice_size", [pytest.param(1, marks=pytest.mark.whole), 1 << 20])
def test_all_vectors_in_one_run(audit: Callable[..., AuditSummary], tmp_path: Path, slice_size: int) -> None:
    folders = [unpack(name, tmp_path / "data" / str(number)) for number, name in enumerate(VECTORS)]
    before = state(tmp_path / "data")
    result = audit(*folders, slice_size=slice_size)
    expected = known(breach for folder in folders for breach in checks.breaches(folder))
    names = ("rule", "path", "detail", "position", "offset")
    listed = [tuple(row[name] for name in names) for row in rows(tmp_path / "out", "findings")]
    assert len(expected) > 60
    assert sorted(listed, key=repr) == expected
    assert (result.status, result.breach_count) == (1, len(expected))
    assert state(tmp_path / "data") == before
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["findings"] == len(expected)
    assert "log.segment.rising" in (tmp_path / "out" / "summary.html").read_text(encoding="utf-8")


def test_directories_of_brokers_are_sound_and_scanned_once(audit: Callable[..., AuditSummary], tmp_path: Path) -> None:
    """No segment leaves a doubt: else every audit would read it twice."""
    folders = [real.unpack(name, tmp_path / name) for name in real.NAMES]
    result = audit(*folders)
    assert (result.status, result.breach_count, result.total("judged")) == (0, 0, 0)
    assert len(result.partitions) == sum(len(log_paths.partitions(folder)) for folder in folders)


def test_an_audit_that_was_interrupted_goes_on(audit: Callable[..., AuditSummary], tmp_path: Path) -> None:
    data = real.unpack("kafka-3.9.2-stopped", tmp_path / "data")
    with pytest.raises(UsageError, match="interrupted"):
        audit(data, watcher=Watching(most=0))
    with pytest.raises(UsageError, match="--resume"):
        audit(data)
    (data / "orders-0" / "00000000000000000039.log").write_bytes(b"changed since")
    result = audit(data, resume=True, watcher=(watching := Watching()))
    assert {row["rule"] for row in rows(tmp_path / "out", "findings")} >= {"log.segment.tail"}
    assert result.breach_count == len(list(checks.breaches(data)))
    assert "starting Spark (as submitted)" in watching.stages
    again = audit(data, resume=True)
    assert (again.cost.scanned, again.breach_count) == (0, result.breach_count)


def test_what_cannot_be_read_is_told_and_ends_nothing(audit: Callable[..., AuditSummary], tmp_path: Path) -> None:
    data = real.unpack("kafka-3.9.2-stopped", tmp_path / "data")
    path = data / "orders-0" / "leader-epoch-checkpoint"
    path.unlink()
    path.symlink_to("/proc/self/mem")  # its first byte cannot be read, by nobody
    result = audit(data)
    assert result.problems == [f"{data / 'orders-0'}: Input/output error"]
    assert result.status == 2
    assert len(result.partitions) == len(log_paths.partitions(data))


def test_replicas_are_compared(audit: Callable[..., AuditSummary], tmp_path: Path) -> None:
    """One has the same bytes, one lost its end, one has another batch that Kafka does not
    notice."""
    first = real.unpack("kafka-3.9.2-stopped", tmp_path / "1")
    for name in ("2", "3", "4"):
        shutil.copytree(first, tmp_path / name)
    last = max((tmp_path / "3" / "orders-0").glob("*.log"))
    last.unlink()
    changed = bytearray((tmp_path / "4" / "orders-0" / "00000000000000000039.log").read_bytes())
    changed[200] ^= 1
    (tmp_path / "4" / "orders-0" / "00000000000000000039.log").write_bytes(changed)
    result = audit(*(tmp_path / name for name in "1234"), replicas=True)
    found = {(row.directory[-1], row.partition): row for row in result.replicas}
    orders = [found[name, "orders-0"] for name in "1234"]
    assert {row.trusted[-1] for row in orders} == {"1"}
    assert [row.differences for row in orders] == [0, 0, 0, 1]
    assert [row.end_offset for row in orders] == [120, 120, int(last.name[:20]), 120]
    assert orders[3].silent == 1
    assert orders[0].high_watermark == 120
    assert result.differing == [orders[3]]
    assert rows(tmp_path / "out", "replicas")[0]["partition"]
