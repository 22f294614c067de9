"""The export of the protocol's vectors: the lines as they are, and a table with the same
content."""

import hashlib
import json
from pathlib import Path

import pytest
from kafka_conformance.vectors import export, loader, protocol, protocol_export
from kafka_conformance.vectors.export import ExportKind
from kafka_conformance.vectors.loader import Filters
from kafka_tools.errors import UsageError

from tests.command_line import Main


def test_lines_table_and_manifest_say_the_same(tmp_path: Path) -> None:
    vectors = protocol_export.of_apis(("heartbeat", "topic_records"))
    protocol_export.write(vectors, tmp_path)
    manifest = json.loads((tmp_path / "protocol.json").read_text(encoding="utf-8"))
    assert manifest["vectors"] == len(vectors)
    documents = []
    for entry in manifest["files"]:
        content = (tmp_path / entry["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
        documents += [json.loads(line) for line in content.decode().splitlines()]
    assert [entry["file"] for entry in manifest["files"]] == [
        "protocol/heartbeat.jsonl",
        "protocol/topic_records.jsonl",
    ]
    head, *rows = (tmp_path / "protocol.tsv").read_text(encoding="utf-8").splitlines()
    assert head.split("\t") == list(protocol_export.COLUMNS)
    for row, document in zip(rows, documents, strict=True):
        told = dict(zip(head.split("\t"), row.split("\t"), strict=True))
        assert told["versions"].split(",") == [str(number) for number in document["versions"]]
        assert told["api"] == str(document.get("api", ""))
        assert told["canonical"] == json.dumps(document["canonical"])
        assert all(told[name] == document[name] for name in ("id", "kind", "message", "verdict", "hex"))


def test_a_whole_file_is_what_the_index_says(tmp_path: Path) -> None:
    protocol_export.write(protocol_export.of_apis(("heartbeat",)), tmp_path)
    ((_, text),) = protocol.texts(protocol.data.path("vectors") / "protocol", ("heartbeat",))
    assert (tmp_path / "protocol/heartbeat.jsonl").read_text(encoding="utf-8") == text


def test_it_replaces_an_earlier_one_and_lies_beside_that_of_the_other_vectors(tmp_path: Path) -> None:
    records = loader.choose(Filters(("run/*",)))
    export.write(records, tmp_path, frozenset({ExportKind.JSONL}))
    protocol_export.write(protocol_export.of_apis(("heartbeat", "metadata")), tmp_path)
    protocol_export.write(protocol_export.of_apis(("12",)), tmp_path)
    export.write(records, tmp_path, frozenset({ExportKind.JSONL}))
    assert {path.name for path in tmp_path.iterdir()} == {
        "jsonl", "manifest.json", "manifest.tsv", "protocol", "protocol.json", "protocol.tsv"
    }  # fmt: skip
    assert [path.name for path in (tmp_path / "protocol").iterdir()] == ["heartbeat.jsonl"]


def test_nothing_else_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "protocol").mkdir()
    (tmp_path / "protocol" / "mine.txt").write_text("mine")
    with pytest.raises(UsageError, match="nothing is overwritten"):
        protocol_export.write(protocol_export.of_apis(("heartbeat",)), tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot write"):
        protocol_export.write(protocol_export.of_apis(("heartbeat",)), tmp_path / "file")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--api", "hartbeat"), "Did you mean `heartbeat`?"),
        (("--api", "hartbeat"), "topic_records"),
        (("--api", "95"), "there is no API 95"),
        (("--api", "heartbeat", "--id", "fetch-*"), "no vector matches"),
        (("--api", "heartbeat", "--as", "bin", "--export", "x"), "exported as lines and as a table"),
    ],
)
def test_wrong_usage_is_told(main: Main, arguments: tuple[str, ...], words: str) -> None:
    status, _, err = main("vectors", *arguments)
    assert status == 2
    assert words in err


def test_they_are_listed_and_one_is_shown_with_how_to_explain_it(main: Main) -> None:
    status, out, err = main("vectors", "--api", "Heartbeat", "--verdict", "lenient")
    assert (status, len(out.splitlines())) == (0, int(err.split()[0]))
    assert "heartbeat-request/4/group-id/length/overlong" in out
    assert "[overlong-varint]" in out
    status, out, err = main("vectors", "--api", "12", "--id", "heartbeat-request/0/typical")
    document = json.loads(out)
    assert document["versions"] == [0, 1, 2]
    assert "explain --layout heartbeat_request --version 0 --hex" in err
    assert main("vectors", "--explain", "--id", "heartbeat-request/0/typical")[0] == 0


def test_an_export_from_the_command_line(main: Main, tmp_path: Path) -> None:
    status, out, _ = main("vectors", "--api", "heartbeat", "--export", str(tmp_path / "out"))
    assert (status, out.split()[1:]) == (0, f"vectors in {tmp_path}/out; protocol.json says what is where.".split())
