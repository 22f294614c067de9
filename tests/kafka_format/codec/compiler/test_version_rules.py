"""Bytes that break one rule each, by hand from KIP-482 and the layouts, strictly and with flags."""

from typing import Any

import pytest
from kafka_format import structure
from kafka_format.errors import FormatError

pytestmark = pytest.mark.usefixtures("engine")

# FindCoordinator 4 is flexible: key_type int8, coordinator_keys compact array of compact strings,
# tags. ConsumerGroupHeartbeat response 0 has an assignment that may be null, after an int8.
HEARTBEAT = "00000000 0000 00 00 00000001 00000000"

BROKEN: list[tuple[str, str, int, str, str, int, str]] = [
    # rule, layout, version, bytes, path, offset, flag that accepts them
    ("protocol.boolean", "metadata_request", 4, "00000000 02", "allow_auto_topic_creation", 4, "boolean-of-any-byte"),
    ("protocol.array.not-null", "metadata_request", 0, "ffffffff", "topics.count", 0, ""),
    ("protocol.array.not-null", "find_coordinator_request", 4, "00 00 00", "coordinator_keys.count", 1, ""),
    ("protocol.array.count", "metadata_request", 1, "fffffffe", "topics.count", 0, "negative-length-is-null"),
    ("count.within", "metadata_request", 1, "7fffffff", "topics.count", 0, ""),
    ("count.within", "find_coordinator_request", 4, "00 ffffffff 07", "coordinator_keys.count", 1, ""),
    ("length.not-negative", "heartbeat_request", 0, "ffff 00000000 0000", "group_id.length", 0, ""),
    ("compact.not-null", "heartbeat_request", 4, "00 00000000 01 00 00", "group_id.length", 0, ""),
    ("length.within", "heartbeat_request", 0, "0003 6162", "group_id.length", 0, ""),
    ("string.utf8", "heartbeat_request", 0, "0002 c328 00000000 0000", "group_id", 2, "invalid-utf8-is-replaced"),
    ("string.utf8", "heartbeat_request", 4, "04 eda080 00000000 01 00 00", "group_id", 1, "invalid-utf8-is-replaced"),
    ("protocol.marker", "consumer_group_heartbeat_response", 0, HEARTBEAT + "05 01 00 00", "assignment.marker", 16,
     "marker-by-sign"),
    ("protocol.marker", "consumer_group_heartbeat_response", 0, HEARTBEAT + "fe 00", "assignment.marker", 16,
     "marker-by-sign"),
    ("count.within", "find_coordinator_request", 4, "00 01 02 0000", "unknown_tagged_fields.count", 2, ""),
    ("protocol.tags.count", "find_coordinator_request", 4, "00 01 ffffffff0f", "unknown_tagged_fields.count", 2,
     "negative-tag-count-is-none"),
    ("protocol.tags.count", "metadata_request", 12, "02" + "00" * 17 + "8080808008 00 00 00",
     "topics[0].unknown_tagged_fields.count", 18, "negative-tag-count-is-none"),
    ("count.within", "find_coordinator_request", 4, "00 01 ffffffff07", "unknown_tagged_fields.count", 2, ""),
    ("protocol.tags.ascending", "find_coordinator_request", 4, "00 01 02 0500 0300", "unknown_tagged_fields[1].tag", 5,
     "tags-in-any-order"),
    ("protocol.tags.once", "find_coordinator_request", 4, "00 01 02 0500 0500", "unknown_tagged_fields[1].tag", 5,
     "tags-in-any-order"),
    ("length.within", "find_coordinator_request", 4, "00 01 01 0502 61", "unknown_tagged_fields[0].size", 4, ""),
    ("protocol.body.exact", "heartbeat_response", 0, "0000 61", "", 2, "body-trailing-bytes"),
    ("field.truncated", "heartbeat_response", 0, "00", "error_code", 0, ""),
    ("varint.minimal", "find_coordinator_request", 4, "00 8100 00", "coordinator_keys.count", 1, "overlong-varint"),
    ("varint.length", "find_coordinator_request", 4, "00 808080808001 00", "coordinator_keys.count", 1, ""),
]  # fmt: skip


def test_a_string_has_32767_bytes_at_most() -> None:
    compiled = structure("heartbeat_request", 4)
    group = "a" * 32767
    data = compiled.encode({"group_id": group})
    assert compiled.decode(data).group_id == group
    longer = bytes.fromhex("818002") + b"a" * 32768 + data[3 + 32767 :]
    with pytest.raises(FormatError) as caught:
        compiled.decode(longer)
    assert (caught.value.rule, caught.value.path_text) == ("protocol.string.longest", "group_id.length")


@pytest.mark.parametrize(
    ("rule", "name", "version", "text", "path", "offset", "flag"),
    BROKEN,
    ids=[f"{case[0]} {case[1]} {case[3]}" for case in BROKEN],
)
def test_a_broken_rule(rule: str, name: str, version: int, text: str, path: str, offset: int, flag: str) -> None:
    compiled = structure(name, version)
    data = bytes.fromhex(text)
    with pytest.raises(FormatError) as caught:
        compiled.decode(data)
    assert (caught.value.rule, caught.value.path_text, caught.value.offset) == (rule, path, offset)
    if flag:
        compiled.decode(data, flags=frozenset({flag}))


FETCH_12 = "ffffffff 00000000 00000000 7fffffff 00 00000000 00000000 01 01 01"


@pytest.mark.parametrize(
    ("flag", "name", "version", "text", "field", "value"),
    [
        ("boolean-of-any-byte", "metadata_request", 4, "00000000 02", "allow_auto_topic_creation", True),
        ("negative-length-is-null", "metadata_request", 1, "fffffffe", "topics", None),
        ("invalid-utf8-is-replaced", "heartbeat_request", 0, "0002 c328 00000000 0000", "group_id", "\ufffd("),
        # JDK 17: three bytes of half a pair are one U+FFFD, not three
        ("invalid-utf8-is-replaced", "heartbeat_request", 0, "0004 eda08061 00000000 0000", "group_id", "\ufffda"),
        ("compact-length-wraps", "metadata_request", 9, "ffffffff0f 00 00 00 00", "topics", None),
        ("compact-length-wraps", "fetch_request", 12, f"{FETCH_12} 01 00 05 ffffffff0f", "cluster_id", None),
        ("marker-by-sign", "consumer_group_heartbeat_response", 0, HEARTBEAT + "fe 00", "assignment", None),
        ("negative-tag-count-is-none", "find_coordinator_request", 4, "00 01 ffffffff0f", "unknown_tagged_fields", ()),
        ("tags-in-any-order", "find_coordinator_request", 4, "00 01 02 0500 0300", "unknown_tagged_fields",
         ((5, b""), (3, b""))),
        ("tags-in-any-order", "api_versions_response", 3, "0000 01 00000000 02 03 01 01 03 01 00",
         "zk_migration_ready", False),
        ("body-trailing-bytes", "heartbeat_response", 0, "0000 61", "error_code", 0),
    ],
)  # fmt: skip
def test_what_a_flag_makes_of_it(flag: str, name: str, version: int, text: str, field: str, value: Any) -> None:
    """As Kafka reads it: the last of a tag that is known counts, all unknown ones are kept."""
    decoded = structure(name, version).decode(bytes.fromhex(text), flags=frozenset({flag}))
    assert getattr(decoded, field) == value


@pytest.mark.parametrize(
    ("size", "rest", "rule"),
    [("02", "00", "protocol.tag.size"), ("00", "", "field.truncated")],
    ids=["too large", "too small"],
)
def test_the_size_of_a_tagged_field(size: str, rest: str, rule: str) -> None:
    """ApiVersions response 3, tag 3 is a boolean; Kafka reads it by its type, whatever its size
    says."""
    compiled = structure("api_versions_response", 3)
    head = "0000 01 00000000 01 03"
    assert compiled.decode(bytes.fromhex(f"{head} 01 01")).zk_migration_ready
    data = bytes.fromhex(f"{head} {size} 01 {rest}")
    with pytest.raises(FormatError) as caught:
        compiled.decode(data)
    assert caught.value.rule == rule
    loose = frozenset({"tag-size-unread", "body-trailing-bytes"})
    assert compiled.decode(data, flags=loose).zk_migration_ready


def test_a_compact_length_that_no_int32_holds() -> None:
    """Kafka 4.4 reads ff ff ff ff 0f as null; where nothing may be null, it refuses that."""
    for name, version, text in (
        ("metadata_request", 9, "ffffffff0f 00 00 00 00"),
        ("api_versions_request", 3, "ffffffff0f 0261 00"),
        ("delete_groups_request", 2, "8180808008 00"),
    ):
        with pytest.raises(FormatError, match=r"protocol\.length\.int32"):
            structure(name, version).decode(bytes.fromhex(text))
    loose = frozenset({"compact-length-wraps"})
    for name, version, text in (
        ("api_versions_request", 3, "ffffffff0f 0261 00"), ("delete_groups_request", 2, "ffffffff0f 00"),
    ):  # fmt: skip
        with pytest.raises(FormatError, match="not-null"):
            structure(name, version).decode(bytes.fromhex(text), flags=loose)


def test_a_tag_that_only_other_versions_have() -> None:
    """Kafka 4.4: "Tag 1 is not valid for version 12". Tag 1 of Fetch is the state of a replica,
    since version 15."""
    with pytest.raises(FormatError, match="tag 1 is a field of other versions only") as caught:
        structure("fetch_request", 12).decode(bytes.fromhex(f"{FETCH_12} 01 01 04 61626364"))
    assert caught.value.rule == "protocol.tag.version"
    assert caught.value.path == ("unknown_tagged_fields", 0, "tag")
    kept = structure("fetch_request", 12).decode(bytes.fromhex(f"{FETCH_12} 01 05 04 61626364"))
    assert kept.unknown_tagged_fields == ((5, b"abcd"),)
