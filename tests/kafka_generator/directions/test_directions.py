"""Tables of the further directions: mistakes name file and line, nothing unjudged is written."""

import json
from pathlib import Path
from typing import Self

import pytest
from kafka_conformance.errors import TargetLostError
from kafka_conformance.outcomes import Outcome
from kafka_conformance.protocol.messages import Reply, Status
from kafka_format.errors import LayoutError
from kafka_generator.directions import files
from kafka_generator.payloads import PayloadStore
from kafka_generator.unjudged import Unjudged

CASE = """\
family: deliver
cases:
  - id: deliver/one
    title: One record
    rules: [consumer.gaps]
    fetch_offset: 3
    run: [{batch: {base_offset: 3, base_timestamp: 1, max_timestamp: 1, records: [{value: a}]}}]
    expect: {delivered: [3], next_offset: 4}
"""


def made(folder: Path, text: str = CASE, name: str = "deliver") -> list[files.DirectionCase]:
    tables = folder / "cases" / "directions"
    tables.mkdir(parents=True, exist_ok=True)
    (tables / f"{name}.yaml").write_text(text)
    return files.make(folder, PayloadStore(folder / "payloads.json", may_add=True))


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("family: deliver", "family: decode", 1, "family of this file is `deliver`"),
        ("    title: One record\n", "", 3, "title"),
        ("[consumer.gaps]", "[consumer.gasp]", 5, "there is no rule `consumer.gasp` (did you mean `consumer.gaps`?)"),
        ("[consumer.gaps]", "[]", 5, "at least one rule"),
        ("fetch_offset: 3", "first_offset: 3", 6, "unknown key `first_offset`"),
        ("next_offset: 4", "offset: 4", 8, "unknown key `offset`"),
        ("base_offset: 3", "base_offset: text", 3, "cannot"),
    ],
)
def test_a_wrong_table_is_refused_with_its_line(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    with pytest.raises(LayoutError) as caught:
        made(tmp_path, CASE.replace(old, new))
    assert str(caught.value).startswith(f"vectors/cases/directions/deliver.yaml:{line}: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[3]", "[4]"),
        ("next_offset: 4", "next_offset: 5"),
        ("fetch_offset: 3", "fetch_offset: 4"),
        ("4}", "4, fault: x}"),
    ],
)
def test_what_the_reference_does_otherwise_is_not_written(tmp_path: Path, old: str, new: str) -> None:
    (made_case,) = made(tmp_path, CASE.replace(old, new))
    with pytest.raises(LayoutError, match="but the reference gives"):
        made_case.direction.outcome(made_case.case.section, made_case.data)


def test_an_error_that_the_table_does_not_expect_is_told(tmp_path: Path) -> None:
    (made_case,) = made(
        tmp_path, CASE.replace("base_offset: 3,", "base_offset: 3, crc: 1,").replace("[3]", "[]").replace("4}", "3}")
    )
    with pytest.raises(LayoutError, match="is to be read to its end, but: checksum error"):
        made_case.direction.outcome(made_case.case.section, made_case.data)


def test_a_table_of_no_direction_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match="family of this file"):
        made(tmp_path, CASE.replace("family: deliver", "family: compact"), "compact")


def test_what_kafka_never_saw_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=r"never put to Kafka .*make oracle"):
        files.texts(tmp_path, made(tmp_path))


def test_what_kafka_never_saw_is_marked_on_trial(tmp_path: Path) -> None:
    unjudged = Unjudged(are_allowed=True)
    texts = files.texts(tmp_path, made(tmp_path), unjudged=unjudged)
    vector = json.loads(texts[tmp_path / "directions" / "deliver.jsonl"])
    assert (vector["oracle"], vector["judged"]) == ([], False)
    (notice,) = unjudged.notices()
    assert notice.startswith("not judged yet: 1 vectors;")


def test_what_kafka_does_otherwise_is_not_written(tmp_path: Path) -> None:
    cases = made(tmp_path)
    record = {"kafka-clients 4.4.0": {files.key_of(cases[0]): "0" * 32}}
    (tmp_path / "cases" / "oracle-deliver.json").write_text(json.dumps(record))
    with pytest.raises(LayoutError, match=r"kafka-clients 4\.4\.0 does something else"):
        files.texts(tmp_path, cases)


class _Anything:
    """Stands in for an installation and for the client of an adapter."""

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def check(self) -> None: ...

    def command(self) -> None: ...


def test_a_case_that_kafka_dies_of_is_named_and_the_others_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = CASE[CASE.index("  - id") :].replace("deliver/one", "deliver/two").replace("value: a", "value: b")
    cases = made(tmp_path, CASE + second)

    def reply(_: object, one: files.DirectionCase) -> Reply:
        if one.case.id == "deliver/one":
            raise TargetLostError(Outcome.CRASHED, "was ended by SIGKILL")
        return Reply(Status.UNSUPPORTED, b"no")

    for name, stand_in in {"installation": _Anything, "AdapterClient": _Anything, "_reply": reply}.items():
        monkeypatch.setattr(files, name, stand_in)
    (first, other) = files.ask(tmp_path, cases)
    assert str(first).startswith("vectors/cases/directions/deliver.yaml:3: `deliver/one`: kafka-clients")
    assert "was ended by SIGKILL" in str(first)
    assert "`deliver/one`" in str(other)
