"""Flags know their releases; mistakes in spec/flags.yaml or spec/releases.yaml name the line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from kafka_format import columnar, records, structure
from kafka_format.errors import LayoutError
from kafka_format.records import control
from kafka_format.spec.flags import Evidence, flags, load
from kafka_format.spec.layout import specification
from kafka_format.spec.releases import load as load_releases
from kafka_format.spec.releases import release, releases

EVIDENCE = "since: '1.0', class: C, does: it"


@pytest.mark.parametrize(
    ("since", "until", "release_name", "covers"),
    [
        ("0.10.2", "", "0.10.2", True),
        ("0.10.2", "", "0.10.1", False),
        ("0.10.2", "", "0.9", False),
        ("0.9", "", "0.10.0", True),
        ("0.8", "0.8.2", "0.8.2", True),
        ("0.8", "0.8.2", "0.9", False),
        ("2.1", "3.4", "3.4", True),
        ("2.1", "3.4", "3.5", False),
        ("2.1", "", "10.0", True),
    ],
)
def test_a_release_lies_in_a_range_by_its_numbers(since: str, until: str, release_name: str, *, covers: bool) -> None:
    assert Evidence(since, until, "C", "it").covers(release_name) == covers


def test_a_flag_holds_where_any_evidence_does() -> None:
    flag = flags()["partial-inner-message-is-dropped"]
    assert [flag.holds_in(name) for name in ("0.7", "0.8", "0.11", "4.4")] == [True] * 4
    assert not flags()["overlong-varint"].holds_in("0.10.2")


def test_a_flag_has_ended_once_all_its_evidence_has() -> None:
    negative, partial = flags()["negative-tag-count-is-none"], flags()["partial-inner-message-is-dropped"]
    assert [negative.has_ended_before(name) for name in ("2.4", "4.3", "4.4")] == [False, False, True]
    assert not partial.has_ended_before("4.4")


READERS: dict[str, Callable[..., object]] = {
    "records.decode": records.decode,
    "columnar.decode": columnar.decode,
    "columnar.decode_many": lambda data, flags: columnar.decode_many([data], flags=flags),
    "columnar.to_arrow": columnar.to_arrow,
    "structure.decode": structure("record_batch").decode,
    "control.read": lambda data, flags: control.read(data, data, flags=flags),
}


@pytest.mark.parametrize("reader", READERS)
def test_misspelt_flag_is_refused_by_all_that_read(reader: str) -> None:
    """Whatever the bytes are: else a reader is stricter than its user believes."""
    with pytest.raises(ValueError, match="no flag `overlong-varints`; did you mean `overlong-varint`"):
        READERS[reader](b"", flags=frozenset({"overlong-varints"}))


def test_what_the_flags_relax_is_what_readers_go_by() -> None:
    relaxed = {rule: flag.name for flag in flags().values() for rule in flag.relaxes}
    assert relaxed == specification().flags


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ("a-flag: {doc: D.}", 2, "`a-flag` has no evidence"),
        ("a-flag: {doc: D., evidence: [{since: '1.0', class: C}]}", 2, "`does` must be a text"),
        ("a-flag: {doc: D., evidence: [{since: new, class: C, does: it}]}", 2, "`new` is not a release"),
        ("a-flag: {doc: D., evidence: [{since: '2.9', class: C, does: it}]}", 2, "there is no Kafka 2.9"),
        ("a-flag: {doc: D., evidence: [{since: 1.5, class: C, does: it}]}", 2, "`since` must be a text"),
        (
            f"a-flag: {{doc: D., evidence: [{{until: '0.9', {EVIDENCE}}}]}}",
            2,
            "ends with 0.9, before it begins with 1.0",
        ),
        (f"a-flag: {{doc: D., evidence: [{{by: me, {EVIDENCE}}}]}}", 2, "unknown key `by`"),
    ],
)
def test_a_wrong_flag_names_its_line(tmp_path: Path, text: str, line: int, complaint: str) -> None:
    (tmp_path / "flags.yaml").write_text(f"flags:\n  {text}\n", encoding="utf-8")
    with pytest.raises(LayoutError) as caught:
        load(tmp_path)
    assert (caught.value.file, caught.value.line) == ("flags.yaml", line)
    assert complaint in caught.value.detail


def test_a_wrong_release_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "releases.yaml").write_text("releases:\n  - {release: '4.4', verion: 4.4.0}\n", encoding="utf-8")
    with pytest.raises(LayoutError, match=r"releases.yaml:2: unknown key `verion`.*did you mean `version`"):
        load_releases(tmp_path)


def test_each_release_has_the_flags_of_its_time() -> None:
    assert "zstd-short-tail" in release("3.4").flags
    assert "zstd-short-tail" not in release("3.5").flags
    assert "empty-wrapper" in release("0.8.2").flags
    assert all("negative-length-is-null" in each_release.flags for each_release in releases().values())
