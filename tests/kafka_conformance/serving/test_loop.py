"""Python functions and the reference, served in a process of their own."""

from dataclasses import replace
from pathlib import Path

import pytest
from kafka_conformance.child.launch import Limits
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.hello import CODECS, Hello
from kafka_conformance.run import runner
from kafka_conformance.run.run import Run
from kafka_conformance.run.runner import RunOptions
from kafka_conformance.run.target import Standing
from kafka_conformance.serving import python_function
from kafka_conformance.targets import resolve
from kafka_conformance.vectors import golden, json_answers
from kafka_conformance.vectors.vector import Refusal, Vector, Verdict
from kafka_format import records
from kafka_format.records import Record
from kafka_tools.errors import UsageError

LIMITS = Limits(seconds=5)
RECORDS = [Record(7, 5, 0, b"k", None), Record(8, 6, 0, b"", b"v")]


def vector(magic: int = 2, codec: str = "none", wanted: list[Record] = RECORDS, **fields: object) -> Vector:
    data = records.encode(wanted, magic=magic, codec=codec)
    answer = tuple(json_answers.to_json(record._replace(codec=CODECS.index(codec)) for record in wanted))
    described = {
        "formats": (f"v{magic}",),
        "codecs": ("none", codec),
        "rules": ("v2.offset",),
        "format": f"v{magic}",
        "family": "toy",
    }
    vector_id = f"v{magic}/{codec}"
    return Vector(vector_id, "two records", verdict=Verdict.VALID, data=data, answer=answer, **{**described, **fields})


def put(target: str, *vectors: Vector) -> Run:
    return runner.run([resolve.candidate(target)], vectors, RunOptions(limits=LIMITS))


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to write modules to, that is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_reference_decodes_and_encodes_in_every_format_and_codec() -> None:
    combinations = [(magic, codec) for magic in (0, 1, 2) for codec in CODECS if magic == 2 or codec != "zstd"]
    plain = [record._replace(timestamp=-1, timestamp_type=-1) for record in RECORDS]
    vectors = [vector(magic, codec, RECORDS if magic else plain, canonical=True) for magic, codec in combinations]
    done = put("reference", *vectors)
    assert [result for result in done.results if result.outcome is not Outcome.PASSED] == []
    assert len(done.results) == 2 * len(vectors)


def test_function_may_return_mappings_with_the_usual_fields(modules: Path) -> None:
    (modules / "mine.py").write_text(
        "def decode(data):\n"
        "    print('printing is fine')\n"
        "    return [\n"
        "        {'offset': 7, 'timestamp': 5, 'key': b'k', 'value': None, 'headers': []},\n"
        "        {'offset': 8, 'timestamp': 6, 'key': b'', 'value': b'v', 'headers': ()},\n"
        "    ]\n",
        encoding="ascii",
    )
    [result] = put("python:mine:decode", vector()).results
    assert result.outcome is Outcome.PASSED


def test_module_may_declare_more(modules: Path) -> None:
    (modules / "mine.py").write_text(
        "HELLO = {'fields': ['offset'], 'formats': ['v1'], 'version': '3'}\n"
        "class R:\n    def __init__(self, offset): self.offset = offset\n"
        "def decode(data):\n    return (R(o) for o in (7, 8))\n",
        encoding="ascii",
    )
    done = put("python:mine:decode", vector(), vector(magic=1))
    assert [result.outcome for result in done.results] == [Outcome.UNSUPPORTED, Outcome.PASSED]
    hello = done.targets[0].hello
    assert isinstance(hello, Hello)
    assert (hello.version, hello.fields) == ("3", ("offset",))


@pytest.mark.parametrize("declared", [True, False])
def test_control_records_are_left_out_unless_they_are_declared(modules: Path, declared: bool) -> None:
    """The reference gives control records with `control` set, as records or as mappings."""
    fields = ["offset", "control"] if declared else ["offset"]
    (modules / "mine.py").write_text(
        f"HELLO = {{'fields': {fields}}}\n"
        "from kafka_format import records\n"
        "decode = records.decode\n"
        "def mappings(data):\n    return [record._asdict() for record in decode(data)]\n",
        encoding="ascii",
    )
    marker = golden.load(patterns=("control/batch/log-append-time",))
    for target in ("python:mine:decode", "python:mine:mappings"):
        [result] = put(target, *marker).results
        assert result.outcome is Outcome.PASSED, result.detail


def test_exception_is_a_refusal_with_its_text(modules: Path) -> None:
    (modules / "mine.py").write_text("def decode(data):\n    raise KeyError('no')\n", encoding="ascii")
    [result] = put("python:mine:decode", vector()).results
    assert (result.outcome, result.detail) == (Outcome.REFUSED_VALID, "KeyError: 'no'")


def test_records_yielded_before_an_exception_are_a_partial_answer(modules: Path) -> None:
    (modules / "mine.py").write_text(
        "HELLO = {'fields': ['offset']}\ndef decode(data):\n    yield {'offset': 7}\n    raise KeyError('no')\n",
        encoding="ascii",
    )
    [result] = put("python:mine:decode", vector()).results
    assert (result.outcome, result.detail) == (Outcome.PARTIAL_ANSWER, "1 record, then: KeyError: 'no'")
    assert result.error == "KeyError: 'no'"


def test_another_number_of_records_is_told_with_both_numbers(modules: Path) -> None:
    (modules / "mine.py").write_text("def decode(data):\n    return []\n", encoding="ascii")
    [result] = put("python:mine:decode", vector()).results
    assert (result.outcome, result.due, result.came) == (Outcome.WRONG_ANSWER, len(vector().answer or ()), 0)


def test_reference_gives_the_records_of_the_entries_before_a_fault() -> None:
    sound, broken = vector(), vector()
    data = sound.data + broken.data[:-1] + bytes([broken.data[-1] ^ 1])
    fault = Refusal("checksum", "v2.crc.covers-attributes-to-end", len(sound.data) + 17)
    twice = replace(sound, id="toy/twice", data=data, verdict=Verdict.INVALID, answer=None, fault=fault)
    [result] = put("reference", twice).results
    assert (result.outcome, result.answer) == (Outcome.PASSED, tuple(RECORDS))
    assert result.detail.startswith("2 records, then: checksum error at byte ")


def test_function_that_returns_something_else_at_times_is_told_and_never_a_refusal(modules: Path) -> None:
    source = (
        "import os\nstart = os.getpid()\ndef decode(_):\n    return [{'offset': 7}] if os.getpid() == start else []"
    )
    (modules / "mine.py").write_text(source, encoding="ascii")
    [result] = put("python:mine:decode", vector()).results
    assert result.outcome is Outcome.CRASHED
    assert "mine:decode returned a record without the field timestamp" in result.detail


def test_function_that_never_returns_what_is_declared_does_not_come_up(modules: Path) -> None:
    (modules / "mine.py").write_text("def decode(data):\n    return [{'offset': 7}]\n", encoding="ascii")
    [target] = put("python:mine:decode", vector()).targets
    assert target.standing is Standing.DID_NOT_COME_UP
    assert "mine:decode returned a record without the field timestamp" in target.problem


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("mine", "'mine' is not module:function"),
        ("mine:", "'mine:' is not module:function"),
        ("nowhere:decode", "cannot import nowhere: ModuleNotFoundError"),
        ("broken:decode", "cannot import broken: ZeroDivisionError"),
        ("fine:missing", "fine has no function 'missing'"),
        ("fine:NUMBER", "fine has no function 'NUMBER'"),
        ("boastful:decode", "HELLO of boastful has an unknown key 'format'"),
    ],
)
def test_what_cannot_be_served_is_told(modules: Path, target: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(modules))
    (modules / "broken.py").write_text("1 / 0\n", encoding="ascii")
    (modules / "fine.py").write_text("NUMBER = 1\n", encoding="ascii")
    (modules / "boastful.py").write_text("HELLO = {'format': ['v2']}\ndef decode(data): pass\n", encoding="ascii")
    with pytest.raises(UsageError, match=words):
        python_function.load(target)
