"""capture: rows, filters, annotations, JSON, and files that are no captures or break off."""

import bz2
import gzip
import io
import json
import lzma
import re
from pathlib import Path
from types import ModuleType

import jsonschema
import pytest
import zstandard
from kafka_format import capture, protocol, records
from kafka_format.records import Record
from kafka_format.spec import data
from kafka_tools.show import capture_rows
from rich.console import Console

from tests.command_line import Main
from tests.kafka_format.capture.wire import CLIENT, SERVER, dialogue, framed, pcap

REAL = str(Path(__file__).parents[2] / "captures" / "kafka-3.9.2.pcap")


def rows(out: str) -> list[list[str]]:
    return [line.split() for line in out.splitlines()[1:]]


def test_a_row_for_each_request_and_response(main: Main) -> None:
    status, out, _ = main("capture", REAL)
    listed = rows(out)
    assert status == 0
    assert listed[0][1:7] == ["1", "->", "request", "api_versions", "4", "1"]
    assert listed[1][1:7] == ["1", "<-", "response", "api_versions", "4", "1"]
    assert sum(row[2] == "->" for row in listed) == sum(row[2] == "<-" for row in listed)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--api", "end_txn"), [("10", "request"), ("10", "response")]),
        (("--api", "26", "--api", "WriteTxnMarkers"),
         [("10", "request"), ("10", "response"), ("13", "request"), ("13", "response")]),
        (("--connection", "13"), [("13", "request"), ("13", "response")]),
        (("--client", "broker-*"), [("13", "request"), ("13", "response")]),
        (("--client", "nobody"), []),
        (("--port", "1"), []),
        (("--until", "2026-11-22T21:32:14.42"), [("1", "request"), ("1", "response")]),
        (("--since", "2027-01-01"), []),
    ],
)  # fmt: skip
def test_filters(main: Main, arguments: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    status, out, _ = main("capture", REAL, *arguments)
    assert status == 0
    assert [(row[1], row[3]) for row in rows(out)] == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--client", "nobody"), "Nothing is like that: without the filters, 156 lines would be shown.\n"),
        (
            ("--port", "1"),
            "Nothing of Kafka: 314 packets, and no TCP on port 1. Without --port, all ports are looked at.\n",
        ),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",), ("--annotate",)])
def test_it_is_said_why_nothing_is_shown(
    main: Main, arguments: tuple[str, ...], said: str, form: tuple[str, ...]
) -> None:
    assert main("capture", REAL, *arguments, *form) == (0, "", said)


def test_it_is_said_that_nothing_is_kafka(main: Main, tmp_path: Path) -> None:
    file = tmp_path / "other.pcap"
    file.write_bytes(pcap(dialogue((CLIENT, b"GET / HTTP/1.1\r\n\r\n"), (SERVER, b"HTTP/1.1 200 OK\r\n\r\n"))))
    said = "Nothing of Kafka: 1 connection with TCP, without a request or a response.\n"
    assert main("capture", str(file)) == (0, "", said)
    file.write_bytes(pcap([]))
    assert main("capture", str(file)) == (0, "", "Nothing of Kafka: 0 packets, and no TCP.\n")


def test_json_is_a_line_for_each(main: Main) -> None:
    _, out, _ = main("capture", REAL, "--api", "end_txn", "--json")
    asked, answered = map(json.loads, out.splitlines())
    assert asked["body"]["transactionalId"] == "tx"
    assert (answered["body"], answered["fault"]) == ({"throttleTimeMs": 0, "errorCode": 0}, None)
    assert asked["correlation_id"] == answered["correlation_id"]
    _, out, _ = main("capture", REAL, "--api", "end_txn", "--json", "--annotate")
    assert json.loads(out.splitlines()[0])["lines"][0]["path"] == "size"


@pytest.mark.parametrize("command", [("capture", REAL, "--annotate"), ("explain", REAL)])
def test_annotated_down_to_the_records(main: Main, command: tuple[str, ...]) -> None:
    status, out, _ = main(*command)
    assert status == 0
    assert "'order 1'" in out
    assert "        key\n" in out
    assert "members[0]" in out
    assert "subscription" in out


def test_a_cut_capture_shows_what_is_there(main: Main, tmp_path: Path) -> None:
    cut = tmp_path / "cut.pcap"
    cut.write_bytes(Path(REAL).read_bytes()[:3000])
    status, out, _ = main("capture", str(cut))
    assert status == 1
    assert "api_versions" in out
    assert "the capture breaks off after" in out.splitlines()[-1]


def test_what_is_no_capture(main: Main, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("nothing of a capture")
    for file, text in ((tmp_path / "text", "this is no pcap or pcapng file"), (tmp_path / "none", "cannot read")):
        status, _, error = main("capture", str(file))
        assert status == 2
        assert text in error
    segment = records.encode([Record(0, 1, value=b"a")])
    error = main("capture", "-", stdin=segment)[2]
    assert "It is records, a record batch (v2): `kafka-format explain` shows it." in error


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--api", "fetsh"), "Did you mean"),
        (("--since", "soon"), "is not a time"),
        (("--port", "0"), "not in the range"),
    ],
)
def test_wrong_filters(main: Main, arguments: tuple[str, ...], text: str) -> None:
    status, _, error = main("capture", REAL, *arguments)
    assert status == 2
    assert text in error


SCHEMA = json.loads((data.path("spec") / "schema/capture.schema.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("more", [(), ("--annotate",)])
def test_json_is_what_its_schema_says(main: Main, more: tuple[str, ...]) -> None:
    status, out, _ = main("capture", REAL, "--json", *more)
    assert status == 0
    check = jsonschema.Draft202012Validator(SCHEMA)
    lines = [json.loads(line) for line in out.splitlines()]
    assert [error.message for line in lines for error in check.iter_errors(line)] == []
    assert {line["kind"] for line in lines} >= {"request", "response"}
    assert all(("lines" in line) == bool(more) for line in lines if line["api"] is not None)


def test_one_that_is_packed_or_comes_from_standard_input_is_read_alike(main: Main, tmp_path: Path) -> None:
    plain = main("capture", REAL, "--api", "fetch")
    content = Path(REAL).read_bytes()
    packed = tmp_path / "capture.pcap.gz"
    packed.write_bytes(gzip.compress(content))
    assert main("capture", str(packed), "--api", "fetch") == plain
    assert main("capture", "-", "--api", "fetch", stdin=content) == plain
    assert main("capture", "-", "--api", "fetch", stdin=packed.read_bytes()) == plain
    assert main("explain", str(packed))[1] == main("explain", REAL)[1]


def test_one_whose_gzip_breaks_off_is_read_as_far_as_it_goes(main: Main, tmp_path: Path) -> None:
    packed = tmp_path / "capture.pcap.gz"
    packed.write_bytes(gzip.compress(Path(REAL).read_bytes())[:6000])
    status, out, _ = main("capture", str(packed))
    assert status == 1
    assert len(out.splitlines()) > 10
    assert "end" in out.splitlines()[-1]
    assert "what it is packed in" in out.splitlines()[-1]


@pytest.mark.parametrize("library", [gzip, lzma, bz2, zstandard], ids=lambda library: library.__name__)
def test_packed_captures_from_a_file_and_a_pipe(main: Main, tmp_path: Path, library: ModuleType) -> None:
    data = library.compress(Path(REAL).read_bytes())
    (tmp_path / "packed").write_bytes(data)
    expected = main("capture", REAL)
    assert main("capture", str(tmp_path / "packed")) == expected
    assert main("capture", "-", stdin=data) == expected
    status, out, _ = main("capture", "-", stdin=data[: len(data) // 2])
    assert status == 1 or (status, out) == (2, "")  # a codec of one block gives nothing


def talk(*said: tuple[int, bytes]) -> bytes:
    return pcap(dialogue(*said))


ERRORS = talk(
    (CLIENT, framed(protocol.encode_request(
        "heartbeat", 4, {"group_id": "orders-app"}, correlation_id=1, client_id="app"))),
    (SERVER, framed(protocol.encode_response("heartbeat", 4, {"error_code": 27}, correlation_id=1))),
    (CLIENT, framed(protocol.encode_request("produce", 9, {"topic_data": [{"name": "orders", "partition_data": [
        {"index": 3, "records": records.encode([Record(0, 1, value=b"a"), Record(1, 1, value=b"b")])}]}], "acks": 1},
        correlation_id=2, client_id="app"))),
    (SERVER, framed(protocol.encode_response("produce", 9, {"responses": [{"name": "orders", "partition_responses": [
        {"index": 3, "error_code": 6, "error_message": "ask another"}]}]}, correlation_id=2))),
)  # fmt: skip


def test_the_list_says_topics_offsets_records_and_errors(main: Main) -> None:
    _, out, _ = main("capture", "-", stdin=ERRORS)
    _, asked, failed, sent, refused = out.splitlines()
    assert "group orders-app" in asked
    assert failed.endswith("rebalance_in_progress")
    assert "orders-3 2 records 0..1" in sent
    assert "not_leader_or_follower in orders-3: ask another" in refused


def test_errors_and_topics_can_be_chosen(main: Main) -> None:
    status, out, _ = main("capture", "-", "--errors", stdin=ERRORS)
    assert (status, [row[3] for row in rows(out)]) == (1, ["response", "response"])
    status, out, _ = main("capture", "-", "--topic", "ord*", stdin=ERRORS)
    assert (status, [row[4] for row in rows(out)]) == (0, ["produce", "produce"])
    assert main("capture", "-", "--topic", "payments", stdin=ERRORS)[1] == ""
    _, out, _ = main("capture", "-", "--errors", "--json", stdin=ERRORS)
    assert [json.loads(line)["errors"] for line in out.splitlines()] == [
        [{"where": "", "error": "rebalance_in_progress", "message": ""}],
        [{"where": "orders-3", "error": "not_leader_or_follower", "message": "ask another"}],
    ]


def test_the_summary_counts_by_client_and_api(main: Main) -> None:
    _, out, _ = main("capture", "-", "--summary", stdin=ERRORS)
    head, heartbeat, produce = [line.split() for line in out.splitlines()]
    assert head[:3] == ["client", "api", "requests"]
    assert heartbeat[:5] == ["app", "heartbeat", "1", "1", "1"]
    assert produce[:5] == ["app", "produce", "1", "1", "1"]
    _, out, _ = main("capture", "-", "--summary", "--json", stdin=ERRORS)
    assert [json.loads(line)["p50"] for line in out.splitlines()] == [pytest.approx(1000)] * 2  # a second a packet


@pytest.mark.parametrize("width", [80, 120, 200])
def test_the_list_fits_a_terminal_and_crops_nothing(width: int) -> None:
    file = io.StringIO()
    console = Console(file=file, width=width, force_terminal=True, color_system=None)
    found = [capture_rows.judge(one, with_document=False) for one in capture.read(io.BytesIO(ERRORS))]
    capture_rows.print_table(found, console)
    lines = file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    words = file.getvalue().split()
    assert {"orders-3", "records", "rebalance_in_progress", "not_leader_or_follower"} <= {*words}


MANY = str(Path(REAL).with_name("kafka-4.4.0.pcap"))
FORMS = {
    "all": (),
    "errors": ("--errors",),
    "topic": ("--topic", "orders-*"),
    "summary": ("--summary",),
    "annotate": ("--annotate", "--api", "create_topics", "--api", "describe_groups"),
}
PIECE = re.compile(r"[^\s._;]+[._]?")
SAID_BY_ARROWS = {"request", "response"}


@pytest.mark.parametrize("form", FORMS)
def test_no_word_of_a_real_capture_is_cropped_at_any_width(
    main: Main, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    plain = main("capture", MANY, *FORMS[form])[1]
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    for width in (80, 120, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        shown = re.sub(r"\x1b\[[0-9;]*m", "", main("capture", MANY, *FORMS[form])[1])
        assert max(map(len, shown.splitlines())) <= width
        left_out = {*PIECE.findall(plain.partition("\n")[2])} - {*PIECE.findall(shown)} - SAID_BY_ARROWS
        assert not {piece for piece in left_out if not re.fullmatch(r"\d{6}", piece)}, width  # of a time


def test_a_narrow_terminal_names_a_client_once_for_each_connection(main: Main, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "80")
    shown = main("capture", MANY, "--connection", "8")[1]
    assert shown.count("Persister-client-1") == 1
    assert shown.count("->") > 3
