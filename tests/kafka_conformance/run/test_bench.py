"""Measuring is right about who can be measured; how fast anything is, no test says."""

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from kafka_conformance.child.launch import Command, Limits
from kafka_conformance.protocol.hello import Direction
from kafka_conformance.reports import bench as shown
from kafka_conformance.run import bench, timed_target
from kafka_conformance.run.bench import Bench, Measurement
from kafka_conformance.run.header import header
from kafka_conformance.run.timed_target import TimedTarget
from kafka_conformance.run.workloads import Workload, workloads
from kafka_format.spec import data
from rich.console import Console

from tests.kafka_conformance.miniature_targets import PATIENT, command

SCHEMA = json.loads((data.path("spec") / "schema" / "bench.schema.json").read_text())
PLAIN, GZIP = (
    work
    for work in workloads()
    if work.count == 1 and work.name.startswith("decode") and work.codec in {"none", "gzip"}
)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timed_target, "TURN_SECONDS", 0.001)
    monkeypatch.setattr(timed_target, "WARM_SECONDS", 0.0)
    monkeypatch.setattr(timed_target, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(bench, "ROUNDS", 3)


@pytest.fixture(scope="module")
def reference() -> Iterator[TimedTarget]:
    served = Command((sys.executable, "-P", "-m", "kafka_conformance", "adapter", "reference"))
    target = TimedTarget("reference", served, Limits())
    yield target
    target.close()


def miniature(name: str) -> TimedTarget:
    return TimedTarget(name, command(name), PATIENT)


def test_workloads_are_both_directions_both_sizes_and_every_codec() -> None:
    works = list(workloads())
    assert len(works) == len({work.name for work in works}) == 2 * 2 * 5
    assert {len(work.records) for work in works} == {1, 100}


@pytest.mark.parametrize("work", list(workloads()), ids=lambda work: work.name)
def test_reference_is_timed_at_everything(reference: TimedTarget, work: Workload) -> None:
    [comparison] = bench.compare([reference], [work])
    assert (comparison.ratio, comparison.low, comparison.high, comparison.why) == (1.0, 1.0, 1.0, "")


def test_only_what_is_right_is_timed(reference: TimedTarget) -> None:
    others = [miniature("serve"), miniature("accepts_everything"), miniature("crashes_on_everything")]
    comparison = {target.target: target for target in bench.compare([reference, *others], [PLAIN])}
    for connection in others:
        connection.close()
    assert comparison["reference"].ratio == 1.0
    assert {one.ratio for name, one in comparison.items() if name != "reference"} == {None}
    assert comparison["serve"].why == "ToyError: high bit"
    assert comparison["accepts_everything"].why == "wrong: records is 203 records, not 1 record"
    assert comparison["crashes_on_everything"].why == "it exited with status 1"


def test_what_is_not_declared_is_not_asked() -> None:
    toy = miniature("crashes_on_everything")
    [gzip, encode] = bench.compare([toy], [GZIP, Workload(Direction.ENCODE, "none", 1, PLAIN.records)])
    toy.close()
    assert (gzip.why, encode.why) == ("not declared", "not declared")


@pytest.mark.parametrize(
    ("names", "stick"),
    [
        (["aiokafka", "reference", "kafka-clients"], "kafka-clients"),
        (["a", "reference"], "reference"),
        (["a", "b"], "a"),
    ],
)
def test_yardstick_is_kafka_if_it_is_there(names: list[str], stick: str) -> None:
    assert bench.yardstick(names) == stick


def test_table_and_file_say_the_same(tmp_path: Path) -> None:
    measured = [
        Measurement("one", "decode 1 record, none", 1.0, 1.0, 1.0),
        Measurement("two", "decode 1 record, none", 12.34, 11.0, 13.0),
        Measurement("one", "decode 1 record, gzip", 1.0, 1.0, 1.0),
        Measurement("two", "decode 1 record, gzip", why="wrong: \x1b[31m"),
    ]
    done = Bench(header("run --bench"), "one", {"one": "1", "two": "2"}, {"three": "not ready: x"}, measured)
    file = io.StringIO()
    shown.print_table(done, Console(file=file, width=100))
    rows = [line.split() for line in file.getvalue().splitlines()]
    assert ["decode", "1", "record,", "none", "1.00", "12"] in rows
    assert ["decode", "1", "record,", "gzip", "1.00", "-"] in rows
    assert r"two: decode 1 record, gzip: wrong: \x1b[31m" in file.getvalue()
    assert "three: not ready: x" in file.getvalue()
    assert shown.write(done, tmp_path) == tmp_path / "bench.json"
    document = json.loads((tmp_path / "bench.json").read_text())
    Draft202012Validator(SCHEMA).validate(document)
    assert [one["ratio"] for one in document["measured"]] == [1.0, 12.34, 1.0, None]
    assert document["footer"] == {"measured": 4}


def test_a_target_is_warmed_up_as_long_as_it_gets_faster(
    reference: TimedTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    ages = iter(range(1, 1000))
    clock = [0.0]

    def exchange(target: TimedTarget) -> tuple[float, bytes]:
        seconds = target._inputs / min(next(ages), 50)  # fifty times as fast in the end
        clock[0] += seconds
        return seconds, b""

    monkeypatch.setattr(timed_target, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(timed_target, "WARM_SECONDS", 0.4)
    monkeypatch.setattr(timed_target, "COLD_SECONDS", 1000.0)
    monkeypatch.setattr(TimedTarget, "_exchange", exchange)
    reference._inputs = 1
    reference._warm_up(PLAIN)
    assert reference.turn() == pytest.approx(1 / 50)
