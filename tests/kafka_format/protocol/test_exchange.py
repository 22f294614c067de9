"""Whole requests and responses: which header belongs to what, and what cannot be one."""

import pytest
from kafka_format import protocol
from kafka_format.codec.readings import interpreter_only
from kafka_format.errors import FormatError, LayoutError
from kafka_format.spec.layout import specification
from kafka_format.spec.releases import release


@pytest.mark.parametrize("api", ["fetch", "Fetch", "FETCH", 1])
def test_an_api_has_a_number_and_names(api: int | str) -> None:
    assert (protocol.api_name(api), protocol.api_number(api)) == ("fetch", 1)


@pytest.mark.parametrize(
    ("api", "advice"),
    [("fetsh", "did you mean `fetch`?"), (95, "there are 0 to 94"), (-1, "there are 0 to 94")],
    ids=str,
)
def test_an_api_that_there_is_not(api: int | str, advice: str) -> None:
    with pytest.raises(LayoutError) as caught:
        protocol.api_name(api)
    assert caught.value.advice == advice


def test_the_names_are_those_of_the_layouts() -> None:
    layouts = specification().versioned
    for number in range(95):
        for kind in ("request", "response"):
            assert layouts[f"{protocol.api_name(number)}_{kind}"].api == number


@pytest.mark.parametrize(
    ("api", "version", "request_header", "response_header"),
    [
        ("controlled_shutdown", 0, 0, 0), ("controlled_shutdown", 1, 1, 0), ("controlled_shutdown", 3, 2, 1),
        ("api_versions", 0, 1, 0), ("api_versions", 3, 2, 0), ("api_versions", 5, 2, 0), ("fetch", 11, 1, 0),
        ("fetch", 12, 2, 1), ("sasl_handshake", 1, 1, 0), ("offset_delete", 0, 1, 0), ("vote", 0, 2, 1),
    ],
)  # fmt: skip
def test_the_version_of_a_header(api: str, version: int, request_header: int, response_header: int) -> None:
    """KIP-482, KIP-511, and ControlledShutdown of 0.8."""
    assert protocol.header_version(api, version) == request_header
    assert protocol.header_version(api, version, "response") == response_header


REQUESTS = [
    ("api_versions", 0, {}, 1, "x", "0012 0000 00000001 0001 78"),
    ("api_versions", 3, {"client_software_name": "a", "client_software_version": "1"}, 1, "x",
     "0012 0003 00000001 0001 78 00 0261 0231 00"),
    ("controlled_shutdown", 0, {"broker_id": 7}, 1, "x", "0007 0000 00000001 00000007"),
    ("heartbeat", 0, {"group_id": "g", "generation_id": 5, "member_id": "m"}, -1, None,
     "000c 0000 ffffffff ffff 0001 67 00000005 0001 6d"),
]  # fmt: skip


@pytest.mark.parametrize(("api", "version", "body", "correlation_id", "client_id", "text"), REQUESTS)
def test_requests_by_hand(
    api: str, version: int, body: dict[str, object], correlation_id: int, client_id: str | None, text: str
) -> None:
    data = bytes.fromhex(text)
    written = protocol.encode_request(api, version, body, correlation_id=correlation_id, client_id=client_id)
    assert written == data
    request = protocol.decode_request(data)
    assert (request.api, request.version, request.header.correlation_id) == (
        protocol.api_number(api),
        version,
        correlation_id,
    )
    assert protocol.request(api, version).encode(request.body) == protocol.request(api, version).encode(body)


@pytest.mark.parametrize(
    ("text", "rule", "path", "offset"),
    [
        ("", "field.truncated", "header.request_api_key", 0),
        ("0012", "field.truncated", "header.request_api_version", 2),
        ("7fff 0000 00000001 ffff", "protocol.header.known", "header.request_api_key", 0),
        ("ffff 0000 00000001 ffff", "protocol.header.known", "header.request_api_key", 0),
        ("0012 7fff 00000001 ffff", "protocol.header.known", "header.request_api_version", 2),
        ("0012 ffff 00000001 ffff", "protocol.header.known", "header.request_api_version", 2),
        ("0012 0000 0000", "field.truncated", "header.correlation_id", 4),
        ("0012 0003 00000001 0001 78", "field.truncated", "header.unknown_tagged_fields.count", 11),
        ("0012 0000 00000001 0001 78 00", "protocol.body.exact", "body", 11),
        ("000c 0000 ffffffff ffff 0001", "length.within", "body.group_id.length", 10),
    ],
)
def test_a_request_that_is_none(text: str, rule: str, path: str, offset: int) -> None:
    with pytest.raises(FormatError) as caught:
        protocol.decode_request(bytes.fromhex(text))
    assert (caught.value.rule, caught.value.path_text, caught.value.offset) == (rule, path, offset)


def test_a_response_by_hand() -> None:
    body = {"error_code": 0, "api_keys": [{"api_key": 1, "min_version": 4, "max_version": 18}]}
    data = bytes.fromhex("00000009 0000 02 0001 0004 0012 00 00000000 00")
    assert protocol.encode_response("api_versions", 3, body, correlation_id=9) == data
    response = protocol.decode_response(data, "api_versions", 3)
    assert (response.version, response.header.correlation_id, response.body.api_keys[0].max_version) == (3, 9, 18)


def test_the_answer_to_a_version_of_api_versions_that_is_not_known() -> None:
    """It is of version 0, with error 35 and the versions of ApiVersions itself (KIP-511); until 2.3
    with none."""
    for text in ("00000009 0023 00000001 0012 0000 0002", "00000009 0023 00000000"):
        response = protocol.decode_response(bytes.fromhex(text), "api_versions", 5)
        assert (response.version, response.body.error_code) == (0, 35)


@pytest.mark.parametrize(
    ("text", "version"), [("00000009 0000 00000000", 5), ("00000009 0023 0000", 5), ("00000009 0023 0000", 0)]
)
def test_an_answer_of_another_version_is_no_other_time_taken(text: str, version: int) -> None:
    with pytest.raises(FormatError):
        protocol.decode_response(bytes.fromhex(text), "api_versions", version)


def test_tagged_fields_of_headers() -> None:
    """A client must pass over those that it does not know, in the header as in the body."""
    data = protocol.encode_response("heartbeat", 4, {}, correlation_id=3, tagged=[(9, b"new")])
    assert data == bytes.fromhex("00000003 01 09 03 6e6577 00000000 0000 00")
    assert protocol.decode_response(data, "heartbeat", 4).header.unknown_tagged_fields == ((9, b"new"),)
    sent = protocol.encode_request("heartbeat", 4, {}, tagged=[(9, b"new")])
    assert protocol.decode_request(sent).header.unknown_tagged_fields == ((9, b"new"),)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("eda080", "efbfbd"),
        ("eda0", "efbfbd"),
        ("eda041", "efbfbd41"),
        ("eda0eda080", "efbfbdefbfbd"),
        ("e282", "efbfbd"),
        ("e080", "efbfbdefbfbd"),
    ],
)
def test_text_that_is_no_utf8_becomes_what_kafka_4_4_makes_of_it(content: str, text: str) -> None:
    """Mechanisms in requests of SaslHandshake, which Kafka's classes read and wrote again."""
    given = bytes.fromhex(content)
    data = bytes.fromhex("0011000000000007ffff") + len(given).to_bytes(2, "big") + given
    request = protocol.decode_request(data, flags=release("4.4").flags)
    assert request.body.mechanism.encode().hex() == text


LIBRDKAFKA_1_3 = bytes.fromhex("0012 0000 00000001 0007 72646b61666b61")
LIBRDKAFKA_2_16 = bytes.fromhex("0003 000d 00000003 0007 72646b61666b61 00 00 00 00 00")


@pytest.mark.parametrize(
    ("request_", "behind"),
    [(LIBRDKAFKA_1_3, "00000000"), (LIBRDKAFKA_2_16, "010000"), (LIBRDKAFKA_2_16, "000000")],
)
def test_what_librdkafka_leaves_behind_a_request_is_read_over(request_: bytes, behind: str) -> None:
    assert protocol.decode_request(request_ + bytes.fromhex(behind)) == protocol.decode_request(request_)
    with interpreter_only():
        assert protocol.decode_request(request_ + bytes.fromhex(behind)) == protocol.decode_request(request_)
    surplus = protocol.surplus(request_ + bytes.fromhex(behind))
    assert surplus is not None
    assert surplus.writer.startswith("librdkafka")
    assert protocol.surplus(request_) is None


@pytest.mark.parametrize(
    ("request_", "behind"),
    [
        (LIBRDKAFKA_1_3, "00"), (LIBRDKAFKA_1_3, "00000001"), (LIBRDKAFKA_1_3, "0000000000"),
        (LIBRDKAFKA_2_16, "00000000"), (LIBRDKAFKA_2_16, "0100"), (LIBRDKAFKA_2_16, "020000"),
        (LIBRDKAFKA_1_3.replace(b"\0\x12\0\0", b"\0\x12\0\1"), "00000000"),
    ],
)  # fmt: skip
def test_other_bytes_behind_a_request_are_an_error(request_: bytes, behind: str) -> None:
    with pytest.raises(FormatError) as caught:
        protocol.decode_request(request_ + bytes.fromhex(behind))
    assert (caught.value.rule, caught.value.offset) == ("protocol.body.exact", len(request_))


def test_nothing_may_stand_behind_a_response() -> None:
    data = protocol.encode_response("api_versions", 0, {"error_code": 0})
    with pytest.raises(FormatError, match="4 bytes after the last field"):
        protocol.decode_response(data + bytes(4), "api_versions", 0)
