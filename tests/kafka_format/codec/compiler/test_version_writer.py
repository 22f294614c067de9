"""What cannot be written, and why; and bytes worked out by hand from KIP-482 and the layouts."""

from typing import Any

import pytest
from kafka_format import structure
from kafka_format.codec.readings import interpreter_only
from kafka_format.errors import EncodeError, LayoutError

pytestmark = pytest.mark.usefixtures("engine")

REFUSED: list[tuple[str, int, Any, str, str]] = [
    ("heartbeat_request", 0, {"group": "g"}, "group", "did you mean `group_id`?"),
    ("heartbeat_request", 0, {"group_id": b"g"}, "group_id", "takes a text, not bytes"),
    ("heartbeat_request", 0, {"group_id": None}, "group_id", "cannot be null"),
    ("heartbeat_request", 0, {"group_id": "\ud800"}, "group_id", "cannot be UTF-8"),
    ("heartbeat_request", 4, {"group_id": "a" * 32768}, "group_id", "has 32768 bytes, must have 32767 or fewer"),
    ("heartbeat_request", 0, {"generation_id": 1 << 31}, "generation_id", "does not fit int32"),
    ("heartbeat_request", 0, {"generation_id": "1"}, "generation_id", "takes a whole number, not str"),
    ("heartbeat_request", 0, {"group_instance_id": None}, "group_instance_id", "has no such field"),
    ("heartbeat_request", 0, 5, "", "takes a mapping of its fields, not int"),
    (
        "metadata_request",
        4,
        {"allow_auto_topic_creation": 1},
        "allow_auto_topic_creation",
        "takes true or false, not 1",
    ),
    ("metadata_request", 0, {"topics": None}, "topics", "cannot be null"),
    ("metadata_request", 1, {"topics": "ab"}, "topics", "takes a list of items, not str"),
    ("metadata_request", 1, {"topics": [{"name": "a"}, {"name": 1}]}, "topics[1].name", "takes a text, not int"),
    ("metadata_request", 12, {"topics": [{"topic_id": b"1"}]}, "topics[0].topic_id", "takes 16 bytes"),
    ("fetch_request", 12, {"cluster_id": 5}, "cluster_id", "takes a text, not int"),
    ("fetch_request", 12, {"unknown_tagged_fields": [(0, b"")]}, "unknown_tagged_fields", "tag 0 belongs to a field"),
    ("fetch_request", 12, {"unknown_tagged_fields": [(9, b""), (9, b"")]}, "unknown_tagged_fields", "appears twice"),
    (
        "fetch_request",
        12,
        {"unknown_tagged_fields": [(9, "")]},
        "unknown_tagged_fields",
        "pairs of a tag and its bytes",
    ),
    ("fetch_request", 12, {"unknown_tagged_fields": [9]}, "unknown_tagged_fields", "pairs of a tag and its bytes"),
]


@pytest.mark.parametrize(("name", "version", "value", "path", "text"), REFUSED)
def test_a_value_that_cannot_be_written(name: str, version: int, value: Any, path: str, text: str) -> None:
    with pytest.raises(EncodeError) as caught:
        structure(name, version).encode(value)
    assert text in str(caught.value)
    assert ".".join(map(str, caught.value.path)).replace(".0", "[0]").replace(".1", "[1]") == path


WRITTEN: list[tuple[str, int, dict[str, Any], str]] = [
    ("api_versions_request", 0, {}, ""),
    ("api_versions_request", 3, {"client_software_name": "a", "client_software_version": "1"}, "0261 0231 00"),
    ("heartbeat_request", 0, {"group_id": "g", "generation_id": 5, "member_id": "m"}, "0001 67 00000005 0001 6d"),
    ("heartbeat_request", 3, {"group_id": "g", "generation_id": 5, "member_id": "m"}, "0001 67 00000005 0001 6d ffff"),
    ("heartbeat_request", 4, {"group_id": "g", "generation_id": 5, "member_id": "m"}, "02 67 00000005 02 6d 00 00"),
    ("metadata_request", 0, {"topics": []}, "00000000"),
    ("metadata_request", 1, {"topics": None}, "ffffffff"),
    ("metadata_request", 9, {"topics": None}, "00 01 00 00 00"),
    ("metadata_request", 9, {"topics": [{"name": "t"}]}, "02 02 74 00 01 00 00 00"),
    # A tagged structure that has all its defaults is left out; else it stands after its tag and
    # size.
    ("fetch_request", 15, {"replica_state": {}}, "00000000 00000000 7fffffff 00 00000000 ffffffff 01 01 01 00"),
    ("fetch_request", 15, {"replica_state": {"replica_id": 2}},
     "00000000 00000000 7fffffff 00 00000000 ffffffff 01 01 01 01 01 0d 00000002 ffffffffffffffff 00"),
    # Known and unknown tagged fields stand among each other.
    ("fetch_request", 12, {"cluster_id": "c", "unknown_tagged_fields": [(7, b"z")]},
     "ffffffff 00000000 00000000 7fffffff 00 00000000 ffffffff 01 01 01 02 00 02 0263 07 01 7a"),
    ("request_header", 2, {"request_api_key": 3, "request_api_version": 9, "correlation_id": 1, "client_id": "x"},
     "0003 0009 00000001 0001 78 00"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "version", "value", "text"), WRITTEN)
def test_bytes_by_hand(name: str, version: int, value: dict[str, Any], text: str) -> None:
    compiled = structure(name, version)
    data = bytes.fromhex(text)
    assert compiled.encode(value) == data
    assert compiled.encode(compiled.decode(data)) == data
    with interpreter_only():
        assert compiled.encode(compiled.decode(data)) == data


def test_a_version_is_compiled_once_and_has_a_source() -> None:
    compiled = structure("fetch_request", 12)
    assert structure("fetch_request", 12) is compiled
    assert "class FetchTopic(NamedTuple):" in compiled.source
    assert compiled.types["fetch_topic"](topic="t").topic == "t"


@pytest.mark.parametrize(("name", "version"), [("fetch_request", 99), ("fetch", 1), ("record_batch", 2)])
def test_a_version_that_there_is_not(name: str, version: int) -> None:
    with pytest.raises(LayoutError):
        structure(name, version)


def test_bytes_that_begin_elsewhere() -> None:
    compiled = structure("heartbeat_response", 0)
    assert compiled.read(b"xx\0\x10yy", 2) == (compiled.type(error_code=16), 4)
    with pytest.raises(ValueError, match="start 7 and end 6 do not lie in 6 bytes"):
        compiled.read(b"xx\0\x10yy", 7)


def test_the_order_of_known_and_unknown_tags_does_not_depend_on_the_caller() -> None:
    compiled = structure("find_coordinator_request", 4)
    first = compiled.encode({"unknown_tagged_fields": [(9, b"a"), (2, b"b")]})
    assert first == compiled.encode({"unknown_tagged_fields": [(2, b"b"), (9, b"a")]})
    assert compiled.decode(first).unknown_tagged_fields == ((2, b"b"), (9, b"a"))


@pytest.mark.parametrize("version", [0, 4])
@pytest.mark.parametrize("size", [126, 127, 16382, 16383, 32767])
def test_long_strings_of_typed_values(version: int, size: int) -> None:
    compiled = structure("heartbeat_request", version)
    value = compiled.type(group_id="a" * size)
    data = compiled.encode(value)
    assert compiled.decode(data) == value
    with interpreter_only():
        assert compiled.encode(value) == data


@pytest.mark.parametrize("version", [0, 4])
def test_a_typed_value_with_too_long_a_string(version: int) -> None:
    compiled = structure("heartbeat_request", version)
    with pytest.raises(EncodeError, match="has 32768 bytes, must have 32767 or fewer"):
        compiled.encode(compiled.type(group_id="a" * 32768))


def test_a_tagged_structure_equal_to_its_defaults_is_left_out() -> None:
    compiled = structure("fetch_request", 15)
    state = compiled.types["replica_state"]
    equal = compiled.type(replica_state=state(replica_id=-1, replica_epoch=-1))
    assert compiled.encode(equal) == compiled.encode(compiled.type()) == compiled.encode({})
    assert compiled.decode(compiled.encode(compiled.type(replica_state=state(3)))).replica_state == state(3)
