"""decode, encode and explain on requests and responses: options, output, and refusals."""

import json
from pathlib import Path

import pytest
from kafka_format import protocol, records
from kafka_format.records import Record
from kafka_format.spec.layout import specification

from tests.command_line import Main

REQUEST = "0012 0003 00000001 0001 78 00 0261 0231 00"
DOCUMENT = {
    "api": "api_versions",
    "version": 3,
    "header": {"requestApiKey": 18, "requestApiVersion": 3, "correlationId": 1, "clientId": "x"},
    "body": {"clientSoftwareName": "a", "clientSoftwareVersion": "1"},
}


def test_a_request_becomes_json_with_the_names_of_kafka(main: Main) -> None:
    status, out, _ = main("decode", "--request", "--hex", REQUEST)
    assert (status, json.loads(out)) == (0, DOCUMENT)


def test_json_becomes_the_same_request(main: Main, tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(DOCUMENT))
    assert main("encode", str(file), "--request", "--hex")[1].strip() == REQUEST.replace(" ", "")
    framed = main("encode", str(file), "--request", "--hex", "--frame")[1].strip()
    assert framed == "00000011" + REQUEST.replace(" ", "")
    assert json.loads(main("decode", "--request", "--hex", framed * 2)[1]) == [DOCUMENT, DOCUMENT]


def test_a_body_alone_needs_its_api_and_version(main: Main, tmp_path: Path) -> None:
    file = tmp_path / "body.json"
    file.write_text('{"throttleTimeMs": 5, "errorCode": 3}')
    said = ("--response", "--api", "Heartbeat", "--version", "1")
    assert main("encode", str(file), *said, "--hex")[1].strip() == "00000000000000050003"
    assert "are missing" in main("encode", str(file), "--response", "--hex")[2]


@pytest.mark.parametrize(
    ("text", "correlation_id"), [("00000006 00000005 0003", 6), ("0000000a 00000001 00000005 0003", 1)]
)
def test_a_correlation_id_that_looks_like_a_size(text: str, correlation_id: int, main: Main) -> None:
    status, out, _ = main("decode", "--response", "--api", "heartbeat", "--version", "1", "--hex", text)
    document = json.loads(out)
    assert (status, document["header"]) == (0, {"correlationId": correlation_id})
    assert document["body"] == {"throttleTimeMs": 5, "errorCode": 3}


@pytest.mark.parametrize(
    ("api", "version", "text"),
    [
        ([], 1, "`api` is [], neither a name nor a number"),
        (True, 1, "`api` is True"),
        ("fetsh", 1, "did you mean `fetch`"),
        (1, {}, "`version` is {}, which is no whole number"),
        (1, "12", "`version` is '12'"),
        (1, 99, "it has 0-18"),
        (1, None, "are missing"),
    ],
)
def test_what_is_no_api_or_version_in_a_document_is_said(
    api: object, version: object, text: str, main: Main, tmp_path: Path
) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps({"api": api, "version": version, "body": {}}))
    status, _, said = main("encode", str(file), "--request", "--hex")
    assert status == 2
    assert text in said


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("decode", "--response", "--hex", "00"), "the API and version of the response are missing"),
        (("decode", "--request", "--response", "--hex", "00"), "exclude each other"),
        (("decode", "--api", "fetch", "--hex", "00"), "--api goes with --request or --response"),
        (("decode", "--request", "--api", "fetsh", "--hex", "00"), "Did you mean `fetch`?"),
        (("decode", "--request", "--api", "95", "--hex", "00"), "there is no API 95"),
        (("decode", "--request", "--api", "fetch", "--version", "99", "--hex", "00"), "has no version 99"),
        (
            ("decode", "--request", "--api", "fetch", "--hex", REQUEST),
            "--api says 1, the header of the request says 18",
        ),
        (("decode", "--layout", "offset_commit_key", "--version", "7", "--hex", "00"), "It has 0"),
        (("explain", "--topic", "orders", "--hex", "00"), "'orders' is not one of"),
    ],
)
def test_what_cannot_be_asked(main: Main, arguments: tuple[str, ...], text: str) -> None:
    status, _, error = main(*arguments)
    assert status == 2
    assert text in error


@pytest.mark.parametrize(
    "document",
    [
        "[]", '{"body": []}', '{"body": {}, "header": 3}', '{"body": {"nothing": 1}}', '{"body": {"topics": 5}}',
        '{"body": {"topics": [5]}}', '{"body": {"_unknownTaggedFields": [5]}}', '{"body": {"_unknownTaggedFields": 5}}',
        '{"api": "nothing", "body": {}}', '{"version": "x", "body": {}}',
    ],
)  # fmt: skip
def test_json_that_cannot_be_written(main: Main, tmp_path: Path, document: str) -> None:
    file = tmp_path / "document.json"
    file.write_text(document)
    said = () if 'nothing", "body' in document else ("--api", "metadata")
    version = () if "version" in document else ("--version", "12")
    status, out, error = main("encode", str(file), "--request", *said, *version, "--hex")
    assert (status, out) == (2, "")
    assert "Traceback" not in error


def test_a_version_of_a_layout(main: Main, tmp_path: Path) -> None:
    key = "0001 67 0001 74 00000005"
    asked = ("--layout", "offset_commit_key", "--version", "0")
    expected = {"group": "g", "topic": "t", "partition": 5}
    assert json.loads(main("decode", *asked, "--hex", key)[1]) == expected
    assert "group.length" in main("explain", *asked, "--hex", key)[1]
    (tmp_path / "key.json").write_text(json.dumps(expected))
    assert main("encode", *asked, str(tmp_path / "key.json"), "--hex")[1].strip() == key.replace(" ", "")


def test_explain_says_where_it_is_wrong(main: Main) -> None:
    status, out, _ = main("explain", "--request", "--hex", REQUEST + "ff")
    assert status == 1
    assert "api_versions request, version 3" in out
    assert "protocol.body.exact" in out


def test_explain_as_json_is_a_line_a_frame(main: Main) -> None:
    frame = "00000011" + REQUEST.replace(" ", "")
    status, out, _ = main("explain", "--request", "--json", "--hex", frame * 3)
    documents = [json.loads(line) for line in out.splitlines()]
    assert (status, len(documents)) == (0, 3)
    assert {"offset": 14, "bytes": "78", "path": "header.client_id", "value": "'x'"} in documents[0]["lines"]


def test_explain_says_that_it_guesses(main: Main) -> None:
    status, out, _ = main("explain", "--response", "--hex", "00000001 00000000 0000")
    assert status == 0
    assert "a guess, it can also be" in out


def test_explain_reads_bytes_as_what_they_are_and_says_where_that_is_a_guess(main: Main) -> None:
    status, out, said = main("explain", "--hex", REQUEST)
    assert (status, "api_versions request, version 3" in out) == (0, True)
    assert "It is read as a request of api_versions, version 3" in said
    status, out, said = main("explain", "--hex", "0000000a 00000001 00000000 0000")
    assert (status, "a guess, it can also be" in out) == (0, True)
    assert "(a guess): the size in front fits" in said


@pytest.mark.parametrize("command", ["explain", "decode"])
@pytest.mark.parametrize("data", ["ff", "ff" * 30, "000102", "0012000300000001 00066369 64000000 00 02 00000000"])
def test_what_is_nothing_is_not_recognised(main: Main, command: str, data: str) -> None:
    status, out, said = main(command, "--hex", data)
    assert (status, "Not recognised: " in said) == (1, True)
    assert "[]" not in out


@pytest.mark.parametrize("command", ["explain", "decode"])
def test_a_request_without_its_size_and_its_body_is_no_entry(main: Main, command: str) -> None:
    status, _, said = main(command, "--hex", "00120003000000010003666f6f00")
    assert (status, "the start of a request of api_versions, version 3" in said) == (1, True)


def test_a_frame_that_is_cut_is_shown_to_its_last_byte(main: Main) -> None:
    framed = "00000011" + REQUEST.replace(" ", "")
    for length in range(24, len(framed), 2):
        status, out, _ = main("explain", "--request", "--hex", framed[:length])
        missing = (len(framed) - length) // 2
        assert (status, f"cut ({missing} byte" in out) == (1, True)
        assert f"{missing} byte{'s are' if missing > 1 else ' is'} missing" in out.splitlines()[-1]


def test_a_file_of_a_data_directory_is_named_by_its_content(main: Main, tmp_path: Path) -> None:
    (tmp_path / "x").write_text("0\n2\n0 0\n2 400\n")
    status, out, said = main("explain", str(tmp_path / "x"))
    assert (status, "leader-epoch-checkpoint" in said, "2 400" in out) == (0, True, True)
    assert main("decode", str(tmp_path / "x"))[0] == 1


def test_a_file_of_text_that_stands_for_bytes_is_read_as_these(main: Main, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(f"0000   {bytes.fromhex(REQUEST).hex(' ')}\n")
    status, out, said = main("decode", str(tmp_path / "x.txt"))
    assert (status, json.loads(out)) == (0, DOCUMENT)
    assert "a dump with addresses that say a request of api_versions" in said


@pytest.mark.parametrize("kind", ["--request", "--response"])
@pytest.mark.parametrize("piped", [False, True])
def test_bytes_that_no_api_reads_are_status_1(main: Main, kind: str, *, piped: bool) -> None:
    data = bytes.fromhex("ffffffff")
    said, given = (("-",), {"stdin": data}) if piped else (("--hex", data.hex()), {})
    status, out, _ = main("explain", kind, *said, **given)
    assert (status, f"a {kind[2:]} of an unknown API" in out) == (1, True)


def test_every_name_of_what_bytes_hold_is_one() -> None:
    """`holds:` names a request, a response, metrics, or a layout that tells its version."""
    layouts = specification().versioned
    for number in range(95):
        for kind in ("request", "response"):
            for field in layouts[f"{protocol.api_name(number)}_{kind}"].body.fields:
                known = field.holds in {"", "records", "request", "response", "telemetry"}
                assert known or layouts[field.holds].behind == "schema_version"


def test_records_inside_are_read_and_written(main: Main, tmp_path: Path) -> None:
    written = records.encode([Record(0, 5, key=b"k", value=b"hi")])
    parts = [{"index": 0, "records": written}, {"index": 1, "records": None}]
    body = {"topic_data": [{"name": "t", "partition_data": parts}]}
    data = protocol.encode_request("produce", 9, body, correlation_id=3)
    status, out, _ = main("decode", "--request", "--records", "--hex", data.hex())
    first, second = json.loads(out)["body"]["topicData"][0]["partitionData"]
    assert status == 0
    assert [(record["offset"], record["key"], record["value"]) for record in first["records"]] == [("0", "6b", "6869")]
    assert second["records"] is None
    (tmp_path / "request.json").write_text(out)
    assert main("encode", "--request", str(tmp_path / "request.json"), "--hex")[1].strip() == data.hex()


def test_records_inside_that_are_wrong(main: Main, tmp_path: Path) -> None:
    part = {"index": 0, "records": records.encode([Record(0, 5, value=b"hi")])[:-1] + b"\1"}
    data = protocol.encode_request("produce", 9, {"topic_data": [{"name": "t", "partition_data": [part]}]})
    assert main("decode", "--request", "--hex", data.hex())[0] == 0
    status, _, error = main("decode", "--request", "--records", "--hex", data.hex())
    assert status == 1
    assert "body.topicData[0].partitionData[0].records" in error
    document = {"topicData": [{"name": "t", "partitionData": [{"records": [{"offset": "x"}]}]}]}
    (tmp_path / "body.json").write_text(json.dumps(document))
    asked = ("--request", "--api", "produce", "--version", "9", "--hex")
    status, _, error = main("encode", *asked, str(tmp_path / "body.json"))
    assert status == 2
    assert "topicData.0.partitionData.0.records" in error


def test_hex_digits_are_read_from_standard_input(main: Main) -> None:
    status, out, _ = main("decode", "--request", "--hex", "-", stdin=f"{REQUEST}\n".encode())
    assert (status, json.loads(out)) == (0, DOCUMENT)
    dump = b"0000  00 12 00 03  ....\n0004  00 00 00 01 00 01  ......\n000a  78 00 02 61 02 31 00\n"
    assert json.loads(main("decode", "--request", "--hex", "-", stdin=dump)[1]) == DOCUMENT
    assert "'!' at position 2 is not a hex digit" in main("decode", "--request", "--hex", "-", stdin=b"00!")[2]


def test_a_file_of_hex_digits_is_read_as_it_is_and_that_is_said(main: Main, tmp_path: Path) -> None:
    file = tmp_path / "request.txt"
    file.write_text(REQUEST)
    status, _, err = main("decode", "--request", str(file))
    assert status == 1
    assert "`--hex -` reads the bytes" in err
    file.write_bytes(bytes.fromhex(REQUEST))
    assert main("decode", "--request", str(file))[2] == ""


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("0001 0063 00000001 0001 78 00 0261", "API 1 has no version 99, it has 0-18"),
        ("0012 0009 00000001 0001 78", "API 18 has no version 9, it has 0-5"),
        ("00000011 0012 0003 0000", "needs 4 bytes, 2 left"),
    ],
)
def test_a_version_that_there_is_not_is_told_from_a_size(main: Main, data: str, text: str) -> None:
    status, _, err = main("decode", "--request", "--hex", data)
    assert status == 1
    assert text in err


def test_a_fallback_of_api_versions_is_the_first_guess(main: Main) -> None:
    """KIP-511: error 35 in version 0. Twenty responses read these bytes to the end."""
    assert main("explain", "--response", "--hex", "00000007 0023 00000000")[1].startswith("api_versions response, v")


def test_a_small_correlation_id_is_no_size_where_what_is_said_reads_to_the_end(main: Main) -> None:
    said = ("--response", "--api", "api_versions", "--version", "0")
    status, out, _ = main("explain", *said, "--hex", "00000007 0023 00000001 0012 0000 0002")
    assert (status, out.split("\n")[1].split()[5:]) == (0, ["header.correlation_id", "7"])


COMMITTED = "0003 0000000000000007 00000001 0000 0000018000000000"


def test_a_value_of_an_internal_topic_says_its_version_itself(main: Main) -> None:
    status, out, _ = main("decode", "--layout", "offset_commit_value", "--hex", COMMITTED)
    data = {"offset": 7, "leaderEpoch": 1, "metadata": "", "commitTimestamp": 0x18000000000}
    assert (status, json.loads(out)) == (0, {"version": 3, "data": data})
    status, out, _ = main("explain", "--layout", "offset_commit_value", "--hex", COMMITTED)
    assert (status, out.split()[:4]) == (0, ["0", "00", "03", "version"])


def test_a_key_of_another_kind_is_told_so(main: Main) -> None:
    status, _, err = main("decode", "--layout", "offset_commit_key", "--hex", "0002 0001 67")
    assert status == 1
    assert "number: is 2, and that of offset_commit_key is 1 [protocol.record.known]" in err


@pytest.mark.parametrize("command", ["decode", "explain"])
def test_what_the_bytes_are_is_said_in_one_way(command: str, main: Main) -> None:
    for options in (["--layout", "record_batch", "--v07"], ["--v07", "--request"]):
        status, _, err = main(command, *options, "--hex", "00")
        assert (status, "exclude each other" in err) == (2, True)


def test_a_cut_off_entry_and_an_empty_input_are_told(main: Main) -> None:
    whole = records.encode([Record(0, 5, value=b"hi")]).hex()
    status, out, said = main("decode", "--hex", whole + "000102")
    assert (status, len(json.loads(out))) == (0, 1)
    assert said == "A cut-off entry of 3 bytes at the end is left out, as Kafka does.\n"
    status, out, said = main("decode", "--hex", whole[:-6])
    assert (status, out) == (1, "")
    assert "3 bytes missing, so nothing whole is there" in said
    assert main("decode", "--hex", "")[2] == "The input is empty: 0 bytes.\n"


def test_what_is_left_out_gets_its_default(main: Main) -> None:
    asked = ("--request", "--api", "fetch", "--version", "13", "--hex")
    status, out, _ = main("encode", *asked, stdin=b'{"sessionId": 77}')
    request = protocol.decode_request(bytes.fromhex(out))
    assert (status, request.body.session_id, request.body.topics) == (0, 77, [])
    part = b'{"topics": [{"partitions": [{"partition": 3}]}]}'
    request = protocol.decode_request(bytes.fromhex(main("encode", *asked, stdin=part)[1]))
    [topic] = request.body.topics
    assert (topic.topic_id, topic.partitions[0].current_leader_epoch) == (bytes(16), -1)


def test_records_inside_of_requests_get_their_defaults_and_are_read_again(main: Main) -> None:
    asked = ("--request", "--api", "produce", "--version", "9", "--hex")
    parts = {"index": 0, "records": [{"value": "76"}, {"value": "77"}]}
    body = {"acks": -1, "topicData": [{"name": "orders", "partitionData": [parts]}]}
    status, out, _ = main("encode", *asked, stdin=json.dumps(body).encode())
    request = protocol.decode_request(bytes.fromhex(out))
    [record, other] = records.decode(request.body.topic_data[0].partition_data[0].records)
    assert (status, record.value, record.offset, other.value, other.offset) == (0, b"v", 0, b"w", 1)
    read = json.loads(main("decode", "--request", "--hex", out)[1])
    assert (read["api"], read["version"]) == ("produce", 9)


def test_json_that_is_too_deep_is_no_json(main: Main, tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000)
    status, _, err = main("encode", str(file))
    assert (status, "is not JSON: maximum recursion depth" in err) == (2, True)
